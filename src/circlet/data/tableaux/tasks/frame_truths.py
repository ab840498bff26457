"""Films that a network learns to see from: their pictures, what fills each place, what is to be seen."""

import io
import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from circlet.core import DataError
from circlet.data.tableaux.draw.render import encoded, shot
from circlet.data.tableaux.files import picture_file, spread
from circlet.data.tableaux.tasks.films import Film, lookalikes, read_films, video
from circlet.data.tableaux.tasks.frame_series import paint_of, series_of
from circlet.data.tableaux.world.kinds import PALETTES, kinds
from circlet.data.tableaux.world.settings import TIMES, WEATHERS, settings
from circlet.language.frame_facts import SEEN

# Things of one set that are kept: no film has more.
THINGS = 6
COLOURS = tuple(sorted({colour for palette in PALETTES.values() for colour in palette}))
_UNKNOWN = -1
# So many of the sets that are drawn to learn from are films, which are harder to see than look-alikes.
_FILMS = 0.9


class FrameTruths(NamedTuple):
    """The truth of sets of ten; the first axes are sets (where there are several), pictures and things.

    `filled` is how much of each place a thing fills (0 to 255), `kinds` its number in the table of kinds,
    `colours`, `settings`, `times`, `weathers` numbers in their lists; −1 is no thing, or none that is known.
    """

    filled: NDArray[np.uint8]
    kinds: NDArray[np.int64]
    seen: NDArray[np.float32]
    looks: NDArray[np.float32]
    colours: NDArray[np.int64]
    settings: NDArray[np.int64]
    times: NDArray[np.int64]
    weathers: NDArray[np.int64]
    in_time: NDArray[np.bool_]


class FilmSet(NamedTuple):
    """Ten pictures (10, side, side, 3) with their truth, and as the files that they were read from."""

    pictures: NDArray[np.uint8]
    truths: FrameTruths
    files: tuple[bytes, ...]


def truths_of(film: Film, cells: int) -> FrameTruths:
    """What is true of one set of ten, with so many places along a side."""
    paint = paint_of(film)
    series = series_of(film, paint)
    there = list(series.things)[:THINGS]
    ten, names, places = len(film.frames), list(kinds()), list(settings())
    filled = np.zeros((ten, THINGS, cells, cells), np.uint8)
    numbers = np.full(THINGS, _UNKNOWN)
    seen = np.full((ten, THINGS, len(SEEN)), np.nan, np.float32)
    colours = np.full((ten, THINGS), _UNKNOWN)
    for at, name in enumerate(there):
        numbers[at], seen[:, at] = names.index(name), series.things[name]
        for place, frame in enumerate(film.frames):
            thing = frame.scene.thing(name)
            if thing is None:
                continue
            mask = paint[place][name].mask
            fine = mask.reshape(cells, len(mask) // cells, cells, len(mask) // cells)
            filled[place, at] = np.round(fine.mean((1, 3)) * 255)
            if ("colour", name, thing.colour) in series.stated:
                colours[place, at] = COLOURS.index(thing.colour)
    scenes = [frame.scene for frame in film.frames]
    return FrameTruths(
        filled,
        numbers,
        seen,
        series.looks.astype(np.float32),
        colours,
        np.array([places.index(scene.setting) for scene in scenes]),
        np.array([TIMES.index(scene.time) for scene in scenes]),
        np.array([WEATHERS.index(scene.weather) for scene in scenes]),
        np.array(film.timed),
    )


def read_sets(
    root: Path, split: str, cells: int, *, sets: int = 0, workers: int = 1
) -> tuple[int, Iterator[FilmSet]]:
    """How many sets a split of a tableaux set has (or the first so many), and each of them."""
    films = list(read_films(root, split).items())[: sets or None]
    return len(films), spread(partial(_read, root, cells), films, workers)


def draw_sets(count: int, seed: int, cells: int, *, workers: int = 1) -> tuple[int, Iterator[FilmSet]]:
    """So many sets more, of the kind that train has and in no benchmark: `draw_sets(3000, 0, 28)`."""
    return count, spread(partial(_drawn, seed, cells), range(count), workers)


def _read(root: Path, cells: int, named: tuple[str, Film]) -> FilmSet:
    name, film = named
    paths = [picture_file(root, f"{name}-{place}") for place in range(len(film.frames))]
    pictures, files = zip(*map(opened, paths), strict=True)
    return FilmSet(np.stack(pictures), truths_of(film, cells), files)


def _drawn(seed: int, cells: int, number: int) -> FilmSet:
    rng = random.Random(f"films to see {seed} {number}")
    film = (video if rng.random() < _FILMS else lookalikes)(rng, "train")
    files = tuple(encoded(shot(frame)) for frame in film.frames)
    return FilmSet(np.stack([pixels(file) for file in files]), truths_of(film, cells), files)


def opened(path: Path) -> tuple[NDArray[np.uint8], bytes]:
    """The pixels of a picture of a tableaux set, and its file's bytes."""
    try:
        file = path.read_bytes()
        return pixels(file), file
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error}): make the set again") from error


def pixels(file: bytes) -> NDArray[np.uint8]:
    """The pixels of a picture's file, (side, side, 3)."""
    with Image.open(io.BytesIO(file)) as picture:
        return np.asarray(picture.convert("RGB"))
