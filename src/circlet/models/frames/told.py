"""Facts that gauges say outright: how well each holds of what is seen, which is which in a mirror."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from circlet.core import Vectors
from circlet.language.frame_facts import OF_FILMS, OF_ONE, OVERALL, Degrees, FrameFact, Series, degrees

_OTHER_SIDE = {"left": "right", "right": "left"}
# The number of each fact as a mirror has it, and whether it is about where things face.
IN_MIRROR = [OF_ONE.index(replace(fact, value=_OTHER_SIDE.get(fact.value, fact.value))) for fact in OF_ONE]
OF_FACING = [fact.about in ("facing", "turned") for fact in OF_ONE]


def held(seen: Vectors, looks: Vectors, in_time: bool) -> tuple[Vectors, Vectors]:
    """How well facts hold of what is seen (pictures, things, SEEN): of one thing each, and of the wholes.

    The first is (things × pictures, OF_ONE), NaN where the pictures' order would have to be time; the other
    (pictures, OVERALL).
    """
    things = {str(at): seen[:, at].astype(np.float64) for at in range(seen.shape[1])}
    series = Series(things, looks.astype(np.float64), bool(in_time))
    unknown = np.full(len(looks), np.nan)

    def rows(facts: Sequence[FrameFact]) -> Vectors:
        found = (degrees(fact, series) for fact in facts)
        return np.stack([unknown if one is None else one for one in found], -1).astype(np.float32)

    with np.errstate(invalid="ignore"):
        of_things = [rows([replace(fact, kind=kind) for fact in OF_ONE]) for kind in things]
        return np.concatenate(of_things), rows([FrameFact(about) for about in OVERALL])


def as_told(
    facts: Degrees, overall: Degrees, kinds: Sequence[str], *, in_time: bool
) -> dict[FrameFact, Degrees]:
    """The degrees that gauges say, (kinds, pictures, OF_ONE) and (pictures, OVERALL), each with its fact."""
    told = {FrameFact(about): overall[:, column] for column, about in enumerate(OVERALL)}
    for row, kind in enumerate(kinds):
        for column, (fact, of_films) in enumerate(zip(OF_ONE, OF_FILMS, strict=True)):
            if in_time or not of_films:
                told[replace(fact, kind=kind)] = facts[row, :, column]
    return told
