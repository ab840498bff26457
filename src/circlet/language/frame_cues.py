"""The words by which each fact about a picture is known: what is said, what is not, of how many things."""

import re
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files


@dataclass(frozen=True)
class Cue:
    """A fact, what a clause that states it says, says as well and does not say, and how many things it names.

    >>> Cue("half", 1, "half").fits("only half of the @0 is showing", 1)
    True
    """

    about: str
    things: int
    says: str
    also: str = ""
    but: str = ""

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        return tuple(re.compile(rf"\b(?:{words})\b") for words in (self.says, self.also, self.but))

    def fits(self, clause: str, things: int) -> bool:
        """Whether a clause with so many things states this; what is said of wholes names no thing."""
        if things < self.things or (things and not self.things):
            return False
        says, also, but = self._patterns
        if not says.search(clause) or (self.also and not also.search(clause)):
            return False
        return not (self.but and but.search(clause))


@cache
def cues() -> tuple[Cue, ...]:
    """Every cue in the order in which they are tried."""
    table = files("circlet.language").joinpath("frame_cues.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in table.splitlines() if not line.startswith("#")]
    groups = {row[0][1:]: row[1] for row in rows if row[0].startswith("=")}

    def filled(pattern: str) -> str:
        return re.sub(r"\{([a-z_]+)\}", lambda match: f"(?:{filled(groups[match[1]])})", pattern)

    return tuple(
        Cue(about, int(things), *map(filled, rest)) for about, things, *rest in rows if about[0] != "="
    )
