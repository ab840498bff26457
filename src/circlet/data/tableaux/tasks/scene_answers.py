"""Scenes as answers: what leads from one to another much like it, and which others would do as well."""

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from circlet.data.tableaux.tasks.grades import Wish, facts
from circlet.data.tableaux.world.scene import Scene
from circlet.data.tableaux.world.truth import Need, changes

# Candidates of a question, those most like the one that is wanted, and where the first picture is from.
_CANDIDATES, _NEAR = 16, 12
# Nobody asks for more at once.
_MOST_NEEDS = 4


class SceneQuestion(NamedTuple):
    """A scene by its number, what is asked of it, and candidates with whether each answers in full."""

    reference: int
    needs: tuple[Need, ...]
    candidates: tuple[int, ...]
    answers: tuple[bool, ...]


def scene_questions(scenes: Sequence[Scene], count: int, seed: int = 0) -> Iterator[SceneQuestion]:
    """So many questions among scenes that are much alike; fewer where hardly any are.

    >>> from circlet.data.tableaux import Thing
    >>> crabs = [Scene(setting="beach", things=(Thing(kind="crab", count=n),)) for n in (1, 2, 3)]
    >>> asked = next(scene_questions(crabs, 1))
    >>> sorted((asked.reference, *asked.candidates)), len(asked.needs), sum(asked.answers)
    ([0, 1, 2], 1, 1)
    """
    chance, known = random.Random(f"scene questions {seed}"), [facts(scene) for scene in scenes]
    columns = {fact: column for column, fact in enumerate(sorted(set().union(*known)))}
    held = np.zeros((len(scenes), len(columns)), np.float32)
    for row, own in enumerate(known):
        held[row, [columns[fact] for fact in own]] = 1
    told, wanted = 0, list(range(len(scenes)))
    chance.shuffle(wanted)
    for target in wanted:
        if told == count:
            return
        # Most facts shared, least of one's own.
        alike = 2 * held @ held[target] - held.sum(axis=1)
        order = np.argsort(-alike, kind="stable")[: _CANDIDATES + 2].tolist()
        near = [one for one in order if one != target][: _CANDIDATES + 1]
        if not near:
            return
        reference = chance.choice(near[:_NEAR])
        needs = tuple(changes(scenes[reference], scenes[target]))
        wish = Wish(scenes[reference], needs)
        if not 0 < len(needs) <= _MOST_NEEDS or wish.grade(scenes[target]) < 1:
            continue
        candidates = (target, *(one for one in near if one != reference))[: _CANDIDATES + 1]
        answers = tuple(wish.grade(scenes[one], known[one]) == 1 for one in candidates)
        told += 1
        yield SceneQuestion(reference, needs, candidates, answers)
