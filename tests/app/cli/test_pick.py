"""`circlet pick` as a user runs it: what it prints, in lines and in JSON, and what it refuses."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.shots import burst, shot

WORDS = "something red"


@pytest.fixture
def fruit(picture: Any) -> Path:
    """Three pictures that the builtin encoder can tell apart by colour, one with a name of its own."""
    picture("red.png", (220, 20, 20))
    picture("blue.png", (20, 20, 220), seed=1)
    return picture("grün – 緑.png", (20, 200, 20), seed=2).parent


def test_files_and_folders_in_lines_and_in_json(command: Any, fruit: Path) -> None:
    lines = command("pick", fruit, WORDS).stdout.splitlines()
    assert len(lines) == 3
    rank, score, path = lines[0].split(maxsplit=2)
    assert (rank, path) == ("1", str(fruit / "red.png"))
    told = json.loads(command("pick", *sorted(fruit.iterdir()), fruit, WORDS, "--json").stdout)
    # Each once, whichever way it was named; in the form of a search.
    assert sorted(Path(hit["path"]).name for hit in told["results"]) == sorted(
        path.name for path in fruit.iterdir()
    )
    first = told["results"][0]
    assert first["path"] == path
    assert first["score"] == pytest.approx(float(score), abs=5e-4)
    assert first["rank"] == 1
    assert first["checks"][0]["clause"] == WORDS
    assert told["query"]["turns"] == [{"text": WORDS}]
    assert set(told) == {
        "query", "results", "cutoff", "relevance_cutoff", "missed", "matched", "more", "left_out", "notes",
    }  # fmt: skip
    short = command("pick", fruit, WORDS, "--top", 1, "--why").stdout.splitlines()
    assert short[0] == lines[0]
    assert short[1].strip().startswith(f"{WORDS} ✓")
    assert len(short) == 2


def test_frames_of_an_animation_and_of_a_video(command: Any, tmp_path: Path) -> None:
    from tests.clips import animation, clip

    for film in (animation(tmp_path / "a.gif"), clip(tmp_path / "b.mp4", each=1.0)):
        told = json.loads(command("pick", film, "something blue", "--json").stdout)
        best = told["results"][0]
        assert best["path"].startswith(f"{film}#t=")
        # The third of three colours.
        length = max(hit["seconds"] for hit in told["results"])
        assert best["seconds"] >= length * 0.6
        assert len(told["results"]) >= 3


def test_bursts_are_named_with_their_best(command: Any, tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    burst(folder)
    burst(folder, names="later-{}.jpg", start=60)
    shot(folder / "alone.jpg", "dark", seconds=2)
    lines = command("pick", folder, WORDS, "--bursts").stdout.splitlines()
    assert [line.partition(",")[0] for line in lines[::2]] == ["4 pictures", "4 pictures"]
    assert "shot-blue.jpg to shot-red.jpg" in lines[0]
    assert "later-blue.jpg to later-red.jpg" in lines[2]
    told = json.loads(command("pick", folder, WORDS, "--bursts", "--json").stdout)
    assert [len(one["results"]) for one in told["bursts"]] == [4, 4]
    for line, one in zip(lines[1::2], told["bursts"], strict=True):
        assert line.endswith(one["results"][0]["path"])
    for path in folder.glob("*-*.jpg"):
        path.unlink()
    shot(folder / "undated.jpg", "dark", seconds=None)
    assert "no burst" in command("pick", folder, WORDS, "--bursts", code=1).stderr


def test_what_cannot_be_read_is_named_and_the_others_are_picked_from(command: Any, fruit: Path) -> None:
    (fruit / "torn.jpg").write_bytes(b"\xff\xd8\xff\xe0" + b"\0" * 40)
    (fruit / "empty.png").touch()
    done = command("pick", fruit, WORDS)
    assert len(done.stdout.splitlines()) == 3
    said = done.stderr.splitlines()
    assert len([line for line in said if line.startswith("skipped ")]) == 2
    assert any("torn.jpg: " in line for line in said)
    assert any("empty.png: empty" in line for line in said)


def test_what_is_no_choice_is_refused_in_one_sentence(command: Any, fruit: Path) -> None:
    red = fruit / "red.png"
    for asked, said in (
        ((red, WORDS), "one picture alone that can be read: give two or more"),
        ((red, fruit / "gone.png", WORDS), "gone.png: no such file or folder"),
        ((fruit, "  "), "say last which one is meant"),
        ((red, fruit / "blue.png"), "say last which one is meant"),
        ((fruit,), "missing argument"),
        ((fruit, WORDS, "--top", 0), "0 is not in the range"),
    ):
        done = command("pick", *asked, code=2)
        assert said in done.stderr, asked
        assert done.stdout == ""
    (fruit / "none").mkdir()
    assert "no picture that can be read" in command("pick", fruit / "none", WORDS, code=2).stderr


def test_a_file_that_vanishes_meanwhile_is_named(fruit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the walk through the folder and the reading of the file."""
    from tests.collection.colours import Colours

    from circlet.collection import picking

    def walked(*given: Any, **options: Any) -> Any:
        found = list(walk(*given, **options))
        (fruit / "blue.png").unlink()
        return found

    walk = picking.walk
    monkeypatch.setattr(picking, "walk", walked)
    results, skipped = picking.pick([fruit], WORDS, Colours())
    assert sorted(Path(id).name for id in results.ids) == ["grün – 緑.png", "red.png"]
    assert len(skipped) == 1
    assert "blue.png: " in skipped[0]
