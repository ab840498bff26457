"""Words that are to be read in a picture, told from those that say what it shows."""

import pytest

from circlet.language.writing import any_writing, written_in


@pytest.mark.parametrize(
    ("text", "words", "rest"),
    [
        ('"no parking"', ("no parking",), ""),
        ("a door “offen” at night", ("offen",), "a door at night"),
        ("ein Schild „Halt“", ("Halt",), "ein Schild"),
        ("une porte « ouvert »", ("ouvert",), "une porte"),
        ('a sign that says "stop"', ("stop",), "a sign"),
        ("a sign that says stop", ("stop",), "a sign"),
        ("a sign saying keep left, without people", ("keep left",), "a sign, without people"),
        ("a shop which reads bakery but at night", ("bakery",), "a shop but at night"),
        ('a bus with the words "school bus"', ("school bus",), "a bus"),
        ('"red" and "blue"', ("red", "blue"), "and"),
    ],
)
def test_what_is_to_be_read(text: str, words: tuple[str, ...], rest: str) -> None:
    assert written_in(text) == (words, rest)


@pytest.mark.parametrize(
    "text",
    ["a red car", 'a 5" screen', "the dog's bowl", '""', '"!"', "a man reading a book", "  two  spaces"],
)
def test_what_is_not_to_be_read_stays_as_it_is(text: str) -> None:
    assert written_in(text) == ((), text)


def test_writing_of_any_kind() -> None:
    assert all(map(any_writing, ("text", "the writing", "any words")))
    assert not any(map(any_writing, ("a text message", "a letter box")))
