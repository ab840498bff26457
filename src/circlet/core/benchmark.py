"""A dataset as a value: queries, galleries, truths, and the protocol that gives numbers meaning."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from circlet.core.errors import DataError
from circlet.core.turns import Query


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """Queries, galleries, truths, exclusions, subsets, aspects, wordings and the source's revision.

    Most benchmarks have one gallery, named "". FashionIQ has one per category: `groups` says
    which gallery a query searches. A contextual set of ten is a query's `subsets` entry.

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
    revision: str = ""
    images: Mapping[str, Path] = field(default_factory=dict, repr=False)
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

    def header(self) -> str:
        """The protocol in one line, printed with every result."""
        sizes = "+".join(str(len(gallery)) for gallery in self.galleries.values())
        rules = "".join(f" {name}={value}" for name, value in self.protocol.items())
        return f"{self.name} {self.split} gallery={sizes}{rules}"

    def only(self, queries: tuple[Query, ...]) -> "Benchmark":
        """The same benchmark with fewer queries: a sample, one aspect, one group."""
        return replace(self, queries=queries)
