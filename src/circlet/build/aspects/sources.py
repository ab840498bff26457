"""Captions to start from: somebody's pictures with words, or the scenes of a tableaux set."""

from pathlib import Path
from typing import NamedTuple

from circlet.core import Progress, UsageError
from circlet.data.captions import CaptionProblem, read_captions
from circlet.data.tableaux.tasks.sayings import TableauxCaptions
from circlet.data.tableaux.world.families import SPLITS
from circlet.data.tableaux.world.scene import Scene


class CaptionSource(NamedTuple):
    """A caption with its picture; of a tableaux set, with the scene and the split that it is of."""

    id: str
    caption: str
    picture: Path
    scene: Scene | None = None
    split: str = ""


def read_sources(
    source: str, progress: Progress | None = None
) -> tuple[list[CaptionSource], list[CaptionProblem]]:
    """The captions of a folder, a file, or `tableaux:FOLDER[:split]`, and what was passed over.

    Of a picture with several captions the first is taken; a tableaux set gives its train split.

    >>> read_sources("no-such-folder")
    Traceback (most recent call last):
    circlet.core.errors.UsageError: no-such-folder: no such file or folder of pictures with captions
    """
    named = source.removeprefix("tableaux:")
    root, colon, split = named.rpartition(":")
    if not (colon and split in SPLITS):
        root, split = named, SPLITS[0]
    folder = Path(root).expanduser()
    if named != source or (folder / f"scenes.{split}.jsonl").is_file():
        return _of_tableaux(folder, split), []
    found, problems = read_captions(Path(source).expanduser(), progress=progress)
    if not found:
        why = f" ({problems[0]})" if problems else ""
        raise UsageError(
            f"{source}: no picture with a caption{why}; give a captions.csv with the columns picture and "
            "caption, a .txt beside each picture, or tableaux:FOLDER"
        )
    sources = [CaptionSource(one.id, " ".join(one.texts[0].split()).strip(" ."), one.file) for one in found]
    return [one for one in sources if one.caption], problems


def _of_tableaux(folder: Path, split: str) -> list[CaptionSource]:
    captions = TableauxCaptions(folder, split)
    return [
        CaptionSource(id, captions.whole(id).text, captions.files[id], scene, split)
        for id, scene in captions.scenes.items()
    ]
