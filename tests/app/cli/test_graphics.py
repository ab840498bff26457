"""Pictures in terminals: which terminal speaks what, and that what is sent can be read back."""

import base64
import io
import re

import numpy as np
import pytest
from PIL import Image

from circlet.app.cli.graphics import escape, protocol


@pytest.mark.parametrize(
    ("environment", "way"),
    [
        ({"TERM": "xterm-kitty"}, "kitty"),
        ({"TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"}, "kitty"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, "iterm2"),
        ({"TERM": "foot"}, "sixel"),
        ({"TERM": "xterm-256color"}, None),
        ({"TERM": "xterm-kitty", "TMUX": "/tmp/tmux"}, None),
        ({}, None),
    ],
)
def test_the_environment_tells_the_way(environment: dict[str, str], way: str | None) -> None:
    assert protocol(environment, True) == way
    assert protocol(environment, False) is None


@pytest.fixture
def noise() -> Image.Image:
    return Image.fromarray(np.random.default_rng(0).integers(0, 255, (60, 90, 3), dtype=np.uint8))


def test_kitty_gets_the_png_in_pieces(noise: Image.Image) -> None:
    pieces = re.findall(r"\x1b_G([^;]*);([^\x1b]*)\x1b\\", escape(noise, "kitty"))
    assert len(pieces) > 1
    assert pieces[0][0] == "a=T,f=100,m=1"
    assert pieces[-1][0] == "m=0"
    assert all(len(data) <= 4096 for _, data in pieces)
    sent = Image.open(io.BytesIO(base64.b64decode("".join(data for _, data in pieces))))
    assert np.array_equal(np.asarray(sent), np.asarray(noise))


def test_iterm2_gets_the_png_with_its_size(noise: Image.Image) -> None:
    keys, data = re.fullmatch(r"\x1b\]1337;File=([^:]*):(.*)\x07\n", escape(noise, "iterm2")).groups()  # type: ignore[union-attr]
    assert "width=90px" in keys
    assert Image.open(io.BytesIO(base64.b64decode(data))).size == (90, 60)


def test_sixel_draws_every_dot_once() -> None:
    picture = Image.new("RGB", (9, 8), (255, 0, 0))
    picture.paste((0, 0, 255), (4, 0, 9, 8))
    body = re.fullmatch(r'\x1bPq"1;1;9;8(.*)\x1b\\\n', escape(picture, "sixel"), re.DOTALL).group(1)  # type: ignore[union-attr]
    palette = {
        number: tuple(map(int, colour)) for number, *colour in re.findall(r"#(\d+);2;(\d+);(\d+);(\d+)", body)
    }
    drawn = np.zeros((12, 9, 3), int) - 1
    for band, part in enumerate(re.sub(r"#\d+;2;\d+;\d+;\d+", "", body).split("-")[:2]):
        for colour, dots in re.findall(r"#(\d+)([^#$]*)\$", part):
            row = "".join(char * int(count or 1) for count, char in re.findall(r"(?:!(\d+))?([?-~])", dots))
            for column, char in enumerate(row):
                for bit in range(6):
                    if (ord(char) - 63) >> bit & 1:
                        drawn[band * 6 + bit, column] = palette[colour]
    assert (drawn[:8, :4] == (100, 0, 0)).all()
    assert (drawn[:8, 4:] == (0, 0, 100)).all()
    assert (drawn[8:] == -1).all()
