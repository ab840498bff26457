"""What clauses may state: what they can at all, of which of their things, and how likely."""

import numpy as np
import torch

from circlet.language.frame_facts import FrameFact
from circlet.language.frame_words import Vocabulary, mark
from circlet.models.encoders.sentences import Sentences
from circlet.models.frames.frame_hearing import STATEMENTS, FrameHearing, clause_rows, hear, number_of

NOUNS = Vocabulary({"dog": "dog", "dogs": "dog", "hut": "hut"}, {"beach": "beach"})
SENTENCES = Sentences()


def can(said: str, last: str = "") -> set[str]:
    _, able = clause_rows([mark(said, NOUNS, last)], SENTENCES)
    return {STATEMENTS[number].about for number in np.flatnonzero(able[0].numpy())}


def test_a_clause_states_only_what_its_things_allow() -> None:
    assert {"blurry", "setting", ""} <= can("all of it is murky")
    assert not can("all of it is murky") & {"half", "beside"}
    assert "half" in can("the dog is murky")
    assert not can("the dog is murky") & {"blurry", "hidden"}
    assert {"hidden", "half"} <= can("the dog is murky beside the hut")
    # "It" may be the thing before or the whole picture.
    assert {"blurry", "half"} <= can("it looks wonky to me", "dog")


def test_who_is_spoken_of_is_part_of_what_is_stated() -> None:
    clause = mark("the hut hides a part of the dog", NOUNS)
    covered, covers = (FrameFact("partly", *both) for both in (("dog", "hut"), ("hut", "dog")))
    assert STATEMENTS[number_of(covered, clause)] == ("partly", True)
    assert STATEMENTS[number_of(covers, clause)] == ("partly", False)
    assert STATEMENTS[number_of(FrameFact("near", "dog", "hut"), clause)] == ("near", False)
    assert number_of(None, clause) == len(STATEMENTS) - 1


def told(**logits: float) -> FrameHearing:
    """Hearing that says the same of every clause."""
    hearing = FrameHearing().eval()
    torch.nn.init.zeros_(hearing.states.weight)
    values = [logits.get(one.about or "nothing", -9.0) if not one.swapped else -9.0 for one in STATEMENTS]
    with torch.no_grad():
        hearing.states.bias.copy_(torch.tensor(values))
    return hearing


def test_what_may_be_meant_is_told_with_its_slots_the_likeliest_first() -> None:
    heard = hear(mark("the dog is far to the left", NOUNS), told(column=1.0, edge=2.0), SENTENCES)
    assert [fact.about for fact in heard] == ["edge", "column"]
    assert {fact.value for fact in heard} == {"left"}
    assert next(iter(heard.values())) > 0.7
    # What lacks a slot cannot be meant, and leaves its share in doubt.
    heard = hear(mark("the dog is far away", NOUNS), told(small=1.0, edge=2.0), SENTENCES)
    assert [fact.about for fact in heard] == ["small"]
    assert sum(heard.values()) < 0.3


def test_what_most_likely_states_nothing_is_not_heard() -> None:
    assert hear(mark("the dog sings", NOUNS), told(nothing=2.0, half=1.0), SENTENCES) == {}
    assert hear(mark("the dog sings", NOUNS), told(nothing=1.0, half=2.0), SENTENCES)
