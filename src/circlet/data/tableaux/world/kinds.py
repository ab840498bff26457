"""What can stand in a scene: the table of kinds with their art, and where each kind belongs."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from circlet.core import DataError

# Every palette is a tuple of colour names; `art.PAINTS` says which pixels they mean.
PALETTES: dict[str, tuple[str, ...]] = {
    "bright": ("red", "blue", "green", "yellow", "orange", "purple", "pink"),
    "shirt": ("red", "blue", "green", "yellow", "orange", "purple", "pink"),
    "fur": ("brown", "black", "white", "grey", "orange"),
    "fruit": ("red", "green", "yellow"),
}
TONES = ("light", "tan", "dark")
MOST = 6
# More than `MOST` stand together only where counting is the question.
CROWD = 10
HAIRS = ("black", "brown", "blond", "red")


@dataclass(frozen=True)
class Kind:
    """One kind of thing: its art, its words, how it stands and what may vary about it.

    `shape` is the art's width and height in 1/160 of OpenMoji's square: kept in the table, so that a
    scene can be laid out without drawing anything.

    >>> kind("goose").plural, kind("car").colours[:2], kind("woman").hairs
    ('geese', ('red', 'blue'), ('black', 'brown', 'blond', 'red'))
    """

    name: str
    plural: str
    family: str
    stance: str
    faces: str
    scale: float
    code: str
    paint: tuple[str, ...]
    palette: str
    shape: tuple[int, int]

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours this kind comes in; none when its art has the one colour it has."""
        return PALETTES.get(self.palette, ())

    @property
    def tones(self) -> tuple[str, ...]:
        """Skin tones, for people."""
        return TONES if self.family == "people" else ()

    @property
    def hairs(self) -> tuple[str, ...]:
        """Hair colours, for people who are drawn large enough to have hair (the old are grey)."""
        return HAIRS if self.stance == "bust" and not self.name.startswith("grand") else ()

    @property
    def depths(self) -> tuple[str, ...]:
        """How near it can be: what flies is far off, a bust is at the front edge."""
        return {"air": ("back",), "bust": ("front",)}.get(self.stance, ("front", "back"))

    @property
    def most(self) -> int:
        """The largest group of it that can be drawn so that everyone can count."""
        return 2 if self.stance == "bust" else MOST

    @property
    def crowd(self) -> int:
        """The largest group of it at all: what is asked for when numbers are tried."""
        return 2 if self.stance == "bust" else CROWD

    def named(self, count: int) -> str:
        """The noun for so many of it."""
        return self.name if count == 1 else self.plural


@cache
def kinds() -> dict[str, Kind]:
    """Every kind by its name, in the order of the table."""
    table = files("circlet.data.tableaux.world").joinpath("kinds.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in table.splitlines() if not line.startswith("#"))
    by_name = {}
    for code, name, plural, family, stance, faces, scale, paint, palette, shape in rows:
        by_name[name] = Kind(
            name=name,
            plural=plural or f"{name}s",
            family=family,
            stance=stance,
            faces=faces,
            scale=float(scale),
            code=code,
            paint=tuple(paint.split(",")) if paint else (),
            palette=palette,
            shape=_pair(shape),
        )
    return by_name


def _pair(shape: str) -> tuple[int, int]:
    width, height = shape.split("x")
    return int(width), int(height)


def kind(name: str) -> Kind:
    """The kind of this name."""
    try:
        return kinds()[name]
    except KeyError:
        raise DataError(f"the tableaux world has no {name!r}: see kinds.tsv for what it has") from None


@cache
def families() -> dict[str, tuple[str, ...]]:
    """The names of each family's kinds."""
    grouped: dict[str, list[str]] = {}
    for each in kinds().values():
        grouped.setdefault(each.family, []).append(each.name)
    return {family: tuple(names) for family, names in grouped.items()}
