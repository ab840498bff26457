"""A process of its own that draws SVG: a drawing that takes it down takes nothing else with it.

Run by `circlet.images.svg.pool`, as a script with its parent's number, so that it loads the renderer and
nothing more. On standard input, for each drawing: width, height, whether it has text, seconds of
processor and of clock that it may take, the length of the SVG, and the SVG. On standard output: 1 or 0,
a length, and the PNG or what was wrong.

The limits are this process's own, and the system keeps them: they hold though the renderer listens to
nobody while it draws, and though the parent is gone.
"""

import os
import signal
import struct
import sys

ASK = struct.Struct("<IIIddI")
ANSWER = struct.Struct("<II")
# The largest drawing allowed takes 64 MB a layer; this leaves room for a dozen.
MAX_MEMORY = 1 << 30
# prctl: the signal to get when the parent ends (Linux).
_WHEN_PARENT_ENDS = 1


def main(parent: int) -> None:
    """Draw until standard input ends, which is when the parent does."""
    _end_with(parent)
    import resvg_py

    _limit_memory()
    ask, answer = sys.stdin.buffer, sys.stdout.buffer
    while header := ask.read(ASK.size):
        width, height, fonts, busy, clock, length = ASK.unpack(header)
        text = ask.read(length).decode()
        _limit_time(busy, clock)
        try:
            # Loading the system's fonts takes longer than the drawing: only where there is text.
            png = resvg_py.svg_to_bytes(
                svg_string=text,
                background="#ffffff",
                skip_system_fonts=not fonts,
                width=width,
                height=height,
            )
            good, data = 1, bytes(png)
        except Exception as error:
            good, data = 0, str(error).encode()
        _limit_time(0, 0)
        answer.write(ANSWER.pack(good, len(data)) + data)
        answer.flush()


def _end_with(parent: int) -> None:
    """Be killed as soon as the parent is gone, even in the middle of a drawing."""
    if hasattr(os, "nice"):
        os.nice(5)  # whoever searches goes first
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_WHEN_PARENT_ENDS, signal.SIGKILL)
        if os.getppid() != parent:
            sys.exit(1)  # it ended before it could be asked to tell


def _limit_time(busy: float, clock: float) -> None:
    """End this process after so many seconds of processor or of clock; 0 takes the limits away."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, busy)
        signal.setitimer(signal.ITIMER_REAL, clock)


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:
        return  # Windows: the machine's own memory is the limit there
    try:
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    except (ValueError, OSError):
        # macOS counts what it has mapped already and refuses; time and size are the limits there.
        if sys.platform == "linux":
            raise
    # What the limit ends need not be kept for anybody to look at.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main(int(sys.argv[1]))
