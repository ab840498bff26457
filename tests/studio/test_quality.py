"""Every rule of the quality script meets what it is for, and nothing else."""

from typing import Any

from circlet.studio import Answer, Item, flags, to_review
from circlet.studio.quality import by_answer

GOOD = "Add a second dog on the left"


def said(
    number: int, task: str, answer: dict[str, Any], *, person: str = "ann", item: int = 0, **more: Any
) -> Answer:
    asked = Item(
        id=str(item or number),
        number=item or number,
        task=task,
        shown={"reference": f"r{number}", "text": "add a dog", **more.pop("shown", {})},
        truth=more.pop("truth", {}),
        known=more.pop("known", False),
    )
    return Answer(
        number=number, item=asked, person=person, answer=answer, at=0, seconds=more.pop("seconds", 20.0)
    )


def rules(*answers: Answer) -> dict[int, list[str]]:
    return by_answer(flags(answers))


def test_a_good_answer_meets_no_rule() -> None:
    assert rules(said(1, "modify", {"text": GOOD}), said(2, "modify", {"mark": "same"})) == {}


def test_breaches_of_the_guidelines() -> None:
    bad = said(1, "modify", {"text": "Crop the cute dog out of the picture"})
    assert rules(bad) == {1: ["editing", "opinion"]}
    assert rules(said(1, "describe", {"text": "Unlike the others, it is open"})) == {1: ["others"]}
    assert rules(said(1, "verify", {"verdict": "fix", "text": "dog"})) == {1: ["short"]}


def test_too_fast_for_anybody_or_beside_what_others_need() -> None:
    assert rules(said(1, "modify", {"text": GOOD}, seconds=2)) == {1: ["fast"]}
    assert rules(said(1, "modify", {"mark": "same"}, seconds=2)) == {}
    slow = [said(number, "modify", {"text": f"{GOOD} {number}"}, seconds=100) for number in range(2, 8)]
    assert rules(said(1, "modify", {"text": GOOD}, seconds=15), *slow) == {1: ["fast"]}


def test_ticking_boxes_time_and_again() -> None:
    ticks = [said(number, "modify", {"mark": "irrelevant"}) for number in range(1, 5)]
    assert rules(*ticks, said(9, "modify", {"text": GOOD})) == {one.number: ["ticked"] for one in ticks}
    few = [said(number, "modify", {"text": f"{GOOD} {number}"}) for number in range(20, 30)]
    assert rules(*ticks, *few) == {}
    nothing = {"0": "[c] None existed", "1": "[c] None existed", "2": "[cr0] Nothing worth mentioning"}
    empty = nothing | {"3": "[cr1] Covered in query"}
    assert rules(*[said(number, "extend", empty) for number in range(1, 6)])[1] == ["ticked"]


def test_the_same_words_for_two_targets_of_a_reference() -> None:
    same = {"reference": "r"}
    one, two = (said(number, "modify", {"text": GOOD}, shown=same) for number in (1, 2))
    assert rules(one, two) == {1: ["twice"], 2: ["twice"]}
    assert rules(one, said(3, "modify", {"text": GOOD})) == {}


def test_four_questions_repeat_nothing_and_compare_nothing() -> None:
    none = {"1": "[c] None existed", "2": "[cr0] Nothing worth mentioning", "3": "[cr1] Covered in query"}
    assert rules(said(1, "extend", {"0": "add a dog", **none})) == {1: ["copied"]}
    sides = "The left image has a wall, the right image has a window"
    assert rules(said(1, "extend", {"0": sides, **none})) == {1: ["sides"]}


def test_disagreement_needs_a_majority() -> None:
    chose = [said(n, "retrieve", {"choice": c}, person=f"p{n}", item=7) for n, c in enumerate("aab", start=1)]
    assert rules(*chose) == {3: ["disagrees"]}
    split = [said(n, "retrieve", {"choice": c}, person=f"p{n}", item=7) for n, c in enumerate("abc", start=1)]
    assert rules(*split) == {}


def test_what_is_known_and_sums() -> None:
    wrong = said(1, "retrieve", {"choice": "a"}, truth={"choice": "b"}, known=True)
    assert rules(wrong) == {1: ["known"]}
    judged = {"scores": [1, 2], "preferred": 1, "valid": True, "wrong": 1}
    assert rules(said(1, "compare", judged)) == {1: ["attention"]}


def test_a_third_of_everybodys_answers_is_looked_at_by_chance() -> None:
    answers = [
        said(number, "modify", {"text": f"{GOOD} {number}"}, person=f"p{number % 4}")
        for number in range(1, 801)
    ]
    chosen = to_review(answers, share=0.3, seed=1)
    assert all(rules == ["chance"] for rules in chosen.values())
    for person in range(4):
        share = sum(number % 4 == person for number in chosen) / 200
        assert 0.2 < share < 0.4
    # More answers change nothing about those that were drawn before.
    assert to_review(answers[:100], share=0.3, seed=1).keys() == {n for n in chosen if n <= 100}
    assert to_review(answers, share=0, seed=1) == {}
