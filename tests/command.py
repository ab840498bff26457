"""The real command in a process of its own, and folders of pictures to try it on."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import circlet

SOURCE = Path(circlet.__file__).parents[1]
Picture = Callable[..., Path]


@dataclass
class Command:
    """`circlet` as a user runs it, with a home of its own."""

    home: Path

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, "CIRCLET_HOME": str(self.home), "PYTHONPATH": str(SOURCE), "COLUMNS": "100"}

    def start(self, *args: object, **options: Any) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-m", "circlet", *map(str, args)],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **options,
        )

    def __call__(
        self, *args: object, code: int = 0, feed: str | None = None, **options: Any
    ) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [sys.executable, "-m", "circlet", *map(str, args)],
            env=self.environment,
            capture_output=True,
            text=True,
            input=feed,
            check=False,
            **options,
        )
        said = f"circlet {' '.join(map(str, args))}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr, said
        assert done.returncode == code, said
        return done


@pytest.fixture(scope="session")
def at_home(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Command]:
    """The command with a home at a path; prepared models, which take seconds to build, are shared."""
    models = tmp_path_factory.getbasetemp().parent / "circlet-models"

    def make(home: Path) -> Command:
        home.mkdir(exist_ok=True)
        models.mkdir(exist_ok=True)
        if not (home / "models").exists():
            (home / "models").symlink_to(models)
        return Command(home)

    return make


@pytest.fixture
def command(tmp_path: Path, at_home: Callable[[Path], Command]) -> Command:
    """The command with an empty home."""
    return at_home(tmp_path / "home")


@pytest.fixture
def picture(tmp_path: Path) -> Picture:
    """Writes a picture of one colour with a little seeded noise: `picture("a/red.jpg", "red")`."""

    def write(name: str, colour: Any = "red", size: tuple[int, int] = (320, 240), seed: int = 0) -> Path:
        path = tmp_path / "pictures" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        plain = np.asarray(Image.new("RGB", size, colour), np.int16)
        noise = np.random.default_rng(seed).integers(-20, 20, plain.shape)
        Image.fromarray((plain + noise).clip(0, 255).astype(np.uint8)).save(path)
        return path

    return write
