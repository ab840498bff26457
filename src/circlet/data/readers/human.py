"""Human judgements: two sets of retrieved pictures a query, a score for each, and the set preferred.

A record is {"id", "reference", "text", "target", "sets": [{"images": […], "score": 4}, …],
"preferred": 1 or 2, "valid": true}; `target` and `valid` may be left out.
"""

from collections.abc import Mapping
from pathlib import Path

from circlet.core import Benchmark, DataError, Judgement, Query, Turn, cases_of
from circlet.data.annotations import choose, need, read_records, revision

OPTIONS = {"invalid": ("left-out", "kept")}
# Fields that the benchmark holds in a place of their own.
_ELSEWHERE = ("id", "reference", "text", "target", "sets", "preferred")


def read_human(path: Path, split: str, asked: Mapping[str, str]) -> Benchmark:
    """A file of human scores; what a method ranks for a query is the union of its sets.

    Queries that the annotators flagged as invalid are left out unless `invalid=kept`.
    """
    protocol = choose("human", asked, OPTIONS)
    queries, truths, subsets, judgements, notes, left_out = [], {}, {}, {}, {}, 0
    for number, record in enumerate(read_records(path)):
        reference, text, sets, preferred = need(
            record, path, number, "reference", "text", "sets", "preferred"
        )
        id = str(record.get("id", number))
        if id in subsets:
            raise DataError(f"{path}, record {number + 1}: id {id} is there twice; keep one of the two")
        try:
            judgement = Judgement.from_dict({"sets": sets, "preferred": preferred})
        except DataError as error:
            raise DataError(f"{path}, record {number + 1}: {error}") from None
        if protocol["invalid"] == "left-out" and not record.get("valid", True):
            left_out += 1
            continue
        queries.append(Query(id, (Turn(picture=reference, text=text),)))
        subsets[id] = tuple(dict.fromkeys(image for one in judgement.sets for image in one.images))
        judgements[id] = judgement
        notes[id] = {name: value for name, value in record.items() if name not in _ELSEWHERE}
        if "target" in record:
            truths[id] = (record["target"],)
    return Benchmark(
        name="human",
        split=split or "val",
        cases=cases_of(queries, truths=truths, subsets=subsets, judgements=judgements, notes=notes),
        galleries={},
        protocol=protocol,
        measures=("Spearman()", "PreferenceRate()", "PreferenceRate(given='higher')"),
        revision=revision([path]),
        extra={
            "findings": [f"{left_out} queries were flagged as invalid and are left out"] if left_out else []
        },
    )
