"""The warm process: everything that a search needs is loaded, and each command runs in a copy of it.

`circlet serve` starts it (`python -m circlet.app.cli.warm`) and it ends with that. A command that comes in
by the door, which only its owner can open, is run in a fork: with the caller's files, folder and environment,
by the same code as in a process of its own. So it prints the same, and it may do no more than its caller.
"""

import json
import os
import select
import signal
import socket
import struct
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from subprocess import PIPE, Popen
from typing import Any, NoReturn

from circlet.app.cli.handing import NUMBER, door, who

_LONGEST = 1_000_000


def main() -> int:
    """Load, listen, and answer until whoever started us is gone."""
    import fcntl

    # Ctrl-C is meant for the server; we end with it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A fork has one thread, and these would look for those that loaded it.
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    ours = who()
    with suppress(OSError), open(f"{door()}.lock", "w") as claimed:  # noqa: PTH123
        # Another server of this home answers already, or the folder cannot hold a door: we are not needed.
        fcntl.flock(claimed, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _load()
        listening = _listen()
        try:
            _answer(listening, ours)
        finally:
            os.unlink(door())  # noqa: PTH108
    return 0


def _answer(listening: socket.socket, ours: list[str]) -> None:
    """A fork for each command, until nothing holds the other end of our input."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        ready, _, _ = select.select([listening.fileno(), 0], [], [])
        if 0 in ready and not os.read(0, 1):
            return
        if listening.fileno() in ready:
            line, _ = listening.accept()
            with line:
                if _same_user(line) and os.fork() == 0:
                    listening.close()
                    _run(line, ours)


def _listen() -> socket.socket:
    """The door, open to its owner alone."""
    with suppress(FileNotFoundError):
        os.unlink(door())  # noqa: PTH108
    listening = socket.socket(socket.AF_UNIX)
    before = os.umask(0o177)
    try:
        listening.bind(door())
    finally:
        os.umask(before)
    listening.listen(16)
    return listening


def _load() -> None:
    """Import and load all that a search by picture and words needs."""
    # It counts processors when it is loaded, and its threads survive a fork: they sum as in any process.
    import numpy as np
    from PIL import Image

    from circlet.collection import Collection
    from circlet.core import CircletError
    from circlet.index import is_engine
    from circlet.models.encoders.load import BUILTIN, keep

    # ONNX Runtime makes as many threads as there are processors; a fork would wait for them for ever.
    every = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(every)})
    with suppress(CircletError), Collection.open() as collection:
        # These come in packages, which do not change while we run; others are read anew each time.
        if collection.encoder_name in BUILTIN:
            encoder = collection.encoder
            encoder.images([Image.fromarray(np.zeros((64, 64, 3), np.uint8))])
            keep(collection.encoder_name, encoder)
        if is_engine(collection.location):
            # A wire to a server does not outlive a fork: each copy makes its own.
            collection.encoder.texts(["a first word"])
        else:
            collection.search("a first word")
    os.sched_setaffinity(0, every)


def _same_user(line: socket.socket) -> bool:
    data = line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return struct.unpack("3i", data)[1] == os.getuid()


def _run(line: socket.socket, ours: list[str]) -> NoReturn:
    """In the fork: be the caller's process, and tell how it ended."""
    code = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        told, files = _heard(line)
        if told.get("who") != ours:
            os._exit(0)  # it hears nothing, and runs by itself
        for number, file in enumerate(files):
            os.dup2(file, number)
            os.close(file)
        os.environ.clear()
        os.environ.update(told["environment"])
        time.tzset()
        os.umask(told["umask"])
        os.chdir(told["folder"])
        sys.stdin = open(0, closefd=False)  # noqa: SIM115
        (out, err) = told["streams"]
        sys.stdout = open(1, "w", encoding=out[0], errors=out[1], closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding=err[0], errors=err[1], buffering=1, closefd=False)  # noqa: SIM115
        sys.argv = ["circlet", *told["argv"]]
        line.sendall(NUMBER.pack(os.getpid()))
        code = _called()
    finally:
        with suppress(OSError):
            line.sendall(NUMBER.pack(code))
        os._exit(code)


def _heard(line: socket.socket) -> tuple[dict[str, Any], list[int]]:
    line.settimeout(5)
    head, files, _, _ = socket.recv_fds(line, NUMBER.size, 3)
    (length,) = NUMBER.unpack(head)
    if not 0 < length < _LONGEST or len(files) != 3:
        os._exit(0)
    data = b""
    while len(data) < length and (more := line.recv(length - len(data))):
        data += more
    line.settimeout(None)
    return json.loads(data), files


def _called() -> int:
    """Run the command as `circlet` does, to its last flush."""
    from circlet.app.cli.main import main as run

    code = 1
    try:
        run()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        traceback.print_exc()
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    return code


@contextmanager
def warmed(environment: dict[str, str]) -> Iterator[None]:
    """Meanwhile a warm process with this environment answers for the command line, where the system can."""
    if sys.platform != "linux":
        yield
        return
    # The same circlet as this one, wherever it was imported from.
    path = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with Popen([sys.executable, "-m", __name__], stdin=PIPE, env=environment | path):
        yield


if __name__ == "__main__":
    sys.exit(main())
