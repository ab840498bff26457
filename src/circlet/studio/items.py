"""What a person is asked, and what they answered."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")
# Answers that count towards the number wanted of an item.
COUNTED = ("kept", "accepted")


@dataclass(frozen=True, kw_only=True)
class Item:
    """One question: what is shown of it, its truth if there is one, and how many are to answer it.

    `known` items try a person and not the data. `author` wrote the words that are asked about, and
    never gets the item; `parent` is the answer it was made of.

    >>> Item(id="retrieve:1", task="retrieve", shown={"text": "two dogs"}, wanted=3).wanted
    3
    """

    id: str
    task: str
    shown: Mapping[str, Any]
    truth: Mapping[str, Any] = field(default_factory=dict)
    wanted: int = 1
    split: str = ""
    known: bool = False
    author: str = ""
    parent: int | None = None
    number: int = 0


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What one person answered to an item: `state` is kept, spare, accepted or rejected.

    A spare answer came after the item had gone to somebody else: it is kept, and not counted.
    """

    number: int
    item: Item
    person: str
    answer: Mapping[str, Any]
    at: float
    seconds: float
    revision: int = 1
    state: str = "kept"

    @property
    def counts(self) -> bool:
        """Whether it is one of the answers that were wanted."""
        return self.state in COUNTED


def mixed(values: Sequence[T], *key: object) -> list[T]:
    """The values in an order of their own for this key, the same each time.

    >>> mixed("abc", 0, "item", "person") == mixed("abc", 0, "item", "person")
    True
    """
    order = list(values)
    random.Random(" ".join(map(str, key))).shuffle(order)
    return order
