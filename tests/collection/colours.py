"""An encoder that sees nothing but colour: what it finds can be told by eye."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from PIL import Image

from circlet.core import unit
from circlet.models import BaseEncoder


class Colours(BaseEncoder):
    """Red, green and blue as three axes; a fourth holds the words that name none."""

    name, fingerprint, dim, size = "colours", "colours:1", 4, 8
    seen = 0

    def prepare(self, picture: Image.Image) -> Any:
        return np.asarray(picture.resize((8, 8)))

    def encode_prepared(self, pictures: Any) -> Any:
        self.seen += len(pictures)
        means = pictures.reshape(len(pictures), -1, 3).mean(axis=1)
        return unit(np.pad(means, ((0, 0), (0, 1))))

    def tokens_prepared(self, pictures: Any) -> Any:
        return pictures.reshape(len(pictures), -1, 3)

    def texts(self, words: Sequence[str]) -> Any:
        named = [[colour in text for colour in ("red", "green", "blue")] for text in words]
        return unit([[*map(float, row), float(not any(row))] for row in named])
