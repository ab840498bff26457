"""Processes that work for another one."""

import os
import threading


def processors() -> int:
    """How many processors this process may use.

    A container may be given fewer than the machine has; not every system can tell.
    """
    mine = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return mine or 1


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
