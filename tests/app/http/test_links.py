"""A session in a link: whatever was said comes back the same, and nothing else gets in."""

import json
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Collection

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from circlet.app.http.config import Limits
from circlet.app.http.links import BRANCHES, pack, unpack
from circlet.core import Turn, UsageError
from circlet.dialogue import Session, moves

LIMITS = Limits()
# How long an example takes says something about the machine, nothing about links.
UNHURRIED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
texts = st.text(max_size=40)
ids = st.from_regex("/p/[a-z]{1,8}", fullmatch=True)
turns = st.builds(
    Turn,
    picture=st.none() | ids,
    text=texts,
    without=st.lists(texts, max_size=3).map(tuple),
    emphasis=st.lists(st.tuples(texts, st.floats(0.1, 9)), max_size=2).map(tuple),
    balance=st.none() | st.floats(0, 1),
    liked=st.lists(ids, max_size=3).map(tuple),
    disliked=st.lists(ids, max_size=3).map(tuple),
    shown=st.lists(ids, max_size=3).map(tuple),
)


class Reversed:
    """Names that are the ids read backwards."""

    def key(self, id: str) -> str:
        return id[::-1]

    id = key

    def ids(self, keys: Collection[str]) -> dict[str, str]:
        return {key: key[::-1] for key in keys}


NAMES = Reversed()


def word(value: object) -> str:
    return urlsafe_b64encode(zlib.compress(json.dumps(value).encode())).decode().rstrip("=")


@given(
    st.dictionaries(
        st.text(min_size=1, max_size=5), st.lists(turns, max_size=4).map(tuple), min_size=1, max_size=3
    )
)
@settings(max_examples=60, **UNHURRIED)
def test_every_session_comes_back_as_it_was(branches: dict[str, tuple[Turn, ...]]) -> None:
    session = Session(branches, next(iter(branches)))
    packed = pack(session, NAMES, LIMITS)
    assert set(packed) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    if any(branches.values()):
        assert unpack(packed, NAMES, LIMITS) == session
        assert "/p/" not in repr(packed)
    else:
        assert packed == ""


@given(st.text(max_size=300) | st.binary(max_size=200).map(lambda raw: urlsafe_b64encode(raw).decode()))
@settings(max_examples=200, **UNHURRIED)
def test_any_other_word_is_an_error_in_one_line(said: str) -> None:
    if said:
        with pytest.raises(UsageError, match="this link is"):
            unpack(said, NAMES, LIMITS)


@pytest.mark.parametrize(
    "value",
    [
        {},
        ["main"],
        ["main", []],
        ["main", {"main": [{"t": 3}]}],
        ["main", {"main": [{"p": ["a"]}]}],
        ["main", {"main": [{"x": "a"}]}],
        ["main", {"main": [{"b": 7}]}],
        ["main", {"main": [{"b": "much"}]}],
        ["main", {"main": [{"e": [["a"]]}]}],
        ["main", {"main": [{"l": "abc"}]}],
        ["main", {"main": [{"w": "abc"}]}],
        ["main", {"main": [{"w": [1]}]}],
        ["main", {"main": [{"t": "\ud800"}]}],
        ["main", {"main": [None]}],
        ["other", {"main": []}],
        [None, {"main": [{"t": "x"}]}],
        ["main", {"main": "abc"}],
    ],
)
def test_damage_of_every_kind_is_told(value: object) -> None:
    with pytest.raises(UsageError):
        unpack(word(value), NAMES, LIMITS)


def test_a_number_without_end_is_damage() -> None:
    for number in ("1" + "0" * 400, "1e400", "NaN"):
        raw = f'["main", {{"main": [{{"t": "red", "e": [["red", {number}]]}}]}}]'
        packed = urlsafe_b64encode(zlib.compress(raw.encode())).decode().rstrip("=")
        with pytest.raises(UsageError, match="this link is damaged"):
            unpack(packed, NAMES, LIMITS)


def test_limits_hold_for_links_too() -> None:
    for value, told in (
        (["main", {"main": [{"t": "x" * 501}]}], "at most 500 characters"),
        (["main", {"main": [{"t": "x"}] * 31}], "at most 30 turns"),
        (["main", {"main": [{"t": "x", "w": ["a"] * 13}]}], "at most 12 phrases"),
        (["main", {"main": [{"l": ["a"] * 61}]}], "at most 60 pictures"),
        (["0", {str(n): [{"t": "x"}] for n in range(BRANCHES + 1)}], f"at most {BRANCHES} paths"),
    ):
        with pytest.raises(UsageError, match=told):
            unpack(word(value), NAMES, LIMITS)


def test_three_turns_fit_a_short_link() -> None:
    session = moves.say(
        moves.pick(Session().say("a beach in summer"), "/p/abcdefghijk"), "at night, with a boat"
    )
    session = moves.mark(session, ("/p/lmnopqrstuv",), liked=True)
    assert len(pack(session, NAMES, LIMITS)) < 250
