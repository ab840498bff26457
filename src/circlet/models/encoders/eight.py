"""The built-in encoder with its picture network in eight bits: most of a picture's time is spent there.

What its layers give in eight bits must be known before: the ranges in `ranges.tsv` come from drawings
(`benchmarks/eight_bits.py` writes them), and are part of the fingerprint. Words are read as before.
"""

from functools import cache, cached_property
from pathlib import Path
from typing import Any

from circlet.models.artefacts import combined
from circlet.models.encoders import convnet
from circlet.models.encoders.builtin import Builtin

RECIPE = "1"  # part of the fingerprint: change it when vectors change
RANGES = Path(__file__).with_name("ranges.tsv")


class Eight(Builtin):
    """What `Builtin` is, in less time and nearly the same place.

    >>> Eight().fingerprint == Builtin().fingerprint
    False
    """

    name = "builtin:int8"

    @cached_property
    def fingerprint(self) -> str:
        """Names the space: that of `Builtin`, by these ranges."""
        return f"int8-{RECIPE}-{combined(*map(str, ranges().items()))}-{Builtin().fingerprint}"

    @cached_property
    def _network(self) -> Any:
        return convnet.load(ranges())


@cache
def ranges() -> convnet.Ranges:
    """The least and the largest of what each layer in eight bits gives, by the name of its outcome.

    >>> ranges()["map"][0]
    0.0
    """
    rows = (row.split("\t") for row in RANGES.read_text(encoding="utf-8").splitlines())
    return {name: (float(low), float(high)) for name, low, high in rows}
