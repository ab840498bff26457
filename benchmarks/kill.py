"""kill -9 at random moments while `circlet index` or `circlet serve` runs: nothing finished may be lost.

    python benchmarks/kill.py [--rounds 1000] [--minutes 60] [--pictures 1500] [--seed 0]

Every other round is a server, which indexes in a process of its own; both are killed at once.
After every kill the index must open, verify and hold at least the pictures it held before, and what
was seen in them where circlet[people] or circlet[text] is installed. A kill that found nothing new makes
the next ones wait longer, one that did makes them wait less. When a run finishes before it is killed, or
was killed with everything done before, everything is forgotten and it begins again. At the end one run is
left to finish, and the index must hold every picture with the vector that an index which was never
interrupted gives it.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import numpy as np
from photographs import folder_of
from PIL import Image

from circlet.collection.collection import Collection
from circlet.models import load_encoder
from circlet.models.seeing.watchers import ways
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
    parser.add_argument("--home", type=Path, help="Where to index: a folder of its own, which stays.")
    asked = parser.parse_args()
    home = asked.home or Path(tempfile.mkdtemp(prefix="circlet-kill-"))
    os.environ["CIRCLET_HOME"] = str(home)
    try:
        killed(asked, home)
    except BaseException:
        print(f"the index is kept as it was found, in {home}")
        raise
    if asked.home is None:
        shutil.rmtree(home)


def killed(asked: argparse.Namespace, home: Path) -> None:
    """All rounds over one home; raises at the first thing that is not as it should be."""
    moments = random.Random(asked.seed)
    folder = folder_of(home / "photographs", asked.pictures, (640, 480))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "circlet", "index", "--quiet", str(folder)]
    server = [sys.executable, "-m", "circlet", "serve", str(folder), "--port", "0"]
    # Prepared once, so that the kills hit indexing and not the building of models.
    load_encoder("builtin").images([Image.new("RGB", (256, 256))])
    everything = (asked.pictures, asked.pictures * len(ways()))
    held, most, again = (0, 0), 3.0, 0
    caught: Counter[str] = Counter()
    started = time.monotonic()
    while caught.total() < asked.rounds and time.monotonic() - started < 60 * asked.minutes:
        # A server stays when all is done, and can be killed then; indexing would be over too soon.
        serves = caught.total() % 2 == 1 or held == everything
        run = subprocess.Popen(
            server if serves else command,
            env=environment,
            start_new_session=True,
            stdout=subprocess.DEVNULL if serves else None,
        )
        try:
            run.wait(moments.uniform(0, most))
            assert run.returncode == 0, "a run that was not killed failed"
            Collection.open(home=home).forget(folder)
            held, again = (0, 0), again + 1
            continue
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()
            # What it had started dies too, but not at once on a busy machine.
            with suppress(ProcessLookupError):
                while True:
                    os.killpg(run.pid, 0)
                    time.sleep(0.05)
        now = looked_at(home, held)
        what = "done" if held == everything else "new" if now != held else "nothing new"
        caught[what] += 1
        print(f"kill {caught.total()}: whole, {now[0]} pictures, {now[1]} looked at ({what})", flush=True)
        if what == "done":
            Collection.open(home=home).forget(folder)
            now, again = (0, 0), again + 1
        else:
            # So that about half of the kills find it reading and writing, on a slow machine as on a fast one.
            most = min(most * 1.5, 30.0) if what == "nothing new" else max(most * 0.75, 0.5)
        held = now
    minutes = (time.monotonic() - started) / 60
    subprocess.run(command, env=environment, check=True)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as peace:
        Collection.open(folder, home=peace).index()
        left, right = vectors(home), vectors(Path(peace))
    assert left.keys() == right.keys()
    assert len(left) == asked.pictures
    worst = min(float(left[path] @ right[path]) for path in left)
    print(f"{caught.total()} kills in {minutes:.0f} minutes, nothing lost")
    print(
        f"{caught['new']} when something new was written, {caught['nothing new']} before that, "
        f"{caught['done']} when all was done; begun anew {again} times"
    )
    print(f"worst cosine to an undisturbed index {worst:.6f}")
    print(f"(which took {time.perf_counter() - began:.0f} s)")


def looked_at(home: Path, held: tuple[int, int]) -> tuple[int, int]:
    """How many pictures the index holds and how often one was looked at, after it was found whole."""
    if not (home / "index" / "catalogue.sqlite").exists():
        assert held == (0, 0), "the index is gone"
        return held
    with Collection.open(home=home) as collection:
        faults = collection.verify()
        known = collection.info()
    now = (known.pictures, sum(known.looked.values()))
    assert not faults, faults
    assert now[0] >= held[0], f"{held[0]} pictures were finished, {now[0]} are there"
    assert now[1] >= held[1], f"{held[1]} were looked at, {now[1]} are remembered"
    return now


if __name__ == "__main__":
    main()
