"""A built dataset in CIRR's own file layout: captions empty, to be annotated."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from circlet.build.pairs import draw_pairs
from circlet.core import UsageError
from circlet.core.files import parse_json, read_text, written_whole


@dataclass(frozen=True)
class Built:
    """What was written: the files, and how many subsets, pairs and pictures they name."""

    files: tuple[Path, ...]
    subsets: int
    pairs: int
    pictures: int


def write_subsets(path: Path, subsets: Sequence[Sequence[str]]) -> Path:
    """The subsets as JSON: an id and six picture names each, the first picture first."""
    listed = [{"id": number, "members": list(members)} for number, members in enumerate(subsets)]
    with written_whole(path) as file:
        file.write(json.dumps(listed, indent=1, ensure_ascii=False) + "\n")
    return path


def read_subsets(path: Path) -> list[tuple[str, ...]]:
    """The subsets that `write_subsets` wrote, or that somebody edited by hand."""
    try:
        listed = parse_json(read_text(path, "make it with `circlet build subsets`"))
        subsets = [tuple(str(name) for name in each["members"]) for each in listed]
    except (ValueError, TypeError, KeyError) as error:
        raise UsageError(
            f"{path}: no list of subsets ({error}); make one with `circlet build subsets`"
        ) from None
    for number, members in enumerate(subsets):
        if len(set(members)) != 6:
            raise UsageError(f"{path}, subset {number}: six different pictures make a subset")
    return subsets


def write_cirr(root: Path, split: str, subsets: Sequence[Sequence[str]], seed: int = 0) -> Built:
    """Nine pairs a subset as `captions/cap.rc2.SPLIT.json`, and the picture names they speak of.

    Picture names are paths relative to the folder of pictures; each pair's caption is empty.
    """
    records: list[dict[str, object]] = []
    for number, members in enumerate(subsets):
        for pair in draw_pairs(members, f"{seed} {number}"):
            together = {
                "id": number,
                "members": sorted(map(_stem, members)),
                "reference_rank": pair.reference_rank,
                "target_rank": pair.target_rank,
            }
            records.append(
                {
                    "pairid": len(records),
                    "reference": _stem(pair.reference),
                    "target_hard": _stem(pair.target),
                    "target_soft": {_stem(pair.target): 1.0},
                    "caption": "",
                    "img_set": together,
                }
            )
    names = sorted({name for members in subsets for name in members})
    stems = {_stem(name): f"./{name}" for name in names}
    if len(stems) < len(names):
        raise UsageError("two pictures differ in nothing but the ending of their names: rename one")
    captions = root / "captions" / f"cap.rc2.{split}.json"
    pictures = root / "image_splits" / f"split.rc2.{split}.json"
    for path, what in ((captions, records), (pictures, stems)):
        with written_whole(path) as file:
            file.write(json.dumps(what, ensure_ascii=False) + "\n")
    return Built((captions, pictures), len(subsets), len(records), len(names))


def _stem(name: str) -> str:
    """CIRR names a picture without its ending."""
    return name.rsplit(".", 1)[0]
