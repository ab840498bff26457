"""What an export wrote, and how pictures go with it."""

import os
import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Exported:
    """The files, the benchmarks that `circlet data check` reads in them, and what is to be said of them."""

    files: tuple[Path, ...]
    benchmarks: tuple[str, ...]
    notes: tuple[str, ...] = ()


def bring_pictures(folder: Path, files: Mapping[str, Path], names: Iterable[str]) -> dict[str, str]:
    """Put pictures into a folder, as hard links where the disk allows; their paths from there, by id.

    A picture keeps its ending, and its name is its id.
    """
    brought: dict[str, str] = {}
    for id in names:
        name = id if id.endswith(files[id].suffix) else f"{id}{files[id].suffix}"
        end = folder / name
        end.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            end.unlink()
        try:
            os.link(files[id].resolve(), end)
        except OSError:
            shutil.copyfile(files[id], end)
        brought[id] = name
    return brought
