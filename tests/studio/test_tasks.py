"""Forms into answers and back, and what each refuses."""

from typing import Any

import pytest

from circlet.studio import TASKS, Item, Unfinished

SHOWN: dict[str, dict[str, Any]] = {
    "retrieve": {"candidates": list("abcde")},
    "find": {"pictures": list("abcdefghij")},
    "compare": {"set1": ["a"], "set2": ["b"]},
    "verify": {"text": "take it away"},
}
FOUR = {"text0": "The wooden table", "none1": "1", "kind2": "covered", "kind3": "words", "text3": "add grass"}
WHOLE: list[tuple[str, dict[str, str], dict[str, Any]]] = [
    ("modify", {"text": "  two   dogs ", "mark": ""}, {"text": "two dogs"}),
    ("modify", {"text": "", "mark": "irrelevant"}, {"mark": "irrelevant"}),
    (
        "extend",
        FOUR,
        {"0": "The wooden table", "1": "[c] None existed", "2": "[cr1] Covered in query", "3": "add grass"},
    ),
    ("retrieve", {"choice": "3"}, {"choice": "d"}),
    ("describe", {"text": "eyes shut"}, {"text": "eyes shut"}),
    ("describe", {"mark": "none"}, {"mark": "none"}),
    ("find", {"choice": "9"}, {"place": 9}),
    (
        "compare",
        {"score1": "4", "score2": "2", "preferred": "1"},
        {"scores": [4, 2], "preferred": 1, "valid": True},
    ),
    ("verify", {"verdict": "accept", "text": "take it away", "reason": ""}, {"verdict": "accept"}),
    ("verify", {"verdict": "fix", "text": "remove it"}, {"verdict": "fix", "text": "remove it"}),
    ("verify", {"verdict": "reject", "reason": "broken"}, {"verdict": "reject", "reason": "broken"}),
    ("study", {"found": "no"}, {"found": False}),
]
TORN: list[tuple[str, dict[str, str], str]] = [
    ("modify", {}, "sentence"),
    ("modify", {"text": "a dog", "mark": "same"}, "both"),
    ("modify", {"mark": "other"}, "sentence"),
    ("modify", {"text": "a " * 300}, "long"),
    ("extend", {**FOUR, "none0": "1"}, "question0"),
    ("extend", {**FOUR, "none1": ""}, "question1"),
    ("extend", {**FOUR, "text2": "lower"}, "question2"),
    ("extend", {**FOUR, "text3": ""}, "question3"),
    ("retrieve", {}, "choose"),
    ("retrieve", {"choice": "5"}, "choose"),
    ("describe", {}, "description"),
    ("find", {"choice": "-1"}, "choose"),
    ("compare", {"score1": "6", "score2": "1", "preferred": "1"}, "scores"),
    ("compare", {"score1": "5", "score2": "1"}, "preferred"),
    ("verify", {"verdict": "fix", "text": "take it away"}, "fix"),
    ("verify", {"verdict": "reject"}, "reason"),
    ("verify", {}, "verdict"),
    ("study", {}, "found"),
]


def item(task: str, **more: Any) -> Item:
    return Item(id="1", task=task, shown={**SHOWN.get(task, {}), **more})


@pytest.mark.parametrize(("task", "form", "answer"), WHOLE)
def test_a_whole_form_is_an_answer_and_the_answer_fills_the_form(
    task: str, form: dict[str, str], answer: dict[str, Any]
) -> None:
    said = TASKS[task].read(form, item(task))
    assert said == answer
    filled = TASKS[task].filled(said)
    if "picture" in filled:
        filled = {"choice": str(SHOWN[task]["candidates"].index(filled["picture"]))}
    assert TASKS[task].read(filled, item(task)) == answer


@pytest.mark.parametrize(("task", "form", "reason"), TORN)
def test_what_is_missing_is_named(task: str, form: dict[str, str], reason: str) -> None:
    with pytest.raises(Unfinished) as told:
        TASKS[task].read(form, item(task))
    assert told.value.reason == reason


def test_each_result_may_be_scored() -> None:
    asked = item("compare", results=True, set1=["a", "b"], set2=["c", "d"])
    form = {"score1_0": "5", "score1_1": "4", "score2_0": "1", "score2_1": "1", "preferred": "1"}
    said = TASKS["compare"].read(form, asked)
    assert said["results"] == [[5, 4], [1, 1]]
    assert said["scores"] == [4.5, 1.0]
    assert TASKS["compare"].read(TASKS["compare"].filled(said), asked) == said


def test_a_sum_now_and_then_shows_that_somebody_is_there() -> None:
    from circlet.studio.tasks.compare import attention

    asked = [item("compare", attention=True) for _ in range(60)]
    asked = [Item(id=str(n), task="compare", shown=one.shown) for n, one in enumerate(asked)]
    sums = [(one, attention(one, "ann")) for one in asked]
    some = [(one, two) for one, two in sums if two]
    assert 3 <= len(some) <= 20
    one, two = some[0]
    form = {"score1": "5", "score2": "1", "preferred": "1", "sum": str(sum(two)), "wrong": "2"}
    assert TASKS["compare"].read(form, one, "ann")["wrong"] == 2
    with pytest.raises(Unfinished) as told:
        TASKS["compare"].read({**form, "sum": "1"}, one, "ann")
    assert told.value.reason == "attention"


def test_words_that_look_like_a_tag_are_none() -> None:
    said = TASKS["extend"].read({**FOUR, "text0": "[c] None existed"}, item("extend"))
    assert said["0"] == "c] None existed"
    assert "c] None existed" in TASKS["extend"].words(said)
