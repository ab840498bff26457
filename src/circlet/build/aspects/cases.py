"""The file of aspect cases: one JSON object a line, which `aspects:FILE` reads as a benchmark.

    {"id": "negation-5d0c…", "aspect": "negation", "status": "unverified",
     "reference": "../photos/a.jpg", "target": "images/…/…-target.jpg",
     "hard_negative": "images/…/…-negative.jpg",
     "instruction": "take the cup away", "reference_caption": "…", "target_caption": "…",
     "hard_negative_caption": "…", "source": "a.jpg", "maker": "template"}

Pictures are named relative to the file, whether they are there yet or not. Lines are only ever added
here; whoever verifies a case changes its status to "verified" or "rejected".
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from circlet.build.line_book import LineBook
from circlet.core import DataError
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
    for number, record in enumerate(CaseBook(path).records.values(), start=1):
        if gone := sorted(known - set(record)):
            raise DataError(f"{path}, record {number}: no field {', '.join(gone)}; is this the right file?")
        told = {name: record[name] for name in known}
        cases.append(AspectCase(**{**told, "aspect": Aspect(record["aspect"])}))
    return cases


class CaseBook(LineBook):
    """A book of cases, each of a known aspect."""

    def fault(self, record: Mapping[str, Any]) -> str:
        if aspect_name(str(record.get("aspect"))) in set(Aspect):
            return ""
        return f"{record.get('aspect')!r} is no aspect; pick of {', '.join(Aspect)}"


def line_of(case: AspectCase) -> dict[str, Any]:
    """The case as plain JSON values."""
    return asdict(case) | {"aspect": str(case.aspect)}
