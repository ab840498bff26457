"""What counts as an encoder, and what more an encoder of pictures has to have."""

import pytest

from circlet.core import Encoder, PictureEncoder
from circlet.testing import ToyEncoder

OF_ANY = ("fingerprint", "dim", "images", "texts")
OF_PICTURES = (
    "size", "prepare", "encode_prepared", "tokens_prepared", "both_prepared", "cutoffs",
)  # fmt: skip


def having(*names: str) -> object:
    """Something that has these and nothing else."""
    return type("Something", (), dict.fromkeys(names, lambda self: None))()


def test_four_things_make_an_encoder() -> None:
    assert isinstance(having(*OF_ANY), Encoder)
    assert isinstance(ToyEncoder(), Encoder)


@pytest.mark.parametrize("lacking", OF_ANY)
def test_whatever_lacks_one_of_them_is_no_encoder(lacking: str) -> None:
    assert not isinstance(having(*(name for name in OF_ANY if name != lacking)), Encoder)


def test_six_more_make_an_encoder_of_pictures() -> None:
    assert isinstance(having(*OF_ANY, *OF_PICTURES), PictureEncoder)
    assert not isinstance(ToyEncoder(), PictureEncoder)


@pytest.mark.parametrize("lacking", [*OF_ANY, *OF_PICTURES])
def test_whatever_lacks_one_of_the_ten_is_no_encoder_of_pictures(lacking: str) -> None:
    some = (name for name in (*OF_ANY, *OF_PICTURES) if name != lacking)
    assert not isinstance(having(*some), PictureEncoder)
