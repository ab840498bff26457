"""Any text at all is heard at once: long ones, odd ones, and such as go round in circles."""

import random
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from circlet.language import aspects, parse_edit, understand
from circlet.language.tagging import words

LETTERS = 10_000
WORDS = (
    *words(
        "no not without a the dog cats and but remove all except one two instead of is are red bigger with "
        "on in missing gone less more to change into make it as many half never neither nor take off out "
        "away where was from"
    ),
    ",", ".", ";", "\n",
)  # fmt: skip
ROUNDS = (
    "a", "a ", ",", "no a, ", "not ", "not without ", "but ", "a\n", "no a\n", " ", ".", "a.", "-", "'", '"',
    "add a boat\nremove the boat\n", "(", "1", "1 ", "one of ", "a instead of ", "change from a to ",
    "all but ", "the ", "a -> ", "less a with ", "is not ", "aaa-free ", "dog and cat, ", "x where y was ",
    "has been ", "same seen from ", "remove a or b, ", "No dogs. ", "do not remove not without no ", "é",
    "\u200b", "你好 ", "the dog is the dog is ", "let the dog have the dog be ",
)  # fmt: skip


def _heard(text: str) -> float:
    """The processor time to hear a text, the best of three, so that a busy machine does not count."""
    spent = []
    for _ in range(3):
        parse_edit.cache_clear()
        started = time.process_time()
        intent = understand(text)
        aspects(text)
        spent.append(time.process_time() - started)
        assert isinstance(intent.wanted, str)
        assert all(isinstance(gone, str) for gone in intent.unwanted)
    return min(spent)


@pytest.mark.parametrize("again", ROUNDS)
def test_the_same_words_over_and_over_are_heard_at_once(again: str) -> None:
    assert _heard((again * LETTERS)[:LETTERS]) < 0.05


@given(st.integers(0, 2**32))
@settings(deadline=None, max_examples=30)
def test_ten_thousand_letters_of_words_in_any_order_are_heard_at_once(seed: int) -> None:
    chance = random.Random(seed)
    assert _heard(" ".join(chance.choice(WORDS) for _ in range(LETTERS // 4))[:LETTERS]) < 0.05


@given(st.integers(0, 2**32))
@settings(deadline=None, max_examples=20)
def test_ten_thousand_letters_of_any_script_are_heard_at_once(seed: int) -> None:
    chance = random.Random(seed)
    assert _heard("".join(chr(chance.randrange(1, 0xD7FF)) for _ in range(LETTERS))) < 0.05


@given(st.text())
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_unicode_is_heard_at_once(text: str) -> None:
    assert _heard(text) < 0.05
