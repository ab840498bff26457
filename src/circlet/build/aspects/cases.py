"""The file of aspect cases: one JSON object a line, which `aspects:FILE` reads as a benchmark.

    {"id": "negation-5d0c…", "aspect": "negation", "status": "unverified",
     "reference": "../photos/a.jpg", "target": "images/…/…-target.jpg",
     "hard_negative": "images/…/…-negative.jpg",
     "instruction": "take the cup away", "reference_caption": "…", "target_caption": "…",
     "hard_negative_caption": "…", "source": "a.jpg", "maker": "template"}

Pictures are named relative to the file, whether they are there yet or not. Lines are only ever added
here; whoever verifies a case changes its status to "verified" or "rejected".
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from circlet.core import DataError, UsageError
from circlet.core.files import parse_json, read_text
from circlet.data.aspect_names import aspect_name
from circlet.language import Aspect

CASES, REFUSED = "aspects.jsonl", "refused.jsonl"


@dataclass(frozen=True, kw_only=True)
class AspectCase:
    """One case: three pictures by name, their captions, the instruction, the aspect, who made it of what."""

    id: str
    aspect: Aspect
    status: str = "unverified"
    reference: str
    target: str
    hard_negative: str
    instruction: str
    reference_caption: str
    target_caption: str
    hard_negative_caption: str
    source: str
    maker: str

    @property
    def pictures(self) -> dict[str, str]:
        """The captions of the three pictures by their names."""
        return {
            self.reference: self.reference_caption,
            self.target: self.target_caption,
            self.hard_negative: self.hard_negative_caption,
        }


def read_cases(path: Path) -> list[AspectCase]:
    """The cases of a file; fields that others have added are passed over."""
    known = {field.name for field in fields(AspectCase)}
    cases = []
    for number, record in enumerate(LineBook(path).records.values(), start=1):
        if gone := sorted(known - set(record)):
            raise DataError(f"{path}, record {number}: no field {', '.join(gone)}; is this the right file?")
        told = {name: record[name] for name in known}
        cases.append(AspectCase(**{**told, "aspect": Aspect(record["aspect"])}))
    return cases


class LineBook:
    """A file of JSON objects with id and aspect, only ever added to.

    A last line that a kill cut short is dropped.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "a.jsonl"
    >>> LineBook(path).add({"id": "1", "aspect": "negation"})
    >>> list(LineBook(path).records)
    ['1']
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records: dict[str, Mapping[str, Any]] = {}
        text = read_text(path, "name another folder") if path.exists() else ""
        *whole, self._torn = text.split("\n")
        for number, line in enumerate(whole, start=1):
            if line.strip():
                self._read(number, line)

    def _read(self, number: int, line: str) -> None:
        try:
            record = parse_json(line)
        except json.JSONDecodeError as error:
            raise DataError(
                f"{self.path}, line {number}: not JSON ({error.msg}); correct it or remove it"
            ) from None
        if not isinstance(record, dict) or not isinstance(record.get("id"), str):
            raise DataError(f"{self.path}, line {number}: a line is an object with an id; remove it")
        if aspect_name(str(record.get("aspect"))) not in set(Aspect):
            known = ", ".join(Aspect)
            raise DataError(
                f"{self.path}, line {number}: {record.get('aspect')!r} is no aspect; pick of {known}"
            )
        self.records[record["id"]] = record

    def add(self, record: Mapping[str, Any]) -> None:
        """Write a record at the end; it is on its way to the disk when this returns."""
        line = json.dumps(record, ensure_ascii=False) + "\n"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self._torn:
                size = self.path.stat().st_size - len(self._torn.encode())
                with self.path.open("r+b") as file:
                    file.truncate(size)
                self._torn = ""
            with self.path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(line)
        except OSError as error:
            raise UsageError(
                f"{self.path}: cannot be written there ({error.strerror or error}); name another folder"
            ) from None
        self.records[str(record["id"])] = record


def line_of(case: AspectCase) -> dict[str, Any]:
    """The case as plain JSON values."""
    return asdict(case) | {"aspect": str(case.aspect)}
