"""ImageCoDe: a contextual description, and ten minimally contrastive pictures to find it among."""

import re
from collections.abc import Mapping
from pathlib import Path

from circlet.core import Benchmark, DataError, Query, Turn, UsageError, cases_of
from circlet.data.annotations import choose, read_json, revision
from circlet.data.readers.phenomena import FILE, FIRST, FURTHER, MARKS, read_phenomena, shares

OPTIONS: dict[str, tuple[str, ...]] = {}
FILES = {"val": "valid_data.json", "test": "test_data_unlabeled.json", "train": "train_data.json"}
PUBLISHED = {
    "train": {"queries": 16594},
    "val": {"queries": 2302},
    "test": {"queries": 2306},
}
SET_SIZE = 10
# Where a set comes from; the first aspect of its queries.
SOURCES = ("video", "static")
# What ImageCoDe's own sets are named after.
_SOURCES = re.compile("open-images|MSR-VTT|video-storytelling|YouCook", re.IGNORECASE)


def read_imagecode(root: Path, split: str, asked: Mapping[str, str]) -> Benchmark:
    """ImageCoDe of one split; a query ranks the ten pictures of its set and no gallery.

    The aspects of a query are its source, `video`, or `static` where the set's name says that the
    pictures come from Open Images; and on val the phenomena that its authors noted, where their file
    lies beside the descriptions.
    """
    protocol = choose("imagecode", asked, OPTIONS)
    split = {"valid": "val"}.get(split, split)
    if split not in FILES:
        raise UsageError(f"imagecode has no split {split!r}; pick one of {', '.join(FILES)}")
    path = next(
        (root / part / FILES[split] for part in ("", "data") if (root / part / FILES[split]).is_file()), None
    )
    path = path or root / FILES[split]
    notes = path.with_name(FILE)
    phenomena = read_phenomena(notes) if split == "val" and notes.is_file() else {}
    queries, truths, subsets, aspects = [], {}, {}, {}
    images: dict[str, Path] = {}
    damaged: list[str] = []
    for name, descriptions in read_json(path).items():
        ten = tuple(f"{name}/{place}" for place in range(SET_SIZE))
        there = set_pictures(root, path.parent, name)
        if isinstance(there, str):
            damaged.append(there)
        else:
            images |= dict(zip(ten, there, strict=True))
        # The unlabelled test split lists descriptions without saying which picture they are of.
        told = isinstance(descriptions, dict)
        for place, text in descriptions.items() if told else enumerate(descriptions):
            id = f"{name}/{place}"
            queries.append(Query(id, (Turn(text=text),)))
            subsets[id] = ten
            aspects[id] = ("static" if is_static(name) else "video", *phenomena.get(id, ()))
            if told:
                if id not in ten:
                    raise DataError(f"{path}: {id} is none of the ten pictures of its set; correct it there")
                truths[id] = (id,)
    # Whoever makes a dataset of their own in this form has other counts, and other names.
    published = PUBLISHED[split] if any(map(_SOURCES.search, subsets)) else {}
    return Benchmark(
        name="imagecode",
        split=split,
        cases=cases_of(queries, truths=truths, subsets=subsets, aspects=aspects),
        galleries={},
        protocol=protocol,
        measures=_measures(aspects) if truths else (),
        revision=revision([path, notes] if phenomena else [path]),
        images=images,
        extra={
            "published": published,
            "findings": [*_broken(damaged), *_findings(phenomena, subsets)],
        },
    )


def is_static(name: str) -> bool:
    """Whether a set is of single pictures, and not of frames in their order.

    >>> is_static("open-images-12"), is_static("MSR-VTT-video7")
    (True, False)
    """
    return "open-images" in name or name.startswith("static")


def _measures(aspects: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Accuracy over all, by source, and by each phenomenon that is noted of any."""
    there = {name for names in aspects.values() for name in names}
    parts = [name for name in ("video", "static", *MARKS.values()) if name in there]
    return ("Accuracy", *(f"Within({name!r}, Accuracy)" for name in parts))


def _findings(phenomena: Mapping[str, tuple[str, ...]], queries: Mapping[str, tuple[str, ...]]) -> list[str]:
    """How often each phenomenon was noted, and which notes are of no description here."""
    if not phenomena:
        return []
    told = ", ".join(f"{name.replace('_', ' ')} {share:.1f}" for name, share in shares(phenomena).items())
    strange = sum(id not in queries for id in phenomena)
    return [
        f"phenomena, in percent of the first {FURTHER:,} records where they were looked for there, else of "
        f"the first {FIRST}: {told}",
        f"{strange} of {len(phenomena):,} records of phenomena are of no description here",
    ]


def _broken(damaged: list[str]) -> list[str]:
    """Which sets have not their ten pictures, so that nobody knows which place each of them has."""
    if not damaged:
        return []
    return [
        f"{len(damaged)} folders of sets have not {SET_SIZE} pictures, so none of theirs can be placed, "
        f"the first of them {damaged[0]}: fetch them again"
    ]


def set_pictures(root: Path, beside: Path, name: str) -> list[Path] | str:
    """The ten files of a set in their order; what a set's files are called, only its folder knows.

    Frames of videos carry the frame's number (`img95.jpg`, `img143.jpg`), and a target is a place in the
    order of these numbers: if one is gone, nothing says which, and what is wrong is told instead. A set
    that is not there is looked for under the names that static sets have.
    """
    folders = [base / name for base in (root / "image-sets", beside / "image-sets", root, beside)]
    folder = next((folder for folder in folders if folder.is_dir()), folders[0])
    files = [path for path in folder.glob("*") if re.search(r"\d+$", path.stem)] if folder.is_dir() else []
    if not files:
        return [folder / f"img{place}.jpg" for place in range(SET_SIZE)]
    if len(files) != SET_SIZE:
        return f"{folder} ({len(files)})"
    return sorted(files, key=lambda path: int(re.findall(r"\d+$", path.stem)[0]))
