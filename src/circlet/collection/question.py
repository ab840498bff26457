"""What a person asked for, in any order: which arguments are pictures, which are words."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from circlet.core import Query, Turn, UsageError
from circlet.images.addresses import address_of
from circlet.images.formats import SUFFIXES
from circlet.images.moments import file_of, moment_of

if TYPE_CHECKING:
    import numpy as np
    from PIL.Image import Image

# Anything that can be asked for: words, or a picture as a path, as bytes, opened or as numbers.
PictureLike: TypeAlias = "os.PathLike[str] | bytes | Image | np.ndarray[Any, Any]"
Argument: TypeAlias = "str | PictureLike"

_STARTS = ("/", "./", "../", "~/", ".\\", "..\\")


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What goes with the last turn beside pictures and words.

    >>> Wish(without=("people",), emphasis=(("night", 2.0),))
    Wish(without=('people',), emphasis=(('night', 2.0),), balance=None)
    """

    without: tuple[str, ...] = ()
    emphasis: tuple[tuple[str, float], ...] = ()
    balance: float | None = None


def is_picture(asked: str) -> bool:
    """Whether an argument names a picture: an existing file, or something that looks like a path.

    A path that is not there is an error, since searching for its letters would help nobody.

    >>> is_picture("at night"), is_picture("black/white")
    (False, False)
    >>> is_picture("no-such-beach.jpg")
    Traceback (most recent call last):
        ...
    circlet.core.errors.UsageError: no-such-beach.jpg: there is no such picture; check the path, or \
leave out the ending to search for the words
    """
    if "://" in asked and address_of(asked):
        return True
    path = Path(asked).expanduser()
    try:
        if file_of(path).is_file():
            return True
        folder = path.is_dir()
    except (OSError, ValueError):
        # Longer than a file name can be, or with a NUL inside: these are words.
        return False
    if folder and asked.startswith(_STARTS):
        raise UsageError(
            f"{asked}: this is a folder; name one picture in it, or use --in to search inside it"
        )
    looks = asked.startswith(_STARTS) or path.suffix.lower() in SUFFIXES or moment_of(path) is not None
    if looks and not folder:
        raise UsageError(
            f"{asked}: there is no such picture; check the path, or leave out the ending "
            "to search for the words"
        )
    return False


def ask(things: Sequence[Argument], wish: Wish, bring: Callable[[PictureLike], str]) -> Query:
    """The query that these arguments mean; `bring` turns a picture into an id.

    Words go with the picture before them (or after them, when they come first); each further
    picture begins a turn. The wish goes with the last turn.

    >>> query = ask(["at night"], Wish(without=("people",)), str)
    >>> query.last
    Turn(text='at night', without=('people',))
    """
    turns: list[tuple[str | None, list[str]]] = [(None, [])]
    for thing in things:
        if isinstance(thing, str) and not is_picture(thing):
            if thing.strip():
                turns[-1][1].append(thing.strip())
            continue
        id = bring(Path(thing).expanduser() if isinstance(thing, str) else thing)
        if turns[-1][0] is None:
            turns[-1] = (id, turns[-1][1])
        else:
            turns.append((id, []))
    query = Query("search")
    for number, (picture, words) in enumerate(turns, start=1):
        last = wish if number == len(turns) else Wish()
        query += Turn(
            picture=picture,
            text=", ".join(words),
            without=last.without,
            emphasis=last.emphasis,
            balance=last.balance,
        )
    if query.last.empty:
        raise UsageError('nothing to search for: give a picture, words or both, as in beach.jpg "at night"')
    return query
