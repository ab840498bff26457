"""Everything with weights: encoders, composers, scorers."""

from circlet.models.composers.blends import Blend, ImageOnly, Slerp, Sum, TextOnly
from circlet.models.composers.edits import Edits
from circlet.models.encoders.base import PictureEncoder, load_encoder
from circlet.models.methods import METHODS, load_method

__all__ = [
    "METHODS",
    "Blend",
    "Edits",
    "ImageOnly",
    "PictureEncoder",
    "Slerp",
    "Sum",
    "TextOnly",
    "load_encoder",
    "load_method",
]
