"""MagicLens (Zhang et al. 2024): two towers with one set of weights, for queries and for candidates alike."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from circlet.models.learned.network import Network, QueryBatch, Shape, Standard
from circlet.models.learned.words import Language, Lstm

_HEADS = 8


class MagicLens(Network):
    """Tokens of the picture and of the instruction attend to each other, and a learned question pools them.

    A candidate passes through the same layers with an instruction that says nothing. The picture is one
    token, so that a gallery needs no more than its vectors; the instruction is the encoder's vector of it
    and the states of an LSTM.
    """

    speaks = True

    def __init__(self, shape: Shape, language: Language, *, layers: int = 2) -> None:
        super().__init__(shape)
        width = shape.width
        self.said = Standard(shape.dim, width)
        self.reader = Lstm(language, width)
        self.silent = nn.Parameter(0.02 * torch.randn(width))
        self.question = nn.Parameter(0.02 * torch.randn(width))
        block = nn.TransformerEncoderLayer(width, _HEADS, 2 * width, batch_first=True)
        self.attention = nn.TransformerEncoder(block, layers, enable_nested_tensor=False)
        self.pool = nn.MultiheadAttention(width, _HEADS, batch_first=True)
        self.out = nn.Linear(width, width)

    def tower(self, tokens: Tensor, mask: Tensor) -> Tensor:
        """One row per set of tokens: attention among them, then what the question finds in them."""
        states = self.attention(tokens, src_key_padding_mask=~mask)
        question = self.question.expand(len(tokens), 1, -1)
        pooled, _ = self.pool(question, states, states, key_padding_mask=~mask, need_weights=False)
        # What was there before anything was asked stays: the first token is the picture's.
        return self.out(pooled[:, 0]) + tokens[:, 0]

    def candidates(self, vectors: Tensor) -> Tensor:
        seen = self.image(vectors)
        tokens = torch.stack([seen, self.silent.expand_as(seen)], dim=1)
        mask = torch.ones(tokens.shape[:2], dtype=torch.bool, device=tokens.device)
        return functional.normalize(self.tower(tokens, mask), dim=-1)

    def compose(self, asked: QueryBatch) -> Tensor:
        whole = torch.stack([self.image(asked.vectors), self.said(asked.spoken)], dim=1)
        tokens = torch.cat([whole, self.reader.states(asked.words)], dim=1)
        there = asked.mask.new_ones(whole.shape[:2])
        return self.tower(tokens, torch.cat([there, asked.mask], dim=1))

    def prepare(self, vectors: Tensor, asked: QueryBatch) -> None:
        super().prepare(vectors, asked)
        self.said.prepare(asked.spoken)
