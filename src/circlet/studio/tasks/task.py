"""What every task can say of its items and answers."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from circlet.core import UsageError
from circlet.studio.items import Answer, Item
from circlet.studio.project import Project

# The most letters that somebody may write in one field.
LETTERS = 500


class Unfinished(UsageError):
    """An answer that is not whole yet; `reason` is its name in the texts' table of errors."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the answer is not whole yet: {reason}")
        self.reason = reason


class Task(ABC):
    """One of the studio's tasks: forms into answers, and what follows from them."""

    name: ClassVar[str]

    @abstractmethod
    def read(self, form: Mapping[str, str], item: Item, person: str = "") -> dict[str, Any]:
        """The answer that a form holds; raises `Unfinished` where something is missing in it."""

    @abstractmethod
    def filled(self, answer: Mapping[str, Any]) -> dict[str, str]:
        """The form that this answer came from, to be edited."""

    def words(self, answer: Mapping[str, Any]) -> list[str]:
        """What the person wrote themselves, a text each."""
        return []

    def choice(self, answer: Mapping[str, Any]) -> float | str | None:
        """What was chosen, for agreement among people; None where nothing is."""
        return None

    def right(self, item: Item, answer: Mapping[str, Any]) -> bool | None:
        """Whether the answer is the item's truth; None where there is none."""
        return None

    def follow(self, answer: Answer, project: Project) -> list[Item]:
        """The items that are asked of others because of this answer."""
        return []

    def watched(self, steps: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """What the answer says of the way that led to it, where somebody looked on."""
        return {}


def written(form: Mapping[str, str], name: str) -> str:
    """A field's words, without the space around and between them that nobody meant.

    >>> written({"text": "  two   dogs "}, "text")
    'two dogs'
    """
    text = " ".join(form.get(name, "").split())
    if len(text) > LETTERS:
        raise Unfinished("long")
    return text


def one_of(form: Mapping[str, str], name: str, allowed: tuple[str, ...], reason: str) -> str:
    """A field that holds one of these values."""
    if form.get(name, "") not in allowed:
        raise Unfinished(reason)
    return form[name]
