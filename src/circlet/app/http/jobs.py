"""Indexing in the background: a process of its own, so that no visitor waits behind it."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from threading import Lock, Thread
from typing import IO, Any

from circlet.app.http.runs import Job, Runs
from circlet.core.files import parse_json


class Jobs:
    """Starts indexing runs, one at a time, and knows how they are getting on.

    `command` is what runs: it prints one JSON object a line, `{"done": 3, "total": 9}` along the
    way and `{"report": {…}}` or `{"error": "…"}` at the end. `store` is where it keeps what it makes,
    `runs` where they are remembered, `then` is called after a run that is done.
    """

    def __init__(
        self,
        command: list[str],
        *,
        store: str = "",
        runs: Runs | None = None,
        then: Callable[[], None] | None = None,
    ) -> None:
        self._command, self._then = command, then
        self._runs = runs or Runs()
        # Not among the arguments, which every user of the machine sees: an address may hold a token.
        self._settings = {"CIRCLET_STORE": store} if store else {}
        # A process takes its time to begin: who asks how it is going does not wait for that.
        self._starting = Lock()
        self._process: subprocess.Popen[str] | None = None

    @property
    def running(self) -> Job | None:
        """The job under way, if any."""
        return next((job for job in self.all if job.state == "running"), None)

    @property
    def all(self) -> tuple[Job, ...]:
        """Every job since the server started, newest first."""
        return self._runs.all()

    def get(self, id: str) -> Job | None:
        """The job of that number."""
        return next((job for job in self.all if job.id == id), None)

    def start(self) -> Job:
        """Begin an indexing run; a second one beside the first is refused."""
        with self._starting:
            self._runs.begin()
            try:
                # First the process: a job that never began must not be listed as running.
                self._process = subprocess.Popen(
                    self._command,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    text=True,
                    encoding="utf-8",
                    # The same circlet as this one, wherever it was imported from.
                    env={
                        **os.environ,
                        **self._settings,
                        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                    },
                )
            except BaseException:
                self._runs.end()
                raise
            job = Job(self._runs.next())
            self._runs.put(job)
        Thread(target=self._follow, args=(job, self._process), daemon=True, name="indexing").start()
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

    def _follow(self, job: Job, process: subprocess.Popen[str]) -> None:
        job, last = self._read(job, process.stdout)
        code = process.wait()
        # Before it is told: who reads that a run is over may begin the next.
        self._runs.end()
        if "report" in last:
            self._runs.put(replace(job, state="done", report=last["report"], ended=time.time()))
            if self._then:
                self._then()
        else:
            reason = last.get("error") or f"the indexer stopped with code {code}: start it again to go on"
            self._runs.put(replace(job, state="failed", error=reason, ended=time.time()))

    def _read(self, job: Job, lines: IO[str] | None) -> tuple[Job, dict[str, Any]]:
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
                job = replace(job, done=last["done"], total=last["total"])
                self._runs.put(job)
        return job, last


def indexer(folder: str | None, home: str, encoder: str, *what: str) -> list[str]:
    """The command that indexes a folder and tells how far it is; with "look", one that looks at it."""
    return [sys.executable, "-m", "circlet.app.http.worker", folder or "", home, encoder, *what]
