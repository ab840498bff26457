"""MAAF (Dodds et al. 2020): tokens of the picture and of the words attend to each other as equals."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from circlet.models.learned.network import Network, QueryBatch, Shape
from circlet.models.learned.words import Language, Lstm


def coarser(tokens: Tensor, grid: int) -> Tensor:
    """Tokens of a square at half its resolution, by averaging 2 × 2 neighbours.

    >>> coarser(torch.arange(4.0).reshape(1, 4, 1), 2).tolist()
    [[[1.5]]]
    """
    square = tokens.transpose(1, 2).reshape(len(tokens), -1, grid, grid)
    return (
        functional.avg_pool2d(square, 2, ceil_mode=True, count_include_pad=False).flatten(2).transpose(1, 2)
    )


class Maaf(Network):
    """Tokens of two resolutions and of the words through a transformer, then pooled.

    Resolution-wise pooling averages each group of tokens (fine, coarse, words) and then the
    groups; −RP averages all tokens at once; −IT leaves the words out of the pool.
    """

    spatial = True

    def __init__(
        self,
        shape: Shape,
        language: Language,
        *,
        pool_words: bool = True,
        by_resolution: bool = True,
        bert: bool = False,
    ) -> None:
        super().__init__(shape)
        width = shape.width
        self.grid = shape.grid
        self.pool_words = pool_words
        self.by_resolution = by_resolution
        self.narrow = nn.Linear(shape.channels, width)
        self.reader = None if bert else Lstm(language, width)
        self.bert = language.transformer().requires_grad_(False) if bert else None
        self.widen = nn.Linear(self.bert.width, width) if self.bert else None
        block = nn.TransformerEncoderLayer(width, 8, 2 * width, batch_first=True)
        self.attention = nn.TransformerEncoder(block, 2, enable_nested_tensor=False)

    def _read(self, asked: QueryBatch) -> Tensor:
        if self.reader is not None:
            return self.reader.states(asked.words)
        assert self.bert is not None
        assert self.widen is not None
        # Frozen and free of dropout: the words' meaning is given, only its place here is learned.
        self.bert.eval()
        with torch.no_grad():
            states = self.bert.read(asked.words, asked.mask)
        return self.widen(states)

    def compose(self, asked: QueryBatch) -> Tensor:
        fine = self.narrow(asked.seen)
        groups = [fine, coarser(fine, self.grid), self._read(asked)]
        ends = [*torch.tensor([group.shape[1] for group in groups]).cumsum(0).tolist()]
        pictures = asked.mask.new_ones(len(asked), ends[1])
        mask = torch.cat([pictures, asked.mask], dim=1)
        tokens = self.attention(torch.cat(groups, dim=1), src_key_padding_mask=~mask)
        kept = mask[:, :, None] * tokens
        spans = [slice(0, ends[0]), slice(ends[0], ends[1]), slice(ends[1], ends[2])]
        spans = spans if self.pool_words else spans[:2]
        sums = [kept[:, span].sum(dim=1) for span in spans]
        counts = [mask[:, span].sum(dim=1, keepdim=True) for span in spans]
        if self.by_resolution:
            return torch.stack([s / n for s, n in zip(sums, counts, strict=True)]).mean(dim=0)
        return torch.stack(sums).sum(dim=0) / torch.stack(counts).sum(dim=0)
