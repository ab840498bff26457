"""Sets of ten in ImageCoDe's own files: a folder of pictures each, and descriptions to be written."""

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from circlet.build.frames import FrameRule, draw_targets
from circlet.core import UsageError
from circlet.core.files import replacing, written_whole
from circlet.data.readers.imagecode import FILES
from circlet.images import thumbnail

# The longer edge of the pictures that are written.
SIDE = 1024


@dataclass(frozen=True)
class FrameSet:
    """A set: its name, its ten pictures as they are opened, and the numbers their files are called by."""

    name: str
    pictures: tuple[str, ...]
    numbers: tuple[int, ...]


def write_sets(
    out: Path,
    sets: Sequence[FrameSet],
    rule: FrameRule,
    report: Mapping[str, Any],
    *,
    split: str = "train",
    seed: int = 0,
) -> Path:
    """Write OUT/image-sets, the descriptions' file of the split with empty texts, and OUT/report.json.

    Three places of each set are drawn for people to describe; `imagecode:OUT:SPLIT` reads it back, and
    the studio asks for the texts.
    """
    if split not in FILES:
        raise UsageError(f"a split is one of {', '.join(FILES)}, not {split!r}")
    if not sets:
        raise UsageError("not one set of ten was found: give more, or loosen --apart or the filters")
    drawn = [
        (id, out / "image-sets" / one.name / f"img{number}.jpg")
        for one in sets
        for id, number in zip(one.pictures, one.numbers, strict=True)
    ]
    with ThreadPoolExecutor() as threads:
        for _ in threads.map(_draw, drawn):
            pass
    wanted = {one.name: dict.fromkeys(map(str, draw_targets(one.name, rule, seed)), "") for one in sets}
    for path, what in ((out / FILES[split], wanted), (out / "report.json", report)):
        with written_whole(path) as file:
            file.write(json.dumps(what, indent=1, ensure_ascii=False) + "\n")
    return out / FILES[split]


def _draw(one: tuple[str, Path]) -> None:
    id, path = one
    with replacing(path) as half:
        thumbnail(Path(id), SIDE).save(half, "JPEG", quality=92)
