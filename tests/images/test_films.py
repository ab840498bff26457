"""Videos and animations opened: whatever is in the file, the right frame or one plain line."""

import io
from fractions import Fraction
from pathlib import Path

import pytest
from PIL import Image
from tests.clips import animation, av, clip, scene, seen

from circlet.core import PictureError
from circlet.images import FoundFile, SkippedFile, films, open_picture, probe, thumbnail, video, walk
from circlet.images.films import moves, open_film
from circlet.images.moments import at


def looked(path: Path) -> list[tuple[float, str]]:
    with open_film(path) as film:
        return [(round(seconds, 3), seen(picture)) for seconds, picture in film.looks(32)]


@pytest.mark.parametrize("name", ["clip.mp4", "clip.mov", "clip.webm", "clip.mkv"])
def test_a_video_is_looked_through_and_opened_at_a_moment(tmp_path: Path, name: str) -> None:
    path = clip(tmp_path / name)
    found = looked(path)
    assert found[0] == (0.0, "red")
    assert len(found) == 20
    for seconds, colour in found:
        assert colour == ("red" if seconds < 2 else "green" if seconds < 4 else "blue")
        assert seen(open_picture(Path(at(path, seconds)))) == colour
    assert probe(Path(at(path, 2))).format == {"mkv": "MKV", "mov": "MOV"}.get(name[5:], name[5:].upper())
    assert thumbnail(Path(at(path, 2.5)), 48).size == (48, 32)


def test_frames_that_stand_alone_are_enough_where_they_come_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = clip(tmp_path / "clip.mp4", each=20.0, keys=10)
    asked: list[str] = []
    through = video._Video._through

    def watched(self, step):  # type: ignore[no-untyped-def]
        for seconds, frame in through(self, step):
            asked.append(self._stream.codec_context.skip_frame)
            yield seconds, frame

    monkeypatch.setattr(video._Video, "_through", watched)
    found = looked(path)
    assert {str(one) for one in asked} == {"NONKEY"}
    assert [seconds for seconds, _ in found] == [float(second) for second in range(60)]


@pytest.mark.parametrize(("turned", "size"), [(90, (64, 96)), (-90, (64, 96)), (180, (96, 64))])
def test_a_video_held_otherwise_comes_upright(tmp_path: Path, turned: int, size: tuple[int, int]) -> None:
    path = clip(tmp_path / "turned.mp4", ["red"], turned=turned)
    told = probe(Path(at(path, 0)))
    picture = open_picture(Path(at(path, 0)))
    assert (told.width, told.height) == picture.size == size
    edge = {90: (2, 48), -90: (61, 48), 180: (48, 61)}[turned]
    assert min(picture.getpixel(edge)) > 200, "the white edge is not where the camera's turn puts it"  # type: ignore[type-var]


def test_a_video_of_uneven_frames_is_told_by_its_own_times(tmp_path: Path) -> None:
    path = tmp_path / "uneven.mkv"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=RATE_OF_ITS_BASE)
        stream.width, stream.height, stream.pix_fmt = 96, 64, "yuv420p"
        stream.codec_context.time_base = Fraction(1, 1000)
        for stamp, colour in [(0, "red"), (40, "red"), (3_000, "green"), (3_010, "green"), (9_500, "blue")]:
            frame = av.VideoFrame.from_image(scene(colour))
            frame.pts, frame.time_base = stamp, Fraction(1, 1000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    assert looked(path) == [(0.0, "red"), (3.0, "green"), (9.5, "blue")]
    assert seen(open_picture(Path(at(path, 9.5)))) == "blue"


RATE_OF_ITS_BASE = 1000


def test_a_video_of_hours_is_looked_at_a_bounded_number_of_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = clip(tmp_path / "long.mp4", each=10.0, keys=5)
    monkeypatch.setattr(films, "MOST_LOOKS", 6)
    monkeypatch.setattr(video, "MOST_LOOKS", 6)
    with open_film(path) as film:
        found = [(seconds, seen(picture)) for seconds, picture in film.looks(32)]
        assert film.note == "0 min long: looked at every 5.0 seconds"
    assert found == [
        (0, "red"), (5, "red"), (10, "green"), (15, "green"), (20, "blue"), (25, "blue"),
    ]  # fmt: skip


def test_more_frames_than_anybody_waits_for_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(video, "MOST_FRAMES", 25)
    with open_film(clip(tmp_path / "clip.mp4")) as film:
        assert [seconds for seconds, _ in film.looks(32)][-1] < 3
        assert film.note.startswith("too long to look through")


def test_a_video_cut_short_gives_what_there_is_and_says_so(tmp_path: Path) -> None:
    whole = clip(tmp_path / "whole.mp4", each=10.0, keys=10, movflags="faststart").read_bytes()
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(whole[: int(len(whole) * 0.75)])
    with open_film(cut) as film:
        found = [seen(picture) for _, picture in film.looks(32)]
        assert "cut short" in film.note or "damaged after" in film.note
    assert found[0] == "red"
    tail = clip(tmp_path / "tail.mp4").read_bytes()
    cut.write_bytes(tail[: len(tail) // 2])
    with pytest.raises(PictureError, match=r"cut\.mp4: cut short or damaged: what says where"):
        looked(cut)


def test_sound_alone_and_no_frame_at_all_are_said(tmp_path: Path) -> None:
    sound, empty = tmp_path / "sound.mov", tmp_path / "empty.mkv"
    with av.open(str(sound), "w") as container:
        stream = container.add_stream("pcm_s16le", rate=8000, layout="mono")
        frame = av.AudioFrame(format="s16", layout="mono", samples=1024)
        frame.sample_rate = 8000
        container.mux(stream.encode(frame))
    with pytest.raises(PictureError, match=r"sound\.mov: sound without pictures"):
        looked(sound)
    with av.open(str(empty), "w") as container:
        stream = container.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = 96, 64, "yuv420p"
        container.start_encoding()
    with pytest.raises(PictureError, match=r"empty\.mkv: .*(no frame|cut short or damaged)"):
        looked(empty)


def test_a_playlist_that_calls_itself_a_video_opens_nothing(tmp_path: Path) -> None:
    other = clip(tmp_path / "other.mp4")
    fake = tmp_path / "fake.mp4"
    fake.write_text(f"#EXTM3U\n#EXTINF:1,\nfile://{other}\n")
    with pytest.raises(PictureError, match=r"fake\.mp4: not a video in a format that circlet knows"):
        looked(fake)
    fake.write_bytes(b"\0\0\0\x18ftypisom" + fake.read_bytes())
    with pytest.raises(PictureError, match=r"fake\.mp4: cut short or damaged"):
        looked(fake)


@pytest.mark.parametrize("name", ["moving.gif", "moving.webp"])
def test_an_animation_moves_and_a_still_one_does_not(tmp_path: Path, name: str) -> None:
    path = animation(tmp_path / name)
    assert moves(path)
    assert looked(path) == [(0.0, "red"), (0.5, "green"), (1.0, "blue")]
    assert seen(open_picture(Path(at(path, 0.5)))) == "green"
    scene("red").save(path)
    assert not moves(path)
    with pytest.raises(PictureError, match=r"it has no frame at 0\.5 seconds any more"):
        open_picture(Path(at(path, 0.5)))


def test_a_video_is_no_picture_and_a_moment_that_is_gone_is_said(tmp_path: Path) -> None:
    path = clip(tmp_path / "clip.mp4")
    with pytest.raises(PictureError, match=r"a video: name a moment of it, as in clip\.mp4#t=12\.5"):
        open_picture(path)
    with pytest.raises(PictureError, match=r"clip\.mp4: it has no frame at 99 seconds any more"):
        open_picture(Path(at(path, 99)))
    with pytest.raises(PictureError, match="no such file"):
        open_picture(tmp_path / "none.mp4#t=1")


def test_a_walk_finds_videos_where_they_are_wanted_and_names_each_where_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = clip(tmp_path / "clip.mp4")
    (tmp_path / "old.avi").write_bytes(b"RIFF")
    (tmp_path / "app.ts").write_text("let a = 1")
    old = SkippedFile(tmp_path / "old.avi", "this video format is not supported: convert it to MP4 or WebM")
    state = path.stat()
    assert list(walk(tmp_path, video=True)) == [FoundFile(path, state.st_size, state.st_mtime_ns), old]
    assert list(walk(tmp_path)) == [
        SkippedFile(path, "a video: circlet index --video takes its moments along"), old
    ]  # fmt: skip
    monkeypatch.setattr(films, "find_spec", lambda name: None)
    remedy = SkippedFile(path, "a video: to read it, pip install 'circlet[video]'")
    assert list(walk(tmp_path, video=True)) == [remedy, old]
    with pytest.raises(PictureError, match=r"clip\.mp4: a video: to read it, pip install 'circlet\[video\]'"):
        open_picture(Path(at(path, 1)))


def test_bytes_of_an_animation_open_as_before(tmp_path: Path) -> None:
    assert Image.open(io.BytesIO(animation(tmp_path / "a.gif").read_bytes())).size == (96, 64)
    assert seen(open_picture(tmp_path / "a.gif")) == "red"
