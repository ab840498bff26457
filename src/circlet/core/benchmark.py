"""A dataset as a value: cases, galleries, and the protocol that gives numbers meaning."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from circlet.core.case import Case, Tagger
from circlet.core.errors import DataError
from circlet.core.run import Key
from circlet.core.turns import Query

# Cases that a notebook shows of a benchmark.
_SHOWN = 3


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """Cases, galleries, a protocol, and where the pictures and the annotations come from.

    Most benchmarks have one gallery, named "". FashionIQ has one per category: a case's `group` says
    which gallery it searches. A contextual set of ten is a case's `subset`. No gallery at all means
    that the list of pictures is not at hand: saved runs can still be measured. `measures` are the
    defaults, as their reprs; `extra` keeps what else the source says of the whole. `tagger` tells the
    aspects that no case says, `address` makes of a picture's file what a page can show: a notebook shows
    the first cases, so `benchmark.only([query])` shows one.

    >>> case = Case(query=Query("1"), truths=("b",), exclude=("a",))
    >>> bench = Benchmark(name="toy", split="val", cases=(case,), galleries={"": ("a", "b")})
    >>> bench.candidates("1"), bench.header()
    (('b',), 'toy val gallery=2')
    """

    name: str
    split: str
    cases: tuple[Case, ...]
    galleries: Mapping[str, tuple[str, ...]]
    protocol: Mapping[str, str] = field(default_factory=dict)
    measures: tuple[str, ...] = ()
    revision: str = ""
    images: Mapping[str, Path] = field(default_factory=dict, repr=False)
    extra: Mapping[str, Any] = field(default_factory=dict, repr=False)
    tagger: Tagger | None = field(default=None, repr=False, compare=False)
    address: Callable[[Path], str] | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        return f"<Benchmark {self.header()}: {len(self.cases)} queries>"

    def __len__(self) -> int:
        return len(self.cases)

    def _repr_html_(self) -> str:
        """What a notebook shows: the protocol, and the first cases with their pictures."""
        from circlet.core import showing

        shown = "".join(case.html(self._picture) for case in self.cases[:_SHOWN])
        rest = len(self.cases) - _SHOWN
        after = [showing.line(f"{rest:,} more queries")] if rest > 0 else []
        return showing.page(showing.line(self.header()), shown, *after)

    def _picture(self, id: str) -> str:
        path = self.images.get(id)
        return self.address(path) if self.address and path else ""

    @cached_property
    def queries(self) -> tuple[Query, ...]:
        """The query of every case."""
        return tuple(case.query for case in self.cases)

    @cached_property
    def _by_id(self) -> dict[str, Case]:
        return {case.id: case for case in self.cases}

    def __contains__(self, query: object) -> bool:
        return query in self._by_id

    def case(self, query: str) -> Case:
        """The case of a query's id; one that is not asked is an error that names it."""
        try:
            return self._by_id[query]
        except KeyError:
            raise DataError(f"{self.name} {self.split} has no query {query}") from None

    @cached_property
    def has_subsets(self) -> bool:
        """Whether any case has a subset of its own."""
        return any(case.subset for case in self.cases)

    @cached_property
    def has_truths(self) -> bool:
        """Whether any case says its truths: a test split may say none."""
        return any(case.truths for case in self.cases)

    def told(self, part: str) -> str:
        """By what an aspect is told that no case says, in words; nothing for what the cases say."""
        return self.tagger.source(part) if self.tagger else ""

    def showing(self, part: str) -> list[bool]:
        """Which cases are of this group or show this aspect.

        >>> cases = (Case(query=Query("1"), aspects=("negation",)), Case(query=Query("2")))
        >>> Benchmark(name="toy", split="val", galleries={}, cases=cases).showing("negation")
        [True, False]
        """
        if self.tagger and self.tagger.source(part):
            return [self.tagger.shown(part, case) for case in self.cases]
        return [case.group == part or part in case.aspects for case in self.cases]

    @property
    def pictures(self) -> tuple[str, ...]:
        """Every picture the benchmark needs: all galleries, then references outside them."""
        listed = [id for gallery in self.galleries.values() for id in gallery]
        asked = [id for query in self.queries for id in query.pictures]
        inside = [id for case in self.cases for id in case.subset]
        return tuple(dict.fromkeys((*listed, *asked, *inside)))

    def gallery_of(self, query: str) -> tuple[str, ...]:
        """The gallery that this query searches, before its exclusions."""
        try:
            return self.galleries[self.case(query).group]
        except KeyError:
            raise DataError(f"{self.name}: query {query} searches a gallery that is not there") from None

    def candidates(self, query: str) -> tuple[str, ...]:
        """What is ranked for this query: its gallery less its exclusions."""
        gone = set(self.case(query).exclude)
        return tuple(id for id in self.gallery_of(query) if id not in gone)

    def asks(self) -> list[tuple[Key, Query]]:
        """Every ranking that is asked for: each query after each of its turns, in each wording.

        >>> from circlet.core import Turn
        >>> case = Case(query=Query("1", (Turn(text="a"), Turn(text="b"))), wordings=("b", "c"))
        >>> toy = Benchmark(name="toy", split="val", galleries={}, cases=(case,))
        >>> [(key.turn, key.wording, query.last.text) for key, query in toy.asks()]
        [(1, 0, 'a'), (2, 0, 'b'), (2, 1, 'c')]
        """
        asked = []
        for case in self.cases:
            query = case.query
            if not case.wordings and len(query.turns) < 2:
                asked.append((Key(query.id), query))
                continue
            for turn in range(1, len(query.turns)):
                asked.append((Key(query.id, turn), query.until(turn)))
            last, before = query.last, query.undo()
            for number, text in enumerate(case.wordings or (last.text,)):
                asked.append((Key(query.id, len(query.turns), number), before + replace(last, text=text)))
        return asked

    def header(self) -> str:
        """The protocol in one line, printed with every result."""
        sizes = "+".join(str(len(gallery)) for gallery in self.galleries.values())
        rules = dict(self.protocol)
        which = rules.pop("gallery", "split")
        size = sizes or ("sets" if self.has_subsets else "unlisted")
        shown = size if which == "split" else f"{size}({which})"
        options = "".join(f" {name}={value}" for name, value in rules.items())
        return f"{self.name} {self.split} gallery={shown}{options}"

    def without(self, gone: Collection[str]) -> "Benchmark":
        """The benchmark as far as it can be asked without these pictures.

        They leave galleries, subsets and truths; a query that shows one of them, or whose target is
        one, leaves too.

        >>> cases = (Case(query=Query("1"), truths=("a", "c")), Case(query=Query("2"), truths=("c",)))
        >>> toy = Benchmark(name="toy", split="val", galleries={"": ("a", "b", "c")}, cases=cases)
        >>> [(case.id, case.truths) for case in toy.without(["c"]).cases]
        [('1', ('a',))]
        """
        lost = frozenset(gone)
        return replace(
            self,
            cases=tuple(case.less(lost) for case in self.cases if not case.needs(lost)),
            galleries={
                name: tuple(id for id in ids if id not in lost) for name, ids in self.galleries.items()
            },
            images={id: path for id, path in self.images.items() if id not in lost},
        )

    def only(self, queries: Sequence[Query]) -> "Benchmark":
        """The same benchmark with fewer queries: a sample, one aspect, one group."""
        return replace(self, cases=tuple(self.case(query.id) for query in queries))
