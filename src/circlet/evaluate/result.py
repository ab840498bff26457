"""Measured: the numbers of one method on one benchmark, with the protocol beside them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from circlet.core import Benchmark, Run, UsageError
from circlet.evaluate.arrays import arrays_of
from circlet.evaluate.judge import Judged
from circlet.evaluate.judge_run import judge_run
from circlet.evaluate.measures.measure import Measure
from circlet.evaluate.measures.parse import AnyMeasure, parse_measures

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
    revision: str = ""
    seed: int | None = None
    spread: Mapping[str, float] = field(default_factory=dict)
    judged: Judged | None = field(default=None, repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """The row as plain JSON values."""
        fields = {
            "method": self.method,
            "protocol": self.protocol,
            "measures": dict(self.measures),
            "queries": self.queries,
            "coverage": self.coverage,
            "remarks": list(self.remarks),
            "fingerprint": self.fingerprint,
            "revision": self.revision,
            "seed": self.seed,
            "spread": dict(self.spread),
        }
        return {name: value for name, value in fields.items() if value not in (None, "", [], {})}


def measure(
    judged: Judged | Run,
    benchmark: Benchmark,
    measures: Sequence[AnyMeasure] = (),
    *,
    method: str = "",
) -> Result:
    """The numbers of a run, or of ranks that were counted; by default those the benchmark names.

    >>> from circlet.core import Key, Query, Ranking, Turn
    >>> toy = Benchmark(name="toy", split="val", galleries={"": ("a", "b")}, truths={"1": ("b",)},
    ...                 queries=(Query("1", (Turn(text="b"),)),), measures=("Recall @ 1", "MRR"))
    >>> measure(Run(method="toy", rankings={Key("1"): Ranking("ab", [2, 1])}), toy).measures
    {'Recall @ 1': 0.0, 'MRR': 50.0}
    """
    run = judged if isinstance(judged, Run) else None
    chosen = measures or default_measures(benchmark)
    if run and run.subsets and not run.rankings and not measures:
        # A file of subset rankings alone (CIRR's second submission) says nothing of the gallery.
        chosen = tuple(one for one in chosen if not isinstance(one, Measure) or one.of_subsets)
    ranks = judged if isinstance(judged, Judged) else None
    if run and any(isinstance(one, Measure) for one in chosen):
        ranks = judge_run(run, benchmark)
    values = {}
    for one in chosen:
        if isinstance(one, Measure):
            assert ranks is not None
            values[repr(one)] = one.value(ranks)
        elif run is None:
            raise UsageError(f"{one!r} reads scores and not ranks: measure a run with it")
        else:
            values[repr(one)] = one.value(run, benchmark)
    remarks = ranks.remarks if ranks else ()
    deepest = max((int(k) for name in values for k in re.findall(r"@ (\d+)", name)), default=0)
    if run and run.rankings and run.depth < deepest:
        remarks = (*remarks, f"the run is {run.depth} deep: what lies beyond counts as not found @ {deepest}")
    return Result(
        method=method or (run.method if run else "method"),
        protocol=benchmark.header(),
        measures=values,
        queries=len(benchmark.queries),
        coverage=ranks.coverage if ranks else 1.0,
        remarks=remarks,
        fingerprint=run.fingerprint if run else "",
        revision=benchmark.revision,
        seed=run.seed if run else None,
        judged=ranks,
    )


def over_seeds(rows: Sequence[Result]) -> Result:
    """Reruns as one row: the mean over seeds, with the standard deviation between them as spread.

    >>> rows = [Result("m", "p", {"MRR": value}, 4, seed=seed) for seed, value in enumerate([50.0, 54.0])]
    >>> over_seeds(rows).measures, round(over_seeds(rows).spread["MRR"], 4)
    ({'MRR': 52.0}, 2.8284)
    """
    if len({(row.method, row.protocol, row.coverage) for row in rows}) != 1:
        raise UsageError("only reruns of one method under one protocol have a mean over seeds")
    values = {name: [row.measures[name] for row in rows] for name in rows[0].measures}
    return replace(
        rows[0],
        measures={name: float(np.mean(numbers)) for name, numbers in values.items()},
        spread={name: float(np.std(numbers, ddof=1)) for name, numbers in values.items()}
        if len(rows) > 1
        else {},
        seed=rows[0].seed if len(rows) == 1 else None,
    )


def default_measures(benchmark: Benchmark) -> tuple[AnyMeasure, ...]:
    """The measures that the benchmark names, or plain recall."""
    return parse_measures(benchmark.measures or PLAIN)


def chance(benchmark: Benchmark, measures: Sequence[AnyMeasure] = ()) -> Result:
    """The row of a uniformly random order: expectations, computed exactly.

    >>> from circlet.core import Query, Turn
    >>> toy = Benchmark(name="toy", split="val", galleries={"": tuple("abcd")}, truths={"1": ("b",)},
    ...                 queries=(Query("1", (Turn(text="b"),)),), measures=("Recall @ 1", "MAP @ 2"))
    >>> chance(toy).measures
    {'Recall @ 1': 25.0, 'MAP @ 2': 37.5}
    """
    arrays = arrays_of(benchmark)
    chosen = measures or default_measures(benchmark)
    return Result(
        method="random (exact)",
        protocol=benchmark.header(),
        measures={repr(one): one.expected(arrays) for one in chosen if isinstance(one, Measure)},
        queries=len(benchmark.queries),
        revision=benchmark.revision,
    )
