"""The right one of a few, on an encoder that sees nothing but colour."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.clips import clip
from tests.collection.colours import Colours
from tests.shots import burst

from circlet.collection import picking
from circlet.collection.picking import pick, pick_of_each
from circlet.core import Method, PictureError, UsageError
from circlet.models.scorers.clauses import Checks, Clause


def test_the_one_that_is_meant_comes_first_and_what_is_away_counts_the_other_way(shades: Path) -> None:
    results, skipped = pick([shades], "something blue", Colours())
    assert skipped == []
    assert len(results) == 6
    assert [Path(hit.path).stem for hit in results.hits[:2]] == ["blue", "teal"]
    assert [hit.rank for hit in results] == [1, 2, 3, 4, 5, 6]
    away, _ = pick([shades / "cold", shades / "cold" / "blue.png"], "green, without blue", Colours())
    assert [Path(hit.path).stem for hit in away] == ["green", "teal", "blue"]
    assert {check.clause for check in away.hits[0].checks} >= {"no blue"}


def test_what_all_share_tells_none_apart(picture: Any) -> None:
    """By their likeness to green alone the darker of the two would lose."""
    paths = [picture("a.png", (200, 250, 20)), picture("b.png", (20, 150, 100), seed=1)]
    for words, best in (("blue", "b"), ("red", "a")):
        results, _ = pick(paths, words, Colours())
        assert Path(results.hits[0].path).stem == best


def test_frames_of_a_video_are_picked_from(tmp_path: Path) -> None:
    results, _ = pick([clip(tmp_path / "clip.mp4")], "green", Colours())
    assert len(results) == 20
    assert all(2 <= (hit.seconds or 0) < 4 for hit in results.hits[:6])


def test_the_best_of_each_burst_whatever_else_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "pictures"
    clip(folder / "clip.mp4")
    burst(folder, names="b-{}.jpg", start=3600)
    burst(folder, names="a-{}.jpg")
    found, skipped = pick_of_each([folder], "green", Colours())
    assert skipped == []
    assert [Path(results.ids[0]).name for results in found] == ["a-green.jpg", "b-green.jpg"]
    assert [len(results) for results in found] == [4, 4]

    # A file that is gone when its date is looked for has none; frames of videos are not opened for it.
    asked: list[str] = []

    def gone(path: Path) -> Any:
        asked.append(path.name)
        raise PictureError(f"{path}: no such file")

    monkeypatch.setattr(picking, "probe", gone)
    assert pick_of_each([folder], "green", Colours()) == ([], [])
    assert len(asked) == 8


def test_what_cannot_be_picked_from_is_said(shades: Path) -> None:
    broken = shades / "broken.png"
    broken.write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(UsageError, match="one picture alone that can be read: give two or more"):
        pick([shades / "warm" / "red.png", broken], "red", Colours())
    _, skipped = pick([shades], "red", Colours())
    assert len(skipped) == 1
    assert skipped[0].startswith(str(broken))


class Backwards(Method):
    """The last picture first; notes whether the order was that of time, and which it could open."""

    def __init__(self) -> None:
        self.in_time: list[bool] = []

    def scores(self, queries: Any, gallery: Any, *, pictures: Any = None) -> Any:
        self.in_time.append(gallery.in_time)
        assert pictures.open(gallery.ids[0], 32).width <= 32
        return np.tile(np.arange(len(gallery.ids), dtype=np.float32), (len(queries), 1))


class Reasoned(Backwards):
    """The same, with a reason."""

    def check(self, query: Any, ids: Any, pictures: Any, *, in_time: bool = False) -> Checks:
        return Checks((Clause("fact", "the last"),), np.linspace(0, 1, len(ids), dtype=np.float32)[None])


def test_a_trained_method_orders_a_few_and_gives_its_own_reasons(shades: Path, tmp_path: Path) -> None:
    plain, reasoned = Backwards(), Reasoned()
    usual, _ = pick([shades], "something blue", Colours())
    results, _ = pick([shades], "something blue", Colours(), method=plain)
    assert {hit.path for hit in results} == {hit.path for hit in usual}
    assert [check.clause for check in results.hits[0].checks] == [c.clause for c in usual.hits[0].checks]
    film, _ = pick([clip(tmp_path / "clip.mp4")], "green", Colours(), method=reasoned)
    assert [hit.seconds for hit in film] == sorted((hit.seconds for hit in film), reverse=True)
    assert [(check.clause, check.holds) for check in film.hits[0].checks] == [("the last", True)]
    assert (plain.in_time, reasoned.in_time) == ([False], [True])
