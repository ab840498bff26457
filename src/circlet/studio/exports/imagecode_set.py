"""Descriptions of one of ten as ImageCoDe has them: only those by which people found the picture."""

from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from circlet.core import DataError
from circlet.data.retrievals import Description, write_kept, write_retrievals
from circlet.data.tables import SPLITS
from circlet.studio.desk import Desk
from circlet.studio.exports.exported import Exported, bring_pictures

# Every attempt to find a picture, beside the descriptions that are kept: `circlet data validate` reads it.
ATTEMPTS = "retrievals.csv"


def export_imagecode(desk: Desk, out: Path, *, pictures: bool = True) -> Exported:
    """Write OUT/….json by split, and OUT/image-sets; a description that was not found is left out.

    Paper 002 keeps what one person found in train, and what two of three found in val and test. All that was
    chosen goes into OUT/retrievals.csv.
    """
    descriptions = found_by(desk)
    files = write_kept(out, descriptions)
    if not files:
        raise DataError(f"{desk.project.title}: no description was found by others yet; annotate first")
    write_retrievals(out / ATTEMPTS, _nameless(descriptions))
    kept = [one for one in descriptions if one.verdict == "kept"]
    if pictures:
        _bring(desk, out, list(dict.fromkeys(one.set for one in kept)))
    lost = len(descriptions) - len(kept)
    notes = (f"{len(kept)} descriptions by which others found the picture; {lost} left out",)
    splits = [split for split in SPLITS if any(one.split == split for one in kept)]
    return Exported((*files, out / ATTEMPTS), tuple(f"imagecode:{out}:{split}" for split in splits), notes)


def found_by(desk: Desk) -> list[Description]:
    """The descriptions that people looked for a picture by, and which place each of them chose."""
    answers: dict[int, dict[str, int]] = defaultdict(dict)
    for one in desk.store.answers(task="find", counted=True):
        answers[one.item.number][one.person] = one.answer["place"]
    return [
        Description(
            item.split,
            item.shown["set"],
            item.truth["place"],
            item.shown["text"],
            answers.get(item.number, {}),
            item.author,
        )
        for item in desk.store.items("find")
        if not item.known
    ]


def _nameless(descriptions: list[Description]) -> list[Description]:
    """The same with numbers in the place of people: by their ids they come in.

    >>> [one] = _nameless([Description("train", "a", 3, "open", {"secret": 3}, "other")])
    >>> one.describer, dict(one.chosen)
    ('1', {'2': 3})
    """
    people = dict.fromkeys(name for one in descriptions for name in (one.describer, *one.chosen) if name)
    called = {name: str(number) for number, name in enumerate(people, start=1)}
    return [
        replace(
            one,
            describer=called.get(one.describer, ""),
            chosen={called[name]: place for name, place in one.chosen.items()},
        )
        for one in descriptions
    ]


def _bring(desk: Desk, out: Path, names: list[str]) -> None:
    for name in names:
        ten = {f"{name}/img{place}": desk.source.pictures[f"{name}/{place}"] for place in range(10)}
        bring_pictures(out / "image-sets", ten, ten)
