"""Which queries show a semantic aspect, where the dataset's files do not say: by rule, or by a list."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from circlet.core import Benchmark, Case, DataError
from circlet.core.files import read_text
from circlet.data.annotations import read_json
from circlet.data.aspect_names import aspect_name
from circlet.language import Aspect, aspects

_told = lru_cache(maxsize=1 << 16)(aspects)


def texts_of_case(case: Case) -> list[str]:
    """Every text that was written for a case, once: both captions of a pair, each turn's.

    >>> from circlet.core import Query, Turn
    >>> texts_of_case(Case(query=Query("1", (Turn(text="is red and is long"),)),
    ...                    notes={"captions": ["is red", " is long"]}))
    ['is red', 'is long']
    """
    captions = [caption.strip() for caption in case.notes.get("captions") or ()]
    turns = [turn.text.strip() for turn in case.query.turns]
    # Where each caption is a query of its own, the pair's other caption is not this query's.
    texts = captions if captions and not set(turns[-1:]) & set(captions) else turns
    return [text for text in texts if text]


@dataclass(frozen=True)
class AspectTags:
    """Aspects by lists of query ids; every other of the nine as the rules tell it, if `rules`.

    A pair's captions are heard one by one: "is red" joined with "is long" would always be a
    statement with a conjunction.

    >>> from circlet.core import Query, Turn
    >>> tags = AspectTags(lists={"negation": frozenset({"7"})}, file="negation.txt")
    >>> case = Case(query=Query("1", (Turn(text="no dogs, but two cats"),)))
    >>> tags.shown("negation", case), tags.shown("cardinality", case), tags.source("negation")
    (False, True, 'as negation.txt lists it')
    """

    lists: Mapping[str, frozenset[str]] = field(default_factory=dict)
    file: str = ""
    rules: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """The aspects that can be asked for."""
        return tuple(dict.fromkeys((*self.lists, *(map(str, Aspect) if self.rules else ()))))

    def source(self, part: str) -> str:
        """By what an aspect is told, in words; nothing for what is none of these aspects."""
        name = aspect_name(part)
        if name in self.lists:
            return f"as {self.file} lists it"
        return "as the tagger of `circlet data stats` tells it" if name in self.names else ""

    def shown(self, part: str, case: Case) -> bool:
        """Whether a case shows the aspect, by any of its names."""
        name = aspect_name(part)
        if name in self.lists:
            return case.id in self.lists[name]
        return any(name in _told(text) for text in texts_of_case(case))


def with_rules(benchmark: Benchmark) -> Benchmark:
    """The benchmark with the nine aspects told by rule, if its files name no aspect of their own."""
    if benchmark.tagger or any(case.aspects for case in benchmark.cases):
        return benchmark
    return replace(benchmark, tagger=AspectTags())


def with_listed(benchmark: Benchmark, file: Path) -> Benchmark:
    """The benchmark with aspects as a file lists them: query ids, one a line, or JSON.

    A plain list is of the aspect that the file is named after (`negation.txt`); JSON is such a list,
    or an object of lists by aspect.
    """
    lists = _read(file)
    for name, ids in lists.items():
        if unknown := [id for id in ids if id not in benchmark]:
            raise DataError(
                f"{file}: {len(unknown)} of {len(ids)} ids under {name} are no query of {benchmark.name} "
                f"{benchmark.split} (the first: {unknown[0]}); list that split's ids"
            )
    before = with_rules(benchmark).tagger
    kept = {name: frozenset(ids) for name, ids in lists.items()}
    return replace(benchmark, tagger=AspectTags(kept, file.name, rules=before is not None))


def _read(file: Path) -> dict[str, list[str]]:
    if file.suffix.lower() == ".json":
        value = read_json(file)
    else:
        lines = (line.partition("#")[0].strip() for line in read_text(file, "name a list of ids").split("\n"))
        value = [line for line in lines if line]
    lists = value if isinstance(value, dict) else {file.name.partition(".")[0]: value}
    for name, ids in lists.items():
        if not isinstance(ids, list) or not ids or not all(isinstance(id, str | int) for id in ids):
            raise DataError(
                f"{file}: no list of query ids under {name}; write one id a line, or JSON like "
                '{"negation": ["12", "40"]}'
            )
    return {aspect_name(name): list(dict.fromkeys(map(str, ids))) for name, ids in lists.items()}
