"""What shoppers and photographers say, as a person reads it.

Each line of `everyday.tsv` has a text and its edits: `kind: what > to`, joined by ` + `, with `/`
between readings that are as good as each other. Rules were written from the lines marked "seen";
those marked "held" were written before the rules and only count towards a share.
"""

from pathlib import Path

import pytest

from circlet.language import Edit, parse_edit
from circlet.language.tagging import words

LINES = (Path(__file__).parent / "everyday.tsv").read_text(encoding="utf-8").splitlines()
TEXTS = [tuple(line.split("\t")) for line in LINES]
SMALL = {"a", "an", "the", "in", "on", "at", "of", "is", "are", "it", "to", "with", "from", "his", "one"}
# Kinds in which what is changed and what it becomes are read as one phrase.
PHRASED = {"size", "move", "background", "time", "view", "attribute", "describe", "colour", "compare"}


def _content(*phrases: str) -> set[str]:
    found = {word for phrase in phrases for word in words(phrase)} - SMALL
    return {word if word.endswith("ss") else word.removesuffix("s") for word in found}


def _reads(edit: Edit, expected: str) -> bool:
    kinds, _, rest = expected.partition(":")
    what, _, to = (" " + rest.strip()).partition(" > ")
    if edit.kind not in kinds.split("/"):
        return False
    whats, tos = what.strip().split("/"), to.strip().split("/")
    if edit.kind in PHRASED:
        steps = {"more", "less"} if edit.kind == "compare" else set()
        said = _content(edit.what, edit.to) - steps
        return any(said == _content(one, two) - steps for one in whats for two in tos)
    same_to = edit.to in tos if edit.kind == "count" else _content(edit.to) in [_content(one) for one in tos]
    return same_to and _content(edit.what) in [_content(one) for one in whats]


def heard(text: str, expected: str) -> bool:
    """Whether a text gives just the edits that a person reads in it, in any order."""
    edits = list(parse_edit(text))
    readings = expected.split(" + ")
    return len(edits) == len(readings) and all(any(_reads(edit, one) for edit in edits) for one in readings)


@pytest.mark.parametrize(("text", "edits"), [line[1:] for line in TEXTS if line[0] == "seen"])
def test_everyday_texts_are_heard(text: str, edits: str) -> None:
    assert heard(text, edits), parse_edit(text)


def test_most_texts_that_no_rule_was_written_from_are_heard() -> None:
    held = [line[1:] for line in TEXTS if line[0] == "held"]
    assert sum(heard(text, edits) for text, edits in held) >= 0.9 * len(held)
