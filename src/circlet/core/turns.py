"""A query is a history of turns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from math import isfinite
from pathlib import Path
from typing import Any

from circlet.core.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class Turn:
    """A picture, a text or both, with what was shown, liked and disliked before it.

    Pictures are named by id: in a collection the path, in a benchmark the image's name.
    `without` holds what must not be seen, `emphasis` phrases of the text with a weight other
    than one, and `balance` the picture's share against the words (None: the method's own). A turn
    that is said `instead` takes the place of all that a session said before it.

    >>> Turn(picture="beach.jpg", text="at night", without=("people",))
    Turn(picture='beach.jpg', text='at night', without=('people',))
    """

    picture: str | None = None
    text: str = ""
    without: tuple[str, ...] = ()
    emphasis: tuple[tuple[str, float], ...] = ()
    balance: float | None = None
    shown: tuple[str, ...] = ()
    liked: tuple[str, ...] = ()
    disliked: tuple[str, ...] = ()
    instead: bool = False

    def __post_init__(self) -> None:
        if self.balance is not None and not 0 <= self.balance <= 1:
            raise UsageError(f"balance is a share from 0 (words) to 1 (picture), not {self.balance}")
        for words in (self.text, *self.without):
            _readable(words)
        for phrase, weight in self.emphasis:
            _readable(phrase)
            if not isfinite(weight):
                raise UsageError(f"the weight of {phrase!r} is a number, not {weight}")

    def __repr__(self) -> str:
        shown = (f"{field.name}={getattr(self, field.name)!r}" for field in self._said())
        return f"Turn({', '.join(shown)})"

    def _said(self) -> list[Any]:
        return [field for field in fields(self) if getattr(self, field.name) != field.default]

    def __str__(self) -> str:
        """The turn in one line, for people.

        >>> print(Turn(picture="album/beach.jpg", text="at night", without=("people",)))
        beach.jpg, at night, not people
        """
        parts = [Path(self.picture).name] if self.picture else []
        parts += [self.text] if self.text else []
        parts += [f"not {thing}" for thing in self.without]
        parts += [f"{weight:g} × {phrase}" for phrase, weight in self.emphasis]
        parts += [f"like {Path(id).name}" for id in self.liked]
        parts += [f"dislike {Path(id).name}" for id in self.disliked]
        return ", ".join(parts)

    @property
    def empty(self) -> bool:
        """Whether the turn asks for nothing: no picture, no words, no likes or dislikes."""
        return not (self.picture or self.text.strip() or self.without or self.liked or self.disliked)

    @property
    def both(self) -> bool:
        """Whether it is a picture with words, which a balance can weigh against each other."""
        return bool(self.picture and (self.text.strip() or self.without))

    def to_dict(self) -> dict[str, Any]:
        """What was said, as plain JSON values; what was left at its default is left out."""
        return {field.name: getattr(self, field.name) for field in self._said()}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> "Turn":
        """The turn that `to_dict` wrote.

        >>> Turn.from_dict({"text": "at night", "liked": ["a.jpg"]})
        Turn(text='at night', liked=('a.jpg',))
        """
        known = {field.name for field in fields(cls)}
        if unknown := set(given) - known:
            raise UsageError(f"a turn has no {', '.join(sorted(unknown))}; it has {', '.join(sorted(known))}")
        values = dict(given)
        for name in ("without", "shown", "liked", "disliked"):
            if name in values:
                values[name] = _names(name, values[name])
        if "emphasis" in values:
            values["emphasis"] = _weights(values["emphasis"])
        for name, kinds in (
            ("picture", str | None),
            ("text", str),
            ("balance", int | float | None),
            ("instead", bool),
        ):
            if not isinstance(values.get(name, cls.__dataclass_fields__[name].default), kinds):
                raise UsageError(f"a turn's {name} cannot be {values[name]!r}")
        return cls(**values)


def _readable(words: str) -> None:
    """Bytes that are no text reach Python as lone surrogates, which no model can read."""
    try:
        words.encode()
    except UnicodeEncodeError:
        raise UsageError(f"{words!a} is not valid text: write it in UTF-8") from None


def _names(field: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
        raise UsageError(f"a turn's {field} is a list of words or names, not {value!r}")
    return tuple(value)


def _weights(value: Any) -> tuple[tuple[str, float], ...]:
    try:
        return tuple((str(phrase), float(weight)) for phrase, weight in value)
    except (TypeError, ValueError, OverflowError):
        raise UsageError(f"a turn's emphasis is a list of phrases with weights, not {value!r}") from None


def begins(turns: Sequence[Turn]) -> int:
    """Where that begins which still stands: at the last turn that was said instead of those before it.

    >>> begins([Turn(text="a car"), Turn(text="a dog", instead=True), Turn(text="at night")])
    1
    """
    return max((at for at, turn in enumerate(turns) if turn.instead), default=0)


@dataclass(frozen=True)
class Query:
    """An id and its turns, oldest first. Immutable: `query + turn` is the next one.

    >>> query = Query("q1") + Turn(picture="beach.jpg") + Turn(text="at night")
    >>> len(query.turns), query.last.text, len(query.undo().turns)
    (2, 'at night', 1)
    """

    id: str
    turns: tuple[Turn, ...] = ()

    def __add__(self, turn: Turn) -> "Query":
        return replace(self, turns=(*self.turns, turn))

    @property
    def last(self) -> Turn:
        """The newest turn."""
        if not self.turns:
            raise UsageError(f"query {self.id} has no turn yet: give a picture, words or both")
        return self.turns[-1]

    def undo(self) -> "Query":
        """The query before its last turn; undoing an empty query leaves it empty."""
        return replace(self, turns=self.turns[:-1])

    def until(self, turn: int) -> "Query":
        """The query as it was after turn number `turn`, counted from one."""
        return replace(self, turns=self.turns[:turn])

    @property
    def plain(self) -> bool:
        """Whether there is no history to join: one turn, and nothing liked or disliked in it."""
        return len(self.turns) == 1 and not (self.last.liked or self.last.disliked)

    @property
    def weighed(self) -> Turn | None:
        """What a balance weighs: the last picture that has words, with all that was said about it.

        >>> query = Query("q") + Turn(picture="dog.jpg", text="at night") + Turn(text="in snow")
        >>> query.weighed
        Turn(picture='dog.jpg', text='at night\\nin snow')
        """
        at = next((at for at in reversed(range(len(self.turns))) if self.turns[at].both), None)
        if at is None:
            return None
        said = [self.turns[at]]
        for turn in self.turns[at + 1 :]:
            if turn.picture or turn.liked or turn.disliked:
                break
            said.append(turn)
        return replace(
            said[0],
            text="\n".join(turn.text for turn in said if turn.text.strip()),
            without=tuple(thing for turn in said for thing in turn.without),
            balance=next((turn.balance for turn in reversed(said) if turn.balance is not None), None),
        )

    @property
    def together(self) -> "Query":
        """All turns as one, for whoever hears but one: the last picture, and all that was said; no marks.

        >>> query = Query("q") + Turn(text="a dog") + Turn(picture="dog.jpg") + Turn(text="in snow")
        >>> query.together.turns
        (Turn(picture='dog.jpg', text='a dog, in snow'),)
        """
        turns = self.turns
        one = Turn(
            picture=next((turn.picture for turn in reversed(turns) if turn.picture), None),
            text=", ".join(text for turn in turns if (text := turn.text.strip())),
            without=tuple(thing for turn in turns for thing in turn.without),
            emphasis=tuple(pair for turn in turns for pair in turn.emphasis),
            balance=next((turn.balance for turn in reversed(turns) if turn.balance is not None), None),
        )
        return replace(self, turns=(one,))

    @property
    def pictures(self) -> tuple[str, ...]:
        """Every picture the query speaks of, once each, in order: references, likes, dislikes, shown."""
        named = ((turn.picture, *turn.liked, *turn.disliked, *turn.shown) for turn in self.turns)
        return tuple(dict.fromkeys(name for names in named for name in names if name))
