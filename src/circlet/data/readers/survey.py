"""A survey as people have it: one row for each participant and query, as CSV, TSV, JSON or JSON lines.

    participant,reference,text,target,set1,set2,score1,score2,preferred,irrelevant
    p01,B0082,is darker,B0091,B1 B2 B3 B4 B5,B6 B7 B8 B9 B0,4,2,1,

A set is one column of names, with spaces, commas, semicolons or bars between them, or a column for each
picture (set1_1, set1_2, …); in JSON a list. `docs/evaluation.md` says what each column means.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from circlet.core import Benchmark, Case, JudgedSet, Judgement, UsageError
from circlet.core.files import write_lines, written_whole

# What a column may also be called.
_ALSO = {
    "participant": ("judge", "person", "annotator", "worker"),
    "text": ("caption",),
    "category": ("group",),
    "irrelevant": ("invalid", "flag"),
}
_YES, _NO = ("1", "true", "yes", "y", "x"), ("", "0", "false", "no", "n")
# The scale of the answers; a set's score may be the mean of its pictures'.
LOWEST, HIGHEST = 1, 5
_COLUMNS = ("participant", "id", "category", "reference", "text", "target")
_KNOWN = frozenset({*_COLUMNS, "set1", "set2", "score1", "score2", "preferred", "irrelevant", "valid"})


@dataclass(frozen=True)
class Row:
    """What one participant said of one query; `judgement` is None where it was flagged and not scored."""

    reference: str
    text: str
    judgement: Judgement | None
    valid: bool = True
    judge: str = ""
    id: str = ""
    target: str = ""
    category: str = ""
    notes: Mapping[str, Any] = field(default_factory=dict)


def is_row(record: Mapping[str, Any]) -> bool:
    """Whether a record is a row of a survey, and not one with a list of `sets`."""
    return any(_plain(name).startswith("set1") for name in record)


def read_row(record: Mapping[str, Any]) -> Row | list[str]:
    """A row's answers, or everything that is wrong with it.

    >>> said = {"participant": "p1", "reference": "r", "text": "darker", "set1": "a b", "set2": "c d"}
    >>> read_row(said | {"score1": "4", "score2": "9", "preferred": "1"})
    ['score2 is 9: a score is a number from 1 to 5']
    """
    named = {_plain(name): value for name, value in record.items()}
    wrong: list[str] = []
    texts = {name: _text(named, name, wrong) for name in _COLUMNS}
    for name in ("reference", "text"):
        if not texts[name]:
            wrong.append(f"{name} is empty: every row says it")
    if not texts["participant"] and "participant" in named:
        wrong.append("participant is empty: name who answered, or leave the whole column out")
    flagged = _flag(named, wrong)
    sets = [_names(named, f"set{side}", wrong) for side in (1, 2)]
    answers = [named.get(name) for name in ("score1", "score2", "preferred")]
    judgement = None
    if not flagged or any(_said(one) for one in answers):
        scores = [_score(named, f"score{side}", wrong) for side in (1, 2)]
        preferred = _preferred(named, wrong)
        first, second = (JudgedSet(ids, score) for ids, score in zip(sets, scores, strict=True))
        judgement = Judgement((first, second), preferred)
    if wrong:
        return wrong
    notes = {name: value for name, value in named.items() if name not in _KNOWN and not _part(name)}
    return Row(
        texts["reference"],
        texts["text"],
        judgement,
        not flagged,
        texts["participant"],
        texts["id"],
        texts["target"],
        texts["category"],
        notes,
    )


def uneven(rows: Mapping[int, Row]) -> Iterator[tuple[int, str]]:
    """Rows whose sets are not as large as those of most rows: a name is missing, or one too many."""
    sizes = Counter(len(one.images) for row in rows.values() if row.judgement for one in row.judgement.sets)
    usual = sizes.most_common(1)[0][0] if sizes else 0
    for line, row in rows.items():
        for side, one in enumerate(row.judgement.sets if row.judgement else (), start=1):
            if len(one.images) != usual:
                what = f"set{side} has {len(one.images)} pictures where most sets have {usual}"
                yield line, f"{what}: name as many"


def twice(rows: Mapping[int, Row]) -> Iterator[tuple[int, str]]:
    """Rows that say again what another says: the same sets judged by the same, or an id that stands twice."""
    first: dict[object, int] = {}
    for line, row in rows.items():
        key: object = row.id
        if row.judge:
            sets = tuple(one.images for one in row.judgement.sets) if row.judgement else ()
            key = (row.id or (row.reference, row.text), row.judge, sets)
        if key and (before := first.setdefault(key, line)) != line:
            who = f"{row.judge} judged the same" if row.judge else f"id {row.id} is there twice"
            yield line, f"{who}, the first time in {before}; keep one of the two"


def unique_ids(rows: Mapping[int, Row]) -> dict[int, str]:
    """An id for each row: its query's, and the participant's behind it where several judged that query.

    A query without an id of its own has its number, counted from 1.
    """
    numbers: dict[tuple[str, str], str] = {}
    queries = {
        line: row.id or numbers.setdefault((row.reference, row.text), str(len(numbers) + 1))
        for line, row in rows.items()
    }
    often = Counter(queries.values())
    ids: dict[int, str] = {}
    taken: Counter[str] = Counter()
    for line, query in queries.items():
        judge = rows[line].judge
        id = f"{query}/{judge}" if often[query] > 1 and judge else query
        taken[id] += 1
        ids[line] = id if taken[id] == 1 else f"{id}/{taken[id]}"
    return ids


def write_survey(benchmark: Benchmark, path: Path | str) -> Path:
    """Write a benchmark of judgements as rows: CSV, TSV or JSON lines, by the file's name.

    >>> import tempfile
    >>> from circlet.core import Query, Turn
    >>> both = (JudgedSet(("a", "b"), 4), JudgedSet(("c", "d"), 2))
    >>> case = Case(query=Query("1", (Turn(picture="r", text="darker"),)), judgement=Judgement(both, 1))
    >>> toy = Benchmark(name="toy", split="val", cases=(case,), galleries={})
    >>> print(write_survey(toy, Path(tempfile.mkdtemp()) / "toy.csv").read_text(encoding="utf-8"), end="")
    id,reference,text,set1_1,set1_2,set2_1,set2_2,score1,score2,preferred
    1,r,darker,a,b,c,d,4,2,1
    """
    path = Path(path)
    rows = [_row_of(case) for case in benchmark.cases if case.judgement is not None]
    if not rows or len(rows) < len(benchmark) or any(len(query.turns) != 1 for query in benchmark.queries):
        raise UsageError(
            f"{benchmark.name} is no survey: there, every query has one turn and a judgement of two sets"
        )
    if path.suffix.lower() not in (".csv", ".tsv"):
        return write_lines(path, [{name: one for name, one in row.items() if one != ""} for row in rows])
    flat = [dict(_flat(row)) for row in rows]
    head = [name for name in dict.fromkeys(name for row in flat for name in row) if any(_any(flat, name))]
    with written_whole(path) as file:
        written = csv.writer(
            file, delimiter="\t" if path.suffix.lower() == ".tsv" else ",", lineterminator="\n"
        )
        written.writerows([head, *([row.get(name, "") for name in head] for row in flat)])
    return path


def _any(rows: list[dict[str, Any]], name: str) -> Iterator[bool]:
    """Whether a column says anything, row by row."""
    return (row.get(name, "") != "" for row in rows)


def _row_of(case: Case) -> dict[str, Any]:
    judgement, turn = case.judgement, case.query.last
    assert judgement is not None
    return {
        "participant": str(case.notes.get("judge", "")),
        "id": case.id,
        "category": case.group,
        "reference": turn.picture or "",
        "text": turn.text,
        "target": case.target or "",
        **{f"set{side}": list(one.images) for side, one in enumerate(judgement.sets, start=1)},
        **{f"score{side}": one.score for side, one in enumerate(judgement.sets, start=1)},
        "preferred": judgement.preferred,
        "irrelevant": "" if case.notes.get("valid", True) else 1,
    }


def _flat(row: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """A row with a column for each picture of a set: names may hold any sign."""
    for name, value in row.items():
        if isinstance(value, list):
            yield from ((f"{name}_{place}", one) for place, one in enumerate(value, start=1))
        else:
            yield name, value


def _plain(name: str) -> str:
    """A column's own name, whatever it is called here."""
    known = name.strip().lower()
    return next((own for own, others in _ALSO.items() if known in others), known)


def _part(name: str) -> re.Match[str] | None:
    """Whether a column holds one picture of a set: set1_3, set2.5, set1 4."""
    return re.fullmatch(r"set([12])[ _.-]?(\d+)", name)


def _said(value: Any) -> bool:
    return value is not None and str(value).strip() != ""


def _text(named: Mapping[str, Any], name: str, wrong: list[str]) -> str:
    value = named.get(name)
    if isinstance(value, list | dict | bool):
        wrong.append(f"{name} is {str(value)[:40]}: write a text")
        return ""
    return str(value).strip() if value is not None else ""


def _names(named: Mapping[str, Any], name: str, wrong: list[str]) -> tuple[str, ...]:
    """The pictures of a set, from one column or from several."""
    whole = named.get(name)
    if isinstance(whole, list):
        ids = [str(one).strip() for one in whole]
    elif _said(whole):
        ids = re.split(r"\s*[;|]\s*" if re.search("[;|]", str(whole)) else r"[\s,]+", str(whole).strip())
    else:
        parts = {
            int(part[2]): named[part[0]] for one in named if (part := _part(one)) and part[1] == name[3:]
        }
        ids = [str(parts[place] or "").strip() for place in sorted(parts)]
    if not ids or not all(ids):
        wrong.append(
            f"{name} lacks a picture: write all names in one column, or one each in {name}_1, {name}_2, …"
        )
    elif twice := [id for id, often in Counter(ids).items() if often > 1]:
        wrong.append(f"{name} names {twice[0]} twice: a set has each picture once")
    return tuple(ids)


def _score(named: Mapping[str, Any], name: str, wrong: list[str]) -> float:
    value = named.get(name)
    try:
        score = float(str(value).strip().replace(",", "."))
    except ValueError:
        score = float("nan")
    if not LOWEST <= score <= HIGHEST or isinstance(value, bool):
        said = f"is {value}" if _said(value) else "is empty"
        wrong.append(f"{name} {said}: a score is a number from {LOWEST} to {HIGHEST}")
        return score
    return int(score) if score == int(score) else score


def _preferred(named: Mapping[str, Any], wrong: list[str]) -> int:
    value = str(named.get("preferred", "")).strip().lower().replace(" ", "").removeprefix("set")
    if value not in ("1", "2"):
        said = f"is {named['preferred']}" if _said(named.get("preferred")) else "is empty"
        wrong.append(f"preferred {said}: write 1 or 2, the set that was chosen")
        return 0
    return int(value)


def _flag(named: Mapping[str, Any], wrong: list[str]) -> bool:
    """Whether the row was flagged as irrelevant, or said not to be valid."""
    found = {}
    for name in ("irrelevant", "valid"):
        value = "" if (given := named.get(name)) is None else str(given).strip().lower()
        if value not in (*_YES, *_NO):
            wrong.append(f"{name} is {given}: write 1 or 0, or nothing")
        found[name] = value
    return found["irrelevant"] in _YES or (found["valid"] != "" and found["valid"] in _NO)
