"""One query of a benchmark with everything that is known of its answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import TYPE_CHECKING, Any, Protocol

from circlet.core.errors import DataError
from circlet.core.turns import Query

if TYPE_CHECKING:
    from circlet.core.showing import Address

# The aspect of a case whose subset is a film's.
VIDEO = "video"
# Pictures of one case that a notebook shows.
_SHOWN = 12


@dataclass(frozen=True)
class JudgedSet:
    """Pictures that were shown together, and the score that somebody gave all of them."""

    images: tuple[str, ...]
    score: float


@dataclass(frozen=True)
class Judgement:
    """What one person said of two retrieved sets: a score for each, and which is better (1 or 2).

    >>> judged = Judgement((JudgedSet(("a", "b"), 4), JudgedSet(("c", "d"), 2)), preferred=1)
    >>> Judgement.from_dict(judged.to_dict()) == judged
    True
    """

    sets: tuple[JudgedSet, JudgedSet]
    preferred: int

    def to_dict(self) -> dict[str, Any]:
        """The judgement as plain JSON values."""
        sets = [{"images": list(one.images), "score": one.score} for one in self.sets]
        return {"sets": sets, "preferred": self.preferred}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Judgement":
        """The judgement that `to_dict` wrote; anything else is an error that says what is wrong."""
        try:
            first, second = (_judged_set(one["images"], one["score"]) for one in values["sets"])
            preferred = values["preferred"]
        except (KeyError, TypeError, ValueError):
            raise DataError(
                "a judgement has two sets of images with a score each, and one preferred"
            ) from None
        if preferred not in (1, 2):
            raise DataError(f"two sets, and 1 or 2 as the one preferred, not {preferred!r}")
        return cls((first, second), preferred)


def _judged_set(images: Any, score: Any) -> JudgedSet:
    if not isinstance(images, list | tuple) or not all(isinstance(id, str) for id in images):
        raise DataError(f"a judged set lists its images by name, not {images!r}")
    if isinstance(score, bool) or not isinstance(score, int | float) or not isfinite(score):
        raise DataError(f"a judged set has a number for a score, not {score!r}")
    return JudgedSet(tuple(images), score)


@dataclass(frozen=True, kw_only=True)
class Case:
    """A query with its truths (the first is its target) and whatever else the benchmark says of it.

    `group` names the gallery that it searches, `exclude` what is left out of it; `subset` is a small
    gallery of its own; `negatives` are what it must not be mistaken for. `wordings` are texts that
    each stand in for the last turn's, and a measure is averaged over them. `notes` keep what else
    the source says, as plain JSON values.

    >>> Case(query=Query("1"), truths=("b", "c")).target
    'b'
    """

    query: Query
    truths: tuple[str, ...] = ()
    group: str = ""
    exclude: tuple[str, ...] = ()
    subset: tuple[str, ...] = ()
    negatives: tuple[str, ...] = ()
    grades: Mapping[str, float] = field(default_factory=dict)
    aspects: tuple[str, ...] = ()
    wordings: tuple[str, ...] = ()
    judgement: Judgement | None = None
    notes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The query's id."""
        return self.query.id

    @property
    def target(self) -> str | None:
        """The first of the truths, if there is any."""
        return self.truths[0] if self.truths else None

    def html(self, address: "Address") -> str:
        """The case on a page: its turns, its truths, what it must not be mistaken for, its subset."""
        from circlet.core import showing

        told = {*self.truths, *self.negatives}
        cards = [
            showing.truth(id, ["target" if id == self.target else "truth", id], address) for id in self.truths
        ]
        cards += [showing.wrong(id, ["not this one", id], address) for id in self.negatives]
        cards += [showing.card(id, ["beside it", id], address) for id in self.subset if id not in told]
        about = " · ".join((self.id, *([self.group] if self.group else []), *self.aspects))
        rest = len(cards) - _SHOWN
        after = [showing.line(f"{rest} more are not shown here")] if rest > 0 else []
        said = [showing.turns(self.query.turns, address), showing.sheet(cards[:_SHOWN])]
        return showing.page(showing.line(about), *said, *after)

    def _repr_html_(self) -> str:
        from circlet.core.showing import no_address

        return self.html(no_address)

    @property
    def members(self) -> tuple[str, ...]:
        """What is ranked of the subset: its members less the exclusions."""
        return without(self.subset, self.exclude)

    @property
    def in_time(self) -> bool:
        """Whether the subset's order is that of time: it is where the case shows the aspect `video`.

        >>> Case(query=Query("1"), subset=("a", "b"), aspects=("video", "negation")).in_time
        True
        """
        return VIDEO in self.aspects

    def needs(self, gone: frozenset[str]) -> bool:
        """Whether it cannot be asked without these pictures: shown, its target, or judged by somebody."""
        judged = [id for one in self.judgement.sets for id in one.images] if self.judgement else []
        return not gone.isdisjoint((*self.query.pictures, *self.truths[:1], *judged))

    def less(self, gone: frozenset[str]) -> "Case":
        """The case with these pictures out of everything that it says of its answer."""

        def left(ids: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(id for id in ids if id not in gone)

        return replace(
            self,
            truths=left(self.truths),
            subset=left(self.subset),
            negatives=left(self.negatives),
            exclude=left(self.exclude),
            grades={id: grade for id, grade in self.grades.items() if id not in gone},
        )


class Tagger(Protocol):
    """Tells the aspects of cases where the benchmark's files do not."""

    @property
    def names(self) -> tuple[str, ...]:
        """The aspects that it can tell."""

    def source(self, part: str) -> str:
        """By what it tells this aspect, in words; nothing where it cannot."""

    def shown(self, part: str, case: Case) -> bool:
        """Whether the case shows the aspect."""


def without(ids: tuple[str, ...], gone: Sequence[str]) -> tuple[str, ...]:
    """These ids without those; the same tuple where nothing goes, as is nearly always the case."""
    for one in gone:
        if one in ids:
            return tuple(id for id in ids if id not in gone)
    return ids


# Tables by query id, as annotation files have them, and the field of a case that each fills.
_TABLES = {
    "truths": "truths",
    "groups": "group",
    "exclusions": "exclude",
    "subsets": "subset",
    "negatives": "negatives",
    "grades": "grades",
    "aspects": "aspects",
    "wordings": "wordings",
    "judgements": "judgement",
    "notes": "notes",
}


def cases_of(queries: Sequence[Query], **tables: Mapping[str, Any]) -> tuple[Case, ...]:
    """Cases from queries and tables by query id: `cases_of(queries, truths={"1": ("b",)})`.

    >>> cases_of([Query("1")], groups={"1": "dress"})[0].group
    'dress'
    """
    if unknown := sorted(set(tables) - set(_TABLES)):
        raise DataError(f"a case has no table {', '.join(unknown)}; there are {', '.join(_TABLES)}")
    named = [(_TABLES[name], table) for name, table in tables.items()]
    return tuple(
        Case(query=query, **{name: table[query.id] for name, table in named if query.id in table})
        for query in queries
    )
