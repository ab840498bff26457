"""Cases from scenes: the graph is known, so what is asked for and what is not can both be drawn."""

import random

from circlet.build.aspects.drafts import Draft, Drafted, Refusal
from circlet.build.aspects.sources import CaptionSource
from circlet.data.tableaux.tasks.trials import trial_of
from circlet.data.tableaux.world.words import caption
from circlet.language import Aspect

_TRIES = 12


def by_scene(source: CaptionSource, aspect: Aspect, rng: random.Random) -> Drafted:
    """A draft from a tableaux scene, in the wordings of its split.

    >>> from pathlib import Path
    >>> by_scene(CaptionSource("a", "a dog", Path("a.jpg")), Aspect.NEGATION, random.Random(0)).reason
    'no scene of the tableaux world'
    """
    if source.scene is None:
        return Refusal("no scene of the tableaux world")
    for _ in range(_TRIES):
        made = trial_of(aspect, source.scene, rng, source.split)
        if made is not None:
            scenes = (made.target, made.negative)
            target, negative = map(caption, scenes)
            return Draft(source.caption, made.sentence.text, target, negative, scenes)
    return Refusal("no such change can be drawn from this scene")
