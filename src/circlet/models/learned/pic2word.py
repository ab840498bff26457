"""Pic2Word (Saito et al. 2023): the picture becomes a word of a frozen text encoder, without triplets."""

from dataclasses import replace

import torch
from torch import Tensor, nn
from torch.nn import functional

from circlet.models.learned.network import Network, QueryBatch, Shape
from circlet.models.learned.words import Language

PROMPT = "a photo of"


class Pic2Word(Network):
    """s* = MLP(v) stands as a word in "a photo of s*, <words>"; the text encoder reads the sentence.

    Training shows pictures only: "a photo of s*" has to come out where the picture itself is. The
    bridge that takes the encoder's vectors to the text encoder's space is no network: it is the
    ridge regression between the two encoders' vectors of the same sentences, found once.
    """

    def __init__(self, shape: Shape, language: Language) -> None:
        transformer = language.transformer().requires_grad_(False)
        super().__init__(replace(shape, width=transformer.width))
        self.transformer = transformer
        self.image.requires_grad_(False)
        wide = shape.width
        self.word = nn.Sequential(
            nn.Linear(shape.dim, wide),
            nn.ReLU(),
            nn.Linear(wide, wide),
            nn.ReLU(),
            nn.Linear(wide, self.shape.width),
        )
        start, *_, end = language.pieces(["a"])[0]
        self.register_buffer("before", torch.tensor([start, *language.inner(PROMPT)]))
        self.register_buffer("end", torch.tensor([end]))
        self.before: Tensor
        self.end: Tensor

    speaks = True

    def prepare(self, vectors: Tensor, asked: QueryBatch) -> None:
        """Find the bridge from the sentences of the sample."""
        self.transformer.eval()
        with torch.no_grad():
            read = self._pooled(self.transformer.read(asked.words, asked.mask), asked.mask)
            sentences = asked.spoken.double()
            ridge = 0.01 * torch.eye(sentences.shape[1], dtype=torch.double, device=sentences.device)
            weight = torch.linalg.solve(
                sentences.T @ sentences / len(sentences) + ridge, sentences.T @ read.double() / len(sentences)
            )
            self.image.weight.copy_(weight.T)
            self.image.bias.zero_()

    @staticmethod
    def _pooled(states: Tensor, mask: Tensor) -> Tensor:
        kept = mask[:, :, None]
        return functional.normalize((states * kept).sum(dim=1) / kept.sum(dim=1), dim=-1)

    def _sentence(self, vectors: Tensor, words: Tensor, mask: Tensor) -> Tensor:
        """The text encoder's vector of "a photo of s*" followed by these pieces."""
        count = len(vectors)
        before = self.transformer.words(self.before.expand(count, -1))
        rows = torch.cat([before, self.word(vectors)[:, None], self.transformer.words(words)], dim=1)
        mask = functional.pad(mask, (before.shape[1] + 1, 0), value=True)
        places = torch.arange(rows.shape[1], device=rows.device).expand(count, -1)
        self.transformer.eval()
        return self._pooled(self.transformer(rows, mask, places, torch.zeros_like(places)), mask)

    def compose(self, asked: QueryBatch) -> Tensor:
        # The words bring their own first mark, which the prompt's replaces.
        return self._sentence(asked.vectors, asked.words[:, 1:], asked.mask[:, 1:])

    def pictures(self, vectors: Tensor) -> Tensor:
        """ "A photo of s*", with no words after it: what training compares with the pictures."""
        end = self.end.expand(len(vectors), -1)
        return functional.normalize(
            self._sentence(vectors, end, torch.ones_like(end, dtype=torch.bool)), dim=-1
        )
