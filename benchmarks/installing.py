"""What `pip install circlet` takes and how long `make demo` lasts, of two commits, in empty environments.

python benchmarks/installing.py --before c8a6d8f^      # the commit before torch left the base

Nothing is taken from pip's cache, every environment and every CIRCLET_HOME is new, and the commits follow
one another in one run. Prints the tables of docs/installing.md.
"""

import argparse
import io
import os
import resource
import subprocess
import sys
import tarfile
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

# Asked of the new environment's own python: every distribution but pip's own, with its size in bytes.
_SIZES = """
import importlib.metadata as m
for one in m.distributions():
    files = [one.locate_file(file) for file in one.files or ()]
    print(one.name, one.version, sum(f.stat().st_size for f in files if f.is_file() and f.suffix != ".pyc"))
"""
_TOOLS = {"pip", "setuptools", "wheel"}


def unpacked(commit: str, place: Path) -> Path:
    """The commit's files, in a folder of their own."""
    told = subprocess.run(["git", "archive", "--format=tar", commit], check=True, capture_output=True)
    with tarfile.open(fileobj=io.BytesIO(told.stdout)) as packed:
        packed.extractall(place, filter="data")
    return place


@dataclass(frozen=True)
class Spent:
    """Seconds by the clock, and of processor time: the second says more where the machine is busy."""

    clock: float
    processor: float

    def __str__(self) -> str:
        return f"{self.clock:.0f} s ({self.processor:.0f} s of processor)"


def timed(*call: object, **options: object) -> Spent:
    """How long a command takes; one that fails ends the run."""
    began, used = time.monotonic(), _used()
    quiet = subprocess.DEVNULL
    subprocess.run(list(map(str, call)), check=True, stdout=quiet, stderr=quiet, **options)  # type: ignore[call-overload]
    return Spent(time.monotonic() - began, _used() - used)


def _used() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def installed(tree: Path, place: Path) -> tuple[Spent, list[tuple[str, str, int]]]:
    """The seconds that the bare package takes to install, and what is there afterwards."""
    timed(sys.executable, "-m", "venv", place)
    pip = (place / "bin" / "pip", "install", "--quiet", "--no-cache-dir", "--no-compile")
    spent = timed(*pip, "--constraint", tree / "constraints.txt", tree)
    said = subprocess.run(
        [place / "bin" / "python", "-c", _SIZES], check=True, capture_output=True, text=True
    )
    rows = [line.split() for line in said.stdout.splitlines()]
    return spent, sorted(
        ((name, version, int(size)) for name, version, size in rows if name not in _TOOLS),
        key=lambda row: -row[2],
    )


def main() -> None:
    """The two tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--before", default="c8a6d8f^")
    parser.add_argument("--now", default="HEAD")
    parser.add_argument("--only", action="append", choices=("before", "now"), help="One of the two.")
    asked = parser.parse_args()
    print("| | packages | size | pip install | make demo from nothing |\n| --- | --- | --- | --- | --- |")
    for label in asked.only or ("before", "now"):
        commit = getattr(asked, label)
        with tempfile.TemporaryDirectory() as folder:
            tree = unpacked(commit, Path(folder) / "tree")
            spent, rows = installed(tree, Path(folder) / "bare")
            home = {**os.environ, "CIRCLET_HOME": f"{folder}/home", "PIP_NO_CACHE_DIR": "1"}
            demo = timed("make", "--silent", "demo", f"PYTHON={sys.executable}", cwd=tree, env=home)
        size = sum(size for _, _, size in rows) / 1e6
        print(f"| {label} | {len(rows)} | {size:,.0f} MB | {spent} | {demo} |", flush=True)
    print("\n| package | size |\n| --- | --- |")
    for name, version, size in rows:
        print(f"| {name} {version} | {size / 1e6:.1f} MB |")


if __name__ == "__main__":
    main()
