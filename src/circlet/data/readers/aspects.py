"""A benchmark by semantic aspect: reference, text, target, hard negatives and the aspect tried."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from circlet.core import Benchmark, DataError, Query, Turn, cases_of
from circlet.data.annotations import choose, need, read_records, revision
from circlet.data.aspect_names import aspect_name

OPTIONS = {"reference": ("removed", "kept"), "gallery": ("all", "aspect")}
# One field, the names it goes by.
_FIELDS = {
    "reference": ("reference", "reference_image", "candidate"),
    "text": ("text", "caption", "relative_caption", "instruction"),
    "target": ("target", "target_image"),
    "negative": ("hard_negative", "negative", "hard_negatives", "negatives"),
    "aspect": ("aspect", "semantic_aspect", "type"),
}


def read_aspects(path: Path, split: str, asked: Mapping[str, str]) -> Benchmark:
    """A file of records with reference, text, target, hard negative and aspect.

    The subset of a query is its target with the hard negatives: SubsetRecall @ 1 is how often the
    target beats them. Picture names are paths relative to the file.
    """
    protocol = choose("aspects", asked, OPTIONS)
    queries, truths, aspects, negatives, groups, notes = [], {}, {}, {}, {}, {}
    for number, record in enumerate(read_records(path)):
        reference, text, target, aspect = (
            _field(record, path, number, name) for name in ("reference", "text", "target", "aspect")
        )
        aspect, hard = aspect_name(aspect), _field(record, path, number, "negative")
        id = str(record.get("id", number))
        if id in truths:
            raise DataError(f"{path}, record {number + 1}: id {id} is there twice; keep one of the two")
        queries.append(Query(id, (Turn(picture=reference, text=text),)))
        truths[id], aspects[id], groups[id] = (target,), (aspect,), aspect
        negatives[id] = (hard,) if isinstance(hard, str) else tuple(hard)
        notes[id] = dict(record)
    names = sorted(set(groups.values()))
    by_aspect = protocol["gallery"] == "aspect"
    galleries: dict[str, dict[str, None]] = {name: {} for name in (names if by_aspect else [""])}
    for query in queries:
        home = galleries[groups[query.id] if by_aspect else ""]
        home |= dict.fromkeys((*query.pictures, *truths[query.id], *negatives[query.id]))
    return Benchmark(
        name="aspects",
        split=split or "test",
        cases=cases_of(
            queries,
            truths=truths,
            groups=groups if by_aspect else {},
            exclusions={query.id: query.pictures for query in queries}
            if protocol["reference"] == "removed"
            else {},
            subsets={id: (*truths[id], *negatives[id]) for id in truths},
            negatives=negatives,
            aspects=aspects,
            notes=notes,
        ),
        galleries={name: tuple(ids) for name, ids in galleries.items()},
        protocol=protocol,
        measures=aspect_measures(names),
        revision=revision([path]),
        images={id: path.parent / id for ids in galleries.values() for id in ids},
    )


def aspect_measures(names: Iterable[str]) -> tuple[str, ...]:
    """What a benchmark of aspects is measured by: over all of them, then each measure aspect by aspect.

    >>> aspect_measures(["negation"])[-2:]
    ("Within('negation', SubsetRecall @ 1)", "Within('negation', NegativeWins)")
    """
    each = ("Recall @ 1", "Recall @ 5", "SubsetRecall @ 1", "NegativeWins")
    named = list(names)
    return (*each, *(f"Within({str(name)!r}, {measure})" for measure in each for name in named))


def _field(record: Mapping[str, Any], path: Path, number: int, field: str) -> Any:
    known = next((name for name in _FIELDS[field] if name in record), _FIELDS[field][0])
    return need(record, path, number, known)[0]
