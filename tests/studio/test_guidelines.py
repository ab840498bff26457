"""The guidelines of paper 000, table 8: what a rule can tell is told, and good sentences are left alone."""

import json
import random

import pytest

from circlet.studio import breaches, description_breaches
from tests.data.shared import real

BAD = {
    "text": [
        "Text on the mug says “BEST DAD”.",
        'The sign reads "no parking"',
        "add the number 7 on the jersey",
        "has the words happy birthday on the cake",
        "The title on the cover says summer",
        "remove the watermark",
        "a poster with writing on the wall",
        "the logo on the cap says Lakers",
    ],
    "editing": [
        "Crop the chairs out of the photo.",
        "photoshop a hat onto the man",
        "increase the brightness and add two trees",
        "flip the image",
        "resize the photo",
        "add a sepia filter to it",
        "more saturation, less contrast",
        "rotate the picture to the left",
        "edit the tree out of the image",
    ],
    "opinion": [
        "The kittens look very cute.",
        "a beautiful garden behind the house",
        "the cake looks delicious",
        "I think the dog is sad",
        "make the chair ugly",
        "the second puppy is more adorable",
        "the dress looks nicer",
    ],
    "plain": [
        "Having a small bench in the middle of the park.",
        "There is a cat on a sofa",
        "This is a picture of a boat in the harbour",
        "A photo of two monkeys in a tree",
        "The image of a green bottle on the table",
    ],
    "sides": [
        "The left image shows a cup on the desk, the right image has a glass.",
        "First picture has three birds and the second picture has four.",
        "In the first, the man sits; in the second he stands.",
        "The reference image shows a bus while the target image shows a tram.",
        "Image 1 is a dog and image 2 is a cat",
    ],
    "short": ["dog", "???", "aaaa bbbbb", "12 34"],
}
GOOD = [
    "Add a second dog and remove the fence.",
    "Show three bottles of soft drink",
    "Zoom in on the dog's face",
    "The dog now faces left and sits in the snow",
    "Make the room brighter, with a lamp instead of the window",
    "more monkeys",
    "Two people stand in front of the dogs",
    "Same breed, but lying on a red blanket with its mouth open",
    "A woman in a crop top holds a number of balloons",
    "Change the background to a street with signs",
    "Unlike the Reference Image, I want the Target Image to show a boat",
    "The target image has no people and is taken from further away",
    "put the letter on the table",
    "There are fewer birds than before",
]


@pytest.mark.parametrize(("rule", "text"), [(rule, text) for rule, texts in BAD.items() for text in texts])
def test_every_breach_that_a_rule_can_tell_is_told(rule: str, text: str) -> None:
    assert rule in breaches(text)


@pytest.mark.parametrize("text", GOOD)
def test_a_good_sentence_is_left_alone(text: str) -> None:
    assert breaches(text) == []


@pytest.mark.parametrize(
    "text", ["Unlike the others, he smiles", "In the previous image she sat", "The only picture with a hat"]
)
def test_a_description_mentions_no_other_picture(text: str) -> None:
    assert "others" in description_breaches(text)
    assert description_breaches("His other hand holds the second cup") == []


@pytest.mark.parametrize("seed", range(5))
def test_few_of_cirrs_own_captions_are_flagged(seed: int) -> None:
    """At most 5 % of 200 drawn by chance: people of the paper wrote them under these guidelines."""
    path = real("cirr") / "captions" / "cap.rc2.val.json"
    captions = [record["caption"] for record in json.loads(path.read_text())]
    drawn = random.Random(seed).sample(captions, 200)
    flagged = [text for text in drawn if breaches(text)]
    assert len(flagged) <= 10, flagged
