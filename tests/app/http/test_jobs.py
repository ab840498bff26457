"""Jobs, with small commands in the indexer's place."""

import sys
import threading

import pytest

from circlet.app.http.jobs import Job, Jobs


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
