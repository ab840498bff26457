"""The tables of papers 003 and 001 in the tableaux world: rounds, histories, pickers, built sessions.

Every cell is kept as a file when it is made, so that a run that was killed goes on where it was.
"""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from circlet.build.sessions import SessionFilter
from circlet.core import Benchmark, Method, Query, UsageError
from circlet.core.files import parse_json, read_text, write_text
from circlet.data.load import load_benchmark
from circlet.data.tableaux.files import scenes_recipe
from circlet.dialogue import with_history
from circlet.dialogue.rounds import Played, Rules
from circlet.evaluate import parse_measures
from circlet.experiments.bench import Bench
from circlet.experiments.composers import FULL, Row, recipe_of
from circlet.experiments.encoder import tableaux_checkpoint
from circlet.experiments.rounds import CUTOFFS, ROUNDS, brier, rounds_row
from circlet.experiments.sessions import SessionFiles, SessionOrder, SessionSource
from circlet.experiments.users import UserOptions, Writer, user_of
from circlet.experiments.workers import Table
from circlet.experiments.zero_shot import zero_shot
from circlet.models import load_method
from circlet.models.learned.folder import CONFIG
from circlet.train.fit import RESUME

# What finds, in every table that compares histories.
METHOD = "balanced"
PICKERS = ("best", "three", "captions")
RIVALS = ("feedback", "weighted", "belief")
BASES = ("balanced", "caption")
BASELINES = ("text", "image", "sum", "caption")
# The world's own encoder, over which more is trained: paper 003's list is whole with these.
OWN = "tableaux"
TRAINED = ("pic2word", "magiclens")
# Sessions are built with these encoders; the words of `fine` are those of `builtin`.
BUILDERS = ("builtin", OWN)
# What paper 001's rounds are played with.
ROUNDED = ((METHOD, "weighted"), ("image", "weighted"), ("text", "weighted"))
PAPER_HISTORIES = ("latest", "average", "weighted")
# The turn after which histories are compared, as the papers' third round.
TURN, TOP = 3, 10
# So many queries are also asked within their own subsets, each a gallery of its own.
_WITHIN = 60
Cell = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class DialogueBudget:
    """How much is run: sessions of each seed, seeds, and the encoders that everything is run with.

    >>> DialogueBudget(sessions=100, seeds=1).encoders
    ('builtin', 'fine', 'tableaux')
    """

    sessions: int = 500
    seeds: int = 3
    encoders: tuple[str, ...] = ("builtin", "fine", OWN)
    split: str = "test"

    @property
    def builders(self) -> list[str]:
        """The encoders that sessions are built with."""
        return [encoder for encoder in self.encoders if encoder in BUILDERS]


def rounded(encoder: str) -> list[tuple[str, str]]:
    """The methods and histories that rounds are played with over an encoder.

    >>> rounded("tableaux")[-1]
    ('magiclens', 'weighted')
    """
    return [*ROUNDED, *((model, "weighted") for model in TRAINED if encoder == OWN)]


def baselines(encoder: str) -> tuple[str, ...]:
    """The methods that are measured on built sessions over an encoder."""
    return (*BASELINES, *TRAINED) if encoder == OWN else BASELINES


@dataclass
class Dialogues:
    """One world, and the cells that were made in it."""

    world: Path
    out: Path
    budget: DialogueBudget
    say: Callable[[str], None] = lambda line: None

    def cell(self, name: str, make: Callable[[], Cell]) -> Cell:
        """A cell by name, made once."""
        path = self.out / "cells" / f"{name}.json"
        if not path.exists():
            self.say(name)
            write_text(path, json.dumps(make(), indent=1) + "\n")
        told = parse_json(read_text(path, "remove it and run again"))
        assert isinstance(told, dict)
        return told

    @cached_property
    def _whole(self) -> Benchmark:
        return load_benchmark(f"tableaux:cir:{self.world}:{self.budget.split}")

    @cached_property
    def _benches(self) -> dict[str, Bench]:
        own = {OWN: str(tableaux_checkpoint(self.world))} if OWN in self.budget.encoders else {}
        return {name: Bench(self._whole, own.get(name, name)) for name in self.budget.encoders}

    def sample(self, seed: int) -> Benchmark:
        """The queries of a seed, over the whole gallery."""
        cases = random.Random(f"dialogue {seed}").sample(
            self._whole.cases, min(self.budget.sessions, len(self._whole))
        )
        return replace(self._whole, cases=tuple(cases))

    def bench(self, encoder: str, seed: int) -> Bench:
        """The queries of a seed with an encoder, whose pictures are encoded once for all seeds."""
        return self._benches[encoder].over(self.sample(seed), seed=seed)

    def method(self, encoder: str, history: str, name: str = METHOD) -> Method:
        """A method with its turns joined by a history; what is to be trained is trained on first use."""
        over = self._benches[encoder].encoder
        if name in TRAINED:
            made = load_method(str(self._checkpoint(name)), over)
        else:
            made = zero_shot(name, over) if encoder == OWN else load_method(name, over)
        return with_history(made, history)

    def _checkpoint(self, model: str) -> Path:
        """A model over the world's own encoder, trained as `circlet reproduce composers` trains."""
        place = self.out / "checkpoints" / model
        if not (place / CONFIG).exists() or (place / RESUME).exists():
            self.say(f"training {model}")
            setup = Table(self.world, self.out, FULL).setup(joint=True)
            recipe = recipe_of(Row(key=model, label=model, model=model), FULL, 0)
            setup.train(model, recipe, width=FULL.width, out=place)
        return place

    def _claim(self) -> None:
        """Refuse a folder whose cells were made of anything else: they would share one table."""
        about = {"world": scenes_recipe(self.world), "number of sessions": self.budget.sessions}
        about |= {"split": self.budget.split}
        about |= {name: bench.encoder.fingerprint for name, bench in self._benches.items()}
        path = self.out / "about.json"
        held = parse_json(read_text(path, "remove its folder and run again")) if path.exists() else {}
        if other := [name for name, value in about.items() if held.get(name, value) != value]:
            raise UsageError(
                f"{self.out} holds cells of another {' and '.join(other)}: "
                "name another folder with --out, or remove it"
            )
        write_text(path, json.dumps({**held, **about}, indent=1) + "\n")

    def run(self) -> dict[str, Cell]:
        """Every cell, by name."""
        self._claim()
        makes: dict[str, Callable[[], Cell]] = {}
        for encoder in self.budget.encoders:
            for seed in range(self.budget.seeds):
                for picks in PICKERS:
                    for history in RIVALS:
                        name = f"picks-{picks}-{history}-{encoder}-{seed}"
                        makes[name] = self._picked(encoder, seed, picks, history, "picked")
                for history in ("feedback", "belief"):
                    name = f"hidden-best-{history}-{encoder}-{seed}"
                    makes[name] = self._picked(encoder, seed, "best", history, "shown")
                for method, history in rounded(encoder):
                    name = f"rounds-{method}-{history}-{encoder}-{seed}"
                    makes[name] = self._rounds(encoder, seed, method, history)
                for base in BASES if encoder in BUILDERS else ():
                    makes[f"built-{base}-{encoder}-{seed}"] = self._built(encoder, base, seed)
        return {name: self.cell(name, make) for name, make in makes.items()}

    def _picked(self, encoder: str, seed: int, picks: str, history: str, seen: str) -> Callable[[], Cell]:
        def make() -> Cell:
            bench = self.bench(encoder, seed)
            user = user_of(bench, UserOptions(picks=picks, seed=seed))
            method = self.method(encoder, history)
            rules = Rules(rounds=TURN, shown=TOP, seen=seen)  # type: ignore[arg-type]
            _, played = rounds_row(bench, method, METHOD, user, rules)
            told: Cell = {"first": played.at(1).tolist(), "last": played.at(TURN).tolist()}
            if history == "belief":
                told["brier"] = [_brier(method, played, bench, turn) for turn in (1, TURN)]
            return told

        return make

    def _rounds(self, encoder: str, seed: int, method: str, history: str) -> Callable[[], Cell]:
        def make() -> Cell:
            bench = self.bench(encoder, seed)
            # The user of paper 001 looks at the first result and at nothing else.
            user = user_of(bench, UserOptions(picks="first", seed=seed))
            chosen = self.method(encoder, history, method)
            rules = Rules(rounds=max(ROUNDS), shown=1, seen="kept")
            _, played = rounds_row(bench, chosen, method, user, rules)
            subsets = bench.over(within_subsets(bench.benchmark, _WITHIN))
            _, inside = rounds_row(subsets, chosen, method, user, rules)
            return {
                **{f"R@{k} round {turn}": _share(played, turn, k) for turn in ROUNDS for k in CUTOFFS},
                **{
                    f"any R@{k} round {turn}": _share(played, turn, k, cumulative=True)
                    for turn in ROUNDS
                    for k in CUTOFFS
                },
                **{f"Rsub@1 round {turn}": _share(inside, turn, 1) for turn in ROUNDS},
            }

        return make

    def _built(self, encoder: str, base: str, seed: int) -> Callable[[], Cell]:
        def make() -> Cell:
            order = SessionOrder(
                base=base,
                user=UserOptions(picks="captions", speaks=True, seed=seed),
                how=SessionFilter(),
                seed=seed,
            )
            source = SessionSource(self.bench(encoder, seed), order, Writer())
            built = source.build(SessionFiles(self.out / "sessions" / f"{base}-{encoder}-{seed}.jsonl"))
            told: Cell = {"report": built.result.report.row(), "swept": built.swept}
            told["sound"] = sound(built.benchmark)
            for method in baselines(encoder):
                for history in PAPER_HISTORIES:
                    row, _ = source.bench.over(built.benchmark).row(
                        self.method(encoder, history, method), method,
                        parse_measures(["Hits(turn=1) @ 10", "Hits(turn=2) @ 10", "Hits(turn=3) @ 10",
                                        "FinalRecall @ 10", "AUC @ 10"]),
                    )  # fmt: skip
                    told[f"{method} {history}"] = dict(row.measures)
            return told

        return make


def within_subsets(benchmark: Benchmark, most: int) -> Benchmark:
    """So many queries, each searching its own subset of look-alikes and nothing else."""
    cases = [case for case in benchmark.cases if case.subset][:most]
    return replace(
        benchmark,
        cases=tuple(replace(case, group=case.id, subset=()) for case in cases),
        galleries={case.id: case.subset for case in cases},
    )


def sound(sessions: Benchmark) -> dict[str, int]:
    """How many built sessions keep their promises, by what is noted of them."""
    notes = [case.notes for case in sessions.cases]
    steady = sum(
        all(after <= before + 30 for before, after in zip(one["ranks"], one["ranks"][1:], strict=False))
        for one in notes
    )
    return {
        "sessions": len(notes),
        "consistent": steady,
        "diverse": sum(one["closest"] < 0.8 for one in notes),
    }


def paired(cells: Mapping[str, Cell], names: Sequence[tuple[str, str]]) -> "np.ndarray":
    """For every query that both fail at turn 1, whether the second finds it by the turn, less the first."""
    differences = []
    for first, second in names:
        one, two = cells[first], cells[second]
        fails = (np.array(one["first"]) > TOP) & (np.array(two["first"]) > TOP)
        hit = [np.array(cell["last"])[fails] <= TOP for cell in (one, two)]
        differences.append(hit[1].astype(float) - hit[0].astype(float))
    return np.concatenate(differences) if differences else np.zeros(0)


def reached(cell: Cell) -> float:
    """Of the queries that fail at turn 1, the share that was found by the turn, in percent."""
    fails = np.array(cell["first"]) > TOP
    return float(100 * np.mean(np.array(cell["last"])[fails] <= TOP)) if fails.any() else float("nan")


def _share(played: Played, turn: int, top: int, *, cumulative: bool = False) -> float:
    return float(100 * np.mean(played.at(turn, cumulative=cumulative) <= top))


def _brier(method: Method, played: Played, bench: Bench, turn: int) -> float:
    """Of the belief after a turn, in the sessions that went so far."""
    cases = [case for case in played.benchmark.cases if len(case.query.turns) >= turn]
    queries: list[Query] = [case.query.until(turn) for case in cases]
    if not cases:
        return float("nan")
    gone = [(*case.exclude, *played.rules.gone(query)) for case, query in zip(cases, queries, strict=True)]
    return brier(method, queries, [case.truths[0] for case in cases], bench.encoded.pictures, gone)
