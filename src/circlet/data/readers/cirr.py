"""CIRR (release rc2): open-domain pairs with subsets of six look-alikes and soft targets."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from circlet.core import Benchmark, Case, DataError, Query, Turn, UsageError
from circlet.core.case import without
from circlet.data.annotations import Under, choose, need, pictures_under, read_json, read_records, revision

T = TypeVar("T")
OPTIONS = {
    "reference": ("removed", "kept"),
    "target": ("hard", "soft"),
    "gallery": ("split", "all-dev", "references", "all"),
}
SPLITS = ("val", "test1", "train")
# Counts of the rc2 release; the papers' table lists three pairs of val that rc2 does not have.
PUBLISHED = {
    "train": {"queries": 28225, "sets": 3345, "gallery": 16939},
    "val": {"queries": 4181, "sets": 503, "gallery": 2297},
    "test1": {"queries": 4148, "sets": 503, "gallery": 2315},
}
# What CIRR's own pictures are called.
_NLVR2 = re.compile(r"(train|dev|test1)-\d+-\d+-img[01]")


@dataclass(frozen=True)
class Pair(Generic[T]):
    """A reference and its target with their ranks in the subset, as CIRR's files number them."""

    reference: T
    target: T
    reference_rank: int
    target_rank: int


def read_cirr(root: Path, split: str, asked: Mapping[str, str]) -> Benchmark:
    """CIRR of one split; `asked` may set reference, target and gallery (see OPTIONS)."""
    protocol = choose("cirr", asked, OPTIONS)
    if split not in SPLITS:
        raise UsageError(f"cirr has no split {split!r}; pick one of {', '.join(SPLITS)}")
    captions, listed = root / "captions" / f"cap.rc2.{split}.json", _split_file(root, split)
    extended = root / "captions_ext" / f"cap.ext.rc2.{split}.json"
    records, files = read_records(captions), read_json(listed)
    said_more = (
        {str(record["pairid"]): record for record in read_records(extended)} if extended.is_file() else {}
    )
    findings = _findings(records)
    # A split tells all of its targets or none.
    told = any("target_hard" in record for record in records)
    fields = ("pairid", "reference", "caption", "img_set", *(("target_hard",) if told else ()))
    removed, cases = protocol["reference"] == "removed", []
    for number, record in enumerate(records):
        try:
            id, reference, caption = str(record["pairid"]), record["reference"], record["caption"]
            members = record["img_set"]["members"]
            truths, grades = _targets(record, protocol["target"]) if told else ((), {})
        except KeyError:
            need(record, captions, number, *fields)
            need(record["img_set"], captions, number, "members")
            raise
        # What is left of the record are its notes.
        del record["pairid"], record["reference"], record["caption"]
        if id in said_more:
            record["caption_extend"] = said_more[id]["caption_extend"]
        cases.append(
            Case(
                query=Query(id, (Turn(picture=reference, text=caption),)),
                truths=truths,
                exclude=(reference,) if removed else (),
                subset=without(tuple(members), (reference,)),
                grades=grades,
                notes=record,
            )
        )
    references = [case.query.last.picture or "" for case in cases]
    gallery = _gallery(root, protocol["gallery"], files, references)
    if protocol["gallery"] == "references":
        # Some targets are no reference of another pair: they count, and are never found.
        protocol["outside"] = "miss"
    # Whoever makes a dataset of their own in this form has other counts, and other names.
    own = not any(_NLVR2.fullmatch(str(name)) for name in references)
    published = {} if own else dict(PUBLISHED[split])
    if protocol["gallery"] != "split":
        published.pop("gallery", None)
    return Benchmark(
        name="cirr",
        split=split,
        cases=tuple(cases),
        galleries={"": gallery},
        protocol=protocol,
        measures=_measures(protocol["target"]) if told else (),
        revision=revision(path for path in (captions, listed, extended) if path.is_file()),
        images=_images(root, split, files, gallery),
        extra={"published": published, "findings": findings},
    )


def _split_file(root: Path, split: str) -> Path:
    return root / "image_splits" / f"split.rc2.{split}.json"


def _targets(record: Mapping[str, Any], rule: str) -> tuple[tuple[str, ...], dict[str, float]]:
    """Truths and grades: the hard target first, then the soft ones that earn something.

    As a soft target the hard one earns what its grade says, and nothing where it has none.
    """
    hard, soft = record["target_hard"], record.get("target_soft", {})
    if rule == "hard":
        return (hard,), {}
    earning = sorted((id for id in soft if soft[id] > 0 and id != hard), key=lambda id: (-soft[id], id))
    return (hard, *earning), {hard: 0.0, **soft}


def _measures(target: str) -> tuple[str, ...]:
    recall = "Recall" if target == "hard" else "Recall(of='soft')"
    recalls = [f"{recall} @ {k}" for k in (1, 5, 10, 50)]
    subsets = [f"SubsetRecall @ {k}" for k in (1, 2, 3)]
    return (*recalls, *subsets, f"Mean({recalls[1]}, {subsets[0]})")


def _gallery(root: Path, rule: str, files: Mapping[str, str], references: list[str]) -> tuple[str, ...]:
    if rule == "references":
        return tuple(dict.fromkeys(references))
    if rule == "all":
        every = [read_json(_split_file(root, split)) for split in ("train", "val", "test1")]
        return tuple(dict.fromkeys(name for listed in every for name in listed))
    if rule == "all-dev":
        there = tuple(pictures_under(_picture_root(root) / "dev"))
        if not there:
            raise DataError(
                f"{root}: gallery=all-dev is every file of the folder dev, and there is none: "
                "download the pictures, or leave the option out"
            )
        return there
    return tuple(files)


def _picture_root(root: Path) -> Path:
    """Where the pictures lie: beside the annotations, or in img_raw or images."""
    places = [root / "img_raw", root / "images", root]
    return next((place for place in places if (place / "dev").is_dir() or (place / "test1").is_dir()), root)


def _images(root: Path, split: str, files: Mapping[str, str], gallery: tuple[str, ...]) -> Under:
    """Where each picture lies: as its own split's list says, or another's that names it."""
    listed = dict(files)
    for other in SPLITS if not listed.keys() >= set(gallery) else ():
        if other != split and _split_file(root, other).is_file():
            listed |= read_json(_split_file(root, other))
    return Under(_picture_root(root), {id: listed.get(id, f"dev/{id}.png") for id in gallery})


def _findings(records: list[dict[str, Any]]) -> list[str]:
    """What is odd in the annotations and changes numbers."""
    soft = [record for record in records if "target_soft" in record]
    if not soft:
        return []
    several = sum(len(record["target_soft"]) > 1 for record in soft)
    itself = sum(record.get("reference") in record["target_soft"] for record in soft)
    less = sum(record["target_soft"].get(record.get("target_hard"), 0) < 1 for record in soft)
    nothing = sum(max(record["target_soft"].values(), default=0) <= 0 for record in soft)
    return [
        f"{several} queries have several soft targets; for {itself} the reference itself is one",
        f"{less} queries have a hard target that earns less than 1 as a soft target",
        f"{nothing} queries have no soft target that earns anything",
    ]
