"""The Status page: the collection, its encoder, its indexing and its unreadable files."""

import time
from typing import Any

from circlet.app.http.library import Library
from circlet.app.http.runs import Job


def job(library: Library, run: Job) -> dict[str, Any]:
    """An indexing run in words."""
    told = run.error
    if run.report:
        names = ("added", "updated", "moved", "forgotten", "unchanged", "skipped")
        told = (
            ", ".join(f"{run.report[name]:,} {name}" for name in names if run.report.get(name))
            or "no pictures"
        )
    return {
        "id": run.id,
        "state": run.state,
        "done": run.done,
        "total": run.total,
        "started": time.strftime("%H:%M", time.localtime(run.started)),
        "told": library.scrub(told),
    }


def status(library: Library) -> dict[str, Any]:
    """The state of the collection, its encoder, its indexing and its unreadable files."""
    # A run may end meanwhile. Its state is read once, so that list and bar agree, and first, so that
    # what a finished run found is counted.
    runs = library.jobs.all
    running = next((run for run in runs if run.state == "running"), None)
    roots = library.counts()
    broken = library.broken()
    pictures = sum(root["pictures"] for root in roots)
    facts = [
        {
            "name": "Pictures",
            "value": f"{pictures:,}",
            "more": f"in {len(roots)} folder{'s'[: len(roots) != 1]}",
        },
        {
            "name": "Encoder",
            "value": library.collection.encoder_name,
            "more": library.collection.encoder.fingerprint,
        },
        {"name": "Could not be read", "value": f"{len(broken):,}", "more": "listed below" if broken else ""},
        {"name": "Index on disk", "value": in_bytes(library.disk()), "more": ""},
    ]
    facts += looking(library)
    return {
        "page": "status",
        "s": "",
        "facts": facts,
        "roots": roots,
        "broken": [{"place": place, "reason": reason} for place, reason in broken[:200]],
        "broken_more": max(0, len(broken) - 200),
        "jobs": [job(library, run) for run in runs],
        "indexing": job(library, running) if running else None,
    }


def looking(library: Library) -> list[dict[str, str]]:
    """How far counting people and reading text are, where they are installed."""
    from circlet.models.seeing.watchers import ways

    running = library.looks.running
    return [
        {
            "name": way.doing.capitalize(),
            "value": f"{library.marked(way.kind):,}",
            "more": "pictures looked at" + (", going on" if running else ""),
        }
        for way in ways()
    ]


def in_bytes(count: float) -> str:
    """A size in the unit that suits it.

    >>> in_bytes(2_400_000)
    '2 MB'
    """
    for unit in ("bytes", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"
