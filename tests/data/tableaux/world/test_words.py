"""Words tell the truth: graph → text → parsed requirement → graph."""

import random

import pytest

from circlet.core import DataError
from circlet.data.tableaux.world.families import SPLITS, family
from circlet.data.tableaux.world.grammar import parse
from circlet.data.tableaux.world.truth import changes, satisfies
from circlet.data.tableaux.world.words import aspects, every_wording, say
from circlet.language import Aspect


@pytest.mark.parametrize("split", SPLITS)
def test_what_is_said_of_two_scenes_parses_back_to_what_holds_between_them(split: str) -> None:
    rng = random.Random(f"words {split}")
    seen: set[str] = set()
    texts = 0
    for _ in range(4):
        scenes = family(rng, split, 6, seen)
        for reference in scenes:
            for target in scenes:
                needs = changes(reference, target)
                if not needs:
                    assert reference is target or reference.key != target.key
                    continue
                rng.shuffle(needs)
                said = say(needs[:4], reference, rng, split)
                understood = parse(said.text)
                assert understood == said.needs, said.text
                assert satisfies(understood, reference, target), said.text
                assert not satisfies(understood, reference, reference), said.text
                texts += 1
    assert texts > 60


def test_every_wording_belongs_to_one_split_and_no_two_splits_share_one() -> None:
    owners: dict[str, set[str]] = {}
    for wording in every_wording():
        owners.setdefault(wording.words, set()).add(wording.split)
    assert {len(splits) for splits in owners.values()} == {1}
    assert {wording.split for wording in every_wording()} == set(SPLITS)


def test_the_nine_aspects_are_all_spoken_of() -> None:
    rng = random.Random(5)
    touched: set[str] = set()
    for _ in range(12):
        scenes = family(rng, "train", 6, set())
        for target in scenes[1:]:
            needs = changes(scenes[0], target)
            if needs:
                touched |= set(aspects(say(needs, scenes[0], rng, "train")))
    assert touched == set(Aspect)


def test_words_of_another_world_are_refused_by_name() -> None:
    with pytest.raises(DataError, match="no reading of 'paint it like Monet'"):
        parse("paint it like Monet")
