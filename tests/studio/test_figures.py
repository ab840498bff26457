"""The report's numbers: people who are always right, people who guess, and agreement by another package."""

import random
from pathlib import Path

import krippendorff
import numpy as np
import pytest

from circlet.studio import Desk, figures
from circlet.studio.figures import agreement
from tests.studio.projects import Clock, cirr, compare, desk, do, tens, verify


def retrieving(tmp_path: Path, subsets: int) -> Desk:
    return desk(cirr(tmp_path, subsets, caption="add a dog"), Clock())


def guess(opened: Desk, people: int, right: float, seed: int = 0) -> None:
    """Everybody chooses, right with this chance and else anything."""
    chance = random.Random(seed)
    for person in [opened.store.person() for _ in range(people)]:
        while item := opened.next(person, "retrieve"):
            candidates = item.shown["candidates"]
            place = candidates.index(item.truth["choice"])
            if chance.random() >= right:
                place = chance.randrange(len(candidates))
            opened.answer(person, item, {"choice": str(place)})


def test_always_right_is_a_hundred(tmp_path: Path) -> None:
    opened = retrieving(tmp_path, 2)
    guess(opened, 3, right=1)
    assert len(opened.store.answers()) == 54
    assert figures(opened).values["human Rsub@1"] == 100


def test_guessing_is_twenty(tmp_path: Path) -> None:
    opened = retrieving(tmp_path, 60)
    guess(opened, 3, right=0)
    assert len(opened.store.answers()) == 1620
    assert figures(opened).values["human Rsub@1"] == pytest.approx(20, abs=3)


@pytest.mark.parametrize("right", [0.0, 0.5, 0.9])
def test_agreement_is_what_the_krippendorff_package_says(tmp_path: Path, right: float) -> None:
    opened = retrieving(tmp_path, 4)
    guess(opened, 5, right=right, seed=3)
    answers = opened.store.answers(task="retrieve")
    people = sorted({one.person for one in answers})
    items = sorted({one.item.number for one in answers})
    table = np.full((len(people), len(items)), np.nan)
    names = sorted({one.answer["choice"] for one in answers})
    for one in answers:
        place = people.index(one.person), items.index(one.item.number)
        table[place] = names.index(one.answer["choice"])
    theirs = krippendorff.alpha(reliability_data=table, level_of_measurement="nominal")
    assert agreement(answers) == pytest.approx(theirs, abs=1e-9)
    assert figures(opened).values["α (nominal) in retrieve"] == pytest.approx(theirs, abs=1e-9)


def test_agreement_over_places_in_time(tmp_path: Path) -> None:
    opened = desk(tens(tmp_path), Clock())
    ann = opened.store.person()
    while do(opened, ann, "describe", {"text": "she looks up"}):
        pass
    chance = random.Random(1)
    for person in [opened.store.person() for _ in range(3)]:
        while item := opened.next(person, "find"):
            near = min(9, max(0, item.truth["place"] + chance.choice((0, 0, 1, -1))))
            opened.answer(person, item, {"choice": str(near)})
    answers = [one for one in opened.store.answers(task="find") if one.item.split == "val"]
    people = sorted({one.person for one in answers})
    items = sorted({one.item.number for one in answers})
    table = np.full((len(people), len(items)), np.nan)
    for one in answers:
        table[people.index(one.person), items.index(one.item.number)] = one.answer["place"]
    values = figures(opened).values
    for level in ("nominal", "interval"):
        theirs = krippendorff.alpha(reliability_data=table, level_of_measurement=level)
        assert values[f"α ({level}) in find, val"] == pytest.approx(theirs, abs=1e-9)


def test_time_throughput_acceptance_and_words(tmp_path: Path) -> None:
    opened = desk(cirr(tmp_path), Clock())
    ann, ben = opened.store.person(), opened.store.person()
    for number in range(4):
        do(opened, ann, "modify", {"text": f"add {number + 2} red dogs on the left"}, seconds=30)
    do(opened, ann, "modify", {"mark": "same"}, seconds=30)
    for _ in range(4):
        do(opened, ben, "extend", {"text0": "same breed", "none1": "1", "kind2": "no", "kind3": "covered"})
    first, second, *_ = opened.store.answers(task="modify")
    opened.review(first.number, "accepted")
    opened.review(second.number, "rejected", "too short")
    found = figures(opened)
    modify, extend, retrieve = found.tasks
    assert (modify.answers, modify.wanted, modify.people, modify.seconds) == (4, 9, 1, 30)
    assert modify.an_hour == pytest.approx(120)
    assert modify.accepted == 50
    assert (extend.answers, retrieve.wanted) == (3, 9)
    assert found.values["pairs with question 1"] == 100
    assert found.values["pairs with question 2"] == 0
    assert found.values["pairs marked “same”"] == 25
    assert found.values["acceptance"] == 50
    assert found.words is not None
    assert found.words.length == 7
    assert {one.what for one in found.beside} >= {"cardinality", "words in a text"}
    assert {one.person: one.acceptance for one in found.people} == {ann: 50, ben: None}


def test_judgements_and_verified_cases_are_counted(tmp_path: Path) -> None:
    opened = desk(compare(tmp_path / "a", attention=False), Clock())
    ann = opened.store.person()
    do(opened, ann, "compare", {"score1": "5", "score2": "2", "preferred": "1"})
    do(opened, ann, "compare", {"score1": "1", "score2": "4", "preferred": "1", "invalid": "1"})
    values = figures(opened).values
    assert values["queries called invalid"] == 50
    assert values["mean score"] == 3
    assert values["preferred set has the higher score"] == 50
    opened = desk(verify(tmp_path / "b"), Clock())
    ann = opened.store.person()
    do(opened, ann, "verify", {"verdict": "accept"})
    do(opened, ann, "verify", {"verdict": "fix", "text": "take both cups away"})
    do(opened, ann, "verify", {"verdict": "reject", "reason": "negative"})
    values = figures(opened).values
    assert [round(values[f"cases {name}"]) for name in ("accepted", "corrected", "rejected")] == [33, 33, 33]
