"""Drawings: the right size, on white, and nothing read but the drawing."""

import base64
import gzip
import io
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import Image

from circlet.core import PictureError
from circlet.images import open_picture, probe
from circlet.images.svg import markup as svg
from circlet.images.svg import pool as drawing_process

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '


def drawing(inside: str = "", size: str = 'viewBox="0 0 20 10"') -> bytes:
    return f"{HEAD}{size}>{inside}</svg>".encode()


BLUE = '<rect width="20" height="10" fill="blue"/>'


def middle(picture: Image.Image) -> tuple[int, ...]:
    return picture.getpixel((picture.width // 2, picture.height // 2))


def test_a_drawing_is_as_large_as_asked_and_on_white() -> None:
    assert open_picture(drawing(BLUE), side=100).size == (200, 100)
    assert open_picture(drawing(BLUE)).size == (1024, 512)
    assert middle(open_picture(drawing(BLUE), side=50)) == (0, 0, 255)
    assert middle(open_picture(drawing(), side=50)) == (255, 255, 255)


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ('width="30" height="60"', (30, 60)),
        ('width="1in" height="48pt"', (96, 64)),
        ('width="40" viewBox="0 0 20 10"', (40, 20)),
        ('width="100%" height="100%" viewBox="-5 -5 20 10"', (20, 10)),
        ("", (100, 100)),
    ],
)
def test_the_size_it_asks_for(size, expected) -> None:
    header = probe(drawing(size=size))
    assert (header.width, header.height, header.format) == (*expected, "SVG")
    assert min(open_picture(drawing(size=size), side=64).size) == 64


def test_packed_and_otherwise_encoded_drawings_open() -> None:
    assert middle(open_picture(gzip.compress(drawing(BLUE)), side=20)) == (0, 0, 255)
    utf16 = '<?xml version="1.0" encoding="utf-16"?>' + drawing(BLUE).decode()
    assert middle(open_picture(utf16.encode("utf-16"), side=20)) == (0, 0, 255)
    latin = '<?xml version="1.0" encoding="iso-8859-1"?>' + drawing(f"<desc>é</desc>{BLUE}").decode()
    assert middle(open_picture(latin.encode("latin-1"), side=20)) == (0, 0, 255)


@pytest.mark.parametrize("element", ["image", "feImage", "use"])
@pytest.mark.parametrize("scheme", ["", "file://"])
@pytest.mark.parametrize("attribute", ["href", "xlink:href"])
def test_nothing_outside_the_drawing_is_read(tmp_path, element, scheme, attribute) -> None:
    secret = tmp_path / "secret.png"
    Image.new("RGB", (20, 10), "red").save(secret)
    link = f'<{element} {attribute}="{scheme}{secret}" width="20" height="10" preserveAspectRatio="none"/>'
    if element == "feImage":
        link = f'<filter id="f">{link}</filter><rect width="20" height="10" fill="none" filter="url(#f)"/>'
    assert middle(open_picture(drawing(link), side=50)) == (255, 255, 255)
    inner = base64.b64encode(drawing(link)).decode()
    nested = f'<image href="data:image/svg+xml;base64,{inner}" width="20" height="10"/>'
    assert middle(open_picture(drawing(nested), side=50)) == (255, 255, 255)


def test_a_picture_inside_the_drawing_is_drawn() -> None:
    file = io.BytesIO()
    Image.new("RGB", (20, 10), "red").save(file, "PNG")
    data = base64.b64encode(file.getvalue()).decode()
    inside = f'<image href="data:image/png;base64,{data}" width="20" height="10"/>'
    assert middle(open_picture(drawing(inside), side=50)) == (255, 0, 0)


def test_a_drawing_within_a_drawing_is_used() -> None:
    inside = f'<defs><g id="a">{BLUE}</g></defs><use href="#a"/>'
    assert middle(open_picture(drawing(inside), side=50)) == (0, 0, 255)


def copies(levels: int) -> str:
    """Each level repeats the one before ten times."""
    parts = ['<g id="a0"><rect width="1" height="1"/></g>']
    parts += [f'<g id="a{i}">' + f'<use href="#a{i - 1}"/>' * 10 + "</g>" for i in range(1, levels)]
    return f'<defs>{"".join(parts)}</defs><use href="#a{levels - 1}"/>'


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (drawing(copies(12)), "repeats itself"),
        (drawing('<g id="a"><use href="#a"/></g>' + "<rect")[:-6], "damaged SVG"),
        (b"<svg", "damaged SVG"),
        (gzip.compress(b"a log file", mtime=0), "damaged SVG|not a picture"),
        (b"\x1f\x8b broken", "damaged"),
        (b'<html><svg xmlns="http://www.w3.org/2000/svg"/></html>', "not a picture"),
        (drawing(size='width="0" height="10"'), "without a size"),
        (drawing(size='width="1e30" height="1"'), "without a size"),
        (b'<?xml version="1.0" encoding="klingon"?><svg/>', "damaged SVG"),
    ],
)
def test_bad_drawings_are_one_line(data, said) -> None:
    with pytest.raises(PictureError, match=said) as caught:
        open_picture(data)
    assert "\n" not in str(caught.value)


TURBULENCE = '<feTurbulence baseFrequency="10" numOctaves="9"/>'
ATTACKS = {
    "memory": '<pattern id="p" width="1e5" height="1e5" patternUnits="userSpaceOnUse">'
    '<rect width="1" height="1"/></pattern><rect width="20" height="10" fill="url(#p)"/>',
    "stack": '<g opacity=".5">' * 400 + BLUE + "</g>" * 400,
    "time": f'<filter id="f">{TURBULENCE * 2000}</filter><rect width="20" height="10" filter="url(#f)"/>',
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_drawing_that_takes_the_renderer_down_is_one_line(attack, monkeypatch) -> None:
    with monkeypatch.context() as patch:
        if attack == "time":
            patch.setattr(drawing_process, "MAX_BUSY", 0.5)
        with pytest.raises(PictureError, match="more time or memory than a drawing may take"):
            open_picture(drawing(ATTACKS[attack]), side=64)
    assert middle(open_picture(drawing(BLUE), side=20)) == (0, 0, 255)


@pytest.mark.skipif(sys.platform == "win32", reason="there the parent sees to it")
@pytest.mark.parametrize(("busy", "clock"), [(0.3, 600.0), (600.0, 0.3)])
def test_a_drawer_ends_itself_by_either_limit(busy, clock, monkeypatch) -> None:
    monkeypatch.setattr(drawing_process, "MAX_BUSY", busy)
    monkeypatch.setattr(drawing_process, "MAX_SECONDS", clock)
    with ThreadPoolExecutor(1) as threads:
        drawn = threads.submit(open_picture, drawing(ATTACKS["time"]), side=2000)
        try:
            with pytest.raises(PictureError, match="more time or memory than a drawing may take"):
                drawn.result(timeout=60)
        finally:
            drawing_process.close()


def test_a_drawing_too_long_to_be_one_is_refused(monkeypatch) -> None:
    monkeypatch.setattr(svg, "MAX_BYTES", 1000)
    with pytest.raises(PictureError, match="make a PNG of it"):
        open_picture(drawing(BLUE * 100))
    with pytest.raises(PictureError, match="make a PNG of it"):
        open_picture(gzip.compress(drawing(BLUE * 100)))


def test_entities_that_blow_up_are_refused() -> None:
    lines = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 10))
    bomb = f'<!DOCTYPE svg [<!ENTITY e0 "boom">{lines}]>' + drawing("<desc>&e9;</desc>").decode()
    with pytest.raises(PictureError, match="damaged SVG"):
        open_picture(bomb.encode())


@pytest.mark.skipif(not hasattr(os, "getpgid"), reason="process groups are POSIX's")
def test_the_keyboards_interrupt_does_not_reach_a_drawing() -> None:
    open_picture(drawing(BLUE))
    # A terminal sends Ctrl-C to its whole process group.
    assert os.getpgid(drawing_process._idle[-1]._process.pid) != os.getpgid(0)


def test_noise_of_two_thousand_million_octaves_is_drawn_as_what_can_be_seen(monkeypatch) -> None:
    def noise(octaves: str) -> bytes:
        filtered = f'<filter id="f"><feTurbulence baseFrequency=".3" numOctaves="{octaves}"/></filter>'
        return drawing(f'{filtered}<rect width="20" height="10" filter="url(#f)"/>')

    few, many = open_picture(noise("9"), side=64), open_picture(noise("2000000000"), side=64)
    assert few.tobytes() == many.tobytes()
    assert few.getcolors() is None  # more than 256 of them
    for odd in ("9" * 5000, "-7", "1e9", "+2000000000"):
        open_picture(noise(odd), side=8)


PARENT = """
import sys, threading
from circlet.images import open_picture
from circlet.images.svg import pool

pool.MAX_BUSY = pool.MAX_SECONDS = 600.0
data = sys.stdin.buffer.read()
threading.Thread(target=open_picture, args=(data,), kwargs={"side": 2000}, daemon=True).start()
while not pool._busy:
    pass
print(next(iter(pool._busy))._process.pid, flush=True)
threading.Event().wait()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a drawer ends after its seconds")
@pytest.mark.parametrize("way", [signal.SIGTERM, signal.SIGKILL])
def test_a_drawer_ends_with_its_parent_in_the_middle_of_a_drawing(way) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as parent:
        parent.stdin.write(drawing(ATTACKS["time"]))
        parent.stdin.close()
        drawer = int(parent.stdout.readline())
        # Whether it is at work shows in the system's own count; then nothing but a signal reaches it.
        while busy(drawer) < 0.2:
            assert parent.poll() is None
        parent.send_signal(way)
        parent.wait()
    wait_gone(drawer)


def busy(process: int) -> float:
    """Seconds of processor that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_gone(process: int) -> None:
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            if Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return
        except OSError:
            return
    os.kill(process, signal.SIGKILL)
    pytest.fail("the drawer lives on without its parent")


def test_a_drawing_that_nobody_waits_for_is_ended() -> None:
    stop = drawing_process.Stop()

    def draw() -> str:
        drawing_process.STOP.set(stop)
        with pytest.raises(PictureError) as caught:
            open_picture(drawing(ATTACKS["time"]), side=2000)
        return str(caught.value)

    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(draw)
        while not drawing_process._busy:
            assert not waiting.done()
        stop()
        assert "more time" in waiting.result(timeout=30) or "nobody waits" in waiting.result()
    assert not drawing_process._busy


@pytest.mark.parametrize("system", ["linux", "darwin"])
def test_where_memory_cannot_be_limited_only_linux_refuses(
    system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import resource

    from circlet.images.svg import worker

    def refused(kind: int, limits: tuple[int, int]) -> None:
        if kind == resource.RLIMIT_AS:
            raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr(resource, "setrlimit", refused)
    monkeypatch.setattr(sys, "platform", system)
    if system == "linux":
        with pytest.raises(ValueError, match="exceeds"):
            worker._limit_memory()
    else:
        worker._limit_memory()
