"""What is made of a caption: by rule, by a model's answer, by a scene."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from circlet.build.aspects import CaptionSource, Draft, Refusal, by_scene, by_server, by_template
from circlet.build.aspects.prompts import KINDS, prompt, read_answer
from circlet.data.tableaux import Scene, Thing
from circlet.data.tableaux.tasks.trials import LONG, MAKERS
from circlet.data.tableaux.world.grammar import parse
from circlet.data.tableaux.world.truth import satisfies
from circlet.language import Aspect

DOGS = "two brown dogs on the grass with a red ball and a stick"


def source(caption: str, **more: object) -> CaptionSource:
    return CaptionSource("a", caption, Path("a.jpg"), **more)  # type: ignore[arg-type]


def draft(caption: str, aspect: str, seed: int = 0) -> Draft:
    made = by_template(source(caption), Aspect(aspect), random.Random(seed))
    assert isinstance(made, Draft), made
    return made


def test_a_number_is_changed_where_one_is_said() -> None:
    made = draft(DOGS, "cardinality")
    assert made.reference == DOGS
    first = {text.split()[0] for text in (made.reference, made.target, made.negative)}
    assert len(first) == 3
    assert made.target.split()[0] in made.instruction
    assert made.target.split()[1:] == made.negative.split()[1:] == DOGS.split()[1:]


def test_a_thing_that_is_not_counted_is_counted_by_template() -> None:
    made = draft("a cat asleep", "cardinality", seed=3)
    texts = (made.reference, made.target, made.negative)
    assert all(text.startswith("a photograph of ") and "cat" in text for text in texts)
    assert len(set(texts)) == 3


def test_what_is_taken_away_is_gone_from_the_target_alone() -> None:
    for seed in range(8):
        made = draft(DOGS, "negation", seed)
        gone = next(thing for thing in ("ball", "stick") if thing in made.instruction)
        assert gone not in made.target
        assert gone in made.negative
        assert len(made.negative) < len(DOGS)


def test_a_dress_is_no_background() -> None:
    made = draft("a woman in a red dress on the street", "background")
    assert "in a red dress" in made.target
    assert "street" not in made.target
    assert made.target.removeprefix("a woman in a red dress ") in made.instruction


def test_a_long_instruction_is_wholly_kept_by_the_target_and_not_by_the_negative() -> None:
    made = draft(DOGS, "complex")
    assert len(made.instruction.split()) > LONG
    assert made.target.startswith(made.negative)
    assert made.target != made.negative


@pytest.mark.parametrize(
    ("aspect", "caption", "why"),
    [
        ("cardinality", "sunset", "nothing that can be counted"),
        ("negation", "a cat", "too few things"),
        ("change", "sunset", "no colour and no thing"),
        ("viewpoint", "a cat", "no template for this aspect"),
    ],
)
def test_a_caption_that_gives_nothing_is_refused_with_the_reason(aspect: str, caption: str, why: str) -> None:
    made = by_template(source(caption), Aspect(aspect), random.Random(0))
    assert isinstance(made, Refusal)
    assert why in made.reason


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60), st.sampled_from(sorted(MAKERS)), st.integers(0, 99))
def test_any_caption_is_drafted_or_refused(caption: str, aspect: Aspect, seed: int) -> None:
    made = by_template(source(" ".join(caption.split()).strip(" .")), aspect, random.Random(seed))
    if isinstance(made, Draft):
        assert len({made.reference, made.target, made.negative}) == 3, made
        assert made.instruction.strip()


GOOD = {"instruction": "add a cup", "target": "a dog and a cup", "hard_negative": "a dog and a plate"}


@pytest.mark.parametrize(
    ("answer", "aspect", "why"),
    [
        ("I would add a cup.", "addition", "no JSON object"),
        ("{broken", "addition", "no JSON object"),
        (json.dumps({"refused": "nothing there"}), "negation", "the model refused"),
        (json.dumps(GOOD | {"target": 3}), "addition", "lacks a text"),
        (json.dumps(GOOD | {"target": " "}), "addition", "lacks a text"),
        (json.dumps(GOOD | {"target": "A dog."}), "addition", "are the same"),
        (json.dumps(GOOD | {"target": "dog " * 200}), "addition", "more than 120 words"),
        (json.dumps(GOOD), "complex", "25 words or fewer"),
    ],
)
def test_an_answer_that_cannot_be_used_says_why(answer: str, aspect: str, why: str) -> None:
    made = read_answer(answer, "a dog", Aspect(aspect))
    assert isinstance(made, Refusal)
    assert why in made.reason


@pytest.mark.parametrize("around", ["{}", "Sure, here:\n```json\n{}\n```\nDone.", "{{\n{}"])
def test_an_object_is_found_in_whatever_stands_around_it(around: str) -> None:
    answer = around.replace("{}", json.dumps(GOOD)).replace("{{", "{x")
    made = read_answer(answer, "a dog", Aspect.ADDITION)
    assert made == Draft("a dog", "add a cup", "a dog and a cup", "a dog and a plate")


def test_every_aspect_but_numbers_has_a_prompt_of_its_own() -> None:
    assert set(KINDS) == set(MAKERS) - {Aspect.CARDINALITY}
    assert len({prompt("a dog", aspect) for aspect in KINDS}) == len(KINDS)

    def never(text: str) -> str:
        raise AssertionError(text)

    made = by_server(never)(source("two dogs"), Aspect.CARDINALITY, random.Random(0))
    assert isinstance(made, Draft)


def test_a_scene_gives_scenes_that_hold_and_fail() -> None:
    things = (
        Thing(kind="dog", colour="brown", facing="left", column="left"),
        Thing(kind="car", colour="red", facing="left", column="right"),
    )
    scene = Scene(setting="park", things=things)
    for aspect in MAKERS:
        for seed in range(4):
            made = by_scene(source("x", scene=scene, split="train"), aspect, random.Random(seed))
            if isinstance(made, Draft):
                assert made.scenes is not None
                needs = parse(made.instruction)
                assert [satisfies(needs, scene, other) for other in made.scenes] == [True, False]
