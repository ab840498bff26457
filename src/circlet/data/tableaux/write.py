"""Make a tableaux set on disk: pictures, scene graphs and every benchmark, the same bytes every time."""

import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np
from PIL import Image

from circlet.core import UsageError, Vectors
from circlet.data.builders import Rule, find_subsets
from circlet.data.jsonl import write_benchmark
from circlet.data.tableaux.cir import cir_benchmark
from circlet.data.tableaux.looks import Looks
from circlet.data.tableaux.render import SIDE, encoded, render
from circlet.data.tableaux.scene import Scene
from circlet.data.tableaux.words import caption
from circlet.data.tableaux.world import SPLITS, family

J = TypeVar("J")
R = TypeVar("R")
VERSION = 1
Progress = Callable[[str, int, int], None]


class Looker(Protocol):
    """What subsets are found with: anything that turns pictures into unit rows."""

    @property
    def fingerprint(self) -> str: ...

    def images(self, pictures: Sequence[Image.Image]) -> Vectors:
        """One row per picture."""
        ...


@dataclass(frozen=True, kw_only=True)
class Size:
    """How much to make: scenes of `cir` for each split, how many make a family, and pairs at most."""

    scenes: Mapping[str, int]
    family: int
    pairs: Mapping[str, int]


SIZES: dict[str, Size] = {
    "small": Size(
        scenes={"train": 240, "val": 80, "test": 80},
        family=20,
        pairs={"train": 720, "val": 240, "test": 240},
    ),
    "standard": Size(
        scenes={"train": 8000, "val": 1000, "test": 1000},
        family=20,
        pairs={"train": 24000, "val": 3000, "test": 3000},
    ),
    "large": Size(
        scenes={"train": 40000, "val": 5000, "test": 5000},
        family=20,
        pairs={"train": 120000, "val": 15000, "test": 15000},
    ),
}
# CIRR-like overlap: the standard set draws 30,000 pairs from 10,000 scenes, two subsets a scene.
RULE = Rule(shared=3)


def make(
    out: Path | str,
    size: str = "small",
    *,
    seed: int = 0,
    side: int = SIDE,
    encoder: Looker | None = None,
    workers: int = 2,
    progress: Progress | None = None,
) -> Path:
    """Write a tableaux set into a folder and return it; what is there already is not drawn again.

    The encoder finds the look-alikes; without one, plain colours on a grid do (see `Looks`).
    """
    if size not in SIZES:
        raise UsageError(f"no size {size!r}: pick one of {', '.join(SIZES)}")
    root = Path(out)
    looker = encoder or Looks()
    recipe = {"tableaux": VERSION, "size": size, "seed": seed, "side": side, "looks": looker.fingerprint}
    _claim(root, recipe)
    seen: set[str] = set()
    tell = progress or (lambda stage, done, of: None)
    for split in SPLITS:
        scenes = gather(split, SIZES[size], seed, seen, tell)
        files = draw(root, split, scenes, side, workers, tell)
        _write_scenes(root / f"scenes.{split}.jsonl", scenes)
        vectors = look(looker, files.values(), len(files), split, tell)
        rule = Rule(shared=RULE.shared, most=SIZES[size].pairs[split] // 9)
        subsets = find_subsets(vectors, rule, seed)
        bench = cir_benchmark(split, scenes, subsets, seed)
        bench = replace(
            bench,
            images=files,
            revision=f"tableaux {VERSION}, size {size}, seed {seed}",
            extra=dict(bench.extra) | {"looks": looker.fingerprint},
        )
        write_benchmark(bench, root / f"cir.{split}.jsonl")
    return root


def _claim(root: Path, recipe: dict[str, object]) -> None:
    """Mark the folder with what it holds, and refuse one that holds something else."""
    root.mkdir(parents=True, exist_ok=True)
    path = root / "recipe.json"
    said = json.dumps(recipe, indent=2) + "\n"
    if path.exists() and path.read_text(encoding="utf-8") != said:
        raise UsageError(f"{root} holds a tableaux set made otherwise (see {path}): name an empty folder")
    path.write_text(said, encoding="utf-8")


def gather(split: str, size: Size, seed: int, seen: set[str], tell: Progress) -> dict[str, Scene]:
    """The scenes of a split by id, in an order that says nothing about families."""
    rng = random.Random(f"tableaux {seed} {split}")
    wanted = size.scenes[split]
    found: list[Scene] = []
    while len(found) < wanted:
        found += family(rng, split, min(size.family, max(2, wanted - len(found))), seen)
        tell(f"scenes for {split}", min(len(found), wanted), wanted)
    rng.shuffle(found)
    return {f"{split}-{number:06d}": scene for number, scene in enumerate(found)}


def draw(
    root: Path, split: str, scenes: Mapping[str, Scene], side: int, workers: int, tell: Progress
) -> dict[str, Path]:
    """Draw every scene that has no picture yet; the files by id."""
    folder = root / "images" / split
    folder.mkdir(parents=True, exist_ok=True)
    files = {id: folder / f"{id}.jpg" for id in scenes}
    todo = [(scenes[id], path, side) for id, path in files.items() if not path.exists()]
    done = len(files) - len(todo)
    for _ in _mapped(_draw_one, todo, workers):
        done += 1
        tell(f"pictures for {split}", done, len(files))
    return files


def _mapped(work: Callable[[J], R], jobs: Sequence[J], workers: int) -> Iterator[R]:
    """The results of the jobs in their order, from other processes where that pays."""
    if workers < 2 or len(jobs) < 400:
        yield from map(work, jobs)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(work, jobs, chunksize=64)


def _draw_one(job: tuple[Scene, Path, int]) -> None:
    scene, path, side = job
    half = path.with_suffix(".part")
    half.write_bytes(encoded(render(scene, side)))
    half.replace(path)


def look(looker: Looker, files: Iterable[Path], total: int, split: str, tell: Progress) -> Vectors:
    """Every picture's vector, as the file shows it."""
    paths = list(files)
    rows = []
    for start in range(0, total, 64):
        pictures = []
        for path in paths[start : start + 64]:
            with Image.open(path) as picture:
                pictures.append(picture.convert("RGB"))
        rows.append(looker.images(pictures))
        tell(f"look-alikes for {split}", min(start + 64, total), total)
    return np.concatenate(rows) if rows else np.zeros((0, 1), np.float32)


def _write_scenes(path: Path, scenes: Mapping[str, Scene]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for id, scene in scenes.items():
            line = {"id": id, "caption": caption(scene), "scene": scene.to_dict()}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
