"""Sessions built from a benchmark or a folder of pictures: who searches, who talks, what is kept."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from circlet.build.sessions import (
    SessionFilter,
    SessionPlan,
    filtered,
    make_sessions,
    session_benchmark,
    starts,
    sweep,
    write_circled,
)
from circlet.build.sessions.filters import Filtered, closest_texts
from circlet.core import Benchmark, Case, Method, Progress, Query
from circlet.data import write_benchmark
from circlet.data.captions import read_captions
from circlet.data.tableaux.tasks.telling import GraphTeller
from circlet.dialogue import with_history
from circlet.dialogue.simulate import SimulatedUser
from circlet.experiments.bench import Bench
from circlet.experiments.users import Cost, UserOptions, Writer, cost_of, describer, teller, user_of
from circlet.images import SkippedFile, walk
from circlet.models import load_method
from circlet.models.composers.caption import merging
from circlet.models.encoders.sentences import Sentences
from circlet.models.features import FeatureStore


@dataclass(frozen=True, kw_only=True)
class SessionOrder:
    """What is to be built: by which base and history, with which user, how many, filtered how.

    `deviations` are named in `circlet.build.sessions.DEVIATIONS`.
    """

    base: str = "caption"
    history: str = "feedback"
    user: UserOptions
    count: int | None = None
    how: SessionFilter
    deviations: tuple[str, ...] = ()
    seed: int = 0

    def cost(self, sessions: int, pictures: int, *, begun: bool = True) -> Cost:
        """What a server may be asked for so many sessions, answers that are kept not counted."""
        rules = SessionPlan(base=self.base, user=self.user.name, deviations=self.deviations).rules
        return cost_of(sessions, pictures, self.user, rules, merged=self.base == "caption", begun=begun)


@dataclass(frozen=True)
class SessionFiles:
    """Where sessions go: those that passed, CIRCLED's form of them, those that did not, and the book."""

    out: Path

    @property
    def circled(self) -> Path:
        """The same in CIRCLED's public form."""
        return self.out.with_suffix(".circled.json")

    @property
    def unfit(self) -> Path:
        """What only the filters of ranks and texts took."""
        return self.out.with_suffix(".unfiltered.jsonl")

    @property
    def book(self) -> Path:
        """Every session as it was made, added to while building."""
        return self.out.with_suffix(".made.jsonl")


@dataclass(frozen=True)
class BuiltSessions:
    """What was built, as benchmarks, and what the filters did."""

    benchmark: Benchmark
    unfit: Benchmark
    result: Filtered
    swept: Mapping[str, Mapping[float, int]]


class SessionSource:
    """A benchmark or a folder, opened with an encoder, and whoever writes for its user."""

    def __init__(self, bench: Bench, order: SessionOrder, writer: Writer) -> None:
        self.bench, self.order, self.writer = bench, order, writer

    @classmethod
    def of_folder(
        cls,
        folder: Path,
        encoder: str,
        order: SessionOrder,
        writer: Writer,
        *,
        progress: Progress | None = None,
        lost: Callable[[str], None] = lambda reason: None,
        costs: Callable[[Cost], None] = lambda cost: None,
    ) -> "SessionSource":
        """Somebody's own pictures: first turns are made of look-alikes and what differs in them.

        `lost` is told of every file that cannot be used, and `costs` what a server may be asked for, before
        it is asked.
        """
        files = {}
        for item in walk(folder):
            if isinstance(item, SkippedFile):
                lost(f"{item.path}: {item.reason}")
            else:
                files[item.path.relative_to(folder).as_posix()] = item.path
        plain = Bench(Benchmark(name=folder.name, split="all", cases=(), galleries={}), encoder)
        features, broken = FeatureStore().features(files, plain.encoder, progress=progress)
        for reason in broken.values():
            lost(reason)
        here = {id: files[id] for id in features.ids}
        found, _ = read_captions(folder)
        told = {one.id: one.texts[0] for one in found if one.id in here and one.texts}
        listed = Bench(_listing(folder.name, here, told), encoder)
        many = min(order.count or len(here), len(here))
        if writer.chat is not None:
            costs(order.cost(many, len(here), begun=False))
        tell = teller(listed, order.user, writer, describer(listed, writer))
        made = starts(here, features, tell, name=folder.name, count=many, seed=order.seed)
        return cls(Bench(replace(made, extra={"captions": told}), encoder, seed=order.seed), order, writer)

    @cached_property
    def benchmark(self) -> Benchmark:
        """The queries that become sessions: single turns, as many as were asked for."""
        whole = self.bench.benchmark
        cases = tuple(replace(case, query=case.query.until(1)) for case in whole.cases)
        return replace(whole, cases=cases[: self.order.count] if self.order.count else cases)

    @cached_property
    def method(self) -> Method:
        """The base that searches, its turns joined by the order's history."""
        given: dict[str, Any] = {}
        if self.order.base == "caption":
            describe = describer(self.bench, self.writer)
            given = {"describe": lambda ids, pictures: describe(ids)}
            if self.writer.ask is not None:
                given["merge"] = merging(self.writer.ask)
        return with_history(load_method(self.order.base, self.bench.encoder, **given), self.order.history)

    @property
    def plan(self) -> SessionPlan:
        """How the sessions are made."""
        user = user_of(self.bench, self.order.user, self.writer)
        return SessionPlan(
            base=f"{self.order.base}+{self.order.history}",
            user=str(user),
            encoder=self.bench.encoder.fingerprint,
            source=self.benchmark.header(),
            seed=self.order.seed,
            deviations=self.order.deviations,
        )

    def cost(self) -> Cost:
        """What building may ask of a server, answers that are kept not counted."""
        if self.writer.chat is None:
            return Cost()
        return self.order.cost(len(self.benchmark.cases), len(self.benchmark.pictures))

    def build(self, files: SessionFiles, progress: Progress | None = None) -> BuiltSessions:
        """Make, filter and write; what was made before is not made again."""
        plan, asked = self.plan, self.bench.over(self.benchmark)
        user = user_of(asked, self.order.user, self.writer)
        pictures = self.bench.encoded.pictures
        made = make_sessions(
            self.benchmark,
            self.method,
            user,
            pictures,
            files.book,
            plan,
            noted=_noted(user),
            progress=progress,
        )
        closest = closest_texts(made, Sentences().texts)
        result = filtered(made, closest, self.order.how)
        told = {"epsilon": str(self.order.how.epsilon), "tau": f"{self.order.how.tau:g}"}
        kept = session_benchmark(self.benchmark, result.kept, plan, closest, **told)
        unfit = session_benchmark(self.benchmark, result.unfit, plan, closest, filters="failed")
        write_benchmark(kept, files.out)
        write_benchmark(unfit, files.unfit)
        write_circled(files.circled, kept)
        return BuiltSessions(kept, unfit, result, sweep(made, closest, self.order.how))


def _noted(user: SimulatedUser) -> Callable[[Query], Any] | None:
    """What a truthful user asked for, turn by turn, which a judge may want to know."""
    return user.tell.needs_by_turn if isinstance(user.tell, GraphTeller) else None


def _listing(name: str, files: Mapping[str, Path], captions: Mapping[str, str]) -> Benchmark:
    """A benchmark that asks nothing but knows the pictures."""
    case = Case(query=Query("none"), truths=())
    return Benchmark(
        name=name,
        split="all",
        cases=(case,),
        galleries={"": tuple(files)},
        images=dict(files),
        extra={"captions": captions},
    )
