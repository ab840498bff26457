"""Reading what is written in pictures: PP-OCRv4, whose weights come with `rapidocr-onnxruntime`."""

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from circlet.core.marks import Mark, spelled

if TYPE_CHECKING:
    from PIL.Image import Image

# Lines of which the reader is less sure are no words, as a rule.
_LEAST = 0.6
# What one picture may say: a page of print need not be kept whole.
_LINES, _LETTERS = 200, 4000


class LetterReader:
    """Finds lines of text, turned or slanted, and reads them.

    >>> LetterReader("rapidocr-onnxruntime:1.4.4:1280").look(picture).words     # doctest: +SKIP
    'no parking'
    """

    def __init__(self, by: str) -> None:
        # The one import of that package; it loads OpenCV.
        from rapidocr_onnxruntime import RapidOCR

        self.by = by
        # One core: whoever searches meanwhile needs the others.
        self._reader: Any = RapidOCR(intra_op_num_threads=1)

    def look(self, picture: "Image") -> Mark:
        """The lines that can be read, each with how sure that is; `number` is how many they are."""
        pixels = np.asarray(picture.convert("RGB"))[:, :, ::-1]
        found, _ = self._reader(np.ascontiguousarray(pixels))
        lines = [(str(text), float(score)) for _, text, score in found or [] if float(score) >= _LEAST]
        lines = [(text, score) for text, score in lines if spelled(text)][:_LINES]
        words = spelled(" ".join(text for text, _ in lines))[:_LETTERS]
        detail = json.dumps([[spelled(text), round(score, 3)] for text, score in lines], ensure_ascii=False)
        return Mark(self.by, len(lines), words, detail if len(detail) <= 2 * _LETTERS else "[]")
