"""Any graph the builder can produce can be drawn and described, and is drawn the same every time."""

import hashlib
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import circlet
from circlet.core import DataError
from circlet.data.tableaux import Scene, Thing, encoded, kind, kinds, render
from circlet.data.tableaux import settings as every_setting
from circlet.data.tableaux.draw.art import drawing, measured
from circlet.data.tableaux.world.families import SPLITS, belongs, edited, family, random_scene
from circlet.data.tableaux.world.layout import LEAST_VISIBLE, placed, visible
from circlet.data.tableaux.world.settings import TIMES, WEATHERS
from circlet.data.tableaux.world.truth import changes, satisfies
from circlet.data.tableaux.world.words import caption, say

CAR = Scene(
    setting="street",
    things=(
        Thing(kind="car", count=2, colour="blue", facing="left"),
        Thing(kind="bee", facing="left", depth="back"),
    ),
    time="sunset",
    weather="rain",
    jitter=7,
)


def test_the_world_is_as_rich_as_it_says() -> None:
    assert len(kinds()) >= 150
    assert len({each.family for each in kinds().values()}) >= 12
    assert len(every_setting()) >= 15
    assert len(TIMES) + len(WEATHERS) >= 5


@settings(max_examples=25, deadline=None)
@given(some.integers(0, 10**6), some.sampled_from(SPLITS))
def test_any_scene_and_any_edit_of_it_is_drawn_and_described(seed: int, split: str) -> None:
    rng = random.Random(seed)
    scene = random_scene(rng, split)
    other = edited(scene, rng, split)
    assert other is not None
    assert scene.faults() == other.faults() == []
    assert belongs(scene, split)
    assert visible(placed(scene)) >= LEAST_VISIBLE
    assert render(other).size == (224, 224)
    for thing in scene.things:
        assert thing.of.named(thing.count) in caption(scene)
    needs = changes(scene, other)
    assert needs
    assert satisfies(needs, scene, other)
    assert not satisfies(needs, scene, scene)
    assert say(needs, scene, rng, split).text
    assert Scene.from_dict(scene.to_dict()) == scene


def test_a_scene_gives_the_same_bytes_in_another_process() -> None:
    code = (
        "import hashlib; from circlet.data.tableaux import *; "
        f"print(hashlib.sha256(encoded(render(Scene.from_dict({CAR.to_dict()!r})))).hexdigest())"
    )
    source = str(Path(circlet.__file__).parents[1])
    there = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": source}
    )
    here = hashlib.sha256(encoded(render(CAR))).hexdigest()
    assert there.stdout.strip() == here


def test_jitter_moves_the_picture_and_not_the_meaning() -> None:
    moved = replace(CAR, jitter=8)
    assert moved.key == CAR.key
    assert encoded(render(moved)) != encoded(render(CAR))
    assert replace(CAR, time="night").key != CAR.key


def test_larger_pictures_show_the_same_scene() -> None:
    large = render(CAR, 448).resize((224, 224))
    small = render(CAR)
    difference = sum(abs(a - b) for a, b in zip(large.tobytes(), small.tobytes(), strict=True))
    assert difference / len(small.tobytes()) < 12


@pytest.mark.parametrize(
    ("scene", "fault"),
    [
        (replace(CAR, setting="kitchen", time="day", weather="clear"), "no car on a kitchen table"),
        (CAR.changed("car", colour="plaid"), "car cannot have colour 'plaid'"),
        (CAR.changed("car", count=11), "11 × car"),
        (replace(CAR, weather="hail"), "no weather 'hail'"),
        (replace(CAR, things=(CAR.things[0], Thing(kind="bus", colour="red", facing="left"))), "one spot"),
    ],
)
def test_an_impossible_scene_is_refused_with_its_fault(scene: Scene, fault: str) -> None:
    with pytest.raises(DataError, match=fault):
        render(scene)


def test_an_unknown_kind_is_refused_by_name() -> None:
    with pytest.raises(DataError, match="'unicycle'"):
        kind("unicycle")


def test_the_table_of_kinds_knows_the_shape_of_its_art() -> None:
    sample = random.Random(1).sample(list(kinds().values()), 24)
    assert {each.name: measured(each) for each in sample} == {each.name: each.shape for each in sample}


def test_every_kind_has_art_in_every_skin_tone_and_its_paint_is_in_it() -> None:
    for each in kinds().values():
        tones = each.tones or ("",)
        for tone in tones:
            plain = Thing(kind=each.name, tone=tone, hair=each.hairs[0] if each.hairs else "")
            drawn = {drawing(replace(plain, colour=colour)) for colour in each.colours or ("",)}
            assert len(drawn) == max(1, len(each.colours)), each.name


def test_a_family_looks_alike_and_repeats_nobody() -> None:
    seen: set[str] = set()
    rng = random.Random(2)
    one, two = family(rng, "train", 12, seen), family(rng, "train", 12, seen)
    keys = [scene.key for scene in one + two]
    assert len(set(keys)) == 24 == len(seen)
    assert all(set(scene.kinds) & set(one[0].kinds) or len(scene.kinds) < 3 for scene in one)
