"""Rankings by query, turn and wording, with what produced them: saved once, measured many times."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from circlet.core.errors import DataError
from circlet.core.ranking import Ranking


class Key(NamedTuple):
    """Which ranking: of this query, after this turn (counted from one), in this wording.

    >>> str(Key("12")), str(Key("12", turn=2, wording=1)), Key.parse("12@2~1")
    ('12', '12@2~1', Key(query='12', turn=2, wording=1))
    """

    query: str
    turn: int = 1
    wording: int = 0

    def __str__(self) -> str:
        turn = f"@{self.turn}" if self.turn > 1 else ""
        return f"{self.query}{turn}" + (f"~{self.wording}" if self.wording else "")

    @classmethod
    def parse(cls, text: str) -> "Key":
        """The key that `str` wrote: one word, for formats with room for one word only."""
        text, wording = _tail(text, "~", 0)
        text, turn = _tail(text, "@", 1)
        return cls(text, turn, wording)


def _tail(text: str, mark: str, default: int) -> tuple[str, int]:
    head, marked, tail = text.rpartition(mark)
    return (head, int(tail)) if marked and head and tail.isdecimal() else (text, default)


@dataclass(frozen=True, kw_only=True)
class Run:
    """Rankings by key, with the method, the encoder's fingerprint, the protocol, seed and time.

    `subsets` holds rankings of a query's subset where they were made apart (a CIRR subset file);
    without them a subset's order is read off the ranking of the whole gallery.

    >>> run = Run(method="toy", rankings={Key("1"): Ranking(["b", "a"], [0.9, 0.1])})
    >>> run, run.depth
    (<Run of toy: 1 rankings, at most 2 deep>, 2)
    """

    method: str
    rankings: Mapping[Key, Ranking] = field(default_factory=dict, repr=False)
    subsets: Mapping[Key, Ranking] = field(default_factory=dict, repr=False)
    fingerprint: str = ""
    protocol: str = ""
    seed: int | None = None
    made: str = ""

    def __repr__(self) -> str:
        return f"<Run of {self.method}: {len(self.rankings)} rankings, at most {self.depth} deep>"

    @property
    def depth(self) -> int:
        """The length of the longest ranking."""
        return max((len(ranking) for ranking in self.rankings.values()), default=0)

    def cut(self, top: int) -> "Run":
        """The same with the best `top` of each gallery's ranking.

        >>> Run(method="toy", rankings={Key("1"): Ranking("ba", [0.9, 0.1])}).cut(1).rankings[Key("1")]
        Ranking(['b'], [0.9])
        """
        kept = {key: one[:top] for key, one in self.rankings.items()}
        return replace(self, rankings=kept)

    def merge(self, others: Iterable["Run"]) -> "Run":
        """One run from parts of it; the parts must come from one method and not overlap.

        >>> parts = [Run(method="m", rankings={Key(id): Ranking(["a"], [1])}) for id in "12"]
        >>> sorted(parts[0].merge(parts[1:]).rankings)
        [Key(query='1', turn=1, wording=0), Key(query='2', turn=1, wording=0)]
        """
        rankings, subsets = dict(self.rankings), dict(self.subsets)
        for other in others:
            for name in ("method", "fingerprint", "protocol", "seed"):
                mine, theirs = getattr(self, name), getattr(other, name)
                if mine != theirs:
                    raise DataError(
                        f"these runs are not parts of one: {name} {mine!r} against {theirs!r}; "
                        "merge runs of one method and protocol only"
                    )
            twice = [str(key) for key in other.rankings if key in rankings]
            twice += [str(key) for key in other.subsets if key in subsets]
            if twice:
                raise DataError(f"query {twice[0]} stands in more than one part: drop one of the parts")
            rankings.update(other.rankings)
            subsets.update(other.subsets)
        return replace(self, rankings=rankings, subsets=subsets)
