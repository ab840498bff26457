"""Single scenes with all that is true of them: what a scene reader learns to see."""

import random
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from circlet.core import UsageError
from circlet.data.tableaux.draw.render import encoded, render
from circlet.data.tableaux.files import picture_file, read_scenes, spread
from circlet.data.tableaux.tasks.films import Film
from circlet.data.tableaux.tasks.frame_truths import COLOURS, FilmSet, opened, pixels, truths_of
from circlet.data.tableaux.tasks.kin import kin
from circlet.data.tableaux.world.frame import Frame
from circlet.data.tableaux.world.kinds import CROWD, HAIRS, TONES, Kind
from circlet.data.tableaux.world.scene import COLUMNS, FACINGS, SIGNS, SIZES, VIEWS, Scene
from circlet.data.tableaux.world.settings import TIMES, WEATHERS, settings

# The values of everything that may vary about a thing, and about a scene.
THINGS: dict[str, tuple[str, ...]] = {
    "count": tuple(map(str, range(CROWD + 1))),
    "colour": COLOURS,
    "size": SIZES,
    "column": COLUMNS,
    "depth": ("front", "back"),
    "facing": FACINGS,
    "tone": TONES,
    "hair": HAIRS,
}
WHOLES: dict[str, tuple[str, ...]] = {
    "setting": tuple(settings()),
    "time": TIMES,
    "weather": WEATHERS,
    "view": VIEWS,
    "sign": ("", *SIGNS),
}


class DrawnScene(NamedTuple):
    """A scene, and its picture where it is drawn already."""

    scene: Scene
    file: Path | None = None


def varying(of: Kind) -> tuple[str, ...]:
    """What may vary about things of a kind, beside their number.

    >>> from circlet.data.tableaux.world.kinds import kind
    >>> varying(kind("zebra"))
    ('size', 'column', 'depth', 'facing')
    """
    has = {"colour": of.colours, "facing": of.faces, "tone": of.tones, "hair": of.hairs}
    return tuple(name for name in THINGS if name != "count" and has.get(name, True))


def scenes_of(root: Path, split: str) -> list[DrawnScene]:
    """The scenes of a split of a tableaux set, with their pictures."""
    path = root / f"scenes.{split}.jsonl"
    if not path.is_file():
        raise UsageError(f"{root} holds no scenes: make them with `circlet data make tableaux`")
    every = read_scenes(path)
    return [DrawnScene(scene, picture_file(root, id)) for id, scene in every.items()]


def further_scenes(families: int, seed: int = 0) -> list[DrawnScene]:
    """Scenes of train that no set holds, in families that differ in one fact each."""
    rng = random.Random(f"scenes to see {seed}")
    return [DrawnScene(scene) for _ in range(families) for scene in kin(rng)]


def drawn_scenes(
    scenes: Sequence[DrawnScene], cells: int, *, workers: int = 1
) -> tuple[int, Iterator[FilmSet]]:
    """How many scenes there are, and each as a set of one picture with its truth."""
    return len(scenes), spread(partial(_drawn, cells), scenes, workers)


def _drawn(cells: int, one: DrawnScene) -> FilmSet:
    film = Film((Frame(scene=one.scene),), timed=False)
    if one.file:
        picture, file = opened(one.file)
    else:
        file = encoded(render(one.scene))
        picture = pixels(file)
    return FilmSet(picture[None], truths_of(film, cells), (file,))


def truth_of(scene: Scene, names: Sequence[str]) -> dict[str, list[int]]:
    """Of things of these kinds the numbers of all values; −1 where there is none, or it does not vary."""
    found: dict[str, list[int]] = {name: [] for name in THINGS}
    for name in names:
        thing = scene.thing(name)
        for attribute, values in THINGS.items():
            value = str(getattr(thing, attribute)) if thing else "0" if attribute == "count" else ""
            found[attribute].append(values.index(value) if value in values else -1)
    return found
