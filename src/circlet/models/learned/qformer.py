"""A Q-Former in small (Li et al. 2023): learned questions to a picture and to words, for both towers."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from circlet.models.learned.network import Network, QueryBatch, Shape, Standard
from circlet.models.learned.words import Language, Lstm
from circlet.models.phrases import CLAUSES, PHRASES

_HEADS = 8


class QFormer(Network):
    """Equation 1 of paper 004: s = Q(picture, words) · Q(candidate) / τ, with one Q for both.

    A picture is read as several tokens made of its vector, which holds what its places show, so that a
    gallery needs no more than its index has. Words are read as clauses, by the encoder's vectors of their
    phrases, and word by word, by an LSTM. What the questions found is added to the picture's own row, so
    that an untrained Q finds what looks alike.
    """

    hears = True

    def __init__(
        self, shape: Shape, language: Language, *, questions: int = 4, pieces: int = 4, layers: int = 2
    ) -> None:
        super().__init__(shape)
        width = shape.width
        self.pieces = Standard(shape.dim, pieces * width)
        self.said = Standard(shape.dim, width)
        self.kind = nn.Embedding(len(CLAUSES), width)
        self.role = nn.Embedding(PHRASES, width)
        self.reader = Lstm(language, width)
        self.questions = nn.Parameter(0.02 * torch.randn(questions, width))
        self.layers = nn.ModuleList(
            nn.TransformerDecoderLayer(width, _HEADS, 2 * width, batch_first=True) for _ in range(layers)
        )
        self.out = nn.Linear(width, width)

    def tower(self, seen: Tensor, tokens: Tensor, mask: Tensor | None = None) -> Tensor:
        """One row per set of tokens: what the questions found in them, beside the picture's own row."""
        states = self.questions.expand(len(tokens), -1, -1)
        for layer in self.layers:
            states = layer(states, tokens, memory_key_padding_mask=mask)
        return self.out(states.mean(dim=1)) + seen

    def looked(self, vectors: Tensor) -> Tensor:
        """The tokens that a picture's vector is read as, (n, pieces, width)."""
        return self.pieces(vectors).unflatten(-1, (-1, self.shape.width))

    def candidates(self, vectors: Tensor) -> Tensor:
        return functional.normalize(self.tower(self.image(vectors), self.looked(vectors)), dim=-1)

    def compose(self, asked: QueryBatch) -> Tensor:
        seen, (kinds, phrases) = self.looked(asked.vectors), asked.clauses
        told = self.said(phrases) + self.kind(kinds.clamp(min=0))[:, :, None] + self.role.weight
        tokens = torch.cat([seen, told.flatten(1, 2), self.reader.states(asked.words)], dim=1)
        there = [asked.mask.new_ones(seen.shape[:2]), phrases.any(dim=-1).flatten(1), asked.mask]
        return self.tower(self.image(asked.vectors), tokens, ~torch.cat(there, dim=1))

    def prepare(self, vectors: Tensor, asked: QueryBatch) -> None:
        super().prepare(vectors, asked)
        self.pieces.prepare(vectors)
        _, phrases = asked.clauses
        self.said.prepare(phrases[phrases.any(dim=-1)])
