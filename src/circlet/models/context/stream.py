"""One transformer over the words and the places of a picture together, in the place of UNITER."""

import numpy as np
import torch
from torch import Tensor, nn

from circlet.models.context.networks import Comparing, Made
from circlet.models.joint.heads import Block, Heads
from circlet.models.joint.reading import Read

WIDTH, LAYERS = 64, 2


class SingleStream(Comparing):
    """Every word piece can look at every place: finer than two rows, and read anew for every pair.

    The tokens are those of the encoder's heads, which go on learning with the rest: its picture as a
    whole, its places, its pieces. One token more gathers what they say of each other, and is added to
    the product of the two rows: the score is W (gathered + x_L ⊙ x_V). What is gathered is nothing at
    first, so that it begins as the encoder, as UNITER begins from what it learned of captions.
    """

    def __init__(self, heads: Heads, *, width: int = WIDTH, layers: int = LAYERS) -> None:
        super().__init__()
        self.heads = heads
        sizes = heads.sizes
        self.whole = nn.Linear(sizes.hidden, width)
        self.place, self.piece = nn.Linear(sizes.width, width), nn.Linear(sizes.width, width)
        # Which kind a token is: the one that gathers, a picture's, a text's.
        self.kinds = nn.Parameter(torch.randn(3, width) * 0.02)
        self.blocks = nn.ModuleList(Block(width) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.gathered = nn.Linear(width, sizes.dim)
        nn.init.zeros_(self.gathered.weight)
        nn.init.zeros_(self.gathered.bias)
        self.weigh = nn.Linear(sizes.dim, 1)
        nn.init.constant_(self.weigh.weight, float(heads.sharpness.detach()) / sizes.dim)

    def see(self, vectors: Tensor) -> Made:
        """Of each picture the encoder's row, and its tokens, (pictures, 1 + places, width)."""
        picture = self.heads.picture
        whole, tokens = picture.whole(vectors), picture.tokens(vectors)
        joined = torch.cat([self.whole(whole)[:, None], self.place(tokens)], dim=1)
        return picture.row(whole, tokens), joined + self.kinds[1]

    def hear(self, heard: Read) -> Made:
        """Of each text the encoder's row, its tokens, (texts, t, width), and where there are any."""
        words = self.heads.words
        tokens, mask = words.tokens(*(torch.from_numpy(np.ascontiguousarray(part)) for part in heard))
        return words.row(tokens, mask), self.piece(tokens) + self.kinds[2], mask > 0

    def compare(self, said: Made, seen: Made, in_time: Tensor) -> Tensor:
        """The score of each pair by itself."""
        (row, words, mask), (rows, places) = said, seen
        count = rows.shape[1]
        words, mask = (part.repeat_interleave(count, dim=0) for part in (words, mask))
        places = places.flatten(0, 1)
        x = torch.cat([self.kinds[0].expand(len(places), 1, -1), places, words], dim=1)
        heard = torch.cat([mask.new_ones(len(places), 1 + places.shape[1]), mask], dim=1)
        *before, last = self.blocks
        for block in before:
            x = block(x, heard)
        # Nobody looks at the others again, so the last layer makes only the first.
        gathered = self.gathered(self.norm(last(x, heard, first=1)[:, 0])).reshape(rows.shape)
        score: Tensor = self.weigh(gathered + self.heads.sizes.dim * row[:, None] * rows)[..., 0]
        return score
