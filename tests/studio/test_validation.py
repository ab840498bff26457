"""The numbers of two-step validation, computed by hand, by the krippendorff package and by the command."""

import csv
import json
import random
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pytest

from circlet.data.retrievals import Description, read_retrievals, write_retrievals
from circlet.studio import export, figures
from circlet.studio.validation import agreement, validation
from tests.studio.projects import Clock, desk, tens


def of(set: str, place: int, *chosen: int, split: str = "val") -> Description:
    return Description(split, set, place, f"{set} {place}", {f"p{at}": one for at, one in enumerate(chosen)})


def test_by_hand() -> None:
    told = validation(
        [
            of("static-1", 3, 3, 3, 3),
            of("static-1", 5, 5, 5, 2),
            of("static-2", 0, 1, 0, 2),
            of("video-1", 1, 1, 1, 2),
            of("video-1", 8, 8, 8, 8),
            of("video-2", 4, 4),
        ]
    )
    assert (told.descriptions, told.kept, told.left_out, told.open, told.attempts) == (6, 4, 1, 1, 16)
    assert told.share_left_out == pytest.approx(100 / 5)
    # Of the kept: 3 + 2 + 2 + 3 of 12 attempts. Of all: one more of each of the others.
    assert told.accuracy == pytest.approx(100 * 10 / 12)
    assert told.accuracy_of_all == pytest.approx(100 * 12 / 16)
    # Static, two units of three: values 3 3 3 and 5 5 2, so 3 three times, 5 twice, 2 once, n = 6.
    # Observed disagreement: the pairs of the second unit, 4 ordered pairs that differ of 6, each weighing
    # 1/2, over n: (4 / 2) / 6 = 1/3. Expected: 1 − (3·2 + 2·1 + 1·0) / (6·5) = 22/30.
    assert told.nominal == pytest.approx(1 - (1 / 3) / (22 / 30))
    # Video: 1 1 2 and 8 8 8. Observed: 4 ordered pairs of distance 1, (4 / 2) / 6 = 1/3. Expected: over the
    # 30 ordered pairs of 1 1 2 8 8 8: 1–2 four times 1, 1–8 twelve times 49, 2–8 six times 36 = 808 / 30.
    assert told.interval == pytest.approx(1 - (1 / 3) / (808 / 30))


def test_what_cannot_be_told_is_none() -> None:
    nothing = validation([])
    assert (nothing.descriptions, nothing.share_left_out, nothing.accuracy, nothing.nominal) == (
        0, None, None, None,
    )  # fmt: skip
    alone = validation([of("video-1", 3, 3, split="train"), of("video-1", 4, 4, split="train")])
    assert (alone.kept, alone.accuracy, alone.interval) == (2, 100.0, None)
    # All the same: agreement beyond chance cannot be told.
    assert agreement([of("static-1", 3, 3, 3), of("static-2", 3, 3, 3)], level="nominal") is None


@pytest.mark.parametrize("level", ["nominal", "interval"])
def test_agreement_with_unequal_numbers_of_people_is_that_of_the_package(level: str) -> None:
    chance = random.Random(5)
    units = [
        of("video-1", 3, *(chance.choice((3, 3, 4, 7)) for _ in range(chance.randint(2, 5))))
        for _ in "123456789"
    ]
    table = np.full((5, len(units)), np.nan)
    for column, one in enumerate(units):
        table[: len(one.chosen), column] = list(one.chosen.values())
    theirs = krippendorff.alpha(reliability_data=table, level_of_measurement=level)
    assert agreement(units, level=level) == pytest.approx(theirs, abs=1e-9)


def test_the_studios_report_and_export_tell_the_same_as_the_command(tmp_path: Path, command: Any) -> None:
    opened = desk(tens(tmp_path / "mine"), Clock())
    ann, *others = (opened.store.person() for _ in range(4))
    while item := opened.next(ann, "describe"):
        opened.answer(ann, item, {"text": "the door is open"})
    chance = random.Random(2)
    for person in others:
        while item := opened.next(person, "find"):
            place = item.truth["place"] if chance.random() < 0.7 else chance.randrange(10)
            opened.answer(person, item, {"choice": str(place)})
    out = tmp_path / "out"
    export(opened, out)
    values = figures(opened).values
    told = json.loads(command("data", "validate", out / "retrievals.csv", "--json").stdout)
    for split, numbers in told.items():
        for name, key in (("accuracy", "accuracy"), ("α (nominal)", "nominal"), ("α (interval)", "interval")):
            assert values.get(f"{name} in find, kept, {split}") == pytest.approx(numbers[key]), name
    lost = sum(one["left_out"] for one in told.values())
    decided = lost + sum(one["kept"] for one in told.values())
    assert values["descriptions left out"] == pytest.approx(100 * lost / decided)
    # Nobody can be told by it, and the same files come of it again.
    rows = list(csv.DictReader((out / "retrievals.csv").read_text().splitlines()))
    assert {row["describer"] for row in rows} | {row["retriever"] for row in rows} <= {"", "1", "2", "3", "4"}
    shown = command("data", "validate", out / "retrievals.csv", "--out", tmp_path / "again")
    assert "| left out, % |" in shown.stdout
    for path in (tmp_path / "again").iterdir():
        assert json.loads(path.read_text()) == json.loads((out / path.name).read_text())


def test_the_command_names_what_is_wrong(tmp_path: Path, command: Any) -> None:
    write_retrievals(tmp_path / "a.csv", [of("video-1", 3, 3)])
    assert len(read_retrievals(tmp_path / "a.csv")) == 1
    (tmp_path / "a.csv").write_text((tmp_path / "a.csv").read_text().replace(",3,", ",33,"))
    assert "line 2: place '33'" in command("data", "validate", tmp_path / "a.csv", code=1).stderr
    assert "name the file" in command("data", "validate", tmp_path / "none.csv", code=2).stderr
