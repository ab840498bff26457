"""Wordings of facts: what hearing is learned from is no wording of val or test, and says what it states."""

import re

import pytest

from circlet.data.tableaux.tasks.frame_wordings import NOTHING, every_wording, filled, frame_lessons
from circlet.language.frame_facts import ABOUTS, OVERALL, WITH_OTHER, FrameFact

LESSONS = every_wording("frame_lessons.tsv")
SLOTS = {"count": {"number"}, "arrived": {"number"}, "left": {"number"}, "colour": {"colour"}}
SLOTS |= {about: {"side"} for about in ("beside", "cut", "edge", "facing", "turned")}
SLOTS |= {"column": {"at"}, "setting": {"where"}}


def plain(words: str) -> str:
    """A wording in the singular, whichever way its thing is called."""
    return re.sub(r"<+([^/>]*)/([^>]*)>+", r"\1", words).lower().replace("{one}", "{noun}")


def test_nobody_learns_from_a_wording_of_val_or_test() -> None:
    held_out = {plain(words) for _, split, words in every_wording() if split != "train"}
    assert len(held_out) > 200
    assert not held_out & {plain(words) for _, _, words in LESSONS}


def test_every_writer_teaches_every_fact() -> None:
    for writer in {whose for _, whose, _ in LESSONS}:
        taught = {about for about, whose, _ in LESSONS if whose == writer}
        assert taught - {NOTHING} == set(ABOUTS), writer
    assert len(set(LESSONS)) == len(LESSONS)


@pytest.mark.parametrize("about", ABOUTS)
def test_wordings_name_what_their_fact_needs(about: str) -> None:
    for words in (words for subject, _, words in LESSONS if subject == about):
        slots = set(re.findall(r"\{(\w+)\}", words))
        assert slots >= SLOTS.get(about, set()), words
        assert ("other" in slots) == (about in WITH_OTHER), words
        of_whole = about in OVERALL or about in ("setting", "time", "weather")
        assert bool(slots & {"noun", "one", "nouns"}) != of_whole, words
        assert not re.search(r"[{}<>]", filled(words, _some(about), many=True, others=False)[0]), words


def _some(about: str) -> FrameFact:
    values = {"colour": "red", "setting": "beach", "time": "night", "weather": "rain", "column": "left"}
    return FrameFact(about, "dog", "house", values.get(about, "right"), 2)


def test_lessons_are_the_same_twice_and_speak_of_what_was_named_before() -> None:
    lessons = list(frame_lessons(["one"], 2))
    assert lessons == list(frame_lessons(["one"], 2))
    assert len(lessons) == 2 * sum(whose == "one" for _, whose, _ in LESSONS)
    again = [one for one in lessons if one.fact and one.last and one.last == one.fact.kind]
    assert len(again) > len(lessons) / 10
    assert all(re.search(r"\b([Ii]t|[Tt]hey|them)\b", one.words) for one in again)
    assert all(one.fact is None for one in frame_lessons(["one"], 1) if "dinner" in one.words)
