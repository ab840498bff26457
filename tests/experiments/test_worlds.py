"""The sets that experiments keep: made once, grown when they are from before."""

import json
from pathlib import Path

import pytest

from circlet.build.tableaux import ASPECTS
from circlet.data.tableaux.files import finish
from circlet.experiments import worlds


def test_a_set_from_before_is_made_again_and_one_of_today_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CIRCLET_HOME", str(tmp_path))
    made = []
    recipe = {"tableaux": 1, "size": "small"}

    def make(place: Path, size: str, **options: object) -> None:
        made.append(size)
        finish(place, recipe, ASPECTS)

    monkeypatch.setattr(worlds, "make", make)
    place = tmp_path / "tableaux" / "small"
    place.mkdir(parents=True)
    (place / "cir.test.jsonl").touch()
    (place / "recipe.json").write_text(json.dumps(recipe), encoding="utf-8")
    assert worlds.world("small") == place
    assert worlds.world("small") == place
    assert made == ["small"]
