"""Sets of ten frames of a tableaux set: drawn over a set that is there, which stays as it is."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from circlet.core import Benchmark
from circlet.data.jsonl import write_benchmark
from circlet.data.tableaux.files import Stages, draw, finish, recipe_of, spread
from circlet.data.tableaux.tasks.films import Film, write_films
from circlet.data.tableaux.tasks.frames import Description, draw_set, frames_benchmark

# How films and what is said of them are drawn: change it when they should come out otherwise.
FRAMES = 2
_BATCH = 16
# Below this many sets, starting other processes takes longer than drawing.
_ALONE = 64


def add_films(
    root: Path, sets: Mapping[str, int], *, workers: int = 2, stages: Stages | None = None
) -> dict[str, Benchmark]:
    """So many sets of ten frames of each split, and what is said of three of each; by file name.

    Safe to repeat and to interrupt: `add_films(Path("world"), {"test": 700})`.
    """
    recipe, written = recipe_of(root), {}
    seed, side = int(str(recipe["seed"])), int(str(recipe["side"]))
    tell = stages or (lambda stage, done, of: None)
    for split, wanted in sets.items():
        drawn = _drawn(split, wanted, seed, workers, tell)
        films = {name: film for name, film, _ in drawn}
        frames = {
            f"{name}-{at}": frame for name, film in films.items() for at, frame in enumerate(film.frames)
        }
        files = draw(root, frames, side, workers, tell)
        write_films(root / f"films.{split}.jsonl", films)
        revision = f"tableaux {recipe['tableaux']}, {recipe['size']}, seed {seed}, frames {FRAMES}"
        bench = replace(frames_benchmark(split, drawn), images=files, revision=revision)
        write_benchmark(bench, root / f"frames.{split}.jsonl")
        written[f"frames.{split}.jsonl"] = bench
    finish(root, frames=FRAMES)
    return written


def _drawn(
    split: str, wanted: int, seed: int, workers: int, tell: Stages
) -> list[tuple[str, Film, list[Description]]]:
    batches = [range(start, min(start + _BATCH, wanted)) for start in range(0, wanted, _BATCH)]
    drawn: list[tuple[str, Film, list[Description]]] = []
    for batch in spread(partial(_batch, split, seed), batches, workers if wanted >= _ALONE else 1):
        drawn += batch
        tell(f"films for {split}", len(drawn), wanted)
    return drawn


def _batch(split: str, seed: int, numbers: range) -> list[tuple[str, Film, list[Description]]]:
    return [draw_set(split, number, seed) for number in numbers]
