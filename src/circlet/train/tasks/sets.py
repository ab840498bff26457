"""Learning which of a few is meant: sets of pictures, and descriptions that are each about one of them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from circlet.models.context.networks import Asked, Comparing, ContextModule, Made
from circlet.models.joint.reading import Read
from circlet.train.recipe import Recipe
from circlet.train.tasks.task import Rows

_SAMPLE, _SAID = 2048, 512
# Pictures that a target is told from where they come from anywhere.
OTHERS = 9
# How often an encoder that learns no more looks at its training sets with parts hidden.
_VERSIONS = 3
# Sets that are looked at together where nothing is learned.
_BLOCK = 16


@dataclass(frozen=True, eq=False)
class Sets:
    """Sets of equal size with what is said of them, read once; everything long in half precision.

    `members` are rows of `vectors`, (sets, n); text d is about picture `place[d]` of set `of[d]`.
    """

    name: str
    vectors: Tensor
    members: Rows
    in_time: NDArray[np.bool_]
    texts: tuple[str, ...]
    heard: tuple[NDArray[np.float16], ...]
    of: Rows
    place: Rows

    def seen(self, rows: Rows) -> Tensor:
        """The vectors of pictures, by their rows."""
        return self.vectors[torch.from_numpy(rows)].float()

    def shown(self, sets: Rows) -> Tensor:
        """The vectors of these sets' pictures, (sets, n, numbers)."""
        return self.seen(self.members[sets].ravel()).reshape(*self.members[sets].shape, -1)

    def read(self, texts: Rows) -> Read:
        """What was read of these texts, no longer than the longest of them."""
        phrases, phrase_mask, pieces, piece_mask = self.heard
        mask = piece_mask[texts]
        longest = int(mask.sum(axis=1).max(initial=1))
        held = phrases[texts], phrase_mask[texts], pieces[texts, :longest], mask[:, :longest]
        return Read(*(part.astype(np.float32) for part in held))

    def asked(self, sets: Rows) -> tuple[Asked, Rows]:
        """All that is said of these sets, and by which texts."""
        texts = np.flatnonzero(np.isin(self.of, sets))
        number = np.zeros(len(self.members), np.int64)
        number[sets] = np.arange(len(sets))
        asked = Asked(
            self.shown(sets),
            torch.from_numpy(self.in_time[sets]),
            self.read(texts),
            torch.from_numpy(number[self.of[texts]]),
        )
        return asked, texts

    def blocks(self) -> Iterator[Rows]:
        """All sets, a few at a time."""
        for start in range(0, len(self.members), _BLOCK):
            yield np.arange(start, min(start + _BLOCK, len(self.members)))

    def right(self, scores: Tensor, texts: Rows) -> NDArray[np.bool_]:
        """Whether each text's own picture scores above all others of its set; equal is not above."""
        rows, own = torch.arange(len(texts)), torch.from_numpy(self.place[texts])
        rest = scores.clone()
        rest[rows, own] = -torch.inf
        right: NDArray[np.bool_] = (scores[rows, own] > rest.max(dim=1).values).numpy()
        return right


class SetTask:
    """+ContextBatch: each text's picture among those of its set, by cross-entropy over the set."""

    def __init__(self, network: Comparing, sets: Sets, recipe: Recipe, *, fresh: bool = False) -> None:
        self.network, self.sets, self.recipe, self.fresh = network, sets, recipe, fresh
        self.middle = sets.vectors.mean(dim=0, dtype=torch.float32)

    def prepare(self, chance: np.random.Generator) -> None:
        """Let heads that begin from nothing see a sample; others know what pictures are like."""
        if self.fresh:
            rows = chance.permutation(len(self.sets.vectors))[:_SAMPLE]
            said = chance.permutation(len(self.sets.texts))[:_SAID]
            self.network.heads.prepare(self.sets.seen(rows), [self.sets.texts[row] for row in said])

    def order(self, epoch: int) -> list[Rows]:
        """Every set once, with all that is said of it."""
        return shuffled(len(self.sets.members), self.recipe, epoch)

    def loss(self, rows: Rows, chance: np.random.Generator) -> Tensor:
        """How surely each text finds its picture in its set."""
        asked, texts = self.sets.asked(rows)
        asked = asked._replace(vectors=self.hidden(asked.vectors), heard=self.unheard(asked.heard))
        return functional.cross_entropy(self.network(asked), torch.from_numpy(self.sets.place[texts]))

    def hidden(self, vectors: Tensor) -> Tensor:
        """Sets with the recipe's share of numbers at their mean, the same ones in all of a set."""
        if not self.recipe.hidden:
            return vectors
        gone = torch.rand(len(vectors), 1, vectors.shape[-1]) < self.recipe.hidden
        return torch.where(gone, self.middle, vectors)

    def unheard(self, heard: Read) -> Read:
        """Texts with the recipe's share of their word pieces saying nothing."""
        if not self.recipe.hidden:
            return heard
        left = (torch.rand(heard.piece_mask.shape) >= self.recipe.hidden).numpy()
        return heard._replace(pieces=heard.pieces * left[..., None])


class AnywhereTask(SetTask):
    """Each text's picture against pictures of other texts, drawn from anywhere, whatever their set.

    Against nine of them by cross-entropy, or with `binary` against one, each pair being right or wrong.
    """

    def __init__(
        self, network: Comparing, sets: Sets, recipe: Recipe, *, fresh: bool = False, binary: bool = False
    ) -> None:
        super().__init__(network, sets, recipe, fresh=fresh)
        self.binary = binary

    def order(self, epoch: int) -> list[Rows]:
        """Every text once."""
        return shuffled(len(self.sets.texts), self.recipe, epoch)

    def loss(self, rows: Rows, chance: np.random.Generator) -> Tensor:
        """How surely each text finds its picture among those from anywhere."""
        sets, network = self.sets, self.network
        targets, own = np.unique(sets.members[sets.of[rows], sets.place[rows]], return_inverse=True)
        shown = drawn(own, len(targets), 1 if self.binary else OTHERS, chance)
        vectors = self.hidden(sets.seen(targets)[:, None])[:, 0]
        seen, said = network.see(vectors), network.hear(self.unheard(sets.read(rows)))
        # What comes from anywhere has no order of time.
        in_time = torch.zeros(len(rows), dtype=torch.bool)
        scores = network.compare(said, tuple(rows[torch.from_numpy(shown)] for rows in seen), in_time)
        if self.binary:
            right = torch.zeros_like(scores)
            right[:, 0] = 1
            return functional.binary_cross_entropy_with_logits(scores, right)
        return functional.cross_entropy(scores, torch.zeros(len(rows), dtype=torch.long))


class ModuleTask:
    """+ContextModule: the rows of an encoder that learns no more, made once, and the module over them.

    The encoder has seen the training sets, and its rows of them are surer than they are elsewhere. Where
    the recipe hides something, its rows are made a few times over, of pictures and texts with parts hidden.
    """

    def __init__(self, network: ContextModule, sets: Sets, recipe: Recipe, encoder: Comparing) -> None:
        self.network, self.sets, self.recipe = network, sets, recipe
        self.rows = [encoded(encoder, sets)]
        if recipe.hidden:
            with torch.random.fork_rng(devices=[]):
                torch.manual_seed(recipe.seed)
                self.rows = [encoded(encoder, sets, SetTask(encoder, sets, recipe)) for _ in range(_VERSIONS)]

    def prepare(self, chance: np.random.Generator) -> None:
        """Nothing: the encoder has learned what pictures are like."""

    def order(self, epoch: int) -> list[Rows]:
        """Every text once."""
        return shuffled(len(self.sets.texts), self.recipe, epoch)

    def scores(self, texts: Rows, version: int = 0) -> Tensor:
        """The module's word on all pictures of these texts' sets."""
        said, seen = self.rows[version]
        of = self.sets.of[texts]
        in_time = torch.from_numpy(self.sets.in_time[of])
        found: Tensor = self.network(said[0][texts], seen[0][torch.from_numpy(of)], in_time)
        return found

    def loss(self, rows: Rows, chance: np.random.Generator) -> Tensor:
        """How surely each text finds its picture in its set."""
        scores = self.scores(rows, int(chance.integers(len(self.rows))))
        return functional.cross_entropy(scores, torch.from_numpy(self.sets.place[rows]))


def shuffled(count: int, recipe: Recipe, epoch: int) -> list[Rows]:
    """So many rows in random order, in batches of the recipe's size."""
    rows = np.random.default_rng([recipe.seed, 2, epoch]).permutation(count)
    return np.array_split(rows, max(1, round(count / recipe.batch)))


def drawn(own: Rows, count: int, others: int, chance: np.random.Generator) -> Rows:
    """For each row its own number, then others of so many, never its own twice: (rows, 1 + others)."""
    others = min(others, count - 1)
    keys = chance.random((len(own), count))
    keys[np.arange(len(own)), own] = -1
    return np.argsort(keys, axis=1)[:, : 1 + others]


def encoded(encoder: Comparing, sets: Sets, hiding: SetTask | None = None) -> tuple[Made, Made]:
    """What an encoder makes of all texts, and of all pictures, (sets, n, …); with parts hidden, if so."""
    encoder.train(hiding is not None)
    seen, said = [], []
    with torch.inference_mode():
        for some in sets.blocks():
            shown = sets.shown(some)
            shown = hiding.hidden(shown) if hiding else shown
            seen.append(encoder.seen(shown, torch.from_numpy(sets.in_time[some])))
        for start in range(0, len(sets.texts), _SAID):
            heard = sets.read(np.arange(start, min(start + _SAID, len(sets.texts))))
            said.append(encoder.hear(hiding.unheard(heard) if hiding else heard))
    encoder.eval()
    # Of what is made without gradients nothing may be learned unless it is copied.
    texts, pictures = (
        tuple(torch.cat(parts).clone() for parts in zip(*made, strict=True)) for made in (said, seen)
    )
    return texts, pictures
