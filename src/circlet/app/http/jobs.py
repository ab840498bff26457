"""Indexing in the background: a process of its own, so that no visitor waits behind it."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from itertools import count
from threading import Lock, Thread
from typing import IO, Any

from circlet.core import BusyError
from circlet.core.files import parse_json


@dataclass(frozen=True)
class Job:
    """One run of the indexer; `state` is running, done or failed.

    >>> Job("1", done=30, total=120).share
    0.25
    """

    id: str
    state: str = "running"
    done: int = 0
    total: int | None = None
    report: dict[str, Any] = field(default_factory=dict)
    error: str = ""
    started: float = field(default_factory=time.time)
    ended: float | None = None

    @property
    def share(self) -> float | None:
        """How much is done, from 0 to 1; None while the folder is still being counted."""
        return None if not self.total else min(1.0, self.done / self.total)

    def to_dict(self) -> dict[str, Any]:
        """The job as plain JSON values."""
        return {**asdict(self), "share": self.share}


class Jobs:
    """Starts indexing runs, one at a time, and knows how they are getting on.

    `command` is what runs: it prints one JSON object a line, `{"done": 3, "total": 9}` along the
    way and `{"report": {…}}` or `{"error": "…"}` at the end. `then` is called after a run that is done.
    """

    def __init__(self, command: list[str], *, then: Callable[[], None] | None = None) -> None:
        self._command, self._then = command, then
        # Apart, because a process takes its time to begin: who asks how it is going must not wait for that.
        self._starting, self._lock = Lock(), Lock()
        self._numbers = count(1)
        self._jobs: dict[str, Job] = {}
        self._process: subprocess.Popen[str] | None = None

    @property
    def running(self) -> Job | None:
        """The job under way, if any."""
        return next((job for job in self.all if job.state == "running"), None)

    @property
    def all(self) -> tuple[Job, ...]:
        """Every job since the server started, newest first."""
        with self._lock:
            return tuple(reversed(self._jobs.values()))

    def get(self, id: str) -> Job | None:
        """The job of that number."""
        with self._lock:
            return self._jobs.get(id)

    def start(self) -> Job:
        """Begin an indexing run; a second one beside the first is refused."""
        with self._starting:
            if self.running:
                raise BusyError("indexing is under way already: wait for it to finish")
            # First the process: a job that never began must not be listed as running.
            self._process = subprocess.Popen(
                self._command,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                # The same circlet as this one, wherever it was imported from.
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
            job = Job(str(next(self._numbers)))
            with self._lock:
                self._jobs = {**dict(list(self._jobs.items())[-19:]), job.id: job}
        Thread(target=self._follow, args=(job.id, self._process), daemon=True, name="indexing").start()
        return job

    def stop(self) -> None:
        """End the run under way: what it has written so far is kept."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def _follow(self, id: str, process: subprocess.Popen[str]) -> None:
        last = self._read(id, process.stdout)
        code = process.wait()
        if "report" in last:
            self._update(id, state="done", report=last["report"], ended=time.time())
            if self._then:
                self._then()
        else:
            reason = last.get("error") or f"the indexer stopped with code {code}: start it again to go on"
            self._update(id, state="failed", error=reason, ended=time.time())

    def _read(self, id: str, lines: IO[str] | None) -> dict[str, Any]:
        last: dict[str, Any] = {}
        for line in lines or ():
            try:
                said = parse_json(line)
            except ValueError:
                said = None
            if not isinstance(said, dict):
                continue  # a line cut short, or one that something else in the process printed
            last = said
            if "done" in last:
                self._update(id, done=last["done"], total=last["total"])
        return last

    def _update(self, id: str, **changes: Any) -> None:
        with self._lock:
            self._jobs[id] = replace(self._jobs[id], **changes)


def indexer(folder: str | None, home: str, encoder: str, *what: str) -> list[str]:
    """The command that indexes a folder and tells how far it is; with "look", one that looks at it."""
    return [sys.executable, "-m", "circlet.app.http.worker", folder or "", home, encoder, *what]
