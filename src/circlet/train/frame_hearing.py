"""Learning what clauses of descriptions state, from wordings that no description is made of."""

from collections.abc import Sequence

import torch

from circlet.data.tableaux.tasks.frame_wordings import frame_lessons
from circlet.models.frames.frame_hearing import FrameHearing, taught
from circlet.models.frames.frame_reader import Known
from circlet.train.statements import learned

WRITERS = ("one", "two", "three", "four", "five")
# Lessons of each wording.
_EACH = 2


def learn_frame_hearing(
    known: Known, whose: Sequence[str] = (*WRITERS, "train"), seed: int = 0
) -> FrameHearing:
    """What these writers' wordings state, learned: `learn_frame_hearing(known())`."""
    torch.manual_seed(seed)
    rows, able, states = taught(tuple(frame_lessons(whose, _EACH, seed)), known.vocabulary)
    return learned(FrameHearing(), rows, able, states)


def heard_right(hearing: FrameHearing, known: Known, whose: Sequence[str], seed: int = 0) -> float:
    """How many of these writers' clauses are heard as what they state, in 100."""
    rows, able, states = taught(tuple(frame_lessons(whose, 1, seed)), known.vocabulary)
    with torch.no_grad():
        return 100 * float((hearing(rows, able).argmax(1) == states).float().mean())
