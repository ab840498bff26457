"""Aspects: each is right by its scene graphs."""

import random

import pytest

from circlet.data.tableaux.tasks.trials import LONG, MAKERS, trial
from circlet.data.tableaux.world.families import SPLITS
from circlet.data.tableaux.world.grammar import parse
from circlet.data.tableaux.world.layout import placed
from circlet.data.tableaux.world.truth import changes, satisfies


@pytest.mark.parametrize("aspect", sorted(MAKERS))
@pytest.mark.parametrize("split", SPLITS)
def test_the_negative_fails_in_the_aspect(aspect: str, split: str) -> None:
    rng = random.Random(f"{aspect} {split}")
    for _ in range(3):
        one = trial(aspect, rng, split, set())
        needs = parse(one.sentence.text)
        assert satisfies(needs, one.reference, one.target)
        assert not satisfies(needs, one.reference, one.negative)
        if aspect == "statement_with_conjunction":
            assert len(one.sentence.text.split()) > LONG
            failed = [need for need in needs if not need.holds(one.reference, one.negative)]
            assert len(failed) < len(needs)
        else:
            assert len(needs) == 1


def test_the_negatives_of_negation_and_cardinality_are_what_the_paper_asks() -> None:
    rng = random.Random(3)
    kept = trial("negation", rng, "train", set())
    (need,) = parse(kept.sentence.text)
    assert kept.negative.count(need.kind) == kept.reference.count(need.kind) > kept.target.count(need.kind)
    counted = trial("cardinality", rng, "train", set())
    (need,) = parse(counted.sentence.text)
    numbers = {scene.count(need.kind) for scene in (counted.reference, counted.target, counted.negative)}
    assert len(numbers) == 3
    assert changes(counted.reference, counted.negative)[0].about == "count"


def test_numbers_go_to_ten_where_counting_is_tried_and_no_further_elsewhere() -> None:
    rng, seen = random.Random(4), set[str]()
    counted = [trial("cardinality", rng, "test", seen, most=10) for _ in range(40)]
    numbers = set()
    for one in counted:
        (need,) = parse(one.sentence.text)
        three = [scene.count(need.kind) for scene in (one.reference, one.target, one.negative)]
        assert len(set(three)) == 3
        assert need.count == three[1]
        numbers |= set(three)
        for scene in (one.reference, one.target, one.negative):
            assert sum(place.thing.kind == need.kind for place in placed(scene)) == scene.count(need.kind)
    assert numbers == set(range(1, 11))
    plain = [trial("cardinality", rng, "test", seen) for _ in range(20)]
    assert max(thing.count for one in plain for thing in one.target.things) <= 6


def test_an_aspect_goes_by_the_papers_name_as_well() -> None:
    made = trial("complex", random.Random(2), "train", set())
    assert made.aspect == "statement_with_conjunction"
    with pytest.raises(ValueError, match="nonsense"):
        trial("nonsense", random.Random(2), "train", set())
