"""Wordings of changes: what hearing is learned from is no wording of val or test, and says what it states."""

import re

import pytest

from circlet.data.tableaux.tasks.frame_wordings import NOTHING, every_wording
from circlet.data.tableaux.tasks.scene_wordings import (
    JOIN,
    OPENING,
    WRITERS,
    Change,
    scene_lessons,
    scene_pieces,
    scene_texts,
)
from circlet.data.tableaux.world.words import every_wording as every_query_wording
from circlet.models.scenes.needs import ABOUTS

LESSONS = every_wording("scene_lessons.tsv")
SLOTS = {
    "count": {"number"}, "tone": {"tone"}, "hair": {"hair"}, "sign": {"word"}, "facing": {"side"},
    "replace": {"thing", "old"}, "left of": {"the", "other"},
}  # fmt: skip


def plain(words: str) -> str:
    """A wording in the singular, whichever way its thing is called."""
    singular = re.sub(r"<+([^/>]*)/([^>]*)>+", r"\1", words).lower().strip(" .!")
    return re.sub(r"\{(the|noun|nouns|one)\}", "{noun}", singular.replace("the {noun}", "{the}"))


def test_nobody_learns_from_a_wording_of_val_or_test() -> None:
    own = every_query_wording()
    held_out = {plain(one.words) for one in own if one.split != "train"}
    held_out -= {plain(one.words) for one in own if one.split == "train"}
    assert len(held_out) > 100
    # Told by their numbers only: whoever mends the table does not read what is held out.
    taught = [at for at, (_, _, words) in enumerate(LESSONS) if plain(words) in held_out]
    assert not taught


def test_every_writer_teaches_every_need() -> None:
    for writer in WRITERS:
        taught = {about for about, whose, _ in LESSONS if whose == writer}
        assert taught == {*ABOUTS, NOTHING, JOIN, OPENING}, writer
    assert len(set(LESSONS)) == len(LESSONS)


@pytest.mark.parametrize("about", SLOTS)
def test_wordings_name_what_their_need_needs(about: str) -> None:
    for words in (words for subject, _, words in LESSONS if subject == about):
        assert set(re.findall(r"\{(\w+)\}", words)) >= SLOTS[about], words


def test_slots_are_filled_and_lessons_are_the_same_twice() -> None:
    lessons = list(scene_lessons(WRITERS, 1))
    assert lessons == list(scene_lessons(WRITERS, 1))
    assert not [one.words for one in lessons if re.search(r"[{}<>]", one.words)]
    assert {one.need.about for one in lessons if one.need} == set(ABOUTS)


def test_texts_ask_for_what_their_clauses_do() -> None:
    (text, needs), (pieces,) = next(scene_texts(["two"], 1, seed=3)), scene_pieces(["two"], 1, seed=3)
    assert text == "".join(one.words if isinstance(one, Change) else one for one in pieces)
    assert needs == tuple(one.need for one in pieces if isinstance(one, Change))
    idle = [
        one for several in scene_pieces(["two"], 20, idle=1.0) for one in several if isinstance(one, Change)
    ]
    assert {one.need for one in idle} == {None}
