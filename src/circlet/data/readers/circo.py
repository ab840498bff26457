"""CIRCO: several truths a query, among all of COCO's unlabelled pictures, with semantic aspects."""

from collections.abc import Mapping
from pathlib import Path

from circlet.core import Benchmark, Query, Turn, UsageError, cases_of
from circlet.data.annotations import choose, need, pictures_under, read_json, read_records, revision

OPTIONS = {
    "reference": ("kept", "removed"),
    "text": ("caption", "concept"),
    "map": ("min", "truths"),
}
SPLITS = ("val", "test")
PUBLISHED = {"val": {"queries": 220}, "test": {"queries": 800}}
GALLERY_SIZE = 123_403
# Fields that the benchmark holds in a place of their own.
_ELSEWHERE = ("id", "reference_img_id", "target_img_id", "semantic_aspects")


def read_circo(root: Path, split: str, asked: Mapping[str, str]) -> Benchmark:
    """CIRCO of one split; `asked` may set what OPTIONS lists.

    The gallery is read from COCO's list of unlabelled pictures, or from the folder of pictures
    itself. With neither, saved runs can be measured and nothing can be ranked.
    """
    protocol = choose("circo", asked, OPTIONS)
    if split not in SPLITS:
        raise UsageError(f"circo has no split {split!r}; pick one of {', '.join(SPLITS)}")
    path = root / "annotations" / f"{split}.json"
    queries, truths, aspects, references, notes = [], {}, {}, {}, {}
    records = read_records(path)
    # A split tells all of its targets or none.
    told = ("target_img_id", "gt_img_ids") if any("target_img_id" in record for record in records) else ()
    for number, record in enumerate(records):
        query, reference, caption, *_ = need(
            record, path, number, "id", "reference_img_id", "relative_caption", *told
        )
        id, concept = str(query), record.get("shared_concept", "")
        text = f"{concept}, {caption}" if protocol["text"] == "concept" else caption
        queries.append(Query(id, (Turn(picture=str(reference), text=text),)))
        references[id] = (str(reference),)
        notes[id] = {name: value for name, value in record.items() if name not in _ELSEWHERE}
        if told:
            target = str(record["target_img_id"])
            listed = [str(truth) for truth in record["gt_img_ids"]]
            truths[id] = (target, *(truth for truth in listed if truth != target))
        if "semantic_aspects" in record:
            aspects[id] = tuple(record["semantic_aspects"])
    gallery, images = _gallery(root)
    published: dict[str, int] = dict(PUBLISHED[split])
    if gallery:
        published["gallery"] = GALLERY_SIZE
    return Benchmark(
        name="circo",
        split=split,
        cases=cases_of(
            queries,
            truths=truths,
            exclusions=references if protocol["reference"] == "removed" else {},
            aspects=aspects,
            notes=notes,
        ),
        galleries={"": gallery} if gallery else {},
        protocol=protocol,
        measures=_measures(protocol["map"], aspects) if truths else (),
        revision=revision([path]),
        images=images,
        extra={"published": published, "gallery_size": GALLERY_SIZE},
    )


def _gallery(root: Path) -> tuple[tuple[str, ...], dict[str, Path]]:
    """Ids and files of the gallery: COCO's ids are numbers, its files those numbers in twelve digits."""
    coco = root / "COCO2017_unlabeled"
    folder, listed = coco / "unlabeled2017", coco / "annotations" / "image_info_unlabeled2017.json"
    if listed.is_file():
        names = {str(image["id"]): image["file_name"] for image in read_json(listed)["images"]}
        return tuple(names), {id: folder / name for id, name in names.items()}
    there = {str(int(stem)): file for stem, file in pictures_under(folder).items() if stem.isdecimal()}
    return tuple(there), there


def _measures(over: str, aspects: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    precision = "MAP" if over == "min" else "MAP(over='truths')"
    names = sorted({name for of_query in aspects.values() for name in of_query})
    return (
        *(f"{precision} @ {k}" for k in (5, 10, 25, 50)),
        *(f"Recall @ {k}" for k in (5, 10, 25, 50)),
        *(f"Within({name!r}, {precision} @ 10)" for name in names),
    )
