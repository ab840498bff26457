"""A process of its own that draws SVG: a drawing that takes it down takes nothing else with it.

Run by `circlet.images.svg.pool`, as a script, so that it loads the renderer and nothing more.
On standard input, for each drawing: width, height, whether it has text, the length of the SVG
(four numbers), and the SVG. On standard output: 1 or 0, a length, and the PNG or what was wrong.
"""

import struct
import sys

ASK = struct.Struct("<IIII")
ANSWER = struct.Struct("<II")
# The largest drawing allowed takes 64 MB a layer; this leaves room for dozens.
MAX_MEMORY = 4 << 30


def main() -> None:
    """Draw until standard input ends, which is when the parent does."""
    import resvg_py

    _limit_memory()
    ask, answer = sys.stdin.buffer, sys.stdout.buffer
    while header := ask.read(ASK.size):
        width, height, fonts, length = ASK.unpack(header)
        text = ask.read(length).decode()
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
        answer.write(ANSWER.pack(good, len(data)) + data)
        answer.flush()


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:
        return  # Windows: the machine's own memory is the limit there
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


if __name__ == "__main__":
    main()
