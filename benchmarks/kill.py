"""kill -9 at random moments while `circlet index` or `circlet serve` runs: nothing finished may be lost.

    python benchmarks/kill.py [--rounds 1000] [--minutes 60] [--pictures 1500] [--seed 0]

Every other round is a server, which indexes in a process of its own; both are killed at once.
After every kill the index must open, verify and hold at least the pictures it held before, and what
was seen in them where circlet[people] or circlet[text] is installed. When a run finishes before it is
killed, everything is forgotten and it begins again. At the end one run is left to finish, and the index
must hold every picture with the vector that an index which was never interrupted gives it.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from photographs import folder_of
from PIL import Image

from circlet.collection.collection import Collection
from circlet.models import load_encoder
from circlet.testing import whole


def vectors(home: Path) -> dict[str, np.ndarray]:
    """Every picture's vector by path."""
    collection = Collection.open(home=home)
    gallery = whole(collection.store.space(collection.encoder.fingerprint))
    return dict(zip(gallery.ids, np.array(gallery.vectors), strict=True))


def main() -> None:
    """Kill, look, kill again; then compare with an index that was left in peace."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="No further kill after that.")
    parser.add_argument("--pictures", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--home", type=Path, default=Path(tempfile.mkdtemp(prefix="circlet-kill-")))
    asked = parser.parse_args()
    moments = random.Random(asked.seed)
    folder = folder_of(asked.home / "photographs", asked.pictures, (640, 480))
    environment = {**os.environ, "CIRCLET_HOME": str(asked.home), "PYTHONPATH": os.pathsep.join(sys.path)}
    os.environ["CIRCLET_HOME"] = str(asked.home)
    command = [sys.executable, "-m", "circlet", "index", "--quiet", str(folder)]
    server = [sys.executable, "-m", "circlet", "serve", str(folder), "--port", "0"]
    # Prepared once, so that the kills hit indexing and not the building of models.
    load_encoder("builtin").images([Image.new("RGB", (256, 256))])
    kills, held, most = 0, (0, 0), 3.0
    started = time.monotonic()
    while kills < asked.rounds and time.monotonic() - started < 60 * asked.minutes:
        serves = kills % 2 == 1
        run = subprocess.Popen(
            server if serves else command,
            env=environment,
            start_new_session=True,
            stdout=subprocess.DEVNULL if serves else None,
        )
        try:
            run.wait(moments.uniform(0, most))
            assert run.returncode == 0, "a run that was not killed failed"
            Collection.open(home=asked.home).forget(folder)
            held = (0, 0)
            continue
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()
        kills += 1
        if not (asked.home / "index" / "catalogue.sqlite").exists():
            continue
        collection = Collection.open(home=asked.home)
        faults = collection.verify()
        known = collection.info()
        now = (known.pictures, sum(known.looked.values()))
        assert not faults, faults
        assert now[0] >= held[0], f"{held[0]} pictures were finished, {now[0]} are there"
        assert now[1] >= held[1], f"{held[1]} were looked at, {now[1]} are remembered"
        # A slow machine needs longer before there is anything to lose.
        most = most * 1.5 if now == held and most < 30 else most
        held = now
        print(f"kill {kills}: whole, {held[0]} pictures, {held[1]} looked at", flush=True)
    subprocess.run(command, env=environment, check=True)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as peace:
        Collection.open(folder, home=peace).index()
        left, right = vectors(asked.home), vectors(Path(peace))
    assert left.keys() == right.keys()
    assert len(left) == asked.pictures
    worst = min(float(left[path] @ right[path]) for path in left)
    print(f"{kills} kills, nothing lost; worst cosine to an undisturbed index {worst:.6f}")
    print(f"(which took {time.perf_counter() - began:.0f} s)")


if __name__ == "__main__":
    main()
