"""What clauses state, by one product over the meaning of their words, the words and pairs of words."""

from collections.abc import Iterable, Sequence
from zlib import crc32

import numpy as np
import torch
from torch import Tensor, nn

from circlet.core import Vectors
from circlet.models.encoders.sentences import DIM, Sentences

# Words and pairs of words are told apart by so many numbers.
_GRAMS = 4096
# What the meaning of the words counts, and the words themselves.
_MEANING, _WORDS = 6.0, 4.0
WORD_INPUTS = DIM + _GRAMS


class Statements(nn.Module):
    """Logits of so many statements for clauses as rows of numbers."""

    def __init__(self, inputs: int, statements: int) -> None:
        super().__init__()
        self.states = nn.Linear(inputs, statements)

    def forward(self, rows: Tensor, able: Tensor) -> Tensor:
        """The logits; what a clause cannot state has none."""
        logits: Tensor = self.states(rows)
        return logits.masked_fill(~able, -torch.inf)


def word_rows(plain: Sequence[str], grams: Sequence[Iterable[str]], sentences: Sentences) -> Vectors:
    """Clauses in plain words, and their words and pairs of words, as numbers: (clauses, `WORD_INPUTS`)."""
    words = np.zeros((len(plain), _GRAMS), np.float32)
    for row, several in enumerate(grams):
        words[row, [crc32(gram.encode()) % _GRAMS for gram in several]] = 1
    words *= _WORDS / np.sqrt(words.sum(axis=1, keepdims=True) + 1)
    return np.concatenate([_MEANING * sentences.texts(list(plain)), words], axis=1)
