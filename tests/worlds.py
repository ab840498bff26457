import subprocess
import sys
from pathlib import Path

import pytest

import circlet
from circlet.core import Benchmark
from circlet.data import load_benchmark
from circlet.data.tableaux.files import read_scenes
from circlet.data.tableaux.world.families import SPLITS
from circlet.data.tableaux.world.scene import Scene

COMMAND = [sys.executable, "-m", "circlet", "data", "make", "tableaux", "--encoder", "looks", "--out"]


def run_make(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    source = str(Path(circlet.__file__).parents[1])
    return subprocess.run(
        [*COMMAND, str(folder), *more],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": source},
    )


class World:
    """A small set as the real command writes it, read back."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.scenes: dict[str, dict[str, Scene]] = {
            split: read_scenes(root / f"scenes.{split}.jsonl") for split in SPLITS
        }

    def bench(self, kind: str, split: str) -> Benchmark:
        return load_benchmark(f"tableaux:{kind}:{self.root}:{split}")


@pytest.fixture(scope="session")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> World:
    root = tmp_path_factory.mktemp("tableaux")
    done = run_make(root)
    assert done.returncode == 0, done.stderr
    assert "cir.train.jsonl: 600 queries" in done.stdout
    return World(root)


@pytest.fixture(scope="session")
def world(drawn: World) -> World:
    """The same, under the name that rooms without a world of their own use."""
    return drawn
