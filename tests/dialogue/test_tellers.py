"""What simulated users say: by rule and by a server, within bounds."""

import pytest

from circlet.core import Query, Turn, UsageError
from circlet.dialogue.simulate import CaptionLikeness, Contrast
from circlet.dialogue.tellers import CaptionTeller, InstructTeller, one_sentence, prompt_for
from circlet.testing import ToyEncoder

CAPTIONS = {"a": "a red car", "b": "two blue cars, a dog, at night", "c": "a red car"}


def described(ids: "list[str]") -> list[str]:
    return [CAPTIONS[id] for id in ids]


def contrast(picked: str, wanted: str, *said: str) -> Contrast:
    return Contrast(Query("q", tuple(Turn(text=text) for text in said)), picked, wanted, "draw")


def test_by_rule_each_difference_is_said_once() -> None:
    tell = CaptionTeller(describe=described)  # type: ignore[arg-type]
    said: list[str] = []
    for _ in range(3):
        said += tell([contrast("a", "b", *said)])
    assert said == ["Set the scene at night", "Show two blue cars instead of one", "Add a dog"]
    assert tell([contrast("a", "c")]) == [""]


def test_a_model_sees_both_pictures_and_what_was_said() -> None:
    asked = []

    def ask(prompt: str, *pictures: object) -> str:
        asked.append((prompt, pictures))
        return '"Add a dog." It is there.'

    tell = CaptionTeller(describe=described, ask=ask, open=lambda id: f"<{id}>")  # type: ignore[arg-type]
    assert tell([contrast("a", "b", "Make it blue")]) == ["Add a dog"]
    ((prompt, pictures),) = asked
    assert pictures == ("<a>", "<b>")
    assert "- Make it blue" in prompt


def test_a_text_like_another_is_asked_for_again_and_not_without_end() -> None:
    answers = ["a dog", "the dog", "a cat", "a dog"]

    def ask(prompt: str, *pictures: object) -> str:
        return answers.pop(0)

    def alike(text: str, said: "tuple[str, ...]") -> float:
        return {"a dog": 0.99, "the dog": 0.9, "a cat": 0.85}[text]

    options = {"describe": described, "ask": ask, "open": str, "alike": alike}
    # All three tries are too similar: the least similar is taken, or the first if they are kept.
    assert CaptionTeller(**options)([contrast("a", "b", "dogs")]) == ["a cat"]  # type: ignore[arg-type]
    assert answers == ["a dog"]
    answers[:] = ["a dog", "the dog", "a cat"]
    kept = CaptionTeller(**options, keep_similar=True)  # type: ignore[arg-type]
    assert kept([contrast("a", "b", "dogs")]) == ["a dog"]


def test_instructions_are_as_long_and_as_narrow_as_asked() -> None:
    def by(**options: object) -> str:
        return InstructTeller(describe=described, **options)([contrast("a", "b")])[0]  # type: ignore[arg-type]

    assert by() == "Set the scene at night, and show two blue cars instead of one, and add a dog"
    assert by(words=10) == "Set the scene at night"
    assert by(aspect="cardinality") == "Show two blue cars instead of one"
    assert by(aspect="negation") == ""
    with pytest.raises(UsageError, match="cardinality, addition, negation, change, background"):
        by(aspect="mood")


def test_a_model_is_told_the_length_and_the_aspect() -> None:
    asked: list[str] = []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return " Add a dog\n"

    tell = InstructTeller(describe=described, ask=ask, words=10, aspect="addition")  # type: ignore[arg-type]
    assert tell([contrast("a", "b")]) == ["Add a dog"]
    assert "about 10 words" in asked[0]
    assert "addition only" in asked[0]
    assert CAPTIONS["b"] in asked[0]


def test_answers_become_one_sentence() -> None:
    assert one_sentence("- Make the 2.5 m boat red.\nThanks!") == "Make the 2.5 m boat red"
    assert one_sentence("  \n ") == ""
    assert "attempt 2" in prompt_for([], 2)


def test_likeness_by_captions_describes_each_picture_once() -> None:
    looked: list[str] = []

    def describe(ids: "list[str]") -> list[str]:
        looked.extend(ids)
        return [{"x": "red dog", "y": "blue dog", "z": "city"}[id] for id in ids]

    near = CaptionLikeness(describe, ToyEncoder().texts)  # type: ignore[arg-type]
    assert near("x", ["x", "y", "z"]) == pytest.approx([1, 0.5, 0])
    assert near("y", ["x", "z"]) == pytest.approx([0.5, 0])
    assert looked == ["x", "y", "z"]
