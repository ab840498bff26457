"""FashionIQ: three categories, each with a gallery of its own and two captions a pair."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from circlet.core import Benchmark, DataError, Query, Turn, UsageError, cases_of
from circlet.data.annotations import choose, need, pictures_under, read_json, read_records, revision

OPTIONS = {
    "reference": ("kept", "removed"),
    "captions": ("both-orders", "joined", "each"),
    "gallery": ("split", "pairs", "pooled"),
}
SPLITS = ("val", "test", "train")
CATEGORIES = ("dress", "shirt", "toptee")
PUBLISHED = {
    "train": {"dress": (5985, 11452), "shirt": (5988, 19036), "toptee": (6027, 16121)},
    "val": {"dress": (2017, 3817), "shirt": (2038, 6346), "toptee": (1961, 5373)},
    "test": {"dress": (2024, 3818), "shirt": (2038, 6346), "toptee": (2056, 5374)},
}


def read_fashioniq(root: Path, split: str, asked: Mapping[str, str]) -> Benchmark:
    """FashionIQ of one split, all three categories; `asked` may set what OPTIONS lists."""
    protocol = choose("fashioniq", asked, OPTIONS)
    if split not in SPLITS:
        raise UsageError(f"fashioniq has no split {split!r}; pick one of {', '.join(SPLITS)}")
    reading = _Reading(protocol["captions"])
    galleries, paths = {}, []
    for category in CATEGORIES:
        captions = root / "captions" / f"cap.{category}.{split}.json"
        listed = split_file(root, category, split)
        records = read_records(captions)
        named = [record[name] for record in records for name in ("candidate", "target") if name in record]
        reading.category(category, captions, records)
        pairs = protocol["gallery"] == "pairs"
        galleries[category] = tuple(dict.fromkeys(named)) if pairs else tuple(read_json(listed))
        paths += [captions, listed]
    if protocol["gallery"] == "pooled":
        galleries = dict.fromkeys(CATEGORIES, _pool(root))
    published = {f"queries of {name}": amount for name, (amount, _) in PUBLISHED[split].items()}
    if protocol["gallery"] == "split":
        published |= {f"gallery of {name}": size for name, (_, size) in PUBLISHED[split].items()}
    return Benchmark(
        name="fashioniq",
        split=split,
        cases=cases_of(
            reading.queries,
            truths=reading.truths,
            groups=reading.groups,
            exclusions=reading.references if protocol["reference"] == "removed" else {},
            wordings=reading.wordings,
            notes=reading.notes,
        ),
        galleries=galleries,
        protocol=protocol,
        measures=_measures() if reading.truths else (),
        revision=revision(paths),
        images=_images(root, galleries),
        extra={"published": published if protocol["captions"] != "each" else {}},
    )


def split_file(root: Path, category: str, split: str) -> Path:
    """Where the list of a category's pictures stands."""
    return root / "image_splits" / f"split.{category}.{split}.json"


def join(first: str, second: str) -> str:
    """Two captions as one: "c1 and c2", each without the marks around it; an empty one says nothing.

    >>> join(" is darker.", "has no sleeves "), join(" ", "is red")
    ('is darker and has no sleeves', 'is red')
    """
    captions = (caption.strip(" \t\n.,?!") for caption in (first, second))
    return " and ".join(caption for caption in captions if caption)


def both(captions: Any, path: Path, number: int) -> tuple[str, str]:
    """The first and the last caption of a pair, which has two; one alone stands for both.

    >>> both(["is darker"], Path("cap.dress.val.json"), 0)
    ('is darker', 'is darker')
    """
    if not isinstance(captions, list) or not captions or not all(isinstance(one, str) for one in captions):
        raise DataError(
            f"{path}, record {number + 1}: captions are a list of texts, not {str(captions)[:40]}; correct it"
        )
    return captions[0], captions[-1]


class _Reading:
    """What was read of the categories so far."""

    def __init__(self, captions: str) -> None:
        self.captions = captions
        self.queries: list[Query] = []
        self.truths: dict[str, tuple[str, ...]] = {}
        self.groups: dict[str, str] = {}
        self.references: dict[str, tuple[str, ...]] = {}
        self.wordings: dict[str, tuple[str, ...]] = {}
        self.notes: dict[str, dict[str, Any]] = {}

    def category(self, name: str, path: Path, records: list[dict[str, Any]]) -> None:
        """Take one category's pairs in."""
        # A split tells all of its targets or none.
        told = ("target",) if any("target" in record for record in records) else ()
        for number, record in enumerate(records):
            reference, captions, *_ = need(record, path, number, "candidate", "captions", *told)
            one, two = both(captions, path, number)
            if self.captions == "each":
                for place, caption in enumerate(captions):
                    self._add(f"{name}-{number}-{place}", name, reference, record, (caption.strip(),))
            elif self.captions == "joined":
                self._add(f"{name}-{number}", name, reference, record, (join(one, two),))
            else:
                self._add(f"{name}-{number}", name, reference, record, (join(one, two), join(two, one)))

    def _add(
        self, id: str, group: str, reference: str, record: dict[str, Any], texts: tuple[str, ...]
    ) -> None:
        self.queries.append(Query(id, (Turn(picture=reference, text=texts[0]),)))
        self.groups[id] = group
        self.references[id] = (reference,)
        self.notes[id] = {
            name: value for name, value in record.items() if name not in ("candidate", "target")
        }
        if len(texts) > 1:
            self.wordings[id] = texts
        if "target" in record:
            self.truths[id] = (record["target"],)


def _pool(root: Path) -> tuple[str, ...]:
    """Every picture of every category and split, once."""
    files = [split_file(root, category, split) for category in CATEGORIES for split in SPLITS]
    return tuple(dict.fromkeys(name for path in files for name in read_json(path)))


def _measures() -> tuple[str, ...]:
    parts = [f"Within({name!r}, Recall @ {k})" for name in CATEGORIES for k in (10, 50)]
    means = [f"ByGroup(Recall @ {k})" for k in (10, 50)]
    return (*parts, *means, f"Mean({', '.join(means)})")


def _images(root: Path, galleries: Mapping[str, tuple[str, ...]]) -> dict[str, Path]:
    there = pictures_under(root / "images")
    ids = dict.fromkeys(id for gallery in galleries.values() for id in gallery)
    return {id: there.get(id, root / "images" / f"{id}.png") for id in ids}
