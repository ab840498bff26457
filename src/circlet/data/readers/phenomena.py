"""ImageCoDe's phenomena: what its authors noted by hand of the descriptions of val."""

import re
from collections.abc import Mapping
from pathlib import Path

from circlet.core import DataError
from circlet.core.files import read_text

FILE = "manual_annotation_valid.yaml"
# The file's own marks, in the order of the paper's table, which leaves colours out.
MARKS = {
    "con": "context",
    "t": "temporal",
    "q": "quantities",
    "s": "spatial_relations",
    "neg": "negation",
    "v": "visibility",
    "n": "nuances",
    "cor": "coreference",
    "img": "meta_properties",
    "col": "colours",
}
# All marks were looked for in the first 200 records, these four in the first 1,000.
FIRST, FURTHER = 200, 1000
LOOKED_FOR_FURTHER = ("context", "negation", "visibility", "nuances")
_LINE = re.compile(r"""(?P<indent> *)["']?(?P<name>[^"':]+)["']?: *(?:["']?(?P<value>[^"']*)["']?)?""")


def read_phenomena(path: Path) -> dict[str, tuple[str, ...]]:
    """By query id (`SET/PLACE`), in the file's order, what is noted of a description; often nothing.

    Three levels of indentation: the set, the place in it, and beside the description its annotation,
    marks with commas between. What is indented more goes on with a description.
    """
    found: dict[str, tuple[str, ...]] = {}
    name = place = ""
    for number, line in enumerate(read_text(path, "fetch it again").split("\n"), start=1):
        match = _LINE.fullmatch(line)
        if not match or match["indent"] not in ("", "  ", "    "):
            continue
        if match["indent"] == "":
            name = match["name"]
        elif match["indent"] == "  ":
            place = match["name"]
        elif match["name"] == "annotation":
            marks = [mark.strip() for mark in match["value"].split(",") if mark.strip()]
            if unknown := [mark for mark in marks if mark not in MARKS]:
                raise DataError(
                    f"{path}, line {number}: no phenomenon is marked {unknown[0]!r}; there are "
                    f"{', '.join(MARKS)}"
                )
            found[f"{name}/{place}"] = tuple(said for mark, said in MARKS.items() if mark in marks)
    if not found:
        raise DataError(f"{path}: no annotation in it; fetch it again, or take it away to do without")
    return found


def shares(phenomena: Mapping[str, tuple[str, ...]]) -> dict[str, float]:
    """The share of descriptions that show each phenomenon, in percent, as the paper's table counts them.

    >>> shares({"a/0": ("context", "temporal"), "a/1": ("context",)})["temporal"]
    50.0
    """
    records = list(phenomena.values())
    counted = {said: FURTHER if said in LOOKED_FOR_FURTHER else FIRST for said in MARKS.values()}
    return {
        said: 100 * sum(said in one for one in records[:first]) / max(1, len(records[:first]))
        for said, first in counted.items()
    }
