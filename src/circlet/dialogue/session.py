"""A search over several turns, as a value; `moves` says what each thing that can be done to it does."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from circlet.core import (
    CircletError,
    DataError,
    Method,
    Pictures,
    Query,
    Searchable,
    Turn,
    UsageError,
)
from circlet.core.files import not_endless, parse_json, replacing
from circlet.core.turns import begins
from circlet.dialogue import moves
from circlet.dialogue.histories import DEFAULT_HISTORY, with_history

VERSION = 1


class Shown(Protocol):
    """Results in their order: a `Ranking` is one, so are the results of a collection."""

    @property
    def ids(self) -> Sequence[str]: ...


Search = Callable[[Query], Shown]
Bring = Callable[[Any], str]


@dataclass(frozen=True)
class Session:
    """The turns so far, on named branches, and the search that answers them. Never changes itself:
    each word gives the next session, and the old one is still there.

    >>> session = Session().say("a beach").say("at night")
    >>> session
    Session(main: 'a beach' → 'at night')
    >>> session.undo() == Session().say("a beach")
    True

    `search` answers a query with results that have `ids`; `Session.over(method, gallery)` makes one
    from any method. `about` is kept and saved beside the turns: the folder, the encoder, the method.
    `bring` gives the id of a picture that is said by anything else than its id, such as a file.
    """

    branches: Mapping[str, tuple[Turn, ...]] = field(default_factory=lambda: {"main": ()})
    current: str = "main"
    about: Mapping[str, str] = field(default_factory=dict)
    search: Search | None = field(default=None, compare=False, repr=False)
    bring: Bring | None = field(default=None, compare=False, repr=False)

    def __repr__(self) -> str:
        others = len(self.branches) - 1
        more = f", {others} more branch{'es' if others > 1 else ''}" if others else ""
        return f"Session({self.current}: {' → '.join(map(repr, self.history)) or 'empty'}{more})"

    __hash__ = None  # type: ignore[assignment]

    def _repr_html_(self) -> str:
        """What a notebook shows: the branches, then the results with their turns, or the turns alone."""
        from circlet.core import showing

        names = [f"[{name}]" if name == self.current else name for name in self.branches]
        parts = [showing.line(f"branches: {', '.join(names)}")] if len(names) > 1 else []
        try:
            found = self.results if self.search and self.turns else None
        except CircletError as error:
            return showing.page(*parts, showing.turns(self.turns), showing.line(str(error)))
        itself = getattr(found, "_repr_html_", None)
        return showing.page(*parts, itself() if itself else showing.turns(self.turns))

    @classmethod
    def over(
        cls,
        method: Method,
        gallery: Searchable,
        *,
        pictures: Pictures | None = None,
        history: str = DEFAULT_HISTORY,
    ) -> "Session":
        """A session whose results are this method's ranking of this gallery, less what was disliked.

        The turns join as `history` says (see `HISTORIES`), whichever way the method was made.
        """
        joined = with_history(method, history)

        def search(query: Query) -> Shown:
            gone = [id for turn in query.turns for id in turn.disliked]
            return joined.rank([query], gallery, pictures=pictures, exclude=[gone])[0]

        return cls(search=search)

    # What there is to see

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns of the current branch, oldest first."""
        return self.branches[self.current]

    @property
    def query(self) -> Query:
        """The current branch as a query, for any method: from the last turn on that was said instead."""
        return Query(self.current, self.turns[begins(self.turns) :])

    @property
    def history(self) -> tuple[str, ...]:
        """One line a turn, as a person would read it."""
        return tuple(map(str, self.turns))

    @cached_property
    def results(self) -> Any:
        """What the search answers to the turns so far, found once."""
        if self.search is None:
            raise UsageError("this session has nothing to search: open it from a collection, or with over()")
        return self.search(self.query)

    # What there is to do

    def add(self, turn: Turn) -> "Session":
        """The session with one more turn."""
        if turn.empty:
            raise UsageError("an empty turn: say something, pick a picture, like or dislike one")
        return self._now((*self.turns, turn))

    def say(self, text: str = "", *, picture: Any = None, **options: Any) -> "Session":
        """The session after these words, a picture or both: `session.say("longer sleeves")`.

        Options are those of a turn: `without`, `emphasis`, `balance`, `instead`. Words that follow a
        picture which was picked or said alone are about that picture; words that name another thing than
        the words before them are taken instead of those.
        """
        id = self.bring(picture) if self.bring and picture is not None else picture
        without = tuple(options.pop("without", ()))
        session = moves.say(self, text, picture=id, without=without)
        return session if not options else session.undo().add(replace(session.turns[-1], **options))

    def like(self, *which: int | str) -> "Session":
        """More like these: numbers from the results, or ids. Said again, it is taken back."""
        return moves.mark(self, self._named(which), liked=True)

    def dislike(self, *which: int | str) -> "Session":
        """Away from these: numbers from the results, or ids. Said again, it is taken back."""
        return moves.mark(self, self._named(which), liked=False)

    def pick(self, which: int | str, text: str = "") -> "Session":
        """Go on from this picture, a number from the results or an id, with or without new words.

        What was shown beside a picked result counts as passed over.
        """
        return moves.pick(self, self._named((which,))[0], text)

    def strike(self, words: str) -> "Session":
        """Leave out one thing that was heard: `session.strike("at night")`; `heard` lists them."""
        return moves.change_heard(self, words, round=False)

    def turn_round(self, words: str) -> "Session":
        """Turn round one thing that was heard: what was wanted becomes unwanted, and the other way."""
        return moves.change_heard(self, words, round=True)

    def edit(self, turn: int, text: str) -> "Session":
        """Word turn number `turn` anew, where it stands: `session.edit(1, "a beach in winter")`."""
        return moves.edit(self, turn, text)

    def drop(self, turn: int) -> "Session":
        """Leave turn number `turn` out; the later ones stay."""
        return moves.drop(self, turn)

    def also(self, turn: int = 0) -> "Session":
        """Take a turn (the last one, where none is named) beside what was said before it."""
        return moves.join(self, turn, instead=False)

    def instead(self, turn: int = 0) -> "Session":
        """Take a turn (the last one, where none is named) for a new wish, instead of all before it."""
        return moves.join(self, turn, instead=True)

    def undo(self) -> "Session":
        """The session before its last turn."""
        if not self.turns:
            raise UsageError("nothing to undo: the session is empty")
        return self.until(len(self.turns) - 1)

    def until(self, turn: int) -> "Session":
        """The session as it was after turn number `turn`, and nothing of what came later; 0 is empty."""
        if not 0 <= turn <= len(self.turns):
            raise UsageError(f"no turn {turn}: the session has {len(self.turns)}")
        return self._now(self.turns[:turn])

    def back(self, turn: int) -> "Session":
        """To after turn number `turn`; the steps after it stay on the branch that they are on."""
        return moves.back(self, turn)

    def branch(self, name: str, turns: tuple[Turn, ...] | None = None) -> "Session":
        """A new branch that begins where this one stands (or with these turns); the old one stays."""
        if not name.strip():
            raise UsageError("a branch needs a name")
        if name in self.branches:
            raise UsageError(f"there is a branch {name!r} already: switch to it, or take another name")
        begun = self.turns if turns is None else turns
        return replace(self, branches={**self.branches, name: begun}, current=name)

    def switch(self, name: str) -> "Session":
        """The session on another of its branches."""
        if name not in self.branches:
            raise UsageError(f"no branch {name!r}: there are {', '.join(self.branches)}")
        return replace(self, current=name)

    # At rest

    def to_dict(self) -> dict[str, Any]:
        """The session as plain JSON values, small enough for a link."""
        told = {name: [turn.to_dict() for turn in turns] for name, turns in self.branches.items()}
        value: dict[str, Any] = {"circlet": "session", "version": VERSION, "branches": told}
        if self.current != "main":
            value["current"] = self.current
        if self.about:
            value["about"] = dict(self.about)
        return value

    @classmethod
    def from_dict(cls, value: Any, *, search: Search | None = None, bring: Bring | None = None) -> "Session":
        """The session that `to_dict` wrote; what it cannot be is an error that says why."""
        if not isinstance(value, dict) or value.get("circlet") != "session":
            raise DataError("not a saved session of circlet")
        if value.get("version") != VERSION:
            raise DataError(
                f"a session of version {value.get('version')}, and this circlet reads version {VERSION}: "
                "use the circlet that saved it, or a newer one"
            )
        told, about = value.get("branches"), value.get("about", {})
        if not isinstance(told, dict) or not isinstance(about, dict):
            raise DataError("a damaged session: its branches are not there")
        try:
            branches = {name: tuple(Turn.from_dict(turn) for turn in turns) for name, turns in told.items()}
        except (UsageError, TypeError, ValueError, AttributeError) as error:
            raise DataError(f"a damaged session: a turn in it cannot be read ({error})") from None
        current = value.get("current", "main")
        if not isinstance(current, str) or current not in branches:
            raise DataError(f"a damaged session: its current branch {current!r} is not there")
        return cls(branches, current, {str(k): str(v) for k, v in about.items()}, search, bring)

    def save(self, path: str | Path) -> None:
        """Write the session as readable JSON; the file is whole or not there at all."""
        path = Path(path)
        try:
            with replacing(path) as half:
                half.write_text(
                    json.dumps(self.to_dict(), ensure_ascii=False, indent=2) + "\n", encoding="utf-8"
                )
        except OSError as error:
            raise DataError(f"{path}: the session cannot be saved there: {error.strerror}") from None

    @classmethod
    def load(cls, path: str | Path, *, search: Search | None = None, bring: Bring | None = None) -> "Session":
        """The session saved at this path."""
        try:
            not_endless(path, "name a session that was saved")
            value = parse_json(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise DataError(f"{path}: the session cannot be read: {error.strerror}") from None
        except ValueError:
            raise DataError(f"{path}: not JSON, so not a saved session") from None
        try:
            return cls.from_dict(value, search=search, bring=bring)
        except CircletError as error:
            raise DataError(f"{path}: {error}") from None

    def _now(self, turns: tuple[Turn, ...]) -> "Session":
        return replace(self, branches={**self.branches, self.current: turns})

    def _named(self, which: Sequence[int | str]) -> tuple[str, ...]:
        return tuple(self._name(one) for one in which)

    def _name(self, which: int | str) -> str:
        if isinstance(which, str):
            return which
        ids = self.results.ids
        if not 1 <= which <= len(ids):
            raise UsageError(f"no result {which}: there are {len(ids)}")
        return str(ids[which - 1])
