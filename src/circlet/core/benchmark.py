"""A dataset as a value: queries, galleries, truths, and the protocol that gives numbers meaning."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from circlet.core.errors import DataError
from circlet.core.run import Key
from circlet.core.turns import Query


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """Queries, galleries, truths, exclusions, subsets, aspects, wordings and the source's revision.

    Most benchmarks have one gallery, named "". FashionIQ has one per category: `groups` says
    which gallery a query searches. A contextual set of ten is a query's `subsets` entry. No gallery
    at all means that the list of pictures is not at hand: saved runs can still be measured.

    The first of a query's truths is its target. `wordings` are texts that each stand in for the
    last turn's, and a measure is averaged over them. `measures` are the defaults, as their reprs;
    `notes` keep what else the source says of a query, `extra` what else it says of the whole, both
    as plain JSON values.

    >>> bench = Benchmark(name="toy", split="val", queries=(Query("1"),), galleries={"": ("a", "b")},
    ...                   truths={"1": ("b",)}, exclusions={"1": ("a",)})
    >>> bench.candidates("1"), bench.header()
    (('b',), 'toy val gallery=2')
    """

    name: str
    split: str
    queries: tuple[Query, ...]
    galleries: Mapping[str, tuple[str, ...]]
    truths: Mapping[str, tuple[str, ...]]
    groups: Mapping[str, str] = field(default_factory=dict)
    exclusions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    subsets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    negatives: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    grades: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    aspects: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    wordings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    protocol: Mapping[str, str] = field(default_factory=dict)
    measures: tuple[str, ...] = ()
    revision: str = ""
    images: Mapping[str, Path] = field(default_factory=dict, repr=False)
    notes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, repr=False)
    extra: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        return f"<Benchmark {self.header()}: {len(self.queries)} queries>"

    def __len__(self) -> int:
        return len(self.queries)

    @property
    def pictures(self) -> tuple[str, ...]:
        """Every picture the benchmark needs: all galleries, then references outside them."""
        listed = [id for gallery in self.galleries.values() for id in gallery]
        asked = [id for query in self.queries for id in query.pictures]
        inside = [id for subset in self.subsets.values() for id in subset]
        return tuple(dict.fromkeys((*listed, *asked, *inside)))

    def gallery_of(self, query: str) -> tuple[str, ...]:
        """The gallery that this query searches, before its exclusions."""
        try:
            return self.galleries[self.groups.get(query, "")]
        except KeyError:
            raise DataError(f"{self.name}: query {query} searches a gallery that is not there") from None

    def candidates(self, query: str) -> tuple[str, ...]:
        """What is ranked for this query: its gallery less its exclusions."""
        gone = set(self.exclusions.get(query, ()))
        return tuple(id for id in self.gallery_of(query) if id not in gone)

    def asks(self) -> list[tuple[Key, Query]]:
        """Every ranking that is asked for: each query after each of its turns, in each wording.

        >>> from circlet.core import Turn
        >>> toy = Benchmark(name="toy", split="val", galleries={}, truths={}, wordings={"1": ("b", "c")},
        ...                 queries=(Query("1", (Turn(text="a"), Turn(text="b"))),))
        >>> [(key.turn, key.wording, query.last.text) for key, query in toy.asks()]
        [(1, 0, 'a'), (2, 0, 'b'), (2, 1, 'c')]
        """
        asked = []
        for query in self.queries:
            if query.id not in self.wordings and len(query.turns) < 2:
                asked.append((Key(query.id), query))
                continue
            for turn in range(1, len(query.turns)):
                asked.append((Key(query.id, turn), query.until(turn)))
            last, before = query.last, query.undo()
            for number, text in enumerate(self.wordings.get(query.id, (last.text,))):
                asked.append((Key(query.id, len(query.turns), number), before + replace(last, text=text)))
        return asked

    def header(self) -> str:
        """The protocol in one line, printed with every result."""
        sizes = "+".join(str(len(gallery)) for gallery in self.galleries.values())
        rules = dict(self.protocol)
        which = rules.pop("gallery", "split")
        size = sizes or ("sets" if self.subsets else "unlisted")
        shown = size if which == "split" else f"{size}({which})"
        options = "".join(f" {name}={value}" for name, value in rules.items())
        return f"{self.name} {self.split} gallery={shown}{options}"

    def without(self, gone: Collection[str]) -> "Benchmark":
        """The benchmark as far as it can be asked without these pictures.

        They leave galleries, subsets and truths; a query that shows one of them, or whose target is
        one, leaves too.

        >>> toy = Benchmark(name="toy", split="val", galleries={"": ("a", "b", "c")},
        ...                 queries=(Query("1"), Query("2")), truths={"1": ("a", "c"), "2": ("c",)})
        >>> toy.without(["c"]).queries, toy.without(["c"]).truths
        ((Query(id='1', turns=()),), {'1': ('a',)})
        """
        gone = frozenset(gone)

        def left(ids: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(id for id in ids if id not in gone)

        kept = tuple(
            query
            for query in self.queries
            if not gone.intersection(query.pictures)
            and not gone.intersection(self.truths.get(query.id, ())[:1])
        )
        asked = {query.id for query in kept}
        return replace(
            self,
            queries=kept,
            galleries={name: left(ids) for name, ids in self.galleries.items()},
            subsets={id: left(ids) for id, ids in self.subsets.items() if id in asked},
            truths={id: left(ids) for id, ids in self.truths.items() if id in asked},
            images={id: path for id, path in self.images.items() if id not in gone},
        )

    def only(self, queries: tuple[Query, ...]) -> "Benchmark":
        """The same benchmark with fewer queries: a sample, one aspect, one group."""
        return replace(self, queries=queries)
