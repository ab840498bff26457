"""Everything with weights: encoders, composers, scorers."""

from circlet.models.encoders import PictureEncoder, load_encoder

__all__ = ["PictureEncoder", "load_encoder"]
