"""The one search path, on an encoder that sees nothing but colour: every answer can be told by eye."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from tests.collection.colours import Colours

from circlet.collection.asked import Asked
from circlet.collection.collection import Collection
from circlet.core import PictureError, Query, Ranking, Turn, UsageError


def names(results: Any) -> list[str]:
    return [Path(hit.path).stem for hit in results]


def test_words_find_pictures_and_copies_are_one_hit(collection: Collection) -> None:
    results = collection.search("something red", top=2)
    assert names(results) == ["copy-of-red", "orange"]
    assert [Path(path).stem for path in results.hits[0].folded] == ["red"]
    assert [hit.rank for hit in results] == [1, 2]
    assert names(collection.search("red", top=3, fold=False)) == ["copy-of-red", "red", "orange"]


def test_a_copy_saved_again_and_smaller_is_folded_and_another_picture_is_not(
    collection: Collection, picture: Any
) -> None:
    source = Image.open(picture("scene/first.png", (200, 30, 30), size=(640, 480), seed=20))
    source.paste((30, 200, 30), (0, 0, 320, 200))
    source.save(collection.folder / "scene" / "first.png")
    source.resize((320, 240)).save(collection.folder / "scene" / "smaller.jpg", quality=50)
    source.transpose(Image.Transpose.FLIP_LEFT_RIGHT).save(collection.folder / "scene" / "mirrored.png")
    collection.index()
    hits = collection.search("red", folder=str(collection.folder / "scene")).hits
    assert sorted(hit.count for hit in hits) == [1, 2]
    assert {Path(path).stem for hit in hits for path in (hit.path, *hit.folded) if hit.folded} == {
        "first",
        "smaller",
    }


@pytest.fixture
def forgotten(collection: Collection, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The best picture of the first ranking, which is forgotten as soon as it was ranked."""
    gone: list[str] = []
    best = Asked.best

    def and_then_forgotten(self: Asked, top: int, method: Any = None) -> Ranking:
        ranked = best(self, top, method)
        if not gone:
            gone.append(ranked.ids[0])
            assert collection.forget(ranked.ids[0]) == 1
        return ranked

    monkeypatch.setattr(Asked, "best", and_then_forgotten)
    return gone


def test_a_picture_that_is_forgotten_in_the_middle_of_a_search_is_no_fault(
    collection: Collection, forgotten: list[str]
) -> None:
    query = Query("q") + Turn(text="red")
    with collection.still():
        found = collection.find(query)
        assert found.ids[0] == forgotten[0]
        assert len(collection.checks(query, found.ids)) == len(found.ids)
    assert forgotten[0] not in collection.find(query).ids


def test_what_could_be_said_next_is_of_one_moment_too(collection: Collection, forgotten: list[str]) -> None:
    query = Query("q") + Turn(text="red")
    collection.suggestions(query)
    assert forgotten
    assert forgotten[0] not in collection.find(query).ids


def test_a_picture_of_the_collection_is_left_out_of_its_own_results(collection: Collection) -> None:
    blue = collection.folder / "cold" / "blue.png"
    results = collection.search(blue, top=9)
    assert "blue" not in names(results)
    assert results.left_out == (str(blue),)
    assert names(collection.search(blue, top=1, keep=True)) == ["blue"]


def test_a_picture_from_outside_is_asked_with_in_every_form(collection: Collection, tmp_path: Path) -> None:
    outside = Image.new("RGB", (40, 40), (20, 240, 30))
    path = tmp_path / "outside.png"
    outside.save(path)
    for asked in (outside, path, str(path), path.read_bytes(), np.asarray(outside)):
        assert names(collection.search(asked, top=1)) == ["green"]
        assert names(collection.session(top=1).say(picture=asked).results) == ["green"]
    kept = collection.bring(path.read_bytes(), keep=True)
    assert Path(kept).is_relative_to(collection.home)
    again = Collection.open(home=collection.home, encoder=Colours())
    assert names(again.find(Query("q", (Turn(picture=kept),)), top=1)) == ["green"]


def test_an_opened_picture_is_seen_as_its_file_would_be(collection: Collection) -> None:
    clear = Image.new("RGBA", (4, 2), (250, 0, 0, 0))
    clear.getexif()[0x0112] = 6
    seen = collection.uploads.picture(collection.bring(clear))
    assert (seen.size, seen.getpixel((0, 0))) == ((2, 4), (255, 255, 255))


@pytest.mark.parametrize("asked", [7, None, ["red"], np.zeros((2, 2, 3)), np.zeros((2, 2, 7), np.uint8)])
def test_what_is_no_picture_is_an_error_that_says_what_is(collection: Collection, asked: Any) -> None:
    with pytest.raises(UsageError, match=r"nothing to search for|is no picture"):
        collection.search(asked)


def test_a_session_knows_a_picture_of_the_collection_by_any_spelling(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert collection.folder is not None
    monkeypatch.chdir(collection.folder / "warm")
    full = str(collection.folder / "warm" / "red.png")
    for spelling in ("red.png", Path("red.png"), "../warm/red.png", full):
        session = collection.session().say("in green", picture=spelling)
        assert session.turns[0].picture == full
        assert session.results.left_out == (full,)


def test_one_unwanted_thing_needs_no_list(collection: Collection) -> None:
    asked = collection.search("red", without="green").query
    assert asked == collection.search("red", without=["green"]).query


def test_a_picture_that_changed_since_is_seen_as_it_is_now(collection: Collection) -> None:
    red = collection.folder / "warm" / "red.png"
    Image.new("RGB", (50, 50), (10, 10, 250)).save(red)
    assert names(collection.search(red, top=1)) == ["blue"]


def test_picture_and_words_meet_in_the_middle(collection: Collection) -> None:
    blue = collection.folder / "cold" / "blue.png"
    assert names(collection.search(blue, "green", balance=0.4, top=1)) == ["teal"]
    assert names(collection.search(blue, "green", balance=0.0, top=1)) == ["green"]


def test_what_is_not_wanted_goes_down(collection: Collection) -> None:
    plain = names(collection.search("green and blue", top=9))
    without = names(collection.search("green and blue", without=["blue"], top=9))
    assert plain.index("blue") < plain.index("orange")
    assert without.index("blue") > without.index("orange")


def test_filters_and_the_folder_confine_the_search(collection: Collection) -> None:
    assert names(collection.search("red", orientation="portrait")) == ["green"]
    cold = str(collection.folder / "cold")
    assert set(names(collection.search("red", folder=cold))) == {"green", "teal", "blue"}
    inner = Collection.open(cold, home=collection.home, encoder=Colours())
    assert set(names(inner.search("red"))) == {"green", "teal", "blue"}


def test_a_folder_and_a_folder_in_it_confine_the_search_together(collection: Collection) -> None:
    assert collection.folder is not None
    warm = Collection.open(collection.folder / "warm", home=collection.home, encoder=Colours())
    everywhere = str(collection.folder)
    assert set(names(warm.search("red", folder=everywhere, fold=False))) == {"red", "copy-of-red", "orange"}
    with pytest.raises(UsageError, match=r"cold is not in .*warm"):
        warm.search("red", folder=str(collection.folder / "cold"))


def test_a_folder_without_pictures_can_be_forgotten(collection: Collection, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    Collection.open(empty, home=collection.home, encoder=Colours()).index()
    assert str(empty) in collection.roots()
    assert collection.forget(empty) == 0
    assert str(empty) not in collection.roots()


def test_pages_follow_one_another_without_gap_or_repeat(collection: Collection) -> None:
    whole = names(collection.search("red", top=9))
    first, second = collection.search("red", top=2), collection.search("red", top=3, start=2)
    assert names(first) + names(second) == whole
    assert first.more
    assert not second.more
    assert [hit.rank for hit in second] == [3, 4, 5]


def test_a_session_remembers_and_forgets(collection: Collection, tmp_path: Path) -> None:
    session = collection.session(top=3).say("red")
    liked = session.like(2)
    assert names(liked.undo().results) == names(session.results)
    away = session.dislike(1)
    assert "copy-of-red" not in names(away.results)
    assert [Path(id).stem for id in away.results.left_out] == ["copy-of-red"]
    away.save(tmp_path / "talk.json")
    assert names(collection.session(tmp_path / "talk.json", top=3).results) == names(away.results)


def test_several_pictures_are_several_turns(collection: Collection) -> None:
    red, blue = collection.folder / "warm" / "red.png", collection.folder / "cold" / "blue.png"
    results = collection.search(red, "green", blue)
    assert [(Path(turn.picture or "").stem, turn.text) for turn in results.query.turns] == [
        ("red", "green"),
        ("blue", ""),
    ]


def test_what_cannot_be_meant_is_said(collection: Collection, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"lost\.jpg: there is no such picture"):
        collection.search("lost.jpg", "red")
    with pytest.raises(UsageError, match="nothing to search for"):
        collection.search("  ")
    with pytest.raises(UsageError, match="this is a folder"):
        collection.search(str(collection.folder))
    with pytest.raises(UsageError, match=r"is not indexed: run circlet index .* first \(indexed: "):
        Collection.open(tmp_path / "home", home=collection.home, encoder=Colours()).search("red")
    with pytest.raises(PictureError, match="not a picture in a format that circlet knows"):
        collection.search(b"no picture at all")
    with pytest.raises(UsageError, match="at least 1"):
        collection.search("red", top=0)
    with pytest.raises(UsageError, match="memory:abc: this picture was never kept"):
        collection.find(Query("q", (Turn(picture="memory:abc"),)))


def test_nothing_indexed_with_this_encoder_is_said(collection: Collection) -> None:
    class Others(Colours):
        fingerprint = "others:1"

    with pytest.raises(UsageError, match="nothing is indexed with the encoder others:1"):
        Collection.open(home=collection.home, encoder=Others()).search("red")
    beside = Collection.open(collection.folder, home=collection.home, encoder=Others())
    assert beside.index().added == 6
    assert beside.info().encoders == {"colours:1": 6, "others:1": 6}


def test_an_encoder_of_another_version_says_to_index_again(collection: Collection, tmp_path: Path) -> None:
    class Builtin(Colours):
        fingerprint = "builtin-0-abc"

    Collection.open(collection.folder, home=collection.home, encoder=Builtin()).index()
    with pytest.raises(UsageError, match="run circlet index, which reads them again"):
        Collection.open(home=collection.home, encoder="builtin").search("red")


def test_forgetting_takes_out_pictures_and_folders_but_no_files(collection: Collection) -> None:
    red = collection.folder / "warm" / "red.png"
    assert collection.forget(red) == 1
    assert red.exists()
    assert collection.forget(collection.folder / "cold") == 3
    assert sorted(names(collection.search("red"))) == ["copy-of-red", "orange"]
    with pytest.raises(UsageError, match="nothing of it is indexed"):
        collection.forget(collection.folder / "cold")


def test_a_refresh_is_seen_by_a_collection_that_is_already_open(collection: Collection, picture: Any) -> None:
    assert "violet" not in names(collection.search("red"))
    picture("warm/violet.png", (160, 20, 160), seed=9)
    report = Collection.open(collection.folder, home=collection.home, encoder=Colours()).index()
    assert (report.added, report.unchanged) == (1, 6)
    assert "violet" in names(collection.search("red"))


def test_below_the_cut_off_is_marked_and_nothing_above_is_said(shades: Path, tmp_path: Path) -> None:
    class Calibrated(Colours):
        cutoff = 0.5

    collection = Collection.open(shades, home=tmp_path / "home", encoder=Calibrated())
    collection.index()
    results = collection.search("red", top=9)
    assert [hit.below for hit in results] == [hit.score < 0.5 for hit in results]
    assert names(results.above) == ["copy-of-red", "orange"]
    assert results.matched
    lost = collection.search("something else", top=9)
    assert not lost.matched
    assert all(hit.below for hit in lost)


def test_turning_a_picture_down_does_not_say_that_nothing_matches(collection: Collection) -> None:
    session = collection.session().say("red")
    assert session.results.matched
    for _ in range(2):
        session = session.dislike(1)
    assert session.results.matched
    assert session.results.cutoff is None
