"""Hands a command to the warm process that `circlet serve` keeps, where there is one; see `warm`.

Only what Python brings is imported here: this runs before anything else of a command.
"""

import json
import os
import signal
import socket
import stat
import struct
import sys
from contextlib import suppress
from types import FrameType

from circlet import __version__

# The one command whose time is mostly loading.
HANDED = "search"
# What it does by itself: writing files, and loading what it is told to.
ALONE = ("--sheet", "--encoder", "--rerank", "--method")
# How many threads add up: in another number the last digit of a sum may be another.
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
NUMBER = struct.Struct("<q")


def who() -> list[str]:
    """What both sides must have in common; any other version or setting runs by itself."""
    processors = len(os.sched_getaffinity(0))
    here = os.path.dirname(__file__)  # noqa: PTH120 (pathlib takes longer than the answer)
    return [__version__, here, str(processors), *(os.environ.get(name, "") for name in _THREADS)]


def door() -> str:
    """Where the warm process listens."""
    home = os.environ.get("CIRCLET_HOME") or os.path.join("~", ".circlet")  # noqa: PTH118
    return os.path.join(os.path.expanduser(home), "warm.sock")  # noqa: PTH111, PTH118


def handed(argv: list[str]) -> int | None:
    """The exit code of a command that the warm process ran for us; None to run it here.

    It runs there with our files, folder and environment, as the same user: what it prints is ours.
    """
    alone = any(word.startswith(ALONE) for word in argv) or os.environ.get("CIRCLET_COLD")
    if argv[:1] != [HANDED] or alone:
        return None
    with suppress(OSError, AttributeError), socket.socket(socket.AF_UNIX) as line:
        known = os.stat(door())  # noqa: PTH116
        # Nobody but us may have made it: it gets our terminal.
        if known.st_uid != os.getuid() or stat.S_IMODE(known.st_mode) & 0o077:
            return None
        line.connect(door())
        os.umask(mask := os.umask(0))
        told = {
            "who": who(),
            "umask": mask,
            "argv": argv,
            "folder": os.getcwd(),  # noqa: PTH109
            "environment": dict(os.environ),
            "streams": [[stream.encoding, stream.errors] for stream in (sys.stdout, sys.stderr)],
        }
        line.settimeout(5)
        data = json.dumps(told).encode()
        socket.send_fds(line, [NUMBER.pack(len(data))], [0, 1, 2])
        line.sendall(data)
        if (process := _number(line)) is None:
            return None
        line.settimeout(None)
        return _followed(line, process)
    return None


def _followed(line: socket.socket, process: int) -> int:
    """The exit code, once it comes; Ctrl-C goes to who is at work."""

    def pass_on(number: int, frame: FrameType | None) -> None:
        with suppress(OSError):
            os.kill(process, number)

    signal.signal(signal.SIGINT, pass_on)
    signal.signal(signal.SIGTERM, pass_on)
    with suppress(OSError):
        if (code := _number(line)) is not None:
            return code
    sys.stderr.write("circlet: the process that searched was ended; run the command again\n")
    return 1


def _number(line: socket.socket) -> int | None:
    data = b""
    while len(data) < NUMBER.size:
        if not (more := line.recv(NUMBER.size - len(data))):
            return None
        data += more
    return int(NUMBER.unpack(data)[0])
