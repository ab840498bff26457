"""The simulated users of a benchmark by name: what each knows of its pictures."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from circlet.core import Benchmark, UsageError, Vectors
from circlet.data.tableaux.files import read_scenes
from circlet.data.tableaux.tasks.telling import GraphLikeness, GraphTeller
from circlet.data.tableaux.world.scene import Scene
from circlet.data.tableaux.world.words import caption
from circlet.dialogue.simulate import SimulatedUser, TextLikeness
from circlet.models.encoders.sentences import Sentences

if TYPE_CHECKING:
    from circlet.experiments.bench import Bench

# name: one line for lists and help
USERS = {
    "truth": "knows the scene graphs of a tableaux set, and says what differs",
    "captions": "compares captions, and says the difference of two: paper 003",
    "instruct": "tells by captions how to get from the one to the other: paper 001",
}
PICKERS = ("best", "three", "first", "captions")

Texts = Callable[[Sequence[str]], Vectors]


@dataclass(frozen=True, kw_only=True)
class UserOptions:
    """Who plays: how it picks, how patient, how careless, how many things it says at once.

    `picks` may be `captions`: the one whose caption is nearest to the target's.
    """

    name: str = "truth"
    picks: str = "best"
    patience: int = 6
    noise: float = 0.0
    needs: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        if self.name not in USERS:
            raise UsageError(f"no user {self.name!r}: pick one of {', '.join(USERS)}")
        if self.picks not in PICKERS:
            raise UsageError(f"a user picks {', '.join(PICKERS)}, not {self.picks!r}")


def user_of(bench: "Bench", options: UserOptions) -> SimulatedUser:
    """The user of these options for a benchmark."""
    texts = Sentences().texts
    if options.name == "truth":
        return truthful(bench.encoded.benchmark, options, texts)
    raise UsageError(f"no user {options.name!r}: pick one of {', '.join(USERS)}")


def scenes_of(benchmark: Benchmark) -> dict[str, Scene]:
    """The scene graphs of a tableaux benchmark; any other is an error that says so."""
    folder = next((path.parent for path in benchmark.images.values()), Path())
    for place in (folder, *folder.parents):
        if (place / f"scenes.{benchmark.split}.jsonl").is_file():
            return read_scenes(place / f"scenes.{benchmark.split}.jsonl")
    raise UsageError(
        f"the truthful user needs scene graphs, and {benchmark.name} has none: take a tableaux benchmark, or "
        "--user captions"
    )


def truthful(benchmark: Benchmark, options: UserOptions, texts: Texts) -> SimulatedUser:
    """A user who tells the truth about a tableaux benchmark's scenes."""
    scenes = scenes_of(benchmark)
    return SimulatedUser(
        likeness=(
            caption_likeness({id: caption(scene) for id, scene in scenes.items()}, texts)
            if options.picks == "captions"
            else GraphLikeness(scenes)
        ),
        tell=GraphTeller.of(scenes, benchmark, needs=options.needs),
        picks="best" if options.picks == "captions" else options.picks,  # type: ignore[arg-type]
        patience=options.patience,
        noise=options.noise,
        seed=options.seed,
        name="truth-by-captions" if options.picks == "captions" else "truth",
    )


def caption_likeness(captions: Mapping[str, str], texts: Texts) -> TextLikeness:
    """Likeness by captions, each different one encoded once."""
    different = list(dict.fromkeys(captions.values()))
    rows = dict(zip(different, texts(different), strict=True))
    return TextLikeness({id: rows[text] for id, text in captions.items()})
