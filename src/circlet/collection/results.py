"""What a search gives back: hits, near-identical pictures folded into one, and what was left out."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from circlet.core import Query
from circlet.images.moments import moment_of

if TYPE_CHECKING:
    from PIL.Image import Image

# What is rather no answer than one is no match: with a fitted probability both mistakes are then as likely.
RELEVANT = 0.5


@dataclass(frozen=True)
class Check:
    """How likely it is that one clause of the query holds in a picture; None: it was not checked.

    `picture` is the id of the picture that the clause is about, where it is what a picture shows.

    >>> Check("no people", 0.21).holds, Check("two dogs", None).holds
    (False, None)
    """

    clause: str
    probability: float | None
    picture: str | None = None

    @property
    def holds(self) -> bool | None:
        """Whether it rather holds than not; None where it was not checked."""
        return None if self.probability is None else self.probability >= 0.5

    def to_dict(self) -> dict[str, Any]:
        """The check as plain JSON values."""
        return {"clause": self.clause, "probability": self.probability}


@dataclass(frozen=True)
class Hit:
    """One result: its rank from one, its score, its path, and the near-identical pictures it stands for.

    `checks` says which clauses of the query hold in it, where that was asked for; `relevance` how likely it
    answers the query as a whole, None where nothing was fitted that could tell.

    >>> Hit(1, 0.91, "/pictures/beach.jpg", folded=("/pictures/copy.jpg",)).count
    2
    """

    rank: int
    score: float
    path: str
    folded: tuple[str, ...] = ()
    below: bool = False
    checks: tuple[Check, ...] = ()
    relevance: float | None = None

    @property
    def seconds(self) -> float | None:
        """When in a video the picture is; None for a plain picture.

        >>> Hit(1, 0.91, "/pictures/clip.mp4#t=12.5").seconds
        12.5
        """
        moment = moment_of(self.path)
        return moment.seconds if moment else None

    @property
    def scored(self) -> str:
        """The score as a caption tells it, with a percentage where one was fitted.

        >>> Hit(1, 0.9, "a.jpg").scored, Hit(1, 0.9, "a.jpg", relevance=0.87).scored
        ('0.900', '0.900 · 87 %')
        """
        likely = "" if self.relevance is None else f" · {percent(self.relevance)}"
        return f"{self.score:.3f}{likely}"

    @property
    def count(self) -> int:
        """How many pictures of the collection this hit stands for, itself included."""
        return 1 + len(self.folded)

    def to_dict(self) -> dict[str, Any]:
        """The hit as plain JSON values."""
        return {
            "rank": self.rank,
            "score": self.score,
            "relevance": self.relevance,
            "path": self.path,
            "seconds": self.seconds,
            "folded": list(self.folded),
            "below": self.below,
            "checks": [check.to_dict() for check in self.checks],
        }


@dataclass(frozen=True)
class Missed:
    """Why nothing matches: how likely the best result answers, and the clause that holds least in it.

    >>> print(Missed(0.31, Check("at night", 0.12)))
    the best result has a relevance of 31 %, and “at night” holds least in it (0.12)
    """

    relevance: float
    worst: Check | None = None

    def __str__(self) -> str:
        told = f"the best result has a relevance of {percent(self.relevance)}"
        if self.worst is None:
            return told
        return f"{told}, and “{self.worst.clause}” holds least in it ({self.worst.probability:.2f})"

    def to_dict(self) -> dict[str, Any]:
        """The reason as plain JSON values."""
        return {"relevance": self.relevance, "worst": self.worst.to_dict() if self.worst else None}


def percent(share: float) -> str:
    """A probability as people read it; as nothing is certain, nothing is told as if it were.

    >>> percent(0.874), percent(1.0), percent(0.0001)
    ('87 %', '99 %', '1 %')
    """
    return f"{min(99, max(1, round(100 * share)))} %"


@dataclass(frozen=True)
class Results:
    """The hits of one page, best first; iterates over them.

    `cutoff` is the score under which a hit is `below` (None where the method has no calibrated one),
    `relevance_cutoff` the probability under which it is, where hits have one: then that counts instead.
    `matched` is whether anything at all reached it, `missed` why nothing did, `more` whether another page
    follows; `left_out` names the query's own pictures that were kept out of the results, and `notes` say what
    of the question could not be checked, each with the remedy. In a notebook the results show themselves,
    with pictures from `thumbnail`.

    >>> results = Results(Query("q"), (Hit(1, 0.9, "a.jpg"), Hit(2, 0.1, "b.jpg", below=True)), cutoff=0.3)
    >>> [hit.path for hit in results.above], results.matched
    (['a.jpg'], True)
    """

    query: Query
    hits: tuple[Hit, ...]
    cutoff: float | None = None
    matched: bool = True
    more: bool = False
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    thumbnail: "Callable[[str, int], Image] | None" = field(default=None, repr=False, compare=False)
    relevance_cutoff: float | None = None
    missed: Missed | None = None

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def _repr_html_(self) -> str:
        from circlet.collection.notebook import html

        return html(self)

    @property
    def ids(self) -> tuple[str, ...]:
        """The hits' paths, best first."""
        return tuple(hit.path for hit in self.hits)

    @property
    def above(self) -> tuple[Hit, ...]:
        """The hits that reached the cut-off."""
        return tuple(hit for hit in self.hits if not hit.below)

    def checked(self, checks: Sequence[tuple[Check, ...]]) -> "Results":
        """The same results, each hit with its checks: `results.checked(collection.checks(…))`."""
        pairs = zip(self.hits, checks, strict=True)
        return replace(self, hits=tuple(replace(hit, checks=told) for hit, told in pairs))

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain JSON values: the query's turns and the results."""
        return {
            "query": {"id": self.query.id, "turns": [turn.to_dict() for turn in self.query.turns]},
            "results": [hit.to_dict() for hit in self.hits],
            "cutoff": self.cutoff,
            "relevance_cutoff": self.relevance_cutoff,
            "missed": self.missed.to_dict() if self.missed else None,
            "matched": self.matched,
            "more": self.more,
            "left_out": list(self.left_out),
            "notes": list(self.notes),
        }
