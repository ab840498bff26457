"""What is known of indexing runs: in the memory of one process, or in a folder that several share."""

import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import IO, Any

from circlet.core import BusyError
from circlet.core.files import parse_json, replacing
from circlet.core.processes import lives

# Runs that are remembered.
_KEPT = 20
_BUSY = "indexing is under way already: wait for it to finish"
_LOST = "the process that indexed came to an end: start it again to go on"


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


class Runs:
    """The runs that this process began, for as long as it lives.

    >>> runs = Runs()
    >>> runs.put(Job("1", state="done")); runs.next(), [job.id for job in runs.all()]
    ('2', ['1'])
    """

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._lock = Lock()

    def all(self) -> tuple[Job, ...]:
        """Every run that is remembered, newest first."""
        with self._lock:
            return tuple(reversed(self._jobs.values()))

    def put(self, job: Job) -> None:
        """Remember how far this run is."""
        with self._lock:
            if job.id not in self._jobs:
                self._jobs = dict(list(self._jobs.items())[1 - _KEPT :])
            self._jobs[job.id] = job

    def next(self) -> str:
        """The number of the next run."""
        return str(1 + max((int(job.id) for job in self.all()), default=0))

    def begin(self) -> None:
        """Claim the one run that may be under way; refused while another is."""
        if any(job.state == "running" for job in self.all()):
            raise BusyError(_BUSY)

    def end(self) -> None:
        """Let the next one begin."""


class SharedRuns(Runs):
    """The runs of all processes of one server, as files of a folder that is theirs alone.

    One process at a time holds the folder's lock, for as long as its run is under way; the system
    lets go of it when that process dies.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()
        folder.mkdir(mode=0o700, exist_ok=True)
        self._folder = folder
        self._held: IO[str] | None = None

    def all(self) -> tuple[Job, ...]:
        """Every run that is remembered, newest first; one whose process died has failed."""
        jobs = []
        for path in self._folder.glob("*.json"):
            with suppress(OSError, ValueError):
                told = parse_json(path.read_text(encoding="utf-8"))
                process = told.pop("process")
                job = Job(**told)
                lost = job.state == "running" and not lives(process)
                jobs.append(replace(job, state="failed", error=_LOST) if lost else job)
        return tuple(sorted(jobs, key=lambda job: -int(job.id))[:_KEPT])

    def put(self, job: Job) -> None:
        """Write down how far this run is."""
        with replacing(self._folder / f"{job.id}.json") as half:
            half.write_text(json.dumps({**asdict(job), "process": os.getpid()}), encoding="utf-8")

    def begin(self) -> None:
        """Claim the one run that may be under way in any of the processes."""
        import fcntl

        held = (self._folder / "lock").open("a", encoding="utf-8")
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            held.close()
            raise BusyError(_BUSY) from None
        self._held = held

    def end(self) -> None:
        """Let the next one begin."""
        if self._held is not None:
            self._held.close()
            self._held = None


def runs_of(shared: Path | None) -> Callable[[str], Runs]:
    """Where runs of a kind are remembered: with several processes, where all of them look."""
    return lambda kind: Runs() if shared is None else SharedRuns(shared / kind)
