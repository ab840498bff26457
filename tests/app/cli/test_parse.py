"""`circlet parse` says what was heard, to people and to programs."""

import json
from typing import Any


def test_people_get_a_table(command: Any) -> None:
    assert command("parse", "a cat instead of the dog, at night, without the people").stdout.splitlines() == [
        "heard    what    becomes",
        "replace  dog     cat",
        "time     –       at night",
        "remove   people  –",
        "look for: cat, at night",
        "keep away from: dog, people",
        "aspects: negation, compare_change, statement_with_conjunction",
    ]


def test_programs_get_json(command: Any) -> None:
    heard = json.loads(command("parse", "Remove one of the apples,", "no cups", "--json").stdout)
    assert heard == {
        "edits": [
            {"kind": "count", "what": "apples", "to": "-1", "text": "Remove one of the apples"},
            {"kind": "remove", "what": "cups", "to": "", "text": "no cups"},
        ],
        "wanted": "",
        "unwanted": ["cups"],
        "aspects": ["cardinality", "negation", "direct_addressing", "statement_with_conjunction"],
    }


def test_no_text_is_a_mistake_said_in_one_sentence(command: Any) -> None:
    for said in ([], [" "]):
        told = command("parse", *said, code=2)
        assert told.stdout == ""
        assert told.stderr == (
            'circlet: nothing was said: give the words, as in circlet parse "at night, without the people"\n'
        )


def test_help_shows_examples(command: Any) -> None:
    assert "circlet parse" in command("parse", "--help").stdout.split("Examples:")[1]
