"""The keeper of a Milvus server, run as a process by `milvus_server`: a network of its own around the server,
whose one door is a socket on this machine's loopback.

The server listens on every interface and no setting of it changes that. So the keeper leaves its network
before it starts the server, and hands connections in from a socket that was bound before it left.
"""

import ctypes
import fcntl
import os
import signal
import socket
import struct
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from threading import Thread

_NEW_USER, _NEW_NET, _DEATH_SIGNAL = 0x10000000, 0x40000000, 1
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 1
_HEALTH = 9091
_LIBC = ctypes.CDLL(None, use_errno=True)


def alone() -> None:
    """Leave this machine's network for an empty one, in which only loopback is there."""
    if _LIBC.unshare(_NEW_NET) and _LIBC.unshare(_NEW_USER | _NEW_NET):
        raise OSError(ctypes.get_errno(), "no network of its own can be made here")
    with socket.socket() as any_socket:
        loopback = b"lo".ljust(16, b"\0")
        (flags,) = struct.unpack("16xh22x", fcntl.ioctl(any_socket, _GET_FLAGS, loopback + bytes(24)))
        fcntl.ioctl(any_socket, _SET_FLAGS, loopback + struct.pack("h22x", flags | _UP))


def _die_with_the_keeper() -> None:
    _LIBC.prctl(_DEATH_SIGNAL, signal.SIGKILL)


def _healthy(server: "subprocess.Popen[bytes]") -> bool:
    """Wait until the server answers; False when it ended instead."""
    while server.poll() is None:
        with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{_HEALTH}/healthz") as answer:
            if b"OK" in answer.read():
                return True
        time.sleep(0.1)
    return False


def _pour(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 18):
            target.sendall(data)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


def _relay(door: socket.socket, port: int) -> None:
    while True:
        outside, _ = door.accept()
        inside = socket.create_connection(("127.0.0.1", port))
        for one, other in ((outside, inside), (inside, outside)):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            Thread(target=_pour, args=(one, other), daemon=True).start()


def _until_left(server: "subprocess.Popen[bytes]") -> None:
    """End the server when whoever started the keeper lets go of its standard input, dead or alive."""
    while sys.stdin.buffer.read(1):
        pass
    server.kill()


def main(door: int, port: int, binary: Path, folder: Path) -> None:
    """Run the server in its folder until it ends or nobody wants it any more."""
    outer = socket.socket(fileno=door)
    alone()
    folders = {"LD_LIBRARY_PATH": str(binary.parent), "MILVUS_RUN_DIR": str(folder / "run")}
    with (folder / "server.log").open("ab") as log:
        server = subprocess.Popen(
            [binary, "run", "standalone"],
            cwd=folder,
            env={**os.environ, **folders, "DEPLOY_MODE": "STANDALONE", "METRICS_PORT": str(_HEALTH)},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            preexec_fn=_die_with_the_keeper,
        )
    Thread(target=_until_left, args=(server,), daemon=True).start()
    if _healthy(server):
        # Whoever knocked before this was refused: the door opens when somebody is at home.
        outer.listen()
        Thread(target=_relay, args=(outer, port), daemon=True).start()
    server.wait()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), Path(sys.argv[4]))
