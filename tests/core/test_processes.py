"""Workers that end with whoever started them, tried on real processes."""

import os
import signal
import subprocess
import sys

import pytest

from circlet.core.processes import processors

PARENT = """
import os, time
from concurrent.futures import ProcessPoolExecutor
from circlet.core.processes import end_with_parent

pool = ProcessPoolExecutor(1, initializer=end_with_parent)
print(pool.submit(os.getpid).result(), flush=True)
time.sleep(600)
"""

ALONE = """
import time
from circlet.core.processes import end_with_parent

end_with_parent()
time.sleep(0.3)
print("still here")
"""


def test_a_system_that_cannot_tell_counts_all_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    assert processors() == len(os.sched_getaffinity(0))
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert processors() == 7
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert processors() == 1


def test_a_worker_ends_when_its_parent_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        parent.kill()
        # The worker holds the same pipe: it closes when both are gone.
        try:
            parent.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            os.kill(worker, signal.SIGKILL)
            pytest.fail("the worker lives on without its parent")


def test_a_process_that_is_nobodys_worker_goes_on() -> None:
    done = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "still here\n"), done.stderr
