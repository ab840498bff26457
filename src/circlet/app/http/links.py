"""A session as a short word for the URL: reload, share, Back and a restart all keep it."""

import base64
import json
import zlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import fields
from typing import Any, Protocol

from circlet.app.http.config import Limits
from circlet.core import DataError, Turn, UsageError
from circlet.core.files import parse_json
from circlet.dialogue import Session

# One letter per field keeps a link short; the letters are part of the link's format.
_LETTERS = {
    "picture": "p",
    "text": "t",
    "without": "w",
    "emphasis": "e",
    "balance": "b",
    "shown": "s",
    "liked": "l",
    "disliked": "d",
    "instead": "i",
}
assert set(_LETTERS) == {field.name for field in fields(Turn)}
_WORDS = {letter: word for word, letter in _LETTERS.items()}
_PICTURES = {"picture", "shown", "liked", "disliked"}
_LISTS = {"without", "emphasis", "shown", "liked", "disliked"}
BRANCHES = 12
# What a link may unpack to: a guard against a short word that swells without end.
_UNPACKED = 100_000

Rename = Callable[[str], str]


class Names(Protocol):
    """Pictures' ids to keys and back; `Keys` is one."""

    def key(self, id: str) -> str: ...

    def id(self, key: str) -> str: ...

    def ids(self, keys: Collection[str]) -> Mapping[str, str]: ...


def pack(session: Session, names: Names, limits: Limits) -> str:
    """The session as a word of letters, digits, `-` and `_`; empty for an empty session."""
    check(session, limits)
    if not any(session.branches.values()):
        return ""
    told = {
        name: [_renamed(turn.to_dict(), _LETTERS, names.key) for turn in turns]
        for name, turns in session.branches.items()
    }
    raw = json.dumps([session.current, told], ensure_ascii=False, separators=(",", ":")).encode()
    word = base64.urlsafe_b64encode(zlib.compress(raw, 9)).decode().rstrip("=")
    if len(word) > limits.session:
        raise UsageError("this search has grown too long for a link: undo a step or start anew")
    return word


def unpack(word: str, names: Names, limits: Limits) -> Session:
    """The session that `pack` wrote, its pictures named by id again.

    A picture that is gone is the error of `names.id`, unless it was only shown: then nobody misses it.
    """
    if not word:
        return Session()
    if len(word) > limits.session:
        raise UsageError("this link is too long to be one of circlet's")
    try:
        raw = base64.urlsafe_b64decode(word.encode("ascii") + b"=" * (-len(word) % 4))
        unpacked = zlib.decompressobj().decompress(raw, _UNPACKED)
        current, told = parse_json(unpacked)
        known = names.ids({key for turns in dict(told).values() for turn in turns for key in _keys(turn)})
        branches = {
            name: [
                _renamed(_without_lost(turn, known), _WORDS, lambda key: known.get(key) or names.id(key))
                for turn in turns
            ]
            for name, turns in dict(told).items()
        }
        saved = {"circlet": "session", "version": 1, "branches": branches, "current": current}
        session = Session.from_dict(saved)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, zlib.error, DataError):
        raise UsageError("this link is damaged: a part of it is missing, start anew") from None
    check(session, limits)
    return session


def _keys(turn: dict[str, Any]) -> list[str]:
    """Every picture's key in a turn as a link spells it."""
    lists = [
        value if isinstance(value, list) else [value]
        for name, value in turn.items()
        if _WORDS[name] in _PICTURES
    ]
    return [key for keys in lists for key in keys if isinstance(key, str)]


def _without_lost(turn: dict[str, Any], known: Mapping[str, str]) -> dict[str, Any]:
    shown = _LETTERS["shown"]
    return turn | {shown: [key for key in turn[shown] if key in known]} if shown in turn else turn


def check(session: Session, limits: Limits) -> None:
    """Refuse a session that is larger than a person's search: each limit says which it was."""
    if len(session.branches) > BRANCHES:
        raise UsageError(f"a search keeps at most {BRANCHES} paths: start anew")
    for turns in session.branches.values():
        if len(turns) > limits.turns:
            raise UsageError(f"a search has at most {limits.turns} turns: undo some or start anew")
        for turn in turns:
            check_turn(turn, limits)


def check_turn(turn: Turn, limits: Limits) -> None:
    """Refuse a turn whose words or lists are too long, or of the wrong kind."""
    words = [turn.text, *turn.without, *(phrase for phrase, _ in turn.emphasis)]
    marked = [*turn.liked, *turn.disliked, *turn.shown]
    if not all(isinstance(word, str) for word in [*words, *marked, turn.picture or ""]):
        raise UsageError("a turn's words and pictures are texts")
    if max(map(len, words)) > limits.text:
        raise UsageError(f"a text has at most {limits.text} characters: say it shorter")
    if len(turn.without) + len(turn.emphasis) > limits.phrases:
        raise UsageError(f"a turn weighs at most {limits.phrases} phrases")
    if len(marked) > limits.marked:
        raise UsageError(f"a turn marks at most {limits.marked} pictures")


def _renamed(turn: dict[str, Any], names: dict[str, str], rename: Rename) -> dict[str, Any]:
    """A turn's fields under other names, its pictures under other ids."""
    new = {}
    for name, value in turn.items():
        word = name if name in _LETTERS else names[name]
        if word in _LISTS and not isinstance(value, list | tuple):
            raise TypeError(f"{word} is a list")
        if word in _PICTURES:
            value = rename(value) if word == "picture" else [rename(one) for one in value]
        new[names[name]] = value
    return new
