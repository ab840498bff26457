"""Everything with weights: encoders, composers, scorers; and the features that they see."""

from circlet.core import PictureEncoder
from circlet.models.composers.blends import Blend, ImageOnly, Slerp, Sum, TextOnly
from circlet.models.composers.edits import Edits
from circlet.models.encoders.base import BaseEncoder
from circlet.models.encoders.load import load_encoder
from circlet.models.methods import METHODS, load_method, load_scorer

__all__ = [
    "METHODS",
    "BaseEncoder",
    "Blend",
    "Edits",
    "ImageOnly",
    "PictureEncoder",
    "Slerp",
    "Sum",
    "TextOnly",
    "load_encoder",
    "load_method",
    "load_scorer",
]
