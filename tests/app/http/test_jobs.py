"""Jobs, with small commands in the indexer's place."""

import json
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from circlet.app.http import worker
from circlet.app.http.jobs import Jobs
from circlet.app.http.runs import Job
from circlet.collection import Collection
from circlet.collection.looking import LookReport


def ended(script: str) -> Job:
    """The job of a command, once it is over."""
    jobs = Jobs([sys.executable, "-c", script])
    job = jobs.start()
    for thread in threading.enumerate():
        if thread.name == "indexing":
            thread.join()
    return jobs.get(job.id) or job


def test_lines_that_are_no_news_are_passed_over() -> None:
    job = ended(
        """print('{"done": 3, "total": 9}', 'a warning', 5, '{"report": {"added": 3}}', '{"do', sep='\\n')"""
    )
    assert (job.state, job.done, job.total, job.report) == ("done", 3, 9, {"added": 3})


def test_a_command_that_says_nothing_and_ends_has_failed() -> None:
    job = ended("raise SystemExit(3)")
    assert job.state == "failed"
    assert "code 3" in job.error
    assert job.ended


def test_a_job_that_cannot_begin_is_not_listed() -> None:
    jobs = Jobs(["no-such-command-anywhere"])
    with pytest.raises(FileNotFoundError):
        jobs.start()
    assert jobs.running is None
    assert jobs.all == ()


def test_nobody_waits_for_a_process_to_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = Jobs([sys.executable, "-c", ""])
    seen, other = [], ThreadPoolExecutor(1)

    def slow(*_: Any, **__: Any) -> None:
        # Health is asked on the server's one loop: it must not wait for a process that is slow to begin.
        seen.append(other.submit(lambda: jobs.running).result(5))
        raise FileNotFoundError

    monkeypatch.setattr("circlet.app.http.jobs.subprocess.Popen", slow)
    with pytest.raises(FileNotFoundError):
        jobs.start()
    assert seen == [None]


def test_what_follows_a_run_follows_only_one_that_is_done(tmp_path: Path) -> None:
    followed = []
    for script in ("""print('{"report": {}}')""", "raise SystemExit(3)"):
        jobs = Jobs([sys.executable, "-c", script], then=lambda said=script: followed.append(said))
        jobs.start()
        for thread in threading.enumerate():
            if thread.name == "indexing":
                thread.join()
    assert followed == ["""print('{"report": {}}')"""]


def test_the_worker_looks_where_it_is_told_to(
    picture: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    looked = iter([LookReport({"counting people": 3}), LookReport({"counting people": 1}), LookReport()])
    monkeypatch.setattr(Collection, "look", lambda self, tell: next(looked))
    monkeypatch.setattr(os, "nice", lambda by: 0)
    folder = picture("red.jpg").parent
    assert worker.main(str(folder), str(tmp_path / "home"), "builtin", "look") == 0
    # It goes on until nothing is left: pictures may have come meanwhile.
    assert json.loads(capsys.readouterr().out) == {"report": {"looked": 4}}
