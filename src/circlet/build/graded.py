"""Graded queries and judges of a tableaux set: drawn over a set that is there, which stays as it is."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from circlet.core import Benchmark
from circlet.data.jsonl import read_benchmark, write_benchmark
from circlet.data.tableaux.files import Stages, draw, finish, read_scenes, recipe_of, write_scenes
from circlet.data.tableaux.tasks.judges import judges_benchmark, simulated
from circlet.data.tableaux.tasks.relevance import draw_graded, relevance_benchmark

# How graded queries, their pictures and judges are drawn: change it when they should come out otherwise.
RELEVANCE = 2


def add_grades(
    root: Path, queries: Mapping[str, int], *, workers: int = 2, stages: Stages | None = None
) -> dict[str, Benchmark]:
    """So many graded queries of each split, with pictures of their own, and judges; by file name.

    Safe to repeat and to interrupt: `add_grades(Path("world"), {"test": 300})`.
    """
    recipe, written = recipe_of(root), {}
    seed, side = int(str(recipe["seed"])), int(str(recipe["side"]))
    tell = stages or (lambda stage, done, of: None)
    for split, most in queries.items():
        cir = read_benchmark(root / f"cir.{split}.jsonl")
        scenes = read_scenes(root / f"scenes.{split}.jsonl")
        graded = draw_graded(cir, scenes, seed, most)
        files = {**cir.images, **draw(root, graded.scenes, side, workers, tell)}
        write_scenes(root / f"graded.{split}.jsonl", graded.scenes)
        tell(f"grades for {split}", 0, 1)
        relevance = relevance_benchmark(cir, scenes, graded, seed)
        found = simulated(relevance, {**scenes, **graded.scenes}, seed)
        for kind, bench in (("relevance", relevance), ("judges", judges_benchmark(relevance, found, seed))):
            used = {id: files[id] for id in bench.pictures}
            revision = f"{cir.revision}, relevance {RELEVANCE}"
            written[f"{kind}.{split}.jsonl"] = replace(bench, images=used, revision=revision)
            write_benchmark(written[f"{kind}.{split}.jsonl"], root / f"{kind}.{split}.jsonl")
        tell(f"grades for {split}", 1, 1)
    finish(root, relevance=RELEVANCE)
    return written
