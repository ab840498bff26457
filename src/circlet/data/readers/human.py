"""Human judgements: two sets of retrieved pictures a query, a score for each, and the set preferred.

A file is a survey's rows (`survey.py`), or records {"id", "reference", "text", "target", "sets":
[{"images": […], "score": 4}, …], "preferred": 1 or 2, "valid": true}, of which `target` and `valid` may
be left out. `judge`, `participant` or `person` says who judged.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from circlet.core import Benchmark, DataError, Judgement, Query, Turn, cases_of
from circlet.data.annotations import choose, need, read_records, revision
from circlet.data.readers.survey import Row, is_row, read_row, twice, uneven, unique_ids
from circlet.data.tables import records, to_mend

OPTIONS = {"invalid": ("left-out", "kept")}
# Fields that the benchmark holds in a place of their own.
_ELSEWHERE = ("id", "reference", "text", "target", "sets", "preferred")
_JUDGES = ("judge", "participant", "person")


def read_human(path: Path, split: str, asked: Mapping[str, str]) -> Benchmark:
    """A file of human scores; what a method ranks for a query is the union of its sets.

    Judgements that were flagged as invalid are left out unless `invalid=kept`. Where several people judged
    a query, each has an id of its own, and `notes["judge"]` says who it was.
    """
    protocol = choose("human", asked, OPTIONS)
    rows = _rows(path)
    ids = unique_ids(rows)
    kept = {
        line: row
        for line, row in rows.items()
        if row.judgement and (row.valid or protocol["invalid"] == "kept")
    }
    left_out = len(rows) - len(kept)
    told = {ids[line]: row for line, row in kept.items()}
    judgements = {id: row.judgement for id, row in told.items() if row.judgement}
    return Benchmark(
        name="human",
        split=split or "val",
        cases=cases_of(
            [Query(id, (Turn(picture=row.reference, text=row.text),)) for id, row in told.items()],
            truths={id: (row.target,) for id, row in told.items() if row.target},
            groups={id: row.category for id, row in told.items() if row.category},
            subsets={
                id: tuple(dict.fromkeys(image for one in judgement.sets for image in one.images))
                for id, judgement in judgements.items()
            },
            judgements=judgements,
            notes={id: _notes(row) for id, row in told.items()},
        ),
        galleries={},
        protocol=protocol,
        measures=("Spearman()", "PreferenceRate()", "PreferenceRate(given='higher')"),
        revision=revision([path]),
        extra={
            "findings": [f"{left_out} queries were flagged as invalid and are left out"],
            "invalid": left_out,
        }
        if left_out
        else {},
    )


def _notes(row: Row) -> dict[str, Any]:
    told: dict[str, Any] = dict(row.notes)
    if row.judge:
        told["judge"] = row.judge
    if not row.valid:
        told["valid"] = False
    return told


def _rows(path: Path) -> dict[int, Row]:
    """Every row by its line or number; whatever is wrong with any is one error, a line each."""
    table = path.suffix.lower() in (".csv", ".tsv")
    place = "line" if table else "record"
    given = records(path, ("reference",)) if table else enumerate(read_records(path), start=1)
    rows: dict[int, Row] = {}
    problems: dict[int, str] = {}
    for number, record in given:
        try:
            read = record if isinstance(record, str) else _row(record, path, number, table=table)
        except DataError as error:
            read = str(error).removeprefix(f"{path}, record {number}: ")
        if isinstance(read, Row):
            rows[number] = read
        else:
            problems[number] = read
    problems |= {number: what for check in (twice, uneven) for number, what in check(rows)}
    if not rows and not problems:
        problems[1] = "nothing was judged: a row has reference, text, set1, set2, score1, score2, preferred"
    if problems:
        raise to_mend(path, [f"{place} {number}: {problems[number]}" for number in sorted(problems)])
    return rows


def _row(record: Mapping[str, Any], path: Path, number: int, *, table: bool) -> Row | str:
    """What a record says, or what is wrong with it."""
    if table or is_row(record):
        read = read_row(record)
        return read if isinstance(read, Row) else "; ".join(read)
    reference, text, sets, preferred = need(
        record, path, number - 1, "reference", "text", "sets", "preferred"
    )
    return Row(
        reference,
        text,
        Judgement.from_dict({"sets": sets, "preferred": preferred}),
        record.get("valid", True) is not False,
        next((str(record[name]) for name in _JUDGES if name in record), ""),
        str(record.get("id", number - 1)),
        record.get("target", ""),
        notes={name: value for name, value in record.items() if name not in _ELSEWHERE},
    )
