"""Hearing that was learned understands writers whom it never read, better than rules do."""

import pytest

from circlet.data.tableaux.tasks.frame_wordings import frame_lessons
from circlet.language.frame_words import by_rules, mark
from circlet.models.frames.frame_hearing import FrameHearing
from circlet.train.frame_hearing import heard_right, learn_frame_hearing
from circlet.train.frames import known

KNOWN = known()


@pytest.fixture(scope="module")
def hearing() -> FrameHearing:
    return learn_frame_hearing(KNOWN, ("two", "train"))


def by_rules_right(whose: str) -> float:
    lessons = list(frame_lessons([whose], 1))
    heard = [next(iter(by_rules(mark(one.words, KNOWN.vocabulary, one.last))), None) for one in lessons]
    return 100 * sum(one.fact == fact for one, fact in zip(lessons, heard, strict=True)) / len(lessons)


def test_another_writer_is_understood_better_than_by_rules(hearing: FrameHearing) -> None:
    assert heard_right(hearing, KNOWN, ["three"]) > by_rules_right("three") + 10


def test_the_wordings_of_val_are_understood_as_well_as_by_the_rules_that_were_made_for_them(
    hearing: FrameHearing,
) -> None:
    assert heard_right(hearing, KNOWN, ["val"]) > by_rules_right("val") - 1
