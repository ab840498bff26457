"""Sizes and a batch small enough to follow by hand."""

import pytest
import torch

from circlet.models.learned.network import QueryBatch, Shape
from circlet.models.learned.words import Language, padded
from circlet.models.phrases import LONGEST, PHRASES


@pytest.fixture(scope="session")
def shape() -> Shape:
    return Shape(dim=6, tokens=4, channels=5, width=8)


@pytest.fixture
def asked(language: Language) -> QueryBatch:
    """Three queries of different length."""
    chance = torch.Generator().manual_seed(2)
    words, mask = padded(language.pieces(["red night", "two", "a photo of red"]))

    def rows(*size: int) -> torch.Tensor:
        return torch.randn(*size, generator=chance)

    phrases = rows(3, LONGEST, PHRASES, 6)
    phrases[:, 2:] = 0
    kinds = torch.full((3, LONGEST), -1)
    kinds[:, :2] = torch.tensor([[1, 2], [3, 1], [2, 4]])
    return QueryBatch(rows(3, 6), words, mask, rows(3, 4, 5), rows(3, 6), kinds, phrases)
