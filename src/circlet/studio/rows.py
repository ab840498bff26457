"""Items and answers as rows: the few statements that the store is made of."""

import json
import sqlite3
from typing import Any

from circlet.core import UsageError
from circlet.studio.items import COUNTED, Answer, Item

_COUNTED = ", ".join(f"'{state}'" for state in COUNTED)
ITEM = "i.number, i.id, i.task, i.shown, i.truth, i.wanted, i.split, i.known, i.author, i.parent"
ANSWER = f"a.number, a.person, a.answer, a.at, a.seconds, a.revision, a.state, {ITEM}"


def insert(change: sqlite3.Connection, item: Item) -> int:
    """Put an item in, unless one of its name is there; how many were put in."""
    values = (
        item.id,
        item.task,
        json.dumps(item.shown, ensure_ascii=False),
        json.dumps(item.truth, ensure_ascii=False),
        item.wanted,
        item.split,
        int(item.known),
        item.author,
        item.parent,
    )
    return change.execute(
        "INSERT OR IGNORE INTO items (id, task, shown, truth, wanted, split, known, author, parent) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        values,
    ).rowcount


def recount(change: sqlite3.Connection, item: int) -> None:
    """Count the answers of an item that count."""
    change.execute(
        "UPDATE items SET have = (SELECT count(*) FROM answers a WHERE a.item = items.number "
        f"AND a.state IN ({_COUNTED})) WHERE number = ?",
        (item,),
    )


def answer_of(change: sqlite3.Connection, item: int, person: str) -> Answer | None:
    """What a person answered to an item, if they did."""
    row = change.execute(
        f"SELECT {ANSWER} FROM answers a JOIN items i ON i.number = a.item WHERE a.item = ? AND a.person = ?",
        (item, person),
    ).fetchone()
    return answer_from(row) if row else None


def answer_numbered(change: sqlite3.Connection, number: int) -> Answer | None:
    """The answer with this number, if it is there."""
    row = change.execute(
        f"SELECT {ANSWER} FROM answers a JOIN items i ON i.number = a.item WHERE a.number = ?", (number,)
    ).fetchone()
    return answer_from(row) if row else None


def own_answer(change: sqlite3.Connection, person: str, number: int) -> Answer:
    """A person's own answer that they may still change."""
    answer = answer_numbered(change, number)
    if answer is None or answer.person != person:
        raise UsageError("this answer is not yours, or you took it back already")
    if answer.state in ("accepted", "rejected"):
        raise UsageError(f"this answer was looked at and {answer.state}: it can no longer be changed")
    return answer


def revise(change: sqlite3.Connection, before: Answer, said: str, now: float) -> Answer:
    """Put new words in an answer's place; what followed from the old ones is asked no more."""
    own_answer(change, before.person, before.number)
    remember(change, before, now)
    change.execute("UPDATE items SET live = 0 WHERE parent = ?", (before.number,))
    change.execute(
        "UPDATE answers SET answer = ?, revision = revision + 1, at = ? WHERE number = ?",
        (said, now, before.number),
    )
    kept = answer_numbered(change, before.number)
    assert kept is not None
    return kept


def remember(change: sqlite3.Connection, answer: Answer, now: float) -> None:
    """Keep an answer as it was."""
    said = json.dumps(answer.answer, ensure_ascii=False)
    change.execute(
        "INSERT INTO history VALUES (?, ?, ?, ?, ?, ?)",
        (answer.item.number, answer.person, answer.revision, said, now, answer.state),
    )


def latest(answer: Answer) -> tuple[int, str]:
    """The parent's number and the ending of the items that its latest revision led to."""
    return answer.number, f"%:{answer.number}.{answer.revision}"


def item_of(row: Any) -> Item:
    """An item from its row."""
    number, id, task, shown, truth, wanted, split, known, author, parent = row
    return Item(
        number=number,
        id=id,
        task=task,
        shown=json.loads(shown),
        truth=json.loads(truth),
        wanted=wanted,
        split=split,
        known=bool(known),
        author=author,
        parent=parent,
    )


def answer_from(row: Any) -> Answer:
    """An answer from its row."""
    number, person, answer, at, seconds, revision, state, *item = row
    return Answer(
        number=number,
        item=item_of(item),
        person=person,
        answer=json.loads(answer),
        at=at,
        seconds=seconds,
        revision=revision,
        state=state,
    )
