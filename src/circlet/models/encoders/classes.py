"""The thousand ImageNet classes in the order of the networks trained on it, with everyday kinds."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Class:
    """One class: its WordNet id, its names (best known first), and the words that point to it.

    Those are the kinds of thing it is ("dog"), and everyday words for what ImageNet has no class
    of, where this is the nearest ("rain" to an umbrella, "person" to what people wear).
    """

    id: str
    names: tuple[str, ...]
    kinds: tuple[str, ...]


@cache
def classes() -> tuple[Class, ...]:
    """All classes, in the order of the network's outputs.

    >>> len(classes()), classes()[1].names[0], "fish" in classes()[1].kinds
    (1000, 'goldfish', True)
    """
    rows = Path(__file__).with_name("classes.tsv").read_text(encoding="utf-8").splitlines()
    return tuple(
        Class(id, tuple(names.split(", ")), tuple(kinds.split(", ")) if kinds else ())
        for id, names, kinds in (row.split("\t") for row in rows)
    )
