"""Pictures and scene graphs on disk: drawn once, by several processes, the same bytes every time."""

import json
import signal
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from circlet.core import DataError, UsageError
from circlet.core.files import parse_json, read_text, write_lines, write_text, written_whole
from circlet.core.processes import end_with_parent
from circlet.data.tableaux.draw.render import encoded, render, shot
from circlet.data.tableaux.world.frame import Frame
from circlet.data.tableaux.world.scene import Scene
from circlet.data.tableaux.world.words import caption

# Told which stage of the making is on, how much of it is done, and of how much.
Stages = Callable[[str, int, int], None]
# Below this many pictures, starting other processes takes longer than drawing.
_ALONE = 600
_BATCH = 64
# Jobs that are given to each process ahead of whoever takes the results.
_AHEAD = 8


Recipe = Mapping[str, object]
# What a recipe gets when a part is written: by which way of drawing its queries. Sets from before lack one
# or the other, and grow when they are made again; no other picture of theirs changes.
_PARTS = ("aspects", "relevance", "frames")


def claim(root: Path, recipe: Recipe) -> None:
    """Mark the folder with what it will hold, and refuse one that holds something else."""
    path = root / "recipe.json"
    if path.exists() and scenes_recipe(root) != _text(recipe):
        raise UsageError(f"{root} holds a tableaux set made otherwise (see {path}): name an empty folder")
    if not path.exists():
        write_text(path, _text(recipe))


def finish(root: Path, **parts: int) -> None:
    """Note that these parts are written, and by which way of drawing their queries."""
    told = {**recipe_of(root), **parts}
    ordered = sorted(told, key=lambda name: _PARTS.index(name) if name in _PARTS else -1)
    write_text(root / "recipe.json", _text({name: told[name] for name in ordered}))


def finished(root: Path, **parts: int) -> bool:
    """Whether the folder holds a whole set, with these parts drawn this way: `finished(root, aspects=2)`."""
    if not (root / "recipe.json").is_file():
        return False
    told = recipe_of(root)
    return all(told.get(name) == version for name, version in parts.items())


def scenes_recipe(root: Path) -> str:
    """How the scenes of a set were drawn, whatever was added to its queries since."""
    return _text({name: value for name, value in recipe_of(root).items() if name not in _PARTS})


def recipe_of(root: Path) -> Recipe:
    """What a set was made by: its size, seed, side, and the parts that are written."""
    path = root / "recipe.json"
    try:
        told = parse_json(read_text(path, "make the tableaux set again"))
    except json.JSONDecodeError as error:
        raise DataError(f"{path}: not JSON ({error}); make the tableaux set in another folder") from None
    return told if isinstance(told, dict) else {}


def _text(recipe: Recipe) -> str:
    return json.dumps(recipe, indent=2) + "\n"


def picture_file(root: Path, id: str) -> Path:
    """Where the picture of this id is drawn."""
    return root / "images" / id.rsplit("-", 1)[0] / f"{id}.jpg"


def draw(
    root: Path, scenes: Mapping[str, Scene | Frame], side: int, workers: int, tell: Stages
) -> dict[str, Path]:
    """Draw every scene or frame that has no picture yet; the files by id.

    A picture is written beside its place and then moved there, so that what stands there is whole
    and a run that was stopped goes on where it was.
    """
    files = {id: picture_file(root, id) for id in scenes}
    for folder in {path.parent for path in files.values()}:
        folder.mkdir(parents=True, exist_ok=True)
    todo = [(scenes[id], path, side) for id, path in files.items() if not path.exists()]
    done = len(files) - len(todo)
    batches = [todo[start : start + _BATCH] for start in range(0, len(todo), _BATCH)]
    for number in spread(_draw_batch, batches, workers if len(todo) >= _ALONE else 1):
        done += number
        tell("pictures", done, len(files))
    return files


DrawJob = tuple[Scene | Frame, Path, int]
Job = TypeVar("Job")
Made = TypeVar("Made")


def spread(work: Callable[[Job], Made], jobs: Sequence[Job], workers: int) -> Iterator[Made]:
    """What the work makes of each job, in their order, done by so many processes.

    A few jobs are worked on ahead of whoever takes the results, so that memory stays bounded.
    """
    if workers < 2:
        yield from map(work, jobs)
        return
    # Spawned, not forked: the caller may have threads of an encoder running.
    with ProcessPoolExecutor(workers, get_context("spawn"), initializer=_serve) as pool:
        ahead: deque[Future[Made]] = deque()
        try:
            for job in jobs:
                ahead.append(pool.submit(work, job))
                if len(ahead) > _AHEAD * workers:
                    yield ahead.popleft().result()
            while ahead:
                yield ahead.popleft().result()
        except BaseException:
            # The batches in hand are finished, the rest is left for the next run.
            pool.shutdown(cancel_futures=True)
            raise


def _serve() -> None:
    """Ctrl-C is for the process that was asked, not for those that draw for it; those end when it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


def _draw_batch(jobs: Sequence[DrawJob]) -> int:
    for scene, path, side in jobs:
        with written_whole(path, "wb") as file:
            file.write(encoded(shot(scene, side) if isinstance(scene, Frame) else render(scene, side)))
    return len(jobs)


def write_scenes(path: Path, scenes: Mapping[str, Scene]) -> None:
    """The graphs, a line each, with a caption."""
    write_lines(
        path,
        ({"id": id, "caption": caption(scene), "scene": scene.to_dict()} for id, scene in scenes.items()),
    )


def read_scenes(path: Path) -> dict[str, Scene]:
    """The graphs that `write_scenes` wrote, by id; a folder without a set is an error that says so."""
    if not path.is_file():
        raise UsageError(f"{path.parent} holds no tableaux set: make one with `circlet data make tableaux`")
    with path.open(encoding="utf-8") as file:
        lines = (parse_json(line) for line in file)
        return {line["id"]: Scene.from_dict(line["scene"]) for line in lines}


def known_scenes(root: Path, split: str) -> dict[str, Scene]:
    """Every graph of a split: the scenes of the set, and those that were drawn for graded queries."""
    scenes = read_scenes(root / f"scenes.{split}.jsonl")
    graded = root / f"graded.{split}.jsonl"
    return scenes | read_scenes(graded) if graded.is_file() else scenes
