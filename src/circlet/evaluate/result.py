"""Measured: the numbers of one method on one benchmark, with the protocol beside them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from circlet.core import Benchmark, Run
from circlet.evaluate.judge import Judged
from circlet.evaluate.judge_run import judge_run
from circlet.evaluate.layout import lay_out
from circlet.evaluate.measure import Measure
from circlet.evaluate.parse import parse_measures

# What a benchmark without measures of its own is measured by.
PLAIN = ("Recall @ 1", "Recall @ 5", "Recall @ 10", "Recall @ 50")


@dataclass(frozen=True)
class Result:
    """One row of a table: what was measured, under which protocol, on how much of the benchmark."""

    method: str
    protocol: str
    measures: Mapping[str, float]
    queries: int
    coverage: float = 1.0
    remarks: tuple[str, ...] = ()
    fingerprint: str = ""
    seed: int | None = None
    judged: Judged | None = field(default=None, repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """The row as plain JSON values."""
        said = {
            "method": self.method,
            "protocol": self.protocol,
            "measures": dict(self.measures),
            "queries": self.queries,
            "coverage": self.coverage,
            "remarks": list(self.remarks),
            "fingerprint": self.fingerprint,
            "seed": self.seed,
        }
        return {name: value for name, value in said.items() if value not in (None, "", [])}


def measure(
    judged: Judged | Run, benchmark: Benchmark, measures: Sequence[Measure] = (), *, method: str = ""
) -> Result:
    """The numbers of a run, or of ranks that were counted; by default those the benchmark names.

    >>> from circlet.core import Key, Query, Ranking, Turn
    >>> toy = Benchmark(name="toy", split="val", galleries={"": ("a", "b")}, truths={"1": ("b",)},
    ...                 queries=(Query("1", (Turn(text="b"),)),), measures=("Recall @ 1", "MRR"))
    >>> measure(Run(method="toy", rankings={Key("1"): Ranking("ab", [2, 1])}), toy).measures
    {'Recall @ 1': 0.0, 'MRR': 50.0}
    """
    source = judged
    if isinstance(judged, Run):
        judged = judge_run(judged, benchmark)
    chosen = measures or default_measures(benchmark)
    return Result(
        method=method or (source.method if isinstance(source, Run) else "method"),
        protocol=benchmark.header(),
        measures={repr(one): one.value(judged) for one in chosen},
        queries=len(benchmark.queries),
        coverage=judged.coverage,
        remarks=judged.remarks,
        fingerprint=source.fingerprint if isinstance(source, Run) else "",
        seed=source.seed if isinstance(source, Run) else None,
        judged=judged,
    )


def default_measures(benchmark: Benchmark) -> tuple[Measure, ...]:
    """The measures that the benchmark names, or plain recall."""
    return parse_measures(benchmark.measures or PLAIN)


def chance(benchmark: Benchmark, measures: Sequence[Measure] = ()) -> Result:
    """The row of a uniformly random order: expectations, computed exactly.

    >>> from circlet.core import Query, Turn
    >>> toy = Benchmark(name="toy", split="val", galleries={"": tuple("abcd")}, truths={"1": ("b",)},
    ...                 queries=(Query("1", (Turn(text="b"),)),), measures=("Recall @ 1", "MAP @ 2"))
    >>> chance(toy).measures
    {'Recall @ 1': 25.0, 'MAP @ 2': 37.5}
    """
    layout = lay_out(benchmark)
    chosen = measures or default_measures(benchmark)
    return Result(
        method="random (exact)",
        protocol=benchmark.header(),
        measures={repr(one): one.expected(layout) for one in chosen},
        queries=len(benchmark.queries),
    )
