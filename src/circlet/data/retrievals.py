"""The two steps of ImageCoDe's annotation as a table: somebody describes one of ten, others look for it.

A line is one attempt: `split, set, place, text, describer, retriever, chosen`, as CSV, TSV or JSONL. `place`
is the described picture's in its set, `chosen` the one that the retriever took for it. Where nobody looked
for a picture yet, the last two are empty.
"""

import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from circlet.core import UsageError
from circlet.core.files import written_whole
from circlet.data.readers.imagecode import FILES, SET_SIZE, is_static
from circlet.data.tables import SPLITS, Record, records, to_mend

COLUMNS = ("split", "set", "place", "text", "describer", "retriever", "chosen")
# How many people look for a picture by its description, and how many of them have to find it.
ASKED = {"train": 1, "val": 3, "test": 3}
NEEDED = {"train": 1, "val": 2, "test": 2}
Verdict = Literal["kept", "left out", "open"]


@dataclass(frozen=True)
class Description:
    """A description of one picture of a set, and which place each retriever chose by it.

    >>> one = Description("val", "video-7", 3, "the ball leaves the hand", {"ann": 3, "ben": 4, "cy": 3})
    >>> one.found, one.verdict
    (2, 'kept')
    """

    split: str
    set: str
    place: int
    text: str
    chosen: Mapping[str, int] = field(default_factory=dict)
    describer: str = ""

    @property
    def static(self) -> bool:
        """Whether its set is of single pictures, whose places mean nothing."""
        return is_static(self.set)

    @property
    def found(self) -> int:
        """How many found the picture by it."""
        return sum(place == self.place for place in self.chosen.values())

    @property
    def verdict(self) -> Verdict:
        """Kept if one of one found the picture (train), or two of three (val, test).

        It is open as long as those who are still to look for it could change that.

        >>> Description("train", "a", 3, "…").verdict
        'open'
        >>> Description("val", "a", 3, "…", {"ann": 1, "ben": 2}).verdict
        'left out'
        """
        if self.found >= NEEDED[self.split]:
            return "kept"
        to_come = max(0, ASKED[self.split] - len(self.chosen))
        return "open" if self.found + to_come >= NEEDED[self.split] else "left out"


def read_retrievals(path: Path, *, split: str = "") -> list[Description]:
    """The descriptions of a table with all that was chosen by them; `split` where it has no such column.

    What is wrong in it is told line by line: read_retrievals(Path("retrievals.csv")).
    """
    if split and split not in SPLITS:
        raise UsageError(f"a split is one of {', '.join(SPLITS)}, not {split!r}")
    needs = tuple(name for name in COLUMNS if name != "describer" and not (name == "split" and split))
    texts: dict[tuple[str, str, int, str, str], dict[str, int]] = {}
    problems = []
    for number, record in records(path, needs):
        told = record if isinstance(record, str) else _entered(record, split, texts)
        if told:
            problems.append(f"line {number}: {told}")
    if problems:
        raise to_mend(path, problems)
    return [
        Description(split, set, place, text, chosen, describer)
        for (split, set, place, text, describer), chosen in texts.items()
    ]


def _entered(record: Record, split: str, texts: dict[tuple[str, str, int, str, str], dict[str, int]]) -> str:
    """Take a line in; what is wrong with it, or nothing."""
    said = {name: str(record.get(name, "")).strip() for name in COLUMNS}
    said["split"] = said["split"] or split
    if said["split"] not in SPLITS:
        return f"{said['split']!r} is no split: {', '.join(SPLITS)}"
    if not said["set"] or not said["text"]:
        return f"no {'set' if not said['set'] else 'text'}"
    place, chosen = _place(said["place"]), _place(said["chosen"])
    if place is None:
        return f"place {said['place']!r} is none from 0 to {SET_SIZE - 1}"
    key = (said["split"], said["set"], place, said["text"], said["describer"])
    attempts = texts.setdefault(key, {})
    if not said["retriever"] and not said["chosen"]:
        return ""
    if chosen is None or not said["retriever"]:
        return f"chosen {said['chosen']!r} by {said['retriever']!r}: a retriever, and a place from 0 to 9"
    if said["retriever"] == said["describer"]:
        return f"{said['retriever']} looked for what they described themselves"
    if said["retriever"] in attempts:
        return f"{said['retriever']} looked for it twice"
    attempts[said["retriever"]] = chosen
    return ""


def _place(text: str) -> int | None:
    return int(text) if text in map(str, range(SET_SIZE)) else None


def write_retrievals(path: Path, descriptions: Iterable[Description]) -> None:
    """Write the table that `read_retrievals` reads, as CSV."""
    table = io.StringIO()
    lines = csv.writer(table, lineterminator="\n")
    lines.writerow(COLUMNS)
    for one in descriptions:
        head = (one.split, one.set, one.place, one.text, one.describer)
        lines.writerows([(*head, *attempt) for attempt in one.chosen.items()] or [(*head, "", "")])
    with written_whole(path) as file:
        file.write(table.getvalue())


def write_kept(out: Path, descriptions: Sequence[Description]) -> list[Path]:
    """Write what is kept as ImageCoDe's files, one a split; of several texts of a picture the one found best.

    `imagecode:OUT:val` reads it back where the pictures lie under OUT/image-sets.
    """
    sets: dict[str, dict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    for one in sorted(descriptions, key=lambda one: -one.found / max(1, len(one.chosen))):
        if one.verdict == "kept":
            sets[one.split][one.set].setdefault(str(one.place), one.text)
    files = []
    for split in (split for split in SPLITS if split in sets):
        files.append(out / FILES[split])
        described = {
            name: dict(sorted(texts.items(), key=lambda text: int(text[0])))
            for name, texts in sorted(sets[split].items())
        }
        with written_whole(files[-1]) as file:
            file.write(json.dumps(described, ensure_ascii=False, indent=1) + "\n")
    return files
