"""Typed edits: what a caption asks to add, remove, replace, count, recolour, move and keep."""

from dataclasses import dataclass
from typing import Literal, get_args

from circlet.language.lexicon import COLOURS

EditKind = Literal[
    "add", "remove", "replace", "count", "colour", "attribute", "size", "move",
    "background", "time", "view", "keep", "compare", "describe",
]  # fmt: skip
KINDS: tuple[EditKind, ...] = get_args(EditKind)
# Encoders read words better than figures.
_SPELLED = {"1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six"}
# How a circumstance begins: "at night" names no thing.
_CIRCUMSTANCES = (
    "at ", "in ", "on ", "with ", "from ", "near ", "by ", "under ", "over ", "behind ", "beside ", "among ",
    "during ", "while ", "inside ", "outside ", "next to ", "against ", "between ", "above ", "below ",
)  # fmt: skip


@dataclass(frozen=True)
class Edit:
    """One change: its kind, what it acts on, what that becomes, and the words that said so.

    `add` and `remove` act on `what`; `replace` turns `what` into `to` (an empty `what` is the main
    thing of the picture); `count` has a figure, an amount, "more", "fewer", a step ("+1", "-1") or
    a bound (">=2", "<=2", ">2", "<3") in `to`; `keep` says what stays, all of it where `what` is
    empty; `compare` has "more" or "less"; `describe` is whatever fits nothing narrower.

    >>> Edit("replace", "dog", "cat", "a cat instead of a dog").unwanted
    'dog'
    >>> Edit("count", "apples", "-1", "remove one of the apples").wanted
    ''
    """

    kind: EditKind
    what: str = ""
    to: str = ""
    text: str = ""

    @property
    def wanted(self) -> str:
        """What should be seen, in words to search by; empty where the edit only takes away."""
        match self.kind:
            case "remove":
                return ""
            case "compare" if self.to == "less":
                return ""
            case "count":
                return self._counted()
            case "attribute" | "move" if self.to:
                return f"{self.what} {self.to}".strip()
            case "add" | "keep" | "compare":
                return self.what
            case "replace":
                return self.to
            case "colour" if not self.what and self.to.lower() in COLOURS:
                # "Orange" alone is a fruit as well.
                return f"in {self.to}"
            case _:
                return f"{self.to} {self.what}".strip() if self.to else self.text

    def _counted(self) -> str:
        """So many of the thing; nothing where there are to be fewer, since it is there already."""
        figure = self.to.lstrip("<>=+-")
        if self.to == "fewer" or self.to[:1] == "-" or self.to == f"<{figure}":
            return ""
        many = (
            ""
            if self.to[:1] == "+"
            else "several"
            if self.to == f">{figure}"
            else _SPELLED.get(figure, figure)
        )
        return f"{many} {self.what}".strip()

    @property
    def circumstance(self) -> bool:
        """Whether it tells when, where or how, which leaves the thing itself as it is.

        >>> Edit("describe", text="in the snow").circumstance, Edit("describe", text="a cat").circumstance
        (True, False)
        """
        if self.kind == "describe":
            return self.wanted.lower().startswith(_CIRCUMSTANCES)
        return self.kind in ("time", "background")

    @property
    def replaces(self) -> bool:
        """Whether it puts another thing in the place of the one shown: "but a cat", or just "a cat"."""
        return self.kind == "replace" or (self.kind == "describe" and not self.circumstance)

    @property
    def unwanted(self) -> str:
        """What should not be seen; empty where the edit takes nothing away."""
        if self.kind in ("remove", "replace") or (self.kind == "compare" and self.to == "less"):
            return self.what
        return ""
