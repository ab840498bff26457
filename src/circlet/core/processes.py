"""Processes that work for another one."""

import os
import threading
from multiprocessing import parent_process


def end_with_parent() -> None:
    """In a worker: end as soon as the process that started it is gone.

    `ProcessPoolExecutor(2, initializer=end_with_parent)`. A parent that was killed closes nothing, so
    its workers would wait for their next job for ever.
    """
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
