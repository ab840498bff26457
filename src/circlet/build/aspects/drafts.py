"""What is made of one caption for one aspect, or why nothing is."""

import random
from collections.abc import Callable
from typing import NamedTuple

from circlet.build.aspects.sources import CaptionSource
from circlet.data.tableaux.world.scene import Scene
from circlet.language import Aspect


class Draft(NamedTuple):
    """An instruction that leads from the reference to the target and not to the hard negative.

    The three are captions; `scenes` are target and hard negative where they can be drawn. `maker` is
    who made it, where that is not who was asked.
    """

    reference: str
    instruction: str
    target: str
    negative: str
    scenes: tuple[Scene, Scene] | None = None
    maker: str = ""


class Refusal(NamedTuple):
    """Why a caption gave nothing: a reason that can be counted, and what was special this time."""

    reason: str
    detail: str = ""


Drafted = Draft | Refusal
# Makes a draft for an aspect; whatever is left to chance is drawn from the generator given.
Drafter = Callable[[CaptionSource, Aspect, random.Random], Drafted]
