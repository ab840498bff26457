"""What was seen in pictures, as probabilities: each thing's number and looks, each whole's light."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from circlet.core import Vectors

COUNT = "count"
# What nobody looked for is taken to be away.
_AWAY = 1e-6


class Lexicon(NamedTuple):
    """Words for what can be seen: nouns, each with its kind and whether it names several, places and more."""

    nouns: tuple[tuple[str, str, bool], ...]
    places: tuple[tuple[str, str], ...]
    colours: tuple[str, ...]
    signs: tuple[str, ...]


@dataclass(frozen=True)
class Seeable:
    """What a viewer knows: kinds with their plurals and which attributes of theirs vary, and all values.

    `things` has the values of each attribute of a thing, numbers from 0 on first; `wholes` those of pictures.
    """

    kinds: Mapping[str, str]
    varying: Mapping[str, Sequence[str]]
    places: Mapping[str, str]
    things: Mapping[str, Sequence[str]]
    wholes: Mapping[str, Sequence[str]]

    @cached_property
    def lexicon(self) -> Lexicon:
        """The words for all of it."""
        nouns = {many.lower(): (kind, True) for kind, many in self.kinds.items()}
        nouns |= {kind.lower(): (kind, False) for kind in self.kinds}
        places = {phrase.lower(): name for name, phrase in self.places.items()}
        return Lexicon(
            nouns=tuple((word, *meant) for word, meant in nouns.items()),
            places=tuple((places | {name.lower(): name for name in self.places}).items()),
            colours=tuple(dict.fromkeys((*self.things.get("colour", ()), *self.things.get("hair", ())))),
            signs=tuple(sign for sign in self.wholes.get("sign", ()) if sign),
        )

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """Each kind's number."""
        return {kind: number for number, kind in enumerate(self.kinds)}

    @cached_property
    def columns(self) -> Mapping[str, slice]:
        """Where an attribute's probabilities stand, in a row of a thing or of a whole."""
        found = {}
        for group in (self.things, self.wholes):
            at = 0
            for name, values in group.items():
                found[name] = slice(at, at + len(values))
                at += len(values)
        return found

    def value(self, attribute: str, value: str) -> int:
        """The number of a value; −1 where there is none."""
        values = list((self.things if attribute in self.things else self.wholes)[attribute])
        return values.index(value) if value in values else -1


class Sights(NamedTuple):
    """Of each picture the kinds most likely in it (pictures, some), and how likely each value is.

    `things` is (pictures, some, values), `wholes` (pictures, values); see `Seeable.columns`.
    """

    kinds: "np.ndarray[tuple[int, int], np.dtype[np.int64]]"
    things: Vectors
    wholes: Vectors

    def rows(self, rows: Sequence[int]) -> "Sights":
        """The sights of some pictures."""
        return Sights(*(part[list(rows)] for part in self))  # type: ignore[arg-type]


class Seen:
    """Sights with names: `seen.of("dog", "colour")` is (pictures, colours)."""

    def __init__(self, sights: Sights, known: Seeable) -> None:
        self.sights, self.known = sights, known
        # What is not among the likely kinds: none of it, and of its looks nothing is known.
        self._none = np.concatenate(
            [
                np.eye(len(values), dtype=np.float32)[0]
                if name == COUNT
                else np.full(len(values), 1 / len(values))
                for name, values in known.things.items()
            ]
        ).astype(np.float32)

    def __len__(self) -> int:
        return len(self.sights.kinds)

    def thing(self, kind: str) -> Vectors:
        """Everything that is seen of a kind, (pictures, values)."""
        among = self.sights.kinds == self.known.numbers[kind]
        rows = np.tile(self._none, (len(self), 1))
        pictures, places = np.nonzero(among)
        rows[pictures] = self.sights.things[pictures, places]
        return rows

    def of(self, kind: str, attribute: str) -> Vectors:
        """How likely each value of an attribute of a kind is, given that there is one."""
        return self.thing(kind)[:, self.known.columns[attribute]]

    def there(self, kind: str) -> Vectors:
        """How likely there is one of a kind."""
        away = self.of(kind, COUNT)[:, 0]
        return np.clip(1 - away, _AWAY, 1)

    def whole(self, attribute: str) -> Vectors:
        """How likely each value of an attribute of the picture is."""
        return self.sights.wholes[:, self.known.columns[attribute]]

    def kinds(self, least: float) -> list[str]:
        """The kinds that are likelier than this in any of the pictures."""
        away = self.sights.things[:, :, self.known.columns[COUNT]][:, :, 0]
        names = list(self.known.kinds)
        return [names[number] for number in np.unique(self.sights.kinds[1 - away > least])]
