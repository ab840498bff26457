"""Methods and runs on a benchmark: rows of results, with the baselines that belong in every table."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from circlet.core import Benchmark, Composer, DataError, Method, Run, UsageError
from circlet.evaluate import Measure, Result, chance, measure, rank, survey
from circlet.evaluate.baselines import RandomReference
from circlet.evaluate.measures.parse import AnyMeasure
from circlet.evaluate.result import default_measures
from circlet.models.encoding import Encoded, Progress, encode

# The rows beside a method: name as printed, method it is made with.
BASELINES = (
    ("image only", "image"),
    ("text only", "text"),
    ("random image + text", "sum"),
    ("weighted sum", "sum"),
)


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


@dataclass
class Bench:
    """A benchmark with an encoder: pictures are encoded when the first method asks for them."""

    benchmark: Benchmark
    encoder: str = "builtin"
    allow_missing: bool = False
    progress: Progress | None = None
    seed: int = 0
    history: str = "latest"

    _encoder: Any = None
    _encoded: Encoded | None = None

    @property
    def encoded(self) -> Encoded:
        """The pictures' vectors, and the benchmark as far as its pictures are there."""
        if self._encoded is None:
            if not (self.benchmark.galleries or self.benchmark.subsets):
                raise DataError(
                    f"{self.benchmark.name}: the gallery is not listed, so nothing can be ranked; measure "
                    "a saved run with --run, or put the gallery's list where the reader looks for it"
                )
            self._encoded = encode(
                self.benchmark, self._loaded(), allow_missing=self.allow_missing, progress=self.progress
            )
        return self._encoded

    def _loaded(self) -> Any:
        if self._encoder is None:
            from circlet.models import load_encoder

            self._encoder = load_encoder(self.encoder)
        return self._encoder

    def method(self, name: str, **given: Any) -> Method:
        """A method by name over the encoder; a trained folder also learns where the pictures are.

        No picture is read: a name or an option that is wrong shows before any is encoded.
        """
        from circlet.models import METHODS, load_method

        images = {} if name in METHODS else {"images": self.benchmark.images}
        method = load_method(name, self._loaded(), **images, **given)
        return self._over_turns(method, name)

    def _over_turns(self, method: Method, name: str) -> Method:
        """The method over whole sessions; a composer by itself hears the last turn only."""
        from circlet.dialogue import Average, Weighted

        ways = {"average": Average, "weighted": Weighted}
        if self.history not in ways:
            return method
        if not isinstance(method, Composer):
            raise UsageError(f"{name} joins turns in its own way: leave --history out")
        return ways[self.history](method)

    def row(
        self, method: Method, name: str, measures: Sequence[AnyMeasure], *, top: int = 0
    ) -> tuple[Result, Run]:
        """One row, and the run behind it if `top` is not zero."""
        here = self.encoded
        chosen = measures or default_measures(here.benchmark)
        if not all(isinstance(one, Measure) for one in chosen):
            # Scores are measured, so the run must hold every one of them.
            run = self.ranked(method, name, top=len(here.pictures))
            return measure(run, here.benchmark, chosen), run
        judged, run = survey(method, here.benchmark, here.pictures, top=top)
        judged = replace(judged, coverage=here.coverage)
        result = measure(judged, here.benchmark, chosen, method=name)
        return replace(result, fingerprint=run.fingerprint, seed=self.seed), self._signed(run, name)

    def ranked(self, method: Method, name: str, *, top: int) -> Run:
        """The run alone, which needs no truths."""
        here = self.encoded
        return self._signed(rank(method, here.benchmark, here.pictures, top=top), name)

    def _signed(self, run: Run, name: str) -> Run:
        made = datetime.now(UTC).isoformat(timespec="seconds")
        return replace(run, method=name, seed=self.seed, made=made)

    def chance(self, measures: Sequence[AnyMeasure]) -> list[Result]:
        """The row of a random order; none where the gallery's size is not known."""
        benchmark = self._encoded.benchmark if self._encoded else self.benchmark
        try:
            row = chance(benchmark, measures)
        except DataError:
            return []
        return [replace(row, coverage=self._encoded.coverage if self._encoded else 1.0)]

    def baselines(self, measures: Sequence[AnyMeasure]) -> list[Result]:
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
