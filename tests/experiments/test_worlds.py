"""The sets that experiments keep: made once, grown when they are from before."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from circlet.build.film_sets import FRAMES
from circlet.build.graded import RELEVANCE
from circlet.build.tableaux import ASPECTS, SIZES
from circlet.data.tableaux.files import finish
from circlet.experiments import worlds


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A set from before anything was added to it."""
    monkeypatch.setenv("CIRCLET_HOME", str(tmp_path))
    place = tmp_path / "tableaux" / "small"
    place.mkdir(parents=True)
    (place / "cir.test.jsonl").touch()
    (place / "recipe.json").write_text(json.dumps({"tableaux": 1, "size": "small"}), encoding="utf-8")
    return place


def test_a_set_from_before_is_made_again_and_one_of_today_is_not(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []

    def make(place: Path, size: str, **options: object) -> None:
        made.append(size)
        finish(place, aspects=ASPECTS, relevance=RELEVANCE, frames=FRAMES)

    monkeypatch.setattr(worlds, "make", make)
    assert worlds.world("small") == place
    assert worlds.world("small") == place
    assert made == ["small"]


def test_a_set_without_grades_or_films_gets_them_and_nothing_else_is_made(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grown = []

    def add_grades(place: Path, queries: Mapping[str, int], **options: object) -> None:
        grown.append(dict(queries))
        finish(place, relevance=RELEVANCE)

    def add_films(place: Path, sets: Mapping[str, int], **options: object) -> None:
        grown.append(dict(sets))
        finish(place, frames=FRAMES)

    monkeypatch.setattr(worlds, "make", lambda *args, **options: pytest.fail("the set is there"))
    monkeypatch.setattr(worlds, "add_grades", add_grades)
    monkeypatch.setattr(worlds, "add_films", add_films)
    finish(place, aspects=ASPECTS)
    assert worlds.world("small") == worlds.world("small") == place
    assert grown == [SIZES["small"].graded, SIZES["small"].frames]
