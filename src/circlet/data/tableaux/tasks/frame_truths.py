"""Films as arrays that a network learns from: small pictures, what fills each place, what is to be seen."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from circlet.core import DataError, Progress
from circlet.data.tableaux.files import picture_file
from circlet.data.tableaux.tasks.films import SET_SIZE, Film, read_films
from circlet.data.tableaux.tasks.frame_series import paint_of, series_of
from circlet.data.tableaux.world.kinds import PALETTES, kinds
from circlet.data.tableaux.world.settings import TIMES, WEATHERS, settings
from circlet.language.frame_facts import LOOKS, SEEN

# Things of one set that are kept: no film has more.
THINGS = 6
COLOURS = tuple(sorted({colour for palette in PALETTES.values() for colour in palette}))
_UNKNOWN = -1


@dataclass(frozen=True, eq=False)
class FrameTruths:
    """Sets of ten pictures with their truth; the first axes are sets, pictures and things.

    `filled` is how much of each place a thing fills (0 to 255), `kinds` its number in the table of kinds,
    `colours`, `settings`, `times`, `weathers` numbers in their lists; −1 is no thing, or none that is known.
    """

    pictures: NDArray[np.uint8]
    filled: NDArray[np.uint8]
    kinds: NDArray[np.int64]
    seen: NDArray[np.float32]
    looks: NDArray[np.float32]
    colours: NDArray[np.int64]
    settings: NDArray[np.int64]
    times: NDArray[np.int64]
    weathers: NDArray[np.int64]
    in_time: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.pictures)


def read_truths(
    root: Path, split: str, side: int, cells: int, *, sets: int = 0, progress: Progress | None = None
) -> FrameTruths:
    """The sets of a split of a tableaux set, or the first so many of them, at this size."""
    films = dict(list(read_films(root, split).items())[: sets or None])
    return truths_of(films, root, side, cells, progress=progress)


def truths_of(
    films: Mapping[str, Film], root: Path, side: int, cells: int, *, progress: Progress | None = None
) -> FrameTruths:
    """These films of a tableaux set as arrays."""
    count = len(films)
    ten, places, names = (count, SET_SIZE), list(settings()), list(kinds())
    made = FrameTruths(
        pictures=np.zeros((*ten, side, side, 3), np.uint8),
        filled=np.zeros((*ten, THINGS, cells, cells), np.uint8),
        kinds=np.full((count, THINGS), _UNKNOWN),
        seen=np.full((*ten, THINGS, len(SEEN)), np.nan, np.float32),
        looks=np.zeros((*ten, len(LOOKS)), np.float32),
        colours=np.full((*ten, THINGS), _UNKNOWN),
        settings=np.zeros(ten, np.int64),
        times=np.zeros(ten, np.int64),
        weathers=np.zeros(ten, np.int64),
        in_time=np.array([film.timed for film in films.values()], np.bool_),
    )
    for row, (name, film) in enumerate(films.items()):
        paint = paint_of(film)
        series = series_of(film, paint)
        there = list(series.things)[:THINGS]
        made.kinds[row, : len(there)] = [names.index(one) for one in there]
        made.looks[row] = series.looks
        for number, one in enumerate(there):
            made.seen[row, :, number] = series.things[one]
        for place, frame in enumerate(film.frames):
            made.pictures[row, place] = _opened(picture_file(root, f"{name}-{place}"), side)
            scene = frame.scene
            made.settings[row, place] = places.index(scene.setting)
            made.times[row, place] = TIMES.index(scene.time)
            made.weathers[row, place] = WEATHERS.index(scene.weather)
            for number, one in enumerate(there):
                thing = scene.thing(one)
                if thing is None:
                    continue
                mask = paint[place][one].mask
                fine = mask.reshape(cells, len(mask) // cells, cells, len(mask) // cells)
                made.filled[row, place, number] = np.round(fine.mean((1, 3)) * 255)
                if ("colour", one, thing.colour) in series.stated:
                    made.colours[row, place, number] = COLOURS.index(thing.colour)
        if progress:
            progress(row + 1, count)
    return made


def _opened(path: Path, side: int) -> NDArray[np.uint8]:
    try:
        with Image.open(path) as picture:
            return np.asarray(picture.convert("RGB").resize((side, side), Image.Resampling.BOX))
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error}): make the set again") from error
