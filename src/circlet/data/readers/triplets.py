"""Your own triplets: a folder of pictures and a JSONL or CSV file of reference, text and target.

    reference,text,target
    beach.jpg,the same beach at night,beach-night.jpg

Whoever knows which of two pictures answers better writes that down instead: `reference,text,better,worse`.
A column `split` may say train, val or test; without it the reference decides, so that a
picture's queries stay together: eight tenths train, one tenth each for val and test.
"""

import difflib
import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from circlet.core import Benchmark, DataError, Query, Turn, UsageError, cases_of
from circlet.core.files import read_text
from circlet.data.tables import SPLITS, found_pictures, records, to_mend

FIELDS = ("reference", "text", "target")
_NAMES = ("triplets.jsonl", "triplets.csv", "triplets.tsv")


def own_file(data: str) -> Path | None:
    """The file of a person's own triplets that `data` means: itself, or in the folder it names."""
    path = Path(data).expanduser()
    if path.is_dir():
        files = [path / name for name in _NAMES if (path / name).is_file()]
        if not files:
            raise UsageError(f"{path} has no file of triplets: put one of {', '.join(_NAMES)} there")
        return files[0]
    if path.suffix.lower() in {".csv", ".tsv"}:
        return path
    if path.suffix.lower() == ".jsonl" and path.is_file():
        # A circlet benchmark file says so in its first line; anything else is a list of triplets.
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            return None if '"circlet"' in file.readline() else path
    return None


class TripletProblem(NamedTuple):
    """What is wrong with a line, and what would make it right."""

    line: int
    what: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.what}"


class Triplet(NamedTuple):
    """One good line."""

    line: int
    reference: str
    text: str
    target: str
    split: str
    worse: str = ""


def check_triplets(path: Path, pictures: Path | None = None) -> tuple[list[Triplet], list[TripletProblem]]:
    """The good lines of a file and everything that is wrong with the others.

    `pictures` is the folder that names are looked up in; by default the one the file lies in.
    """
    known = found_pictures(pictures or path.parent)
    good: list[Triplet] = []
    problems: list[TripletProblem] = []
    first: dict[tuple[str, ...], int] = {}
    for line, record in records(path, _columns(path)):
        if isinstance(record, str):
            problems.append(TripletProblem(line, record))
            continue
        if "better" in record:
            record = {**record, "target": record["better"]}
        wrong = list(_faults(record, known))
        reference, text, target = (str(record.get(field, "")).strip() for field in FIELDS)
        worse = str(record.get("worse") or "").strip()
        twin = first.setdefault((reference, text, target, worse), line)
        if not wrong and twin != line:
            wrong = [f"says the same as line {twin}; leave one of them out"]
        if wrong:
            problems += [TripletProblem(line, what) for what in wrong]
            continue
        split = str(record.get("split") or split_of(reference))
        good.append(Triplet(line, reference, text, target, split, worse))
    if not good and not problems:
        problems.append(TripletProblem(1, f"the file has no triplets; a line says {', '.join(FIELDS)}"))
    return good, problems


def read_triplets(path: Path, split: str, pictures: Path | None = None) -> Benchmark:
    """One split of a file of triplets as a benchmark; problems are an error that lists them by line."""
    if split not in SPLITS:
        raise UsageError(f"{path} has no split {split!r}; pick one of {', '.join(SPLITS)}")
    good, problems = check_triplets(path, pictures)
    if problems:
        raise to_mend(path, problems)
    chosen = [triplet for triplet in good if triplet.split == split]
    if not chosen:
        raise DataError(
            f"{path}: none of the {len(good)} triplets is in the split {split}; "
            "add more, or name the splits in a column `split`"
        )
    known = found_pictures(pictures or path.parent)
    ids = {triplet: f"{triplet.line}" for triplet in chosen}
    return Benchmark(
        name=path.stem,
        split=split,
        cases=cases_of(
            tuple(Query(ids[t], (Turn(picture=t.reference, text=t.text),)) for t in chosen),
            truths={ids[t]: (t.target,) for t in chosen},
            exclusions={ids[t]: (t.reference,) for t in chosen},
            negatives={ids[t]: (t.worse,) for t in chosen if t.worse},
        ),
        galleries={"": tuple(known)},
        protocol={"reference": "removed"},
        measures=("Recall @ 1", "Recall @ 5", "Recall @ 10", "Recall @ 50"),
        revision=f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()[:12]}",
        images=known,
    )


def read_own(path: Path, split: str, asked: Mapping[str, str]) -> Benchmark:
    """One split of one's own triplets, as `triplets:FILE:split` names it."""
    if asked:
        raise UsageError(f"{path}: triplets take no options ({', '.join(asked)})")
    return read_triplets(path, split)


def split_of(reference: str) -> str:
    """The split of a reference picture that no column decides.

    >>> split_of("beach.jpg"), split_of("dog.jpg")
    ('test', 'val')
    """
    number = hashlib.sha256(reference.encode()).digest()[0] % 10
    return "val" if number == 0 else "test" if number == 1 else "train"


def _columns(path: Path) -> tuple[str, ...]:
    """What a table must have: a target, or of two pictures the better and the worse."""
    head = read_text(path, "name the file, saved as UTF-8").partition("\n")[0].lower()
    return (*FIELDS[:2], "better", "worse") if "better" in head else FIELDS


def _faults(record: Mapping[str, Any], known: Mapping[str, Path]) -> Iterator[str]:
    for field in (*FIELDS, *(("worse",) if record.get("worse") else ())):
        value = record.get(field)
        if value is None:
            yield f"no {field}"
        elif not isinstance(value, str):
            yield f"{field} is {json.dumps(value)[:40]}, not a text"
        elif not value.strip():
            yield f"{field} is empty"
        elif field != "text" and value.strip() not in known:
            near = difflib.get_close_matches(value.strip(), known, n=1)
            yield f"{field} {value.strip()!r} is no picture of the folder" + (
                f"; is it {near[0]!r}?" if near else ""
            )
    if record.get("reference") is not None and record.get("reference") == record.get("target"):
        yield "reference and target are the same picture"
    if record.get("worse") and record.get("worse") in (record.get("target"), record.get("reference")):
        yield "what is worse is the reference or the better picture itself"
    if (split := record.get("split")) and split not in SPLITS:
        yield f"split is {split!r}, not one of {', '.join(SPLITS)}"
