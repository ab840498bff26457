"""kill -9 of the writer, of a Ray worker or of the Milvus server while a cluster indexes into it.

    python benchmarks/kill_cluster.py [--kills 20] [--pictures 1500] [--seed 0] [--store milvus|embedded]

`circlet index --workers ray:2` runs; at random moments one of the three is killed, drawn at random. A
killed server is started again at once, a killed writer, or one that ended because its server was gone, is
started again by the same command. Whenever a run comes to its end, every picture must be there exactly
once and `verify` must pass; then everything is forgotten and it begins anew. After the last kill a run is
left to finish, and each vector is held against that of an embedded index that was never disturbed.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, suppress
from pathlib import Path

import numpy as np
from photographs import folder_of
from PIL import Image
from processes_below import below

from circlet.collection import Collection
from circlet.core import StoreError
from circlet.models import load_encoder
from circlet.testing.milvus_server import MilvusServer

# Seconds that a run may take to come to where it can be disturbed.
_PATIENCE = 300.0


def workers_of(process: int) -> list[int]:
    """The Ray workers of a run that encode."""
    return [one for one, command in below(process).items() if command.startswith(b"ray::Worker")]


class Trial:
    """One folder, one store, and a run over them that is disturbed."""

    def __init__(self, place: Path, asked: argparse.Namespace, server: MilvusServer | None) -> None:
        self.home, self.server = place / "home", server
        self.store = f"{server.address}/pictures" if server else str(place / "home" / "index")
        self.folder = folder_of(place / "photographs", asked.pictures, (320, 240))
        self.ids = {str(path) for path in self.folder.rglob("*.jpg")}
        self.moments = random.Random(asked.seed)
        self.caught: Counter[str] = Counter()
        self.ended: Counter[str] = Counter()
        self.run: subprocess.Popen[str] | None = None
        self.most, self.held = 10.0, 0
        # The store has what it needs to keep vectors, so that kills hit indexing and not the making of it.
        first = folder_of(place / "first", 1, (320, 240))
        with Collection.open(first, home=self.home, store=self.store) as collection:
            collection.index()
            collection.forget(first)

    def begin(self) -> subprocess.Popen[str]:
        """Start the run, unless it is running, and wait until it has workers."""
        if self.run is None:
            self.run = subprocess.Popen(
                [sys.executable, "-m", "circlet", "index", "--quiet", "--no-look", "--workers", "ray:2",
                 "--store", self.store, str(self.folder)],
                env={**os.environ, "CIRCLET_HOME": str(self.home), "PYTHONPATH": os.pathsep.join(sys.path)},
                stderr=subprocess.PIPE,
                text=True,
            )  # fmt: skip
            end = time.monotonic() + _PATIENCE
            while self.run.poll() is None and not workers_of(self.run.pid) and time.monotonic() < end:
                time.sleep(0.2)
        return self.run

    def disturb(self) -> None:
        """Wait for a random moment, and kill one of the three; or look at what the run left, if it ended."""
        run = self.begin()
        with suppress(subprocess.TimeoutExpired):
            run.wait(self.moments.uniform(0, self.most))
            self.over(run)
            return
        victim = self.moments.choice(["writer", "worker", *(["server"] if self.server else [])])
        if victim == "worker":
            there = workers_of(run.pid)
            if not there:
                return
            os.kill(self.moments.choice(there), signal.SIGKILL)
        elif victim == "server" and self.server:
            self.server.kill()
            self.server.start()
        else:
            self.end(run)
        self.caught[victim] += 1
        now = self.count()
        # So that about half of the kills find it writing, on a slow machine as on a fast one.
        self.most = min(self.most * 1.5, 40.0) if now == self.held else max(self.most * 0.75, 1.0)
        self.held = now
        print(f"kill {self.caught.total()}: {victim}; {now:,} pictures are there", flush=True)

    def end(self, run: "subprocess.Popen[str]") -> None:
        """Kill the writer; its cluster must end by itself."""
        started = below(run.pid)
        os.kill(run.pid, signal.SIGKILL)
        run.wait()
        end = time.monotonic() + _PATIENCE
        while any(Path(f"/proc/{one}").exists() for one in started) and time.monotonic() < end:
            time.sleep(0.2)
        left = [one for one in started if Path(f"/proc/{one}").exists()]
        assert not left, f"what the killed writer had started is still there: {left}"
        self.run = None

    def over(self, run: "subprocess.Popen[str]") -> None:
        """What a run left that came to its end: everything; or one sentence, where its server was gone."""
        said = run.stderr.read() if run.stderr else ""
        self.run = None
        if run.returncode:
            self.ended[f"gave up: {said.strip().splitlines()[-1][:160]}"] += 1
            return
        self.check()
        self.ended["came to its end, all there once"] += 1
        self.held = 0
        with self.opened() as collection:
            collection.forget(self.folder)

    def opened(self) -> Collection:
        """The collection as it is."""
        return Collection.open(self.folder, home=self.home, store=self.store)

    def count(self) -> int:
        """How many pictures are there now."""
        with self.opened() as collection:
            try:
                return collection.store.count(str(self.folder))
            except StoreError:
                # Nothing was written yet, or the server is not there.
                return 0

    def check(self) -> None:
        """Every picture exactly once, and the store whole."""
        with self.opened() as collection:
            ids = [id for id, _ in collection.store.walk(collection.root, collection.encoder.fingerprint)]
            assert len(ids) == len(self.ids), f"{len(ids)} of {len(self.ids)} pictures"
            assert set(ids) == self.ids
            assert collection.store.space(collection.encoder.fingerprint).count() == len(ids)
            assert not (faults := collection.verify()), faults

    def finish(self) -> float:
        """Let a run finish; gives the worst cosine to an index that was never disturbed."""
        for _ in range(10):
            run = self.begin()
            run.wait()
            said = run.stderr.read() if run.stderr else ""
            self.run = None
            if not run.returncode:
                break
            print(f"(again: {said.strip().splitlines()[-1][:200]})", flush=True)
        self.check()
        with tempfile.TemporaryDirectory() as home, Collection.open(self.folder, home=home) as peace:
            peace.index()
            ids, name = sorted(self.ids), peace.encoder.fingerprint
            right = peace.store.space(name).vectors_of(ids)
            with self.opened() as collection:
                left = collection.store.space(name).vectors_of(ids)
            return float(np.einsum("ij,ij->i", left, right).min())


def main() -> None:
    """Kill, start again, and see that nothing is lost or doubled."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="No further kill after that.")
    parser.add_argument("--pictures", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--store", choices=["milvus", "embedded"], default="milvus")
    asked = parser.parse_args()
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="circlet-kill-")))
        os.environ["CIRCLET_HOME"] = str(place / "home")
        server = None
        if asked.store == "milvus":
            server = stack.enter_context(MilvusServer(place / "milvus"))
        # Prepared once, so that the kills hit indexing and not the building of models.
        load_encoder("builtin").images([Image.new("RGB", (256, 256))])
        trial = Trial(place, asked, server)
        began = time.monotonic()
        while trial.caught.total() < asked.kills and time.monotonic() - began < 60 * asked.minutes:
            trial.disturb()
        worst = trial.finish()
        minutes = (time.monotonic() - began) / 60
        what = ", ".join(f"{times} × {victim}" for victim, times in sorted(trial.caught.items()))
        print(f"{trial.caught.total()} kills in {minutes:.0f} minutes: {what}")
        for what, times in trial.ended.items():
            print(f"{times} × a run {what}")
        print(f"all {asked.pictures} pictures there exactly once, the store whole")
        print(f"worst cosine to an undisturbed index {worst:.6f}")


if __name__ == "__main__":
    main()
