"""The indexer as a process of its own: `python -m circlet.app.http.worker FOLDER HOME ENCODER`.

It prints one JSON object a line: how far it is, and at the end its report or the error.
"""

import json
import os
import sys
import time

from circlet.collection import Collection
from circlet.collection.indexing import IndexReport
from circlet.core import CircletError

# Telling more often than this would only make the reader busy.
_PAUSE = 0.2


def main(folder: str, home: str, encoder: str) -> int:
    """Index the folder politely and tell how it goes."""
    if hasattr(os, "nice"):
        os.nice(10)
    told = 0.0

    def tell(done: int, total: int | None) -> None:
        nonlocal told
        if time.monotonic() - told > _PAUSE:
            told = time.monotonic()
            _say({"done": done, "total": total})

    try:
        folders = [folder] if folder else Collection.open(home=home).roots()
        reports = [Collection.open(one, home=home, encoder=encoder).index(tell) for one in folders]
    except CircletError as error:
        _say({"error": str(error)})
        return error.exit_code
    _say({"report": _sum(reports)})
    return 0


def _sum(reports: list[IndexReport]) -> dict[str, float]:
    """The counts of all runs together."""
    names = ("added", "updated", "moved", "forgotten", "unchanged", "seconds")
    total = {name: sum(getattr(report, name) for report in reports) for name in names}
    return {**total, "skipped": sum(len(report.skipped) for report in reports)}


def _say(what: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
