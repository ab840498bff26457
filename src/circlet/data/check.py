"""What is there of a dataset, what is missing, and whether its counts are the published ones."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from circlet.core import Benchmark, Query
from circlet.data.load import load_benchmark

# A file that gives a dataset away, and the benchmarks that may then be there.
_SIGNS = {
    "image_splits/split.rc2.*.json": ("cirr", "captions/cap.rc2.{}.json", ("train", "val", "test1")),
    "image_splits/split.dress.*.json": ("fashioniq", "captions/cap.dress.{}.json", ("train", "val", "test")),
    "annotations/*.json": ("circo", "annotations/{}.json", ("val", "test")),
}
_IMAGECODE = {"train": "train_data.json", "val": "valid_data.json", "test": "test_data_unlabeled.json"}

_RECORDS = (".csv", ".json", ".jsonl", ".tsv")

# So many letters hold the first record of any session file.
_OPENING = 200_000


@dataclass(frozen=True)
class Checked:
    """One benchmark, checked: counts beside the published ones, findings, and what is missing."""

    name: str
    header: str
    revision: str
    counts: dict[str, int]
    published: dict[str, int]
    findings: tuple[str, ...]
    missing: tuple[str, ...]
    pictures: int

    @property
    def differs(self) -> dict[str, tuple[int, int]]:
        """Counts that are not the published ones: (found, published) by name."""
        return {
            name: (self.counts.get(name, 0), wanted)
            for name, wanted in self.published.items()
            if self.counts.get(name, 0) != wanted
        }


def check(name: str) -> Checked:
    """Load a benchmark and hold it against what was published of it."""
    return check_benchmark(name, load_benchmark(name))


def check_benchmark(name: str, benchmark: Benchmark) -> Checked:
    """The same for a benchmark at hand; no picture is opened, only looked for.

    >>> from circlet.core import Case, Query, Turn
    >>> case = Case(query=Query("1", (Turn(picture="a", text="x"),)), truths=("b",))
    >>> toy = Benchmark(name="toy", split="val", galleries={"": ("a",)}, cases=(case,))
    >>> check_benchmark("toy", toy).findings
    ('1 truth outside its gallery: b (query 1)',)
    """
    pictures = benchmark.pictures
    there = {
        path for folder in {file.parent for file in benchmark.images.values()} for path in _files(folder)
    }
    missing = tuple(id for id in pictures if benchmark.images.get(id) not in there)
    return Checked(
        name=name,
        header=benchmark.header(),
        revision=benchmark.revision,
        counts=counts(benchmark),
        published=dict(benchmark.extra.get("published", {})),
        findings=(*benchmark.extra.get("findings", ()), *_findings(benchmark)),
        missing=missing,
        pictures=len(pictures),
    )


def _files(folder: Path) -> Iterator[Path]:
    return folder.iterdir() if folder.is_dir() else iter(())


def counts(benchmark: Benchmark) -> dict[str, int]:
    """How many there are of everything that a paper's table of statistics lists."""
    if benchmark.cases and all(case.judgement for case in benchmark.cases):
        return _judged(benchmark)
    amounts = {"queries": len(benchmark.queries)}
    if len(benchmark.galleries) == 1:
        amounts["gallery"] = len(next(iter(benchmark.galleries.values())))
    for name, gallery in benchmark.galleries.items() if len(benchmark.galleries) > 1 else ():
        amounts[f"queries of {name}"] = sum(case.group == name for case in benchmark.cases)
        amounts[f"gallery of {name}"] = len(gallery)
    sets = {case.notes["img_set"]["id"] for case in benchmark.cases if "img_set" in case.notes}
    if sets:
        amounts["sets"] = len(sets)
    elif benchmark.has_subsets and not benchmark.galleries:
        amounts["sets"] = len({case.subset for case in benchmark.cases})
    turns = [len(query.turns) for query in benchmark.queries]
    if max(turns, default=1) > 1:
        amounts["turns"] = sum(turns)
    if benchmark.has_truths:
        amounts["truths"] = sum(len(case.truths) for case in benchmark.cases)
    return amounts


def _judged(benchmark: Benchmark) -> dict[str, int]:
    """Of judgements: the queries, however many people judged each, and what was said of them."""
    judges = {case.notes["judge"] for case in benchmark.cases if "judge" in case.notes}
    amounts = {"queries": len({query.turns for query in benchmark.queries}), "judgements": len(benchmark)}
    amounts |= {"judges": len(judges)} if judges else {}
    for name in sorted({case.group for case in benchmark.cases if case.group}):
        amounts[f"judgements of {name}"] = sum(case.group == name for case in benchmark.cases)
    return amounts | {"invalid": int(benchmark.extra.get("invalid", 0))}


def _findings(benchmark: Benchmark) -> Iterator[str]:
    """What is odd in any benchmark: truths nobody can find, pictures listed twice, no truths at all."""
    known = {name: frozenset(ids) for name, ids in benchmark.galleries.items()}
    for name, ids in benchmark.galleries.items():
        if len(known[name]) < len(ids):
            yield f"{len(ids) - len(known[name])} pictures are listed twice in the gallery {name}".rstrip()
    if not benchmark.has_truths:
        judged = any(case.judgement for case in benchmark.cases)
        yield (
            "no targets: agreement with people is measured, recall of the sets is not"
            if judged
            else "no truths: this split can be ranked and submitted, not measured"
        )
    outside = [
        f"{id} (query {case.id})"
        for case in benchmark.cases
        for id in case.truths
        if known and id not in known.get(case.group, frozenset())
    ]
    if outside:
        things = "truths outside their galleries" if len(outside) > 1 else "truth outside its gallery"
        yield f"{len(outside)} {things}: {', '.join(outside[:3])}"
    if blank := [query.id for query in benchmark.queries if not all(_texts(benchmark, query))]:
        things = "queries have a blank text" if len(blank) > 1 else "query has a blank text"
        yield f"{len(blank)} {things}: {', '.join(blank[:3])}"
    if not benchmark.galleries and not benchmark.has_subsets:
        yield "the gallery is not listed: saved runs can be measured, nothing can be ranked"


def _texts(benchmark: Benchmark, query: Query) -> Iterator[str]:
    """What is written for a query: its turns' texts, and the captions that these were made of."""
    for text in (*(turn.text for turn in query.turns), *benchmark.case(query.id).notes.get("captions", ())):
        yield text.strip()


def benchmarks_under(root: Path) -> list[str]:
    """Names of the benchmarks in a folder, or in the folders right inside it.

    A path that is no folder is taken for the name of a benchmark itself.
    """
    if not root.is_dir():
        return [str(root)]
    names = list(_directly_under(root))
    for folder in sorted(path for path in root.iterdir() if path.is_dir()):
        names += _directly_under(folder)
    return names


def _directly_under(root: Path) -> Iterator[str]:
    for sign, (scheme, form, splits) in _SIGNS.items():
        if any(root.glob(sign)):
            yield from (
                f"{scheme}:{root}:{split}" for split in splits if (root / form.format(split)).is_file()
            )
    for split, file in _IMAGECODE.items():
        if (root / file).is_file() or (root / "data" / file).is_file():
            yield f"imagecode:{root}:{split}"
    for path in sorted(
        file for ending in ("csv", "json", "jsonl", "tsv") for file in root.glob(f"*.{ending}")
    ):
        record = _first_record(path)
        if {"reference", "preferred"} <= record.keys():
            yield f"human:{path}"
        elif record.get("circlet") == "benchmark":
            yield str(path)
        elif {"session_id", "turns"} <= record.keys():
            yield f"circled:{path}"
        elif isinstance(record.get("reference"), list) and "target" in record:
            yield f"multiturn:{path}"


def _first_record(path: Path) -> dict[str, Any]:
    """The first object of a JSON list or of JSON lines, or what the head of a table names; else nothing."""
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        text = file.read(_OPENING).lstrip().removeprefix("[").lstrip()
    if path.suffix in (".csv", ".tsv"):
        return dict.fromkeys(re.split("[,\t]", text.partition("\n")[0].strip().lower()))
    if text.startswith('{"circlet": "benchmark"'):
        return {"circlet": "benchmark"}
    try:
        record, _ = json.JSONDecoder().raw_decode(text)
    except (json.JSONDecodeError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}
