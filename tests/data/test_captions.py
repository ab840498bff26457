"""Pictures with words: tables, files beside them, words inside them, and everything that can be wrong."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from circlet.core import DataError, UsageError
from circlet.data.captions import OwnCaptions, own_captions, read_captions
from circlet.data.tableaux.files import write_scenes
from circlet.data.tableaux.tasks.sayings import CHANGES, TableauxCaptions, asked, facts, part
from circlet.data.tableaux.world.families import random_scene
from circlet.data.tableaux.world.grammar import parse
from circlet.data.tableaux.world.truth import satisfies


def picture(path: Path, **how: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (8, 8), "red").save(path, **how)
    return path


def test_a_table_with_several_captions_and_columns_of_any_name(tmp_path: Path) -> None:
    for name in ("a.jpg", "shop/b.jpg"):
        picture(tmp_path / name)
    (tmp_path / "captions.csv").write_text(
        'Image,Title,Tags,split\na.jpg,a red mug,"mug, red",train\na.jpg,a cup,,train\n'
        'b,"one, boot",boot,val\n',
        encoding="utf-8",
    )
    found, problems = read_captions(tmp_path)
    assert not problems
    assert {one.id: one.texts for one in found} == {
        "a.jpg": ("a red mug", "mug, red", "a cup"),
        "shop/b.jpg": ("one, boot", "boot"),
    }
    assert [one.split for one in found] == ["train", "val"]


def test_lines_of_json_and_what_is_passed_over(tmp_path: Path) -> None:
    picture(tmp_path / "pictures" / "a.jpg")
    table = tmp_path / "mine.jsonl"
    lines = [
        {"file": "a.jpg", "captions": ["one", "two"]},
        {"file": "b.jpg", "caption": "gone"},
        {"file": "a.jpg"},
        {"file": "a.jpg", "caption": "three", "split": "holdout"},
    ]
    table.write_text("\n".join([*map(json.dumps, lines), "{"]) + "\n", encoding="utf-8")
    found, problems = read_captions(table, tmp_path / "pictures")
    assert [one.texts for one in found] == [("one", "two")]
    said = "\n".join(map(str, problems))
    assert "line 2: 'b.jpg' is no picture of the folder; is it 'a.jpg'?" in said
    assert "line 3: no text; name the column one of caption" in said
    assert "line 4: split is 'holdout', not one of train, val, test" in said
    assert "line 5: not JSON" in said


def test_words_beside_the_pictures_and_inside_them(tmp_path: Path) -> None:
    picture(tmp_path / "beside.jpg")
    (tmp_path / "beside.txt").write_text("a boat\non a lake\n", encoding="utf-8")
    exif = Image.Exif()
    exif[0x010E] = "a lighthouse"
    picture(tmp_path / "inside.jpg", exif=exif)
    packet = (
        '<x:xmpmeta xmlns:x="adobe:ns:meta/">'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/">'
        "<rdf:Description><dc:description><rdf:Alt><rdf:li>a café "
        "at night</rdf:li></rdf:Alt></dc:description><dc:subject><rdf:Bag><rdf:li>café</rdf:li>"
        "<rdf:li>night</rdf:li></rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>"
    )
    picture(tmp_path / "packet.webp", xmp=packet.encode())
    noisy = Image.Exif()
    noisy[0x010E] = "OLYMPUS DIGITAL CAMERA"
    picture(tmp_path / "noise.jpg", exif=noisy)
    (tmp_path / "broken.jpg").write_bytes(b"\xff\xd8\xff")
    found, problems = read_captions(tmp_path)
    assert {one.id: one.texts for one in found} == {
        "beside.jpg": ("a boat", "on a lake"),
        "inside.jpg": ("a lighthouse",),
        "packet.webp": ("a café at night", "café, night"),
    }
    assert [problem.where for problem in problems] == ["broken.jpg"]


def test_a_packet_that_would_swell_is_passed_by(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa">]><x><description>&a;</description></x>'
    picture(tmp_path / "bomb.webp", xmp=bomb.encode())
    assert read_captions(tmp_path) == ([], [])


def test_a_split_without_pictures_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="none of the 0 pictures with words is in the split train"):
        own_captions([], "mine", "train")
    with pytest.raises(UsageError, match="no such file or folder"):
        read_captions(tmp_path / "nowhere")


def test_a_part_of_a_caption_is_true_of_its_picture_and_its_near_miss_is_not_said() -> None:
    shop = OwnCaptions("shop", {}, {"a": ("two red mugs, on a table", "mugs")})
    chance = random.Random(0)
    for _ in range(50):
        said = shop.say("a", chance)
        assert said.facts <= shop.facts("a")
        assert said.wrong != said.text


@pytest.mark.parametrize("manner", [part, asked])
def test_what_is_said_of_a_scene_is_true_of_it_and_its_near_misses_differ(manner: Any) -> None:
    rng = random.Random(0)
    misses = 0
    for number in range(200):
        scene = random_scene(rng)
        text, stated = manner(scene, random.Random(number))
        assert text
        assert stated <= facts(scene)
        wrong, told = manner(rng.choice(CHANGES)(scene, rng), random.Random(number))
        misses += not told <= facts(scene)
        assert told <= facts(scene) or wrong != text
    assert misses > 40


def test_a_scene_is_asked_for_by_what_is_there_alone() -> None:
    """No wording of val or test, nothing gone; what is large is larger than usual, and nothing else is."""
    rng = random.Random(1)
    usual = {"larger": "large", "smaller": "small", "closer": "close", "wider": "wide"}
    for number in range(300):
        scene = random_scene(rng)
        text, _ = asked(scene, random.Random(number))
        needs = parse(text)
        assert satisfies([need for need in needs if need.about not in usual], scene, scene), text
        for need in needs:
            if need.about in usual:
                held = {thing.size for thing in scene.things if thing.kind == need.kind} or {scene.view}
                assert held == {usual[need.about]}, text
        assert not {need.about for need in needs} & {"remove", "replace", "no sign", "more", "fewer"}, text


def test_a_limit_takes_a_random_part_of_a_tableaux_set(tmp_path: Path) -> None:
    rng = random.Random(2)
    scenes = {f"train-{number // 10:03d}-{number:06d}": random_scene(rng) for number in range(30)}
    write_scenes(tmp_path / "scenes.train.jsonl", scenes)
    every = list(TableauxCaptions(tmp_path, "train").files)
    some = list(TableauxCaptions(tmp_path, "train", 10).files)
    assert len(every) == 30
    assert len(some) == 10
    assert set(some) < set(every)
    assert some != every[:10]
