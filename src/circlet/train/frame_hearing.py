"""Learning what clauses of descriptions state, from wordings that no description is made of."""

from collections.abc import Sequence

import torch
from torch.nn import functional

from circlet.data.tableaux.tasks.frame_wordings import frame_lessons
from circlet.models.frames.frame_hearing import FrameHearing, taught
from circlet.models.frames.frame_reader import Known

WRITERS = ("one", "two", "three", "four", "five")
# Lessons of each wording, and how hearing is learned from them: all of them at each step.
_EACH, _STEPS, _RATE, _DECAY = 2, 100, 2e-2, 0.1


def learn_frame_hearing(
    known: Known, whose: Sequence[str] = (*WRITERS, "train"), seed: int = 0
) -> FrameHearing:
    """What these writers' wordings state, learned: `learn_frame_hearing(known())`."""
    torch.manual_seed(seed)
    hearing = FrameHearing()
    rows, able, states = taught(tuple(frame_lessons(whose, _EACH, seed)), known.vocabulary)
    optimizer = torch.optim.AdamW(hearing.parameters(), lr=_RATE, weight_decay=_DECAY)
    for step in range(_STEPS):
        for group in optimizer.param_groups:
            group["lr"] = _RATE * (1 - step / _STEPS)
        optimizer.zero_grad()
        functional.cross_entropy(hearing(rows, able), states).backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    return hearing.eval()


def heard_right(hearing: FrameHearing, known: Known, whose: Sequence[str], seed: int = 0) -> float:
    """How many of these writers' clauses are heard as what they state, in 100."""
    rows, able, states = taught(tuple(frame_lessons(whose, 1, seed)), known.vocabulary)
    with torch.no_grad():
        return 100 * float((hearing(rows, able).argmax(1) == states).float().mean())
