"""Pictures that a person keeps: the index remembers them, whatever happens around them."""

import shutil
from pathlib import Path

import pytest
from tests.collection.colours import Colours
from tests.shots import burst, shot

from circlet.collection import Collection
from circlet.collection import keeping as module
from circlet.collection.keeping import keep, kept_among
from circlet.collection.picking import pick_among
from circlet.core import BusyError


@pytest.fixture
def dated(tmp_path: Path) -> Collection:
    """A burst of four, the same four an hour later, one that nobody dated and one dark one of the burst."""
    folder = tmp_path / "pictures"
    burst(folder)
    burst(folder, names="later-{}.jpg", start=3600)
    shot(folder / "undated.jpg", "red", seconds=None)
    shot(folder / "night.jpg", "dark", seconds=1)
    made = Collection.open(folder, home=tmp_path / "home", encoder=Colours())
    made.index()
    return made


def named(ids: object) -> list[str]:
    return sorted(Path(id).name for id in ids)  # type: ignore[attr-defined]


def test_a_search_gathers_bursts_and_what_is_the_same(dated: Collection) -> None:
    hits = dated.search("green").hits
    piles = [named((hit.path, *hit.folded)) for hit in hits]
    # The same shot an hour later looks the same: that is folded without a clock.
    assert named(id for hit in hits for id in (hit.path, *hit.folded)) == named(
        id for id, _ in dated.store.walk(str(dated.folder))
    )
    first = set(piles[0])
    assert first >= {"shot-green.jpg", "later-green.jpg"}
    assert first & {"shot-grey.jpg", "later-grey.jpg"}
    assert "night.jpg" not in first
    assert "undated.jpg" not in first
    assert all(not hit.folded for hit in dated.search("green", fold=False).hits)


def test_the_order_among_a_few_comes_from_the_index_alone(dated: Collection) -> None:
    folder = dated.folder
    assert folder is not None
    ids = [str(folder / f"shot-{tinge}.jpg") for tinge in ("grey", "red", "green", "blue")]
    encoder = dated.encoder
    before = getattr(encoder, "seen", None)
    shutil.move(ids[2], folder.parent / "elsewhere.jpg")
    assert pick_among(dated, ids, "green").ids[0] == ids[2]
    assert pick_among(dated, ids, "something blue").ids[0] == ids[3]
    assert getattr(encoder, "seen", None) == before
    assert pick_among(dated, ids, " ").ids == tuple(ids)


def test_what_is_kept_is_remembered_goes_with_a_rename_and_can_be_taken_back(dated: Collection) -> None:
    folder = dated.folder
    assert folder is not None
    red, blue = str(folder / "shot-red.jpg"), str(folder / "shot-blue.jpg")
    assert kept_among(dated, [red, blue]) == set()
    keep(dated, red)
    keep(dated, blue)
    keep(dated, blue, kept=False)
    assert kept_among(dated, [red, blue]) == {red}
    again = Collection.open(folder, home=dated.home, encoder=Colours())
    assert kept_among(again, [red, blue]) == {red}
    moved = folder / "best.jpg"
    Path(red).rename(moved)
    again.index()
    assert kept_among(again, [red, str(moved)]) == {str(moved)}
    # What is not in the index is passed by.
    keep(again, str(folder / "nothing.jpg"))
    assert kept_among(again, [str(folder / "nothing.jpg")]) == set()


def test_while_somebody_else_writes_nothing_is_kept_and_that_is_said(
    dated: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PAUSE", 0)
    red = f"{dated.folder}/shot-red.jpg"
    with (
        dated.open_store(write=True),
        pytest.raises(BusyError, match="being indexed just now: keep it when that is done"),
    ):
        keep(dated, red)
    assert kept_among(dated, [red]) == set()


def test_where_nothing_is_indexed_nothing_is_kept(tmp_path: Path) -> None:
    assert kept_among(Collection.open(tmp_path, home=tmp_path / "new", encoder=Colours()), ["a"]) == set()
