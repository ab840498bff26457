"""The processes that another one started, and those that they did."""

import os
from contextlib import suppress
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")


def below(process: int) -> dict[int, bytes]:
    """Every process under this one, with its command."""
    parents: dict[int, tuple[int, bytes]] = {}
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (place / "cmdline").read_bytes()
            above = int((place / "stat").read_text().rpartition(")")[2].split()[1])
            parents[int(place.name)] = (above, command)
    found = {process}
    while more := {one for one, (above, _) in parents.items() if above in found} - found:
        found |= more
    return {one: parents[one][1] for one in found if one != process and one in parents}


def processor_seconds(process: int) -> float:
    """What this process and all under it took of processors so far."""
    ticks = 0
    for one in (process, *below(process)):
        with suppress(OSError):
            told = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            ticks += int(told[11]) + int(told[12])
    return ticks / _TICK
