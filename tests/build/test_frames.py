"""Sets of ten: chosen by distances that can be checked, written as ImageCoDe has them, the same each time."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image, ImageDraw, ImageFilter, ImageFont
from tests.clips import av

from circlet.app.cli.commands.build_frames import frames
from circlet.build.frames import FrameRule, frame_tens, picture_tens, shots
from circlet.core import unit
from circlet.core.marks import TEXT
from circlet.data.load import load_benchmark
from circlet.images.sharpness import BLURRED, blur_of
from circlet.models import BaseEncoder
from circlet.models.seeing.watchers import WAYS


class Layout(BaseEncoder):
    """Sees where it is bright: a small square in another place is another axis."""

    name, fingerprint, dim, size = "layout", "layout:1", 256, 32

    def prepare(self, picture: Image.Image) -> Any:
        return np.asarray(picture.convert("L").resize((16, 16), Image.Resampling.BOX))

    def encode_prepared(self, pictures: Any) -> Any:
        return unit(pictures.reshape(len(pictures), -1).astype(np.float32) + 1e-3)

    def tokens_prepared(self, pictures: Any) -> Any:
        return pictures.reshape(len(pictures), -1, 1)

    def texts(self, words: Sequence[str]) -> Any:
        return unit(np.ones((len(words), self.dim), np.float32))


def square(place: int, ground: str = "black", size: int = 160) -> Image.Image:
    """A small white square in one of a hundred places."""
    drawn = Image.new("RGB", (size, size), ground)
    x, y = place % 10 * 16, place // 10 * 16
    ImageDraw.Draw(drawn).rectangle((x, y, x + 9, y + 9), fill="white")
    return drawn


def film(path: Path, scenes: Sequence[Image.Image]) -> Path:
    """Each scene for half a second."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=10, options={"crf": "10"})
        stream.width, stream.height, stream.pix_fmt = 160, 160, "yuv420p"
        for scene in scenes:
            for _ in range(5):
                container.mux(stream.encode(av.VideoFrame.from_image(scene)))
        container.mux(stream.encode(None))
    return path


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """The command, with an encoder whose distances can be told by eye."""
    monkeypatch.setenv("CIRCLET_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("circlet.models.load_encoder", lambda name: Layout())

    def run(*args: object, code: int = 0) -> str:
        done = CliRunner().invoke(frames, [str(arg) for arg in args])
        assert done.exit_code == code, (done.output, done.exception)
        return done.output

    return run


def test_a_video_gives_tens_of_frames_that_are_apart_shot_by_shot(build: Any, tmp_path: Path) -> None:
    first = [square(place) for place in range(24)]
    second = [square(place, "gray") for place in range(9)]
    path = film(tmp_path / "two shots.mp4", [*first, *second])
    said = build(path, "--out", tmp_path / "out", "--blur", 1)
    # Of 24 places two tens; on grey a small square makes hardly a difference, so one frame is chosen.
    assert "5 frames left over: fewer than a set" in said
    assert "8 frames too near to one that was chosen" in said
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert report["from"] == {"videos": 2, "pictures": 0}
    bench = load_benchmark(f"imagecode:{tmp_path / 'out'}:train")
    assert len(bench.cases) == 6
    sets = {case.subset for case in bench.cases}
    assert len(sets) == 2
    for ten in sets:
        assert ten is not None
        opened = [Image.open(bench.images[id]) for id in ten]
        rows = Layout().encode_prepared(np.stack([Layout().prepare(one) for one in opened]))
        apart = [np.linalg.norm(a - b) for at, a in enumerate(rows) for b in rows[:at]]
        assert min(apart) > 0.35
    # Places follow the film: the square moves on.
    named = sorted((tmp_path / "out" / "image-sets" / "video-two-shots.mp4-shot0-0").iterdir())
    assert sorted(int(one.stem[3:]) for one in named) == [500 * place for place in range(10)]


def test_twice_gives_the_same_bytes_and_another_seed_other_targets(build: Any, tmp_path: Path) -> None:
    path = film(tmp_path / "clip.mp4", [square(place) for place in range(20)])
    for out in ("one", "two"):
        build(path, "--out", tmp_path / out, "--blur", 1)
    there = [one for one in (tmp_path / "one").rglob("*") if one.is_file()]
    files = sorted(one.relative_to(tmp_path / "one") for one in there)
    assert len([one for one in files if one.suffix == ".jpg"]) == 20
    for one in files:
        assert (tmp_path / "one" / one).read_bytes() == (tmp_path / "two" / one).read_bytes()
    build(path, "--out", tmp_path / "three", "--blur", 1, "--seed", 1)
    a, b = ((tmp_path / out / "train_data.json").read_text() for out in ("one", "three"))
    assert a != b


def test_pictures_come_with_their_nearest_and_blurred_ones_do_not(build: Any, tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    grain = Image.effect_noise((160, 160), 60).convert("RGB")
    for place in range(12):
        Image.blend(square(place), grain, 0.3).save(folder / f"{place:02}.png")
    square(55, size=170).filter(ImageFilter.GaussianBlur(9)).save(folder / "soft.png")
    (folder / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    said = build(folder, "--out", tmp_path / "out", "--split", "val")
    assert "1 pictures blurred" in said
    assert "broken.png" in said
    bench = load_benchmark(f"imagecode:{tmp_path / 'out'}:val")
    assert {case.subset[0].partition("/")[0] for case in bench.cases if case.subset} == {"static-00000"}
    assert len(bench.cases) == 3


@pytest.mark.skipif(not WAYS[TEXT].installed, reason="circlet[text] is not installed")
def test_a_picture_full_of_text_is_read_and_left_out(
    build: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CIRCLET_LOOK", TEXT)
    folder = tmp_path / "pictures"
    folder.mkdir()
    for place in range(10):
        square(place).save(folder / f"{place:02}.png")
    page = Image.new("RGB", (800, 600), "white")
    for line in range(8):
        words = "No parking on either side of the road"
        ImageDraw.Draw(page).text((30, 30 + 66 * line), words, fill="black", font=ImageFont.load_default(40))
    page.save(folder / "page.png")
    assert "1 pictures with text" in build(folder, "--out", tmp_path / "out", "--blur", 1)
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert report["text"] is True
    assert report["left_out"]["pictures with text"] == 1
    # Unless nobody looks: then it may stand in a set.
    said = build(folder, "--out", tmp_path / "all", "--blur", 1, "--no-text")
    assert "with text" not in said


def test_nothing_to_make_sets_of_is_said(build: Any, tmp_path: Path) -> None:
    path = film(tmp_path / "still.mp4", [square(0)] * 4)
    done = CliRunner().invoke(frames, [str(path), "--out", str(tmp_path / "out")])
    assert "not one set of ten was found" in str(done.exception)
    (tmp_path / "a.txt").write_text("dear diary")
    done = CliRunner().invoke(frames, [str(tmp_path / "a.txt"), "--out", str(tmp_path / "out")])
    assert "not a video in a format that circlet knows; name a video" in str(done.exception)


def test_a_set_shares_little_and_holds_no_copies() -> None:
    rng = np.random.default_rng(0)
    rows = unit(rng.normal(size=(300, 6)).astype(np.float32))
    rows[250:] = rows[:50]
    tens = picture_tens(rows, FrameRule(shared=1), lambda row: "with text" if row == 7 else "", seed=3)
    assert tens.left_out["pictures with text"] == 1
    assert len(tens.rows) > 20
    for ten in tens.rows:
        assert 7 not in ten
        assert len({row % 250 for row in ten}) == 10
    pairs = [(set(a), set(b)) for at, a in enumerate(tens.rows) for b in tens.rows[:at]]
    assert max(len(a & b) for a, b in pairs) <= 1
    assert picture_tens(rows, FrameRule(most=2), lambda row: "").rows == picture_tens(
        rows, FrameRule(), lambda row: ""
    ).rows[:2]  # fmt: skip


def test_frames_that_are_refused_make_room_for_the_next() -> None:
    fan = np.stack([[np.cos(a), np.sin(a)] for a in np.linspace(0, 2, 41)]).astype(np.float32)
    rule = FrameRule(apart=0.09, size=5)
    tens = frame_tens(fan, range(41), rule, lambda row: "blurred" if row == 2 else "")
    assert tens.rows[0] == (0, 3, 5, 7, 9)
    assert tens.left_out["frames blurred"] == 1
    assert shots(np.zeros((3, 4), np.float32), rule) == [range(3)]


def test_blur_is_told_whatever_the_contrast() -> None:
    tiles = Image.effect_noise((20, 20), 90).resize((300, 300), Image.Resampling.NEAREST)
    for picture in (tiles, tiles.point(lambda value: value // 2)):
        assert blur_of(picture) < BLURRED < blur_of(picture.filter(ImageFilter.GaussianBlur(6)))
    assert blur_of(Image.new("RGB", (50, 50))) == 1
