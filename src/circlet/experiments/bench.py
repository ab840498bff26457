"""Methods and runs on a benchmark: rows of results, with the baselines that belong in every table."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from circlet.core import Benchmark, DataError, Method, PictureEncoder, Progress, Run, Scorer, UsageError
from circlet.evaluate import (
    Judged,
    Measure,
    RankMeasure,
    Relevance,
    Result,
    chance,
    measure,
    rank,
    survey,
)
from circlet.evaluate.baselines import RandomReference
from circlet.evaluate.features import survey_features
from circlet.evaluate.files.npz import GivenFeatures
from circlet.evaluate.people import yardsticks
from circlet.evaluate.result import default_measures
from circlet.evaluate.scored import Scored
from circlet.experiments.scoring import score_run, score_sets

if TYPE_CHECKING:
    from circlet.models.features import Features, FeatureStore

# The rows beside a method: name as printed, method it is made with.
BASELINES = (
    ("image only", "image"),
    ("text only", "text"),
    ("random image + text", "sum"),
    ("weighted sum", "sum"),
)
# What is measured of a scorer's word unless measures say it, and how many results it is shown at least.
_RELEVANCE, _SHOWN = (Relevance @ 10, Relevance @ 50), 50


def options(given: Sequence[str], what: str) -> dict[str, Any]:
    """`name=value` words as a mapping; a value that is a number becomes one.

    >>> options(["balance=0.4", "mode=plain"], "--with")
    {'balance': 0.4, 'mode': 'plain'}
    """
    values: dict[str, Any] = {}
    for word in given:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise UsageError(f"{what} {word!r}: write it as name=value")
        try:
            values[name] = int(value) if value.lstrip("-").isdecimal() else float(value)
        except ValueError:
            values[name] = value
    return values


def named(run: Run, path: Path) -> str:
    """What a run is called in a table: a submission does not say its method, so its file's name does.

    >>> named(Run(method="submission"), Path("recall.json")), named(Run(method="sum"), Path("a.jsonl"))
    ('recall', 'sum')
    """
    return path.stem if run.method == "submission" else run.method


@dataclass(frozen=True)
class Encoded:
    """A benchmark that can be ranked: its pictures' features, and how much of it is left."""

    benchmark: Benchmark
    pictures: "Features"
    coverage: float
    missing: Mapping[str, str]


def encode(
    benchmark: Benchmark,
    encoder: PictureEncoder,
    *,
    allow_missing: bool = False,
    progress: Progress | None = None,
    store: "FeatureStore | None" = None,
) -> Encoded:
    """The features of every picture the benchmark names, read back where they were made before.

    A picture that is missing or cannot be opened is an error that names it; with `allow_missing`
    it leaves the benchmark, and `coverage` is the share of the queries that stay.
    """
    from circlet.models.features import FeatureStore

    lost = {id: reason for id in benchmark.pictures if (reason := _absent(benchmark, id))}
    if lost and not allow_missing:
        # Nothing is encoded for hours only to be refused at the end.
        raise _missing(benchmark, lost)
    files = {id: benchmark.images[id] for id in benchmark.pictures if id not in lost}
    features, unread = (store or FeatureStore()).features(files, encoder, progress=progress)
    lost |= unread
    if lost and not allow_missing:
        raise _missing(benchmark, lost)
    left = benchmark.without(lost) if lost else benchmark
    if not left.queries:
        raise DataError(f"{benchmark.name}: no query is left without its missing pictures")
    return Encoded(left, features, len(left.queries) / len(benchmark.queries), lost)


def _absent(benchmark: Benchmark, id: str) -> str:
    path = benchmark.images.get(id)
    if path is None:
        return "the benchmark does not say where it is"
    return "" if path.is_file() else f"no such file: {path}"


def _missing(benchmark: Benchmark, lost: Mapping[str, str]) -> DataError:
    first = "; ".join(f"{id} ({reason})" for id, reason in list(lost.items())[:3])
    more = f"; and {len(lost) - 3} more" if len(lost) > 3 else ""
    return DataError(
        f"{benchmark.name}: {len(lost)} of {len(benchmark.pictures)} pictures are missing: {first}{more}. "
        "Put them there, or measure what is left with --allow-missing"
    )


def scored_depth(measures: Sequence[Measure]) -> int:
    """How many of the first pictures a scorer is shown for these measures; 0 if none asks for it.

    Scores of a picture may depend on those beside it, so that it is the same many whichever K is asked for.

    >>> scored_depth([Relevance @ 5]), scored_depth([Relevance @ 80]), scored_depth([])
    (50, 80, 0)
    """
    deepest = max((one.scored for one in measures if isinstance(one, RankMeasure)), default=0)
    return max(deepest, _SHOWN) if deepest else 0


def with_relevance(measures: Sequence[Measure], benchmark: Benchmark, scorer: str) -> tuple[Measure, ...]:
    """The measures, or the benchmark's own, with `Relevance` where a scorer is named and a gallery ranked.

    >>> from circlet.core import Case, Query
    >>> toy = Benchmark(name="toy", split="val", cases=(Case(query=Query("1")),), galleries={"": ("a",)})
    >>> with_relevance([Relevance @ 5], toy, "clauses")
    (Relevance @ 5,)
    >>> with_relevance([Relevance @ 5], toy, "")
    Traceback (most recent call last):
        ...
    circlet.core.errors.UsageError: Relevance @ 5 is by a scorer: name one with --relevance
    """
    asked = [one for one in measures if scored_depth([one])]
    if asked and not scorer:
        raise UsageError(f"{asked[0]!r} is by a scorer: name one with --relevance")
    if not scorer or asked:
        return tuple(measures)
    chosen = tuple(measures) or default_measures(benchmark)
    return (*chosen, *_RELEVANCE) if benchmark.galleries else chosen


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass
class Bench:
    """A benchmark with an encoder: pictures are encoded when the first method asks for them."""

    benchmark: Benchmark
    encoder_name: str = "builtin"
    allow_missing: bool = False
    progress: Progress | None = None
    seed: int = 0
    history: str = "latest"
    relevance: str = ""

    @cached_property
    def encoder(self) -> PictureEncoder:
        """The encoder, loaded on first use."""
        from circlet.models import load_encoder

        return load_encoder(self.encoder_name)

    @cached_property
    def scorer(self) -> Scorer:
        """What scores results, by the name in `relevance`."""
        from circlet.models import load_scorer

        return load_scorer(self.relevance, self.encoder)

    @cached_property
    def encoded(self) -> Encoded:
        """The pictures' features, and the benchmark as far as its pictures are there."""
        if not (self.benchmark.galleries or self.benchmark.has_subsets):
            raise DataError(
                f"{self.benchmark.name}: the gallery is not listed, so nothing can be ranked; measure "
                "a saved run with --run, or put the gallery's list where the reader looks for it"
            )
        return encode(self.benchmark, self.encoder, allow_missing=self.allow_missing, progress=self.progress)

    def over(self, benchmark: Benchmark, *, seed: int | None = None) -> "Bench":
        """The same encoder and pictures, asked by another benchmark over them; nothing is read again."""
        here = replace(self, benchmark=benchmark, seed=self.seed if seed is None else seed)
        vars(here)["encoder"], vars(here)["encoded"] = (
            self.encoder,
            replace(self.encoded, benchmark=benchmark),
        )
        return here

    def method(self, name: str, **given: Any) -> Method:
        """A method by name or expression over the encoder, its turns joined by this bench's history.

        No picture is read: a name or an option that is wrong shows before any is encoded.
        """
        from circlet.dialogue import with_history
        from circlet.models import load_method

        return with_history(load_method(name, self.encoder, **given), self.history)

    def row(
        self, method: Method, name: str, measures: Sequence[Measure], *, top: int = 0
    ) -> tuple[Result, Run]:
        """One row, and the run behind it if `top` is not zero."""
        here = self.encoded
        chosen = measures or default_measures(here.benchmark)
        if any(one.of_scores for one in chosen):
            # Scores are measured, so the run must hold every one of them.
            run = self.ranked(method, name, top=len(here.pictures))
            return measure(run, here.benchmark, chosen), run
        depth = scored_depth(chosen)
        judged, run = survey(method, here.benchmark, here.pictures, top=max(top, depth))
        judged = replace(judged, coverage=here.coverage, scored=self.scored(run, here.benchmark, chosen))
        result = measure(judged, here.benchmark, chosen, method=name)
        run = self._signed(run.cut(top) if depth > top else run, name)
        return replace(result, fingerprint=run.fingerprint, seed=self.seed), run

    def run_row(self, run: Run, name: str, measures: Sequence[Measure]) -> Result:
        """The row of a saved run; its first pictures are scored where a measure asks for it."""
        scored = self.scored(run, self.benchmark, measures)
        return measure(run, self.benchmark, measures, method=name, scored=scored)

    def scored(self, run: Run, benchmark: Benchmark, measures: Sequence[Measure]) -> Scored | None:
        """What the scorer makes of the first of every ranking, as deep as these measures look."""
        if not (depth := scored_depth(measures)):
            return None
        pictures = self.encoded.pictures
        return score_run(run, benchmark, self.scorer, pictures, depth=depth, name=self.relevance)

    def scorer_row(self, measures: Sequence[Measure]) -> tuple[Result, Run]:
        """The scorer as a row of its own, on a benchmark whose sets it scores picture by picture."""
        here = self.encoded
        run = score_sets(here.benchmark, self.scorer, here.pictures, name=self.relevance)
        return measure(run, here.benchmark, measures), self._signed(run, self.relevance)

    def features_row(
        self, given: GivenFeatures, measures: Sequence[Measure], *, top: int = 0
    ) -> tuple[Result, Run]:
        """The row of somebody's vectors, which needs neither encoder nor pictures, and the run behind it."""
        chosen = measures or default_measures(self.benchmark)
        depth = scored_depth(chosen)
        judged, run = survey_features(
            given, self.benchmark, top=max(top, depth), allow_missing=self.allow_missing
        )
        scored = self.scored(run, judged.benchmark, chosen)
        result = measure(judged, judged.benchmark, chosen, method=given.method, scored=scored)
        run = replace(run.cut(top) if depth > top else run, made=_now())
        return replace(result, fingerprint=run.fingerprint), run

    def ranked(self, method: Method, name: str, *, top: int) -> Run:
        """The run alone, which needs no truths."""
        here = self.encoded
        return self._signed(rank(method, here.benchmark, here.pictures, top=top), name)

    def _signed(self, run: Run, name: str) -> Run:
        return replace(run, method=name, seed=self.seed, made=_now())

    def chance(self, measures: Sequence[Measure], like: Judged | None = None) -> list[Result]:
        """The rows that need no method: a random order over the queries that were asked, as far as `like`
        has them (none where the gallery's size is not known), and what gives judgements a scale."""
        here = self.encoded if "encoded" in vars(self) else like
        on = here.benchmark if here else self.benchmark
        rows = yardsticks(on, measures or default_measures(on))
        with suppress(DataError):
            row = chance(on, measures)
            # Of agreement with people a random order has none to speak of.
            rows = [row, *rows] if row.measures else rows
        return [replace(row, coverage=here.coverage if here else 1.0) for row in rows]

    def baselines(self, measures: Sequence[Measure]) -> list[Result]:
        """The rows that stand in every table of methods, the random order's first.

        Where no query has a picture, or none has words, what would need them is left out.
        """
        rows = []
        turns = [turn for query in self.encoded.benchmark.queries for turn in query.turns]
        lacking = "image" if not any(turn.picture for turn in turns) else ""
        lacking = "text" if not any(turn.text for turn in turns) else lacking
        for shown, name in BASELINES:
            if lacking and (lacking in shown or name == "sum"):
                continue
            method = self.method(name)
            if shown.startswith("random"):
                method = RandomReference(method, self.encoded.benchmark, seed=self.seed)
            rows.append(self.row(method, shown, measures)[0])
        return self.chance(measures) + rows
