"""Looking at what was indexed: it goes on where it was left, and says what it has not seen."""

from pathlib import Path
from threading import Event
from typing import Any

import pytest
from PIL.Image import Image
from tests.collection.colours import Colours

from circlet.collection import Collection, looking
from circlet.core import StoreError
from circlet.core.marks import PEOPLE, Mark
from circlet.models.seeing.watchers import WAYS, Way


class Counter:
    """Takes every red picture for one with two people in it."""

    seen = 0

    def __init__(self, by: str) -> None:
        self.by = by

    def look(self, picture: Image) -> Mark:
        Counter.seen += 1
        red, green, _ = picture.convert("RGB").resize((1, 1)).getpixel((0, 0))
        faces = 2 * (red > 200 and green < 100)
        return Mark(self.by, faces, detail=str([[0.9, 0.2]] * faces))


class Toy(Way):
    """Counting people without any network."""

    installed = True
    by = "toy:1"

    def load(self) -> Counter:
        return Counter(self.by)


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Toy:
    toy = Toy(kind=PEOPLE, doing="counting people", extra="people", package="", module="", loads="", side=64)
    monkeypatch.setitem(WAYS, PEOPLE, toy)
    monkeypatch.setenv("CIRCLET_LOOK", "people")
    Counter.seen = 0
    return toy


def found(collection: Collection, *asked: Any) -> list[str]:
    return [Path(hit.path).stem for hit in collection.search(*asked, fold=False)]


def test_what_was_looked_at_is_found_by_what_was_seen(collection: Collection, counting: Toy) -> None:
    told: list[tuple[int, int | None]] = []
    report = collection.look(lambda done, total: told.append((done, total)))
    assert str(report) == "counting people: 6 pictures looked at"
    assert told[-1] == (6, 6)
    assert collection.info().looked == {"counting people": 6}
    assert set(found(collection, "two people")[:2]) == {"red", "copy-of-red"}
    assert set(found(collection, "nobody")[-2:]) == {"red", "copy-of-red"}
    results = collection.search("two people")
    (check,) = collection.checks(results.query, results.ids[:1])[0]
    assert (check.clause, check.holds) == ("two people", True)
    assert results.notes == ()
    assert collection.why(results.query, results.ids[0]).by_clauses


def test_a_second_look_looks_at_what_is_new_or_changed(
    collection: Collection, counting: Toy, picture: Any
) -> None:
    collection.look()
    picture("warm/another.png", (250, 20, 20), seed=9)
    picture("cold/blue.png", (250, 20, 20), seed=10)
    (Path(collection.folder or "") / "cold" / "teal.png").rename(collection.folder / "cold" / "sea.png")
    collection.index()
    Counter.seen = 0
    assert collection.look().looked == {"counting people": 2}
    assert Counter.seen == 2
    assert set(found(collection, "two people")[:4]) == {"red", "copy-of-red", "another", "blue"}
    assert collection.look().looked == {}


def test_it_stops_when_asked_and_goes_on_from_there(
    collection: Collection, counting: Toy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "_BATCH", 2)
    stop = Event()
    report = collection.look(lambda done, total: stop.set() if done == 3 else None, stop=stop)
    assert report.interrupted
    assert 2 <= report.looked["counting people"] < 6
    done = report.looked["counting people"]
    [note] = collection.search("two people").notes
    assert note == f"people: looked for in {done} of 6 pictures so far; circlet index goes on"
    assert done + collection.look().looked["counting people"] == 6
    assert Counter.seen == 6


def test_it_waits_for_another_writer_and_does_not_hold_it_up(
    collection: Collection, counting: Toy, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = collection.open_store(write=True)
    waited: list[float] = []

    def pause(seconds: float) -> None:
        waited.append(seconds)
        other.close()

    monkeypatch.setattr(looking.time, "sleep", pause)
    assert collection.look().looked == {"counting people": 6}
    assert len(waited) == 1


def test_a_picture_that_cannot_be_opened_now_is_named_and_tried_again(
    collection: Collection, counting: Toy, shades: Path
) -> None:
    (shades / "cold" / "blue.png").write_bytes(b"no longer a picture")
    report = collection.look()
    [(path, reason)] = report.skipped
    assert path.endswith("blue.png")
    assert "blue.png" not in reason
    assert report.looked == {"counting people": 5}


def test_a_store_that_keeps_no_marks_says_so(
    collection: Collection, counting: Toy, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Bare:
        def __repr__(self) -> str:
            return "the store at elsewhere://"

    monkeypatch.setattr(type(collection), "store", Bare())
    with pytest.raises(StoreError, match="elsewhere:// cannot keep what is seen"):
        collection.look()


def test_without_the_extra_people_are_not_guessed_and_the_remedy_is_told(
    shades: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Blind(Colours):
        sees_people = False  # type: ignore[assignment]

    monkeypatch.setattr(Way, "installed", False)
    collection = Collection.open(shades, home=tmp_path / "blind", encoder=Blind())
    collection.index()
    assert collection.look().looked == {}
    remedy = "people: not checked by this encoder; pip install 'circlet[people]', then circlet index"
    for words in ("nobody", "two people", "a portrait", "without people"):
        assert collection.search(words).notes == (remedy,), words
    reads = "text: not checked by this encoder; pip install 'circlet[text]', then circlet index"
    assert collection.search('"open"').notes == (reads,)
    assert collection.search("two women").notes == ("two women: not checked by this encoder",)
    assert collection.search("red").notes == ()
    results = collection.search("red", "without people")
    assert [check.probability for check in collection.checks(results.query, results.ids[:1])[0]][1:] == [None]


def test_an_extra_that_has_not_looked_yet_says_so(collection: Collection, counting: Toy) -> None:
    assert collection.search("nobody").notes == ("people: not looked for yet; circlet index does it",)
