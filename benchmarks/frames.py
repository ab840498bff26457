"""How long `circlet build frames` takes beyond encoding, and whether it writes the same bytes twice.

    python benchmarks/frames.py [--pictures 2000] [--size 800x600] [--folder FOLDER]

Makes photograph-like JPEG files (`photographs.py`), or takes a folder of yours. Runs the command twice in a
home of its own, without the text filter, which takes half a second a picture where it is installed. The
first run encodes and keeps the vectors; the second finds them there, so that its time is what comes
beyond encoding: opening for the blur filter, choosing, drawing and writing. Then the two are held against
each other, byte by byte.
"""

import argparse
import filecmp
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from photographs import photograph


def build(folder: Path, out: Path, home: Path) -> tuple[float, float, str]:
    """Seconds on the clock and of the processor that the command took, and its last line."""
    environment = {**os.environ, "CIRCLET_HOME": str(home)}
    command = [
        sys.executable,
        "-m",
        "circlet",
        "build",
        "frames",
        str(folder),
        "--out",
        str(out),
        "--no-text",
    ]
    began, before = time.perf_counter(), os.times()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    after = os.times()
    processor = after.children_user - before.children_user + after.children_system - before.children_system
    return time.perf_counter() - began, processor, done.stdout.strip().rpartition(": ")[2]


def main() -> None:
    """Make pictures, build twice, compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pictures", type=int, default=2000)
    parser.add_argument("--size", default="800x600")
    parser.add_argument("--folder", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = asked.folder or Path(place) / "pictures"
        if asked.folder is None:
            folder.mkdir()
            wide, tall = map(int, asked.size.split("x"))
            for number in range(asked.pictures):
                photograph(number, (wide, tall)).save(folder / f"{number:05}.jpg", quality=85)
        one, two = Path(place) / "one", Path(place) / "two"
        for name, out in (("with encoding", one), ("beyond encoding", two)):
            clock, processor, made = build(folder, out, Path(place) / "home")
            print(
                f"{name}: {clock:.1f} s on the clock, {processor:.1f} s of the processor, {made}", flush=True
            )
        files = sorted(path.relative_to(one) for path in one.rglob("*") if path.is_file())
        others = sorted(path.relative_to(two) for path in two.rglob("*") if path.is_file())
        same = files == others and all(filecmp.cmp(one / path, two / path, shallow=False) for path in files)
        print(f"{len(files):,} files, {'the same bytes' if same else 'NOT the same bytes'} twice")


if __name__ == "__main__":
    main()
