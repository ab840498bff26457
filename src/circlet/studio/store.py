"""The work queue and the answers: who is given what, and what they said, one transaction each.

An item goes to as many people as it wants and never twice to the same. What was given out and not
answered in time comes back. Nothing is ever overwritten: an edited or withdrawn answer stays in the
history, and two people's answers are two rows.
"""

import json
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import RLock
from typing import Any

from circlet.core import BusyError, UsageError
from circlet.studio.items import Answer, Item
from circlet.studio.rows import (
    ANSWER,
    ITEM,
    answer_from,
    answer_numbered,
    answer_of,
    insert,
    item_of,
    latest,
    own_answer,
    recount,
    remember,
    revise,
)
from circlet.studio.schema import connect

# What follows from an answer: the items that are now to be asked.
Following = Callable[[Answer], Iterable[Item]]


def nothing_follows(answer: Answer) -> list[Item]:
    """For tasks whose answers are the end of it."""
    return []


@dataclass(frozen=True)
class Progress:
    """How far a task is: answers wanted and there, and what is left for one person."""

    task: str
    wanted: int
    have: int
    left: int


class Store:
    """The answers of one project: `Store(path)`; `clock` tells the time, for tests.

    >>> import tempfile
    >>> store = Store(Path(tempfile.mkdtemp()) / "answers.sqlite")
    >>> store.add([Item(id="1", task="retrieve", shown={})])
    1
    >>> ann = store.person()
    >>> item = store.next(ann, "retrieve")
    >>> store.answer(ann, item.number, {"choice": "a"}).state
    'kept'
    >>> store.next(ann, "retrieve") is None
    True
    """

    def __init__(self, path: Path, *, minutes: float = 30, clock: Callable[[], float] = time.time) -> None:
        self.path = path
        self.minutes = minutes
        self.clock = clock
        self._lock = RLock()
        self._opened = connect(path)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._opened.close()

    @contextmanager
    def _change(self, *, lasting: bool = True) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is there when this ends, or nothing.

        What is `lasting` would survive a power cut, not only a kill: so it is with every answer before
        the next item is shown. Who was given what may be forgotten then: it is given anew.
        """
        with self._lock:
            self._opened.execute(f"PRAGMA synchronous = {'FULL' if lasting else 'NORMAL'}")
            self._opened.execute("BEGIN IMMEDIATE")
            try:
                yield self._opened
            except BaseException:
                self._opened.execute("ROLLBACK")
                raise
            self._opened.execute("COMMIT")

    def _rows(self, query: str, *values: object) -> list[Any]:
        with self._lock:
            return self._opened.execute(query, values).fetchall()

    # Items and people

    def add(self, items: Iterable[Item]) -> int:
        """Put items into the queue; those that are there already stay as they are. How many were new."""
        with self._change() as change:
            return sum(insert(change, item) for item in items)

    def person(self, id: str = "") -> str:
        """A new person: nothing but a random name."""
        id = id or secrets.token_hex(4)
        with self._change() as change:
            change.execute("INSERT OR IGNORE INTO people (id, made) VALUES (?, ?)", (id, self.clock()))
        return id

    def people(self) -> dict[str, bool]:
        """Everybody by name, and whether they are barred from more work."""
        return {id: bool(barred) for id, barred in self._rows("SELECT id, barred FROM people ORDER BY made")}

    def knows(self, person: str) -> bool:
        """Whether there is such a person."""
        return bool(self._rows("SELECT 1 FROM people WHERE id = ?", person))

    def bar(self, person: str, barred: bool = True) -> None:
        """Give this person no more work, or give it again."""
        with self._change() as change:
            change.execute("UPDATE people SET barred = ? WHERE id = ?", (int(barred), person))

    def practise(self, person: str, task: str) -> None:
        """This person has done the practice round of a task."""
        with self._change() as change:
            change.execute("INSERT OR IGNORE INTO practised VALUES (?, ?)", (person, task))

    def has_practised(self, person: str, task: str) -> bool:
        """Whether this person has done the practice round of a task."""
        return bool(self._rows("SELECT 1 FROM practised WHERE person = ? AND task = ?", person, task))

    # The queue

    def next(self, person: str, task: str) -> Item | None:
        """What this person is to do now: what they left open, then what tries them, then the rest."""
        now = self.clock()
        with self._change(lasting=False) as change:
            open_ = change.execute(
                f"SELECT {ITEM} FROM given g JOIN items i ON i.number = g.item "
                "WHERE g.person = ? AND i.task = ? AND i.live ORDER BY g.at LIMIT 1",
                (person, task),
            ).fetchone()
            row = open_ if open_ and self._room(change, open_[0], person, now) else None
            row = row or self._fresh(change, person, task, now)
            if row is None:
                return None
            began = now
            if open_ and row[0] == open_[0]:
                # The time that was spent before counts, unless it was given to others meanwhile.
                (began,) = change.execute(
                    "SELECT began FROM given WHERE item = ? AND person = ?", (row[0], person)
                ).fetchone()
            change.execute("INSERT OR REPLACE INTO given VALUES (?, ?, ?, ?)", (row[0], person, began, now))
        return item_of(row)

    def _fresh(self, change: sqlite3.Connection, person: str, task: str, now: float) -> Any:
        """An item that wants more answers than it has and than others are at."""
        if change.execute("SELECT barred FROM people WHERE id = ? AND barred", (person,)).fetchone():
            return None
        mine = (
            "AND i.author <> ? AND NOT EXISTS "
            "(SELECT 1 FROM answers a WHERE a.item = i.number AND a.person = ?)"
        )
        tried = change.execute(
            f"SELECT {ITEM} FROM items i WHERE i.task = ? AND i.live AND i.known = 1 {mine} "
            "ORDER BY i.number LIMIT 1",
            (task, person, person),
        ).fetchone()
        return (
            tried
            or change.execute(
                f"SELECT {ITEM} FROM items i WHERE i.task = ? AND i.live AND NOT i.known "
                f"AND i.have < i.wanted {mine} AND i.wanted - i.have > "
                "(SELECT count(*) FROM given g WHERE g.item = i.number AND g.person <> ? AND g.at > ?) "
                "ORDER BY i.number LIMIT 1",
                (task, person, person, person, now - self.minutes * 60),
            ).fetchone()
        )

    def _room(self, change: sqlite3.Connection, item: int, person: str, now: float) -> bool:
        """Whether one more answer is wanted beside those that are there and those that others are at."""
        (room,) = change.execute(
            "SELECT i.known OR i.wanted - i.have > (SELECT count(*) FROM given g WHERE g.item = i.number "
            "AND g.person <> ? AND g.at > ?) FROM items i WHERE i.number = ?",
            (person, now - self.minutes * 60, item),
        ).fetchone()
        return bool(room)

    def open_item(self, person: str, task: str) -> Item | None:
        """What this person was given last in a task and has not answered."""
        rows = self._rows(
            f"SELECT {ITEM} FROM given g JOIN items i ON i.number = g.item "
            "WHERE g.person = ? AND i.task = ? AND i.live ORDER BY g.at LIMIT 1",
            person,
            task,
        )
        return item_of(rows[0]) if rows else None

    def item(self, number: int) -> Item | None:
        """The item with this number."""
        rows = self._rows(f"SELECT {ITEM} FROM items i WHERE i.number = ?", number)
        return item_of(rows[0]) if rows else None

    def items(self, task: str) -> list[Item]:
        """All items of a task that are asked now."""
        rows = self._rows(f"SELECT {ITEM} FROM items i WHERE i.task = ? AND i.live ORDER BY i.number", task)
        return [item_of(row) for row in rows]

    def skip(self, person: str, item: int) -> None:
        """Put an item back that this person was given."""
        with self._change() as change:
            change.execute("DELETE FROM given WHERE item = ? AND person = ?", (item, person))

    # Answers

    def answer(
        self,
        person: str,
        item: int,
        answer: Mapping[str, Any],
        *,
        revision: int = 0,
        following: Following = nothing_follows,
    ) -> Answer:
        """Keep what this person says of an item; with `revision`, in place of what they said before.

        A form that is sent twice is kept once. What came of an answer that is changed is asked anew.
        """
        now, said = self.clock(), json.dumps(answer, ensure_ascii=False, sort_keys=True)
        with self._change() as change:
            before = answer_of(change, item, person)
            if before is None:
                kept = self._first(change, person, item, said, now)
            elif json.dumps(before.answer, ensure_ascii=False, sort_keys=True) == said:
                return before
            elif revision != before.revision:
                raise BusyError("this was answered meanwhile in another window: go on from there")
            else:
                kept = revise(change, before, said, now)
            # A spare answer asks nobody anything: the one that took its place does.
            for more in following(kept) if kept.counts else ():
                insert(change, more)
        return kept

    def _first(self, change: sqlite3.Connection, person: str, item: int, said: str, now: float) -> Answer:
        given = change.execute(
            "SELECT began FROM given WHERE item = ? AND person = ?", (item, person)
        ).fetchone()
        if given is None:
            raise UsageError("this was not given to you, or you took it back: go on with the next")
        state = "kept" if self._room(change, item, person, now) else "spare"
        change.execute(
            "INSERT INTO answers (item, person, answer, at, seconds, state) VALUES (?, ?, ?, ?, ?, ?)",
            (item, person, said, now, now - given[0], state),
        )
        change.execute("DELETE FROM given WHERE item = ? AND person = ?", (item, person))
        recount(change, item)
        kept = answer_of(change, item, person)
        assert kept is not None
        return kept

    def answers(self, *, task: str = "", person: str = "", counted: bool = False) -> list[Answer]:
        """Answers in the order they came, of a task or a person; to items that are still asked."""
        rows = self._rows(
            f"SELECT {ANSWER} FROM answers a JOIN items i ON i.number = a.item WHERE i.live "
            "AND (? = '' OR i.task = ?) AND (? = '' OR a.person = ?) ORDER BY a.number",
            task,
            task,
            person,
            person,
        )
        found = [answer_from(row) for row in rows]
        return [one for one in found if one.counts] if counted else found

    def one_answer(self, number: int) -> Answer | None:
        """The answer with this number."""
        rows = self._rows(
            f"SELECT {ANSWER} FROM answers a JOIN items i ON i.number = a.item WHERE a.number = ?", number
        )
        return answer_from(rows[0]) if rows else None

    def recent(self, person: str, most: int = 50) -> list[Answer]:
        """What this person answered last, the latest first."""
        rows = self._rows(
            f"SELECT {ANSWER} FROM answers a JOIN items i ON i.number = a.item WHERE a.person = ? AND i.live "
            "ORDER BY a.at DESC, a.number DESC LIMIT ?",
            person,
            most,
        )
        return [answer_from(row) for row in rows]

    def withdraw(self, person: str, number: int) -> Item:
        """Take one's own answer back: the item is this person's to do again."""
        with self._change() as change:
            answer = own_answer(change, person, number)
            remember(change, answer, self.clock())
            change.execute("DELETE FROM answers WHERE number = ?", (number,))
            change.execute("UPDATE items SET live = 0 WHERE parent = ?", (number,))
            now = self.clock()
            change.execute(
                "INSERT OR REPLACE INTO given VALUES (?, ?, ?, ?)", (answer.item.number, person, now, now)
            )
            recount(change, answer.item.number)
        return answer.item

    def review(
        self, number: int, verdict: str, reason: str = "", following: Following = nothing_follows
    ) -> None:
        """Accept or reject an answer; the item of a rejected one goes to somebody else."""
        if verdict not in ("accepted", "rejected"):
            raise UsageError(f"an answer is accepted or rejected, not {verdict!r}")
        with self._change() as change:
            if (answer := answer_numbered(change, number)) is None:
                raise UsageError("this answer was taken back: look at the others")
            change.execute(
                "INSERT OR REPLACE INTO reviews VALUES (?, ?, ?, ?)", (number, verdict, reason, self.clock())
            )
            change.execute("UPDATE answers SET state = ? WHERE number = ?", (verdict, number))
            if verdict == "rejected":
                change.execute("UPDATE items SET live = 0 WHERE parent = ?", (number,))
            else:
                change.execute("UPDATE items SET live = 1 WHERE parent = ? AND id LIKE ?", latest(answer))
                for more in following(replace(answer, state=verdict)):
                    insert(change, more)
            recount(change, answer.item.number)

    def reviews(self) -> dict[int, tuple[str, str]]:
        """The verdict and its reason by the answer's number."""
        rows = self._rows("SELECT answer, verdict, reason FROM reviews")
        return {number: (verdict, reason) for number, verdict, reason in rows}

    # The way through a search, for the study over turns

    def step(self, person: str, item: int, session: str, told: Mapping[str, Any]) -> None:
        """Keep where a person's search is now."""
        with self._change() as change:
            change.execute(
                "INSERT INTO steps VALUES (?, ?, ?, ?, ?)",
                (item, person, self.clock(), session, json.dumps(told, ensure_ascii=False)),
            )

    def steps(self, person: str, item: int) -> list[dict[str, Any]]:
        """The way of a person's search for an item: when, where, and what was told of it."""
        rows = self._rows(
            "SELECT at, session, told FROM steps WHERE item = ? AND person = ? ORDER BY rowid", item, person
        )
        return [{"at": at, "session": session, **json.loads(told)} for at, session, told in rows]

    # How far it is

    def progress(self, person: str = "") -> list[Progress]:
        """Every task that has items: answers there, wanted, and, for a person, items left for them."""
        rows = self._rows("SELECT task, wanted, have FROM totals")
        left: dict[str, int] = {}
        if person and not self._rows("SELECT 1 FROM people WHERE id = ? AND barred", person):
            left = dict(
                self._rows(
                    "SELECT i.task, count(*) FROM items i WHERE i.live AND NOT i.known AND i.have < i.wanted "
                    "AND i.author <> ? AND NOT EXISTS "
                    "(SELECT 1 FROM answers a WHERE a.item = i.number AND a.person = ?) GROUP BY i.task",
                    person,
                    person,
                )
            )
        return [Progress(task, wanted, have, left.get(task, 0)) for task, wanted, have in rows]
