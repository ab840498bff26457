"""Processes that work for another one."""

import os
import sys
import threading

# The most processors that this process was told to use; None: all that it may.
_most: int | None = None


def processors() -> int:
    """How many processors this process may use.

    A container may be given fewer than the machine has; not every system can tell.
    """
    mine = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(mine or 1, _most or sys.maxsize)


def use_processors(most: int) -> None:
    """Use no more than so many from now on: others work on the same machine."""
    global _most
    _most = most


def lives(process: int) -> bool:
    """Whether there is a process of this number, ours or anybody's.

    >>> lives(os.getpid())
    True
    """
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def end_with_parent() -> None:
    """In a worker: end as soon as the process that started it is gone.

    `ProcessPoolExecutor(2, initializer=end_with_parent)`. A parent that was killed closes nothing, so
    its workers would wait for their next job for ever.
    """
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    # Loaded here: a search asks this module for nothing but a number.
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
