"""What was seen in pictures by something that looked at each of them once: people counted, writing read."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# The kinds of marks there are: two that something sees, and one that a person sets.
PEOPLE, TEXT, KEPT = "people", "text", "kept"
KINDS = (PEOPLE, TEXT, KEPT)


@dataclass(frozen=True, slots=True)
class Mark:
    """What `by` saw in a picture: how many there are, which words, and whatever else says how sure it is.

    `words` are as `spelled` gives them, `detail` is JSON of the one that looked.

    >>> Mark("faces:1", number=2, detail="[[0.9, 0.2], [0.8, 0.1]]").number
    2
    """

    by: str
    number: int = 0
    words: str = ""
    detail: str = "[]"


def spelled(text: str) -> str:
    """A text as it is looked up: letters and figures alone, small, one space between words.

    >>> spelled("No-Parking!  8 am"), spelled("CAFÉ")
    ('no parking 8 am', 'cafe')
    """
    bare = (sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    return " ".join("".join(sign if sign.isalnum() else " " for sign in bare).casefold().split())


def marks_of(pictures: Any, ids: Sequence[str], kind: str) -> Mapping[str, Mark]:
    """The marks of these pictures as far as there are any; none where nobody keeps such.

    >>> marks_of(object(), ["a.jpg"], PEOPLE)
    {}
    """
    ask = getattr(pictures, "marks_of", None)
    return {} if ask is None else ask(ids, kind)
