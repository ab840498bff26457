"""The indexer as a process of its own: `python -m circlet.app.http.worker FOLDER HOME ENCODER [look]`.

With `look` it counts people and reads text in what is indexed, where that is installed.

It prints one JSON object a line: how far it is, and at the end its report or the error.
"""

import json
import os
import sys
import time

from circlet.collection import Collection
from circlet.collection.report import IndexReport
from circlet.core import CircletError, Progress

# Telling more often than this would only make the reader busy.
_PAUSE = 0.2


def main(folder: str, home: str, encoder: str, what: str = "index") -> int:
    """Index the folder politely, or look at it, and tell how it goes."""
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
        collections = [Collection.open(one, home=home, encoder=encoder) for one in folders]
        if what == "look":
            report: dict[str, float] = {"looked": _looked(collections, tell)}
        else:
            report = _sum([collection.index(tell) for collection in collections])
    except CircletError as error:
        _say({"error": str(error)})
        return error.exit_code
    _say({"report": report})
    return 0


def _looked(collections: list[Collection], tell: Progress) -> int:
    """Look until nothing is left, though pictures may be indexed meanwhile; how many times in all."""
    total = 0
    while looked := sum(sum(one.look(tell).looked.values()) for one in collections):
        total += looked
    return total


def _sum(reports: list[IndexReport]) -> dict[str, float]:
    """The counts of all runs together."""
    names = ("added", "updated", "moved", "forgotten", "unchanged", "seconds")
    total = {name: sum(getattr(report, name) for report in reports) for name in names}
    return {**total, "skipped": sum(len(report.skipped) for report in reports)}


def _say(what: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:5]))
