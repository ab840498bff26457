"""Sets of four pictures, each of another colour in random order; what is said names one of them."""

import numpy as np
import torch

from circlet.models.joint.heads import Heads, Sizes
from circlet.models.joint.reading import read
from circlet.testing import ToyEncoder
from circlet.train.tasks.sets import Sets

COLOURS = ("red", "green", "blue", "yellow", "black", "white")


def heads(seed: int = 0) -> Heads:
    torch.manual_seed(seed)
    return Heads(Sizes(vector=ToyEncoder.dim, dim=16, width=32, hidden=32, meanings=False)).eval()


def colour_sets(count: int, seed: int = 0, *, films: bool = False, places: bool = False) -> Sets:
    """So many sets with two texts each; with `places` pictures look alike and texts say first or last."""
    chance = np.random.default_rng(seed)
    axes = np.eye(len(COLOURS), ToyEncoder.dim)
    shown = np.stack([chance.permutation(len(COLOURS))[:4] for _ in range(count)])
    vectors = (0 if places else axes[shown]) + 0.1 * chance.normal(size=(count, 4, ToyEncoder.dim))
    of = np.repeat(np.arange(count), 2)
    place = np.concatenate([[0, 3] if places else chance.permutation(4)[:2] for _ in range(count)])
    texts = tuple(
        ("the first one", "the last one")[at // 3] if places else f"the {COLOURS[shown[one, at]]} one"
        for one, at in zip(of, place, strict=True)
    )
    return Sets(
        name="colours",
        vectors=torch.from_numpy(vectors.reshape(-1, ToyEncoder.dim).astype(np.float16)),
        members=np.arange(count * 4).reshape(count, 4),
        in_time=np.full(count, films),
        texts=texts,
        heard=tuple(part.astype(np.float16) for part in read(texts, meanings=False)),
        of=of,
        place=place,
    )
