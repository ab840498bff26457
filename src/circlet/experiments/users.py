"""The simulated users of a benchmark by name: what each knows of its pictures, and who writes for it."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from circlet.core import Benchmark, UsageError
from circlet.data.tableaux.files import known_scenes
from circlet.data.tableaux.tasks.telling import GraphLikeness, GraphTeller
from circlet.data.tableaux.world.scene import Scene
from circlet.data.tableaux.world.words import caption
from circlet.dialogue.rounds import Rules
from circlet.dialogue.simulate import CaptionLikeness, Likeness, Picks, SimulatedUser, Teller
from circlet.dialogue.tellers import CaptionTeller, Describe, InstructTeller
from circlet.models.answers import Ask, remembered
from circlet.models.chat import Chat, tokens
from circlet.models.composers.caption import DESCRIBE
from circlet.models.composers.describe import Describer
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
_AT_ONCE = 4
_SIDE = 512


@dataclass(frozen=True, kw_only=True)
class UserOptions:
    """Who plays: how it picks, how patient, how careless, how many things or words it says at once.

    `picks` may be `captions`: the one whose caption is nearest to the target's.
    """

    name: str = "truth"
    picks: str = "best"
    patience: int = 7
    noise: float = 0.0
    needs: int = 1
    words: int = 30
    aspect: str = ""
    retries: int = 2
    keep_similar: bool = False
    speaks: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        if self.name not in USERS:
            raise UsageError(f"no user {self.name!r}: pick one of {', '.join(USERS)}")
        if self.picks not in PICKERS:
            raise UsageError(f"a user picks {', '.join(PICKERS)}, not {self.picks!r}")


@dataclass(frozen=True)
class Writer:
    """Who describes and writes: a chat server whose answers are kept, or rules."""

    chat: Chat | None = None

    @property
    def ask(self) -> Ask | None:
        """Asks the server for what is not among its answers yet."""
        return self.asking()

    def asking(self, good: Callable[[str], bool] | None = None) -> Ask | None:
        """The same; of the answers only those that are `good` are kept."""
        return None if self.chat is None else remembered(self.chat.ask, self.chat.model, good=good)

    @property
    def name(self) -> str:
        """How it is called in a protocol."""
        return "rules" if self.chat is None else self.chat.model


@dataclass(frozen=True)
class Cost:
    """The most that a server is asked for: calls, and tokens that are sent.

    >>> print(Cost(2, 600) + Cost(1, 20))
    at most 3 calls and about 620 tokens to be sent
    """

    calls: int = 0
    tokens: int = 0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.calls + other.calls, self.tokens + other.tokens)

    def __str__(self) -> str:
        return f"at most {self.calls:,} calls and about {self.tokens:,} tokens to be sent"


# Letters of a prompt, of a description, and of the changes that were asked for before.
_PROMPT, _DESCRIPTION, _SAID = 400, 400, 800


def cost_of(
    sessions: int,
    pictures: int,
    options: UserOptions,
    rules: Rules,
    *,
    merged: bool = False,
    begun: bool = True,
) -> Cost:
    """What a user who goes by a server asks of it in so many sessions over so many pictures.

    A picture is described once for all of them; every turn after the first is written, and the first, too,
    where none were `begun`. Where the base asks too (`merged`), it has the description of every turn's
    picture changed by what was said.
    """
    writes = options.name != "truth"
    looked = 1 if options.picks == "first" and not options.noise else rules.shown
    # The target and the first reference, then what is looked at in each round.
    seen = 2 + rules.rounds * looked if writes or options.picks == "captions" else 0
    described = min(pictures, sessions * max(seen, rules.rounds if merged else 0))
    written = sessions * (rules.rounds - begun) * (1 + options.retries * (options.name == "captions"))
    each = tokens("x" * (_PROMPT + _SAID), 0 if options.name == "instruct" else 2)
    changed = sessions * rules.rounds if merged else 0
    return (
        Cost(described, described * tokens("x" * _PROMPT, 1))
        + (Cost(written, written * each) if writes else Cost())
        + Cost(changed, changed * tokens("x" * (_PROMPT + _DESCRIPTION)))
    )


def user_of(bench: "Bench", options: UserOptions, writer: Writer | None = None) -> SimulatedUser:
    """The user of these options for a benchmark."""
    chosen = writer or Writer()
    describe = describer(bench, chosen)
    texts = Sentences().texts
    likeness: Likeness = CaptionLikeness(describe, texts)
    tell: Teller
    if options.name == "truth":
        scenes = scenes_of(bench.encoded.benchmark)
        tell = GraphTeller.of(scenes, bench.encoded.benchmark, needs=options.needs)
        likeness = likeness if options.picks == "captions" else GraphLikeness(scenes)
    else:
        tell = teller(bench, options, chosen, describe)
    picks: Picks = "three" if options.picks == "three" else "first" if options.picks == "first" else "best"
    by = f"-{chosen.name}" if options.name != "truth" else ""
    return SimulatedUser(
        likeness=likeness,
        tell=tell,
        picks=picks,
        patience=options.patience,
        noise=options.noise,
        speaks=options.speaks,
        seed=options.seed,
        name=options.name + by + ("-by-captions" if options.picks == "captions" else ""),
    )


def teller(bench: "Bench", options: UserOptions, writer: Writer, describe: Describe) -> Teller:
    """Who says what differs, for a user that goes by captions."""
    if options.name == "instruct":
        return InstructTeller(describe=describe, ask=writer.ask, words=options.words, aspect=options.aspect)
    texts = Sentences().texts

    def alike(text: str, others: Sequence[str]) -> float:
        rows = texts([text, *others])
        return float(np.max(rows[1:] @ rows[0], initial=-1.0))

    return CaptionTeller(
        describe=describe,
        ask=writer.ask,
        open=lambda id: bench.encoded.pictures.open(id, _SIDE),
        alike=alike,
        retries=options.retries,
        keep_similar=options.keep_similar,
    )


def describer(bench: "Bench", writer: Writer) -> Describe:
    """Pictures in words: by the server, by their captions, or by the names nearest to their vectors."""
    ask = writer.ask
    if ask is not None:
        return asked_captions(ask, lambda id: bench.encoded.pictures.open(id, _SIDE))
    told = captions_of(bench.benchmark)
    by_names = Describer(bench.encoder)

    def describe(ids: Sequence[str]) -> list[str]:
        bare = [id for id in ids if id not in told]
        named = (
            dict(zip(bare, by_names(bench.encoded.pictures.vectors_of(bare)), strict=True)) if bare else {}
        )
        return [told.get(id) or named[id] for id in ids]

    return describe


def captions_of(benchmark: Benchmark) -> Mapping[str, str]:
    """The captions that come with a benchmark's pictures: its own, or those of its scenes."""
    own = benchmark.extra.get("captions")
    if isinstance(own, Mapping):
        return own
    try:
        return {id: caption(scene) for id, scene in scenes_of(benchmark).items()}
    except UsageError:
        return {}


def asked_captions(ask: Ask, show: Callable[[str], object]) -> Describe:
    """Descriptions by a server that sees the pictures, a few at a time."""

    def describe(ids: Sequence[str]) -> list[str]:
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            return list(pool.map(lambda id: ask(DESCRIBE, show(id)), ids))

    return describe


def scenes_of(benchmark: Benchmark) -> dict[str, Scene]:
    """The scene graphs of a tableaux benchmark; any other is an error that says so."""
    folder = next((path.parent for path in benchmark.images.values()), Path())
    for place in (folder, *folder.parents):
        if (place / f"scenes.{benchmark.split}.jsonl").is_file():
            return known_scenes(place, benchmark.split)
    raise UsageError(
        f"the truthful user needs scene graphs, and {benchmark.name} has none: take a tableaux benchmark, or "
        "--user captions"
    )
