"""First turns for pictures that come without queries: a look-alike of a target, and what differs in it."""

import random
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from circlet.core import Benchmark, Case, Gallery, Query, Turn, UsageError
from circlet.dialogue.simulate import Contrast, Teller

# The reference is one of the nearest so many, less those that are the same picture once more.
_NEAR, _SAME = 20, 0.98


def starts(
    files: Mapping[str, Path], pictures: Gallery, tell: Teller, *, name: str, count: int, seed: int = 0
) -> Benchmark:
    """Queries for a folder: each target with one of its look-alikes and the words that lead from it.

    Pictures that no look-alike has words for are passed over; `count` is how many queries are wanted.
    """
    if len(pictures) < 3:
        raise UsageError(f"{name}: a session needs pictures to choose from, and there are {len(pictures)}")
    rng = random.Random(f"starts {seed}")
    targets = rng.sample(range(len(pictures)), min(count, len(pictures)))
    contrasts = []
    for number, row in enumerate(targets):
        near = pictures.vectors @ pictures.vectors[row]
        order = [at for at in np.argsort(-near, kind="stable").tolist() if at != row and near[at] < _SAME]
        if order:
            reference = pictures.ids[rng.choice(order[:_NEAR])]
            query = Query(f"session-{number}", (Turn(picture=reference),))
            contrasts.append(Contrast(query, reference, pictures.ids[row], f"{seed} session-{number} 0"))
    cases = tuple(
        Case(
            query=Query(one.query.id, (Turn(picture=one.picked, text=text),)),
            truths=(one.wanted,),
            exclude=(one.picked,),
        )
        for one, text in zip(contrasts, tell(contrasts), strict=True)
        if text
    )
    if not cases:
        raise UsageError(f"{name}: no two pictures differ in anything that was put into words; add captions")
    return Benchmark(
        name=name, split="all", cases=cases, galleries={"": pictures.ids}, images=dict(files), protocol={}
    )
