"""What the page tells about a search: its filters, what it left out, and why there is nothing to see."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from circlet.app.http.library import Library
from circlet.collection import SearchOptions
from circlet.core import Turn
from circlet.language.foreign import foreign
from circlet.models.encoders.load import BUILTIN


def address(path: str, s: str, options: SearchOptions, **more: Any) -> str:
    """A link within the site; what is empty is left out.

    >>> address("/", "abc", SearchOptions(method="sum"), start=40)
    '/?s=abc&method=sum&start=40'
    """
    params = {"s": s, **options.params, **more}
    query = urlencode({name: value for name, value in params.items() if value}, doseq=True)
    return f"{path}?{query}" if query else path


# How a filter that is set reads on its chip.
_CHIPS = {
    "folder": "in {}",
    "after": "from {}",
    "before": "until {}",
    "orientation": "{}",
    "min_size": "at least {} pixels",
    "max_size": "at most {} pixels",
}


def chips(s: str, options: SearchOptions) -> list[dict[str, str]]:
    """The filters that are set, each in words with the address without it.

    >>> chips("", SearchOptions.read({"folder": "animals", "before": "2024-12-31"}))
    [{'words': 'in animals', 'without': '/?before=2024-12-31'}, \
{'words': 'until 2024-12-31', 'without': '/?folder=animals'}]
    """
    params = options.params
    return [
        {
            "words": words.format(params[name]),
            "without": address("/", s, options.but(**{name: getattr(SearchOptions(), name)})),
        }
        for name, words in _CHIPS.items()
        if name in params
    ]


def of_all(library: Library, there: int) -> str:
    """How many pictures were searched, and of how many where filters leave some out."""
    every = library.count()
    return f"{there:,} pictures" if there == every else f"{there:,} of {every:,} pictures"


def none(library: Library, options: SearchOptions) -> dict[str, Any]:
    """Why there is nothing to see, and what to do about it."""
    if library.count():
        words = "Take a filter away, or clear them all."
        return {"summary": "No picture passes the filters", "nothing": words}
    if library.jobs.running:
        return {"summary": "Nothing is indexed yet", "nothing": "The pictures appear here as they are read."}
    if not library.indexed():
        words = "Look for pictures on the Status page, or run circlet index with a folder."
        return {"summary": "Nothing is indexed yet", "nothing": words}
    words = "circlet found no picture in the folder. Put some into it, then look again on the Status page."
    if unread := len(library.broken()):
        words = f"{unread:,} file{'s'[: unread != 1]} in it could not be read: the Status page says why."
    return {"summary": "There are no pictures here", "nothing": words}


def strange(library: Library, turns: Sequence[Turn]) -> str:
    """Words that the encoder in use does not read, said so that nobody wonders about the results."""
    said = next((turn.text for turn in reversed(turns) if foreign(turn.text)), "")
    # The built-in encoders read English; what others read is not known.
    if not said or library.collection.encoder_name not in BUILTIN:
        return ""
    return f"“{said}” does not look English, and the encoder in use reads nothing else: say it in English."
