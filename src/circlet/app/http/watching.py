"""Watching a folder: when something in it changes and then rests, it is indexed again."""

import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from time import monotonic

from circlet.app.http.jobs import Jobs
from circlet.core import BusyError, CircletError
from circlet.images import FoundFile, walk

# Seconds between two looks; a folder that takes long to look through is looked at less often.
PAUSE = 5.0
_REST = 20.0


# Folders, each with whether links that lead out of it are followed.
Folders = Mapping[Path, bool]


def state_of(folders: Folders) -> str:
    """One word for all that the folders hold: another when a picture comes, goes or changes."""
    digest = hashlib.blake2b(digest_size=16)
    for folder, follow in folders.items():
        with suppress(CircletError):
            for item in walk(folder, follow=follow, video=True):
                if isinstance(item, FoundFile):
                    line = f"{item.path}\0{item.size}\0{item.mtime_ns}\n"
                    digest.update(line.encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


class Watch:
    """Looks at folders again and again, and starts an indexing run after a change has come to rest."""

    def __init__(self, folders: Callable[[], Folders], jobs: Jobs, *, pause: float = PAUSE) -> None:
        self._folders, self._jobs, self._pause = folders, jobs, pause
        self._over = Event()
        self._indexed = self._seen = ""

    def start(self) -> None:
        """Begin; what is there now counts as indexed."""
        self._indexed = self._seen = state_of(self._folders())
        Thread(target=self._run, daemon=True, name="watching").start()

    def stop(self) -> None:
        """End at the next chance."""
        self._over.set()

    def look(self) -> bool:
        """One look; starts a run where what changed is as it was a look ago. Says whether it did."""
        now = state_of(self._folders())
        rested, self._seen = now == self._seen, now
        if now == self._indexed or not rested:
            return False
        try:
            self._jobs.start()
        except BusyError:
            return False  # the next look tries again
        self._indexed = now
        return True

    def _run(self) -> None:
        pause = self._pause
        while not self._over.wait(pause):
            began = monotonic()
            self.look()
            pause = max(self._pause, _REST * (monotonic() - began))
