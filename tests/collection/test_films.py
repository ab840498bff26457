"""Moments of videos and animations in a collection: found, kept, moved and forgotten like pictures."""

import os
from pathlib import Path
from threading import Event

import pytest
from tests.clips import animation, clip, scene, seen
from tests.collection.colours import Colours

from circlet.collection import Collection
from circlet.core import UsageError
from circlet.images.moments import at


@pytest.fixture
def films(tmp_path: Path) -> Collection:
    """A folder with a still picture and a video of three colours, indexed with its moments."""
    folder = tmp_path / "films"
    clip(folder / "clip.mp4")
    scene("green").save(folder / "still.png")
    made = Collection.open(folder, home=tmp_path / "home", encoder=Colours())
    made.watch(True)
    report = made.index()
    assert str(report) == f"{folder}: 4 added, 1 video read"
    return made


def found(collection: Collection, words: str) -> list[str]:
    return [Path(hit.path).name for hit in collection.search(words, fold=False, top=50)]


def test_moments_are_found_and_shown_like_pictures(films: Collection) -> None:
    best = films.search("blue").hits[0]
    assert Path(best.path).name == "clip.mp4#t=4.2"
    assert best.seconds == best.to_dict()["seconds"] == 4.2
    assert seen(films.thumbnail(best.path, 48)) == "blue"
    assert set(found(films, "green")[:2]) == {"still.png", "clip.mp4#t=2.1"}
    assert len(found(films, "red")) == 4
    # A moment is asked with as it is named, and what was never kept is seen on the spot.
    assert films.folder is not None
    inside = films.search(at(films.folder / "clip.mp4", 4.2), "green")
    assert inside.left_out == (best.path,)
    again = films.search(at(films.folder / "clip.mp4", 5))
    assert Path(again.hits[0].path).name == "clip.mp4#t=4.2"
    with pytest.raises(UsageError, match="there is no such picture"):
        films.search("gone.mp4#t=3")
    assert films.verify() == []
    assert films.info().pictures == 4


def test_a_second_run_reads_nothing_again(films: Collection) -> None:
    seen_before = films.encoder.seen  # type: ignore[attr-defined]
    report = films.index()
    assert str(report) == f"{films.folder}: 2 unchanged"
    assert films.encoder.seen == seen_before  # type: ignore[attr-defined]


def test_a_renamed_and_a_touched_video_keep_their_moments(films: Collection) -> None:
    assert films.folder is not None
    seen_before, path = films.encoder.seen, films.folder / "clip.mp4"  # type: ignore[attr-defined]
    path.rename(films.folder / "other.mp4")
    report = films.index()
    assert (report.moved, report.forgotten, report.added) == (1, 0, 0)
    assert found(films, "blue")[0] == "other.mp4#t=4.2"
    os.utime(films.folder / "other.mp4", (1_000_000_000, 1_000_000_000))
    assert str(films.index()) == f"{films.folder}: 2 unchanged"
    assert films.encoder.seen == seen_before  # type: ignore[attr-defined]
    assert str(films.index()) == f"{films.folder}: 2 unchanged"


def test_a_video_renamed_over_another_leaves_nothing_of_that_one(films: Collection) -> None:
    assert films.folder is not None
    clip(films.folder / "other.mp4", ["blue", "red", "green"], each=3.0)
    films.index()
    (films.folder / "clip.mp4").rename(films.folder / "other.mp4")
    report = films.index()
    assert (report.moved, report.added) == (1, 0)
    moments = ["other.mp4#t=0", "other.mp4#t=2.1", "other.mp4#t=4.2"]
    assert sorted(found(films, "red")) == [*moments, "still.png"]


def test_a_video_that_changed_or_went_leaves_nothing_behind(films: Collection) -> None:
    assert films.folder is not None
    path = films.folder / "clip.mp4"
    clip(path, ["blue", "red"], each=5.0)
    report = films.index()
    assert (report.updated, report.added, report.films) == (1, 1, 1)
    assert sorted(found(films, "red")) == ["clip.mp4#t=0", "clip.mp4#t=5", "still.png"]
    path.write_bytes(path.read_bytes()[:300])
    report = films.index()
    ((broken, reason),) = report.skipped
    assert broken == str(path)
    assert reason.startswith("cut short or damaged")
    assert found(films, "red") == ["still.png"]
    assert films.index().skipped == [(str(path), reason)]
    clip(path)
    assert films.index().added == 3
    assert films.info().broken == {}
    path.unlink()
    assert films.index().forgotten == 3


def test_a_video_is_forgotten_whole(films: Collection) -> None:
    assert films.folder is not None
    assert films.forget(films.folder / "clip.mp4") == 3
    assert found(films, "red") == ["still.png"]
    assert films.index().added == 3
    assert films.forget(at(films.folder / "clip.mp4", 4.2)) == 1


def test_a_folder_of_videos_alone_says_what_to_do(tmp_path: Path) -> None:
    folder = tmp_path / "films"
    path = clip(folder / "clip.mp4")
    made = Collection.open(folder, home=tmp_path / "home", encoder=Colours())
    report = made.index()
    assert str(report) == f"{folder}: 1 skipped"
    assert report.skipped == [(str(path), "a video: circlet index --video takes its moments along")]
    made.watch(True)
    assert made.index().added == 3
    made.watch(False)
    report = made.index()
    assert (report.forgotten, len(report.skipped)) == (3, 1)


@pytest.mark.parametrize("name", ["moving.gif", "moving.webp"])
def test_an_animation_is_one_picture_or_its_moments(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "films"
    animation(folder / name)
    scene("green").save(folder / "still.webp")
    made = Collection.open(folder, home=tmp_path / "home", encoder=Colours())
    made.index()
    assert sorted(found(made, "red")) == [name, "still.webp"]
    made.watch(True)
    assert made.index().added == 3
    moments = [f"{name}#t=0", f"{name}#t=0.5", f"{name}#t=1"]
    assert sorted(found(made, "red")) == [*moments, "still.webp"]
    assert str(made.index()) == f"{folder}: 2 unchanged"
    scene("blue").save(folder / name)
    made.index()
    assert sorted(found(made, "red")) == [name, "still.webp"]
    animation(folder / name)
    made.index()
    assert sorted(found(made, "red")) == [*moments, "still.webp"]
    made.watch(False)
    made.index()
    assert sorted(found(made, "red")) == [name, "still.webp"]


def test_a_run_that_is_stopped_keeps_no_half_of_a_video(tmp_path: Path) -> None:
    folder = tmp_path / "films"
    clip(folder / "clip.mp4")

    class Interrupted(Colours):
        def encode_prepared(self, pictures):  # type: ignore[no-untyped-def]
            stop.set()
            return super().encode_prepared(pictures)

    stop = Event()
    made = Collection.open(folder, home=tmp_path / "home", encoder=Interrupted())
    made.watch(True)
    assert made.index(stop=stop).interrupted
    assert made.info().pictures == 0
    assert made.index().added == 3


def test_a_video_read_in_part_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "films"
    path = clip(folder / "clip.mp4", each=10.0, keys=10, movflags="faststart")
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * 0.75)])
    made = Collection.open(folder, home=tmp_path / "home", encoder=Colours())
    made.watch(True)
    ((named, note),) = made.index().notes
    assert named == str(path)
    assert "cut short" in note or "damaged after" in note
