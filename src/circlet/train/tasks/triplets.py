"""A benchmark as arrays of numbers to train on: reference, words, target, and what is near the target."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from circlet.core import Benchmark, DataError
from circlet.train.tasks.task import Rows

# Batches that are sorted by length together: enough to save padding, few enough to stay mixed.
BUCKET = 16


@dataclass(frozen=True)
class Triplets:
    """Pictures by number: query i has `references[i]`, one of `texts[i]` and `targets[i]`.

    `near[i]` are the other members of the query's subset, its hard negatives, filled up with −1;
    `groups[i]` numbers the gallery it belongs to.
    """

    references: Rows
    targets: Rows
    texts: tuple[tuple[str, ...], ...]
    near: Rows
    groups: Rows

    def __len__(self) -> int:
        return len(self.references)

    def words(self) -> list[str]:
        """Every text, once."""
        return list(dict.fromkeys(text for several in self.texts for text in several))

    @classmethod
    def of(cls, benchmark: Benchmark, ids: Sequence[str]) -> "Triplets":
        """The benchmark's queries, with pictures numbered as in `ids`."""
        place = {id: row for row, id in enumerate(ids)}
        names = {name: number for number, name in enumerate(benchmark.galleries)}
        references, targets, texts, near, groups = [], [], [], [], []
        for query in benchmark.queries:
            turn, truths = query.last, benchmark.case(query.id).truths
            if not (turn.picture and turn.text and truths):
                raise DataError(
                    f"{benchmark.name} {benchmark.split}: query {query.id} cannot be trained on; "
                    "it needs a reference picture, words and a target"
                )
            gone = {turn.picture, *truths}
            others = (*benchmark.case(query.id).subset, *benchmark.case(query.id).negatives)
            references.append(place[turn.picture])
            targets.append(place[truths[0]])
            texts.append(tuple(dict.fromkeys((*benchmark.case(query.id).wordings, turn.text))))
            near.append([place[id] for id in dict.fromkeys(others) if id not in gone and id in place])
            groups.append(names[benchmark.case(query.id).group])
        if not references:
            raise DataError(f"{benchmark.name} {benchmark.split} has no queries to train on")
        filled = np.full((len(near), max(map(len, near))), -1, np.int64)
        for row, members in zip(filled, near, strict=True):
            row[: len(members)] = members
        return cls(_rows(references), _rows(targets), tuple(texts), filled, _rows(groups))


def _rows(values: Sequence[int]) -> Rows:
    return np.asarray(values, np.int64)


def batches(groups: Rows, size: int, *, seed: int, epoch: int, lengths: Rows | None = None) -> list[Rows]:
    """The epoch's batches, each from one group, in an order that seed and epoch alone decide.

    Every query comes exactly once: what does not fill a batch is spread over the others. Given the
    texts' lengths, queries of like length share a batch, so that little of it is padding.

    >>> [sorted(batch.tolist()) for batch in batches(np.array([0, 0, 0, 1, 1]), 3, seed=0, epoch=0)]
    [[0, 1, 2], [3, 4]]
    """
    chance = np.random.default_rng([seed, epoch])
    made: list[Rows] = []
    for kind in np.unique(groups):
        rows = chance.permutation(np.flatnonzero(groups == kind))
        for part in np.array_split(rows, max(1, round(len(rows) / (size * BUCKET)))):
            if lengths is not None:
                part = part[np.argsort(lengths[part], kind="stable")]
            made += np.array_split(part, max(1, round(len(part) / size)))
    return [made[place] for place in chance.permutation(len(made))]


def hard_negatives(near: Rows, count: int, chance: np.random.Generator) -> Rows:
    """`count` members of each row at random, −1 where the row has too few.

    >>> hard_negatives(np.array([[4, -1, -1]]), 2, np.random.default_rng(0)).tolist()
    [[4, -1]]
    """
    order = np.where(near < 0, 2.0, chance.random(near.shape)).argsort(axis=1)[:, :count]
    chosen = np.take_along_axis(near, order, axis=1)
    return np.pad(chosen, ((0, 0), (0, count - chosen.shape[1])), constant_values=-1)
