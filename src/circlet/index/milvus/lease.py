"""Who may write to a Milvus store: one at a time, by a claim in the catalogue that is renewed."""

import json
import os
import secrets
import socket
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any, ClassVar

from circlet.core import BusyError, StoreError
from circlet.index.milvus.fields import Row
from circlet.index.milvus.link import Link
from circlet.index.milvus.tables import WRITER, own_row

# Milliseconds that a claim holds by the server's clock, and seconds between two renewals.
_HOLDS, _RENEWED = 60_000, 15.0
_CLAIM = ("path", "size", "mtime_ns", "reason")


class Lease:
    """The right to write, held until it is released or its process ends.

    A claim says since when and until when, by the server's clock; the oldest that holds is the writer. Of
    a writer on this machine it is also seen that its process is gone, so nobody waits for the dead.
    """

    _mine: ClassVar[set[str]] = set()

    def __init__(self, link: Link, table: str) -> None:
        self._link, self._table = link, table
        self._name = secrets.token_hex(8)
        self._since = link.stamp()
        # Why it is ours no longer: an older writer came back from where no server could be reached.
        self.lost: BusyError | None = None
        self._over, self._lock = Event(), Lock()
        self._refuse()
        self._mine.add(self._name)
        try:
            self._claim()
            # Two may have claimed at once: both see both now, and the younger gives way.
            self._refuse()
        except BaseException:
            self.release()
            raise
        Thread(target=self._renew, daemon=True, name="milvus lease").start()

    def _row(self, until: int) -> Row:
        about = {"host": socket.gethostname(), "boot": _boot(), "pid": os.getpid()}
        return own_row(WRITER, self._name, size=self._since, mtime_ns=until, reason=json.dumps(about))

    def _claim(self) -> None:
        self._link.upsert(self._table, [self._row(self._link.stamp() + _HOLDS)])

    def _refuse(self) -> None:
        """Give way to a claim that is older than ours."""
        now = self._link.stamp()
        own = self._row(0)["path"]
        self._link.written()
        claims = self._link.query(self._table, f"kind == {WRITER}", _CLAIM)
        for row in sorted(claims, key=lambda row: (row["size"], row["path"])):
            if row["path"] == own or not self._holds(row, now):
                continue
            if (row["size"], row["path"]) < (self._since, own):
                about = json.loads(row["reason"])
                raise BusyError(
                    f"another process is writing to the index at {self._link.address} "
                    f"({about['pid']} on {about['host']}): wait until it is done"
                )

    def _holds(self, row: Row, now: int) -> bool:
        about: dict[str, Any] = json.loads(row["reason"])
        here = (about["host"], about["boot"]) == (socket.gethostname(), _boot())
        if here and about["pid"] == os.getpid():
            return str(row["path"]).rpartition(":")[2] in self._mine
        return row["mtime_ns"] > now and (not here or _alive(about["pid"]))

    def _renew(self) -> None:
        while not self._over.wait(_RENEWED):
            # A server that is away for a moment has the claim still: the next renewal finds it again.
            with suppress(StoreError), self._lock:
                if not self._over.is_set():
                    self._claim()
                    self._check()

    def _check(self) -> None:
        try:
            self._refuse()
        except BusyError as error:
            self.lost = error

    def release(self) -> None:
        """Let somebody else write."""
        self._over.set()
        with self._lock:
            self._mine.discard(self._name)
            # Whoever cannot tell the server leaves a claim that ends by itself.
            with suppress(StoreError):
                self._link.delete(self._table, "path", [self._row(0)["path"]])


def _boot() -> str:
    """What tells this run of the machine from every other."""
    with suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return ""


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
