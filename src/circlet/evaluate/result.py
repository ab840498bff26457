"""Measured: the numbers of one method on one benchmark, with the protocol beside them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isnan
from typing import Any

import numpy as np

from circlet.core import Benchmark, Run, UsageError
from circlet.evaluate.arrays import LOST, arrays_of
from circlet.evaluate.certainty import Correlated, correlated
from circlet.evaluate.judge import Judged
from circlet.evaluate.measures.agreement import Spearman
from circlet.evaluate.measures.judgements import Judgements, set_scores
from circlet.evaluate.measures.measure import Evidence, Measure, RankMeasure
from circlet.evaluate.measures.parse import parse_measures
from circlet.evaluate.scored import Scored

# What a benchmark without measures of its own is measured by.
PLAIN = ("Recall @ 1", "Recall @ 5", "Recall @ 10", "Recall @ 50")


@dataclass(frozen=True)
class Result:
    """One row of a table: what was measured, under which protocol, on how much of the benchmark.

    `made` is the protocol that a run was ranked under, where that is another than it was measured by.
    `agreement` says how sure its agreement with people is, where there were any.
    """

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
    made: str = ""
    agreement: Correlated | None = None
    judged: Judged | None = field(default=None, repr=False, compare=False)

    def _repr_html_(self) -> str:
        from circlet.evaluate.report.tables import table

        return table([self], "html")

    def to_dict(self) -> dict[str, Any]:
        """The row as plain JSON values."""
        fields = {
            "method": self.method,
            "protocol": self.protocol,
            "made": self.made,
            # JSON has no NaN: what was not ranked is null.
            "measures": {name: None if isnan(value) else value for name, value in self.measures.items()},
            "queries": self.queries,
            "coverage": self.coverage,
            "remarks": list(self.remarks),
            "fingerprint": self.fingerprint,
            "revision": self.revision,
            "seed": self.seed,
            "spread": dict(self.spread),
            "agreement": self.agreement.to_dict() if self.agreement else None,
        }
        return {name: value for name, value in fields.items() if value not in (None, "", [], {})}


def measure(
    judged: Judged | Run,
    benchmark: Benchmark,
    measures: Sequence[Measure] = (),
    *,
    method: str = "",
    scored: Scored | None = None,
) -> Result:
    """The numbers of a run, or of ranks that were counted; by default those the benchmark names.

    `scored` is what a scorer made of the run's first pictures, for `Relevance @ K`.

    >>> from circlet.core import Case, Key, Query, Ranking, Turn
    >>> toy = Benchmark(name="toy", split="val", galleries={"": ("a", "b")},
    ...                 cases=(Case(query=Query("1", (Turn(text="b"),)), truths=("b",)),),
    ...                 measures=("Recall @ 1", "MRR"))
    >>> measure(Run(method="toy", rankings={Key("1"): Ranking("ab", [2, 1])}), toy).measures
    {'Recall @ 1': 0.0, 'MRR': 50.0}
    """
    run = judged if isinstance(judged, Run) else None
    ranks = replace(judged, scored=scored or judged.scored) if isinstance(judged, Judged) else None
    evidence = Evidence(benchmark, run, ranks, scored)
    chosen = measures or default_measures(benchmark)
    if run and run.subsets and not run.rankings and not measures:
        # A file of subset rankings alone (CIRR's second submission) says nothing of the gallery.
        chosen = tuple(one for one in chosen if one.of_scores or one.of_subsets)
    values = {repr(one): one.read(evidence) for one in chosen}
    ranks = evidence.counted
    return Result(
        method=method or (run.method if run else "method"),
        protocol=benchmark.header(),
        measures=values,
        queries=len(benchmark.queries),
        coverage=ranks.coverage if ranks else 1.0,
        remarks=(*(_remarks(run, ranks, chosen) if ranks else ()), *_told(benchmark, values)),
        fingerprint=run.fingerprint if run else "",
        revision=benchmark.revision,
        seed=run.seed if run else None,
        made=run.protocol if run and run.protocol != benchmark.header() else "",
        agreement=_agreement(run, benchmark, chosen),
        judged=ranks,
    )


def _agreement(run: Run | None, benchmark: Benchmark, chosen: Sequence[Measure]) -> Correlated | None:
    """How sure the agreement of a run with people is, where it is measured."""
    if run is None or Spearman() not in chosen:
        return None
    return correlated(set_scores(run, benchmark), Judgements.of(benchmark))


def _remarks(run: Run | None, ranks: Judged, chosen: Sequence[Measure]) -> list[str]:
    """What a reader of the ranks' measures should know."""
    remarks = [*ranks.remarks, *_untold(ranks, chosen), *_too_shallow(run, ranks, chosen)]
    if ranks.scored and any(one.scored for one in chosen if isinstance(one, RankMeasure)):
        remarks += [ranks.scored.said, *ranks.scored.remarks]
    return remarks


def _untold(ranks: Judged, chosen: Sequence[Measure]) -> list[str]:
    """A remark where a measure that was asked for is a dash."""
    needed = {kind for one in chosen if isinstance(one, RankMeasure) for kind in one.needs}
    if "subsets" in needed - ranks.ranked:
        return [
            "the run does not rank the whole of every subset, so measures of subsets are a dash: measure it "
            "together with its rankings of subsets (--merge)"
        ]
    return []


def _too_shallow(run: Run | None, ranks: Judged, chosen: Sequence[Measure]) -> list[str]:
    """A remark where a measure looks deeper than the run goes, and what it seeks may lie there."""
    if not (run and run.rankings) or not (ranks.rank[ranks.arrays.reachable] == LOST).any():
        return []
    reach = {one: one.reach for one in chosen if isinstance(one, RankMeasure)}
    whole = [one for one in reach if reach[one] >= LOST - 1]
    deepest = max((depth for one, depth in reach.items() if one not in whole), default=0)
    remarks = []
    if run.depth < deepest:
        remarks.append(f"the run is {run.depth} deep: what lies beyond counts as not found @ {deepest}")
    if whole:
        names = ", ".join(map(repr, whole))
        remarks.append(
            f"the run is {run.depth} deep: what lies beyond counts as not found, which lowers {names}"
        )
    return remarks


def _told(benchmark: Benchmark, names: Iterable[str]) -> list[str]:
    """A remark for each aspect that is told by a rule or a list, and not by the benchmark's files."""
    parts = dict.fromkeys(part for name in names for part in re.findall(r"Within\('([^']+)'", name))
    return [
        f"{part}: {sum(benchmark.showing(part))} of {len(benchmark)} queries, {source}"
        for part in parts
        if (source := benchmark.told(part))
    ]


def over_seeds(rows: Sequence[Result]) -> Result:
    """Reruns as one row: the mean over seeds, with the standard deviation between them as spread.

    >>> rows = [Result("m", "p", {"MRR": value}, 4, seed=seed) for seed, value in enumerate([50.0, 54.0])]
    >>> over_seeds(rows).measures, round(over_seeds(rows).spread["MRR"], 4)
    ({'MRR': 52.0}, 2.8284)
    """
    if len({(row.method, row.protocol, row.made, row.coverage) for row in rows}) != 1:
        raise UsageError("only reruns of one method under one protocol have a mean over seeds")
    values = {name: [row.measures[name] for row in rows] for name in rows[0].measures}
    return replace(
        rows[0],
        measures={name: float(np.mean(numbers)) for name, numbers in values.items()},
        spread={name: float(np.std(numbers, ddof=1)) for name, numbers in values.items()}
        if len(rows) > 1
        else {},
        seed=rows[0].seed if len(rows) == 1 else None,
        agreement=rows[0].agreement if len(rows) == 1 else None,
    )


def default_measures(benchmark: Benchmark) -> tuple[Measure, ...]:
    """The measures that the benchmark names, or plain recall."""
    return parse_measures(benchmark.measures or PLAIN)


def chance(benchmark: Benchmark, measures: Sequence[Measure] = ()) -> Result:
    """The row of a uniformly random order: expectations, computed exactly.

    >>> from circlet.core import Case, Query, Turn
    >>> toy = Benchmark(name="toy", split="val", galleries={"": tuple("abcd")},
    ...                 cases=(Case(query=Query("1", (Turn(text="b"),)), truths=("b",)),),
    ...                 measures=("Recall @ 1", "MAP @ 2"))
    >>> chance(toy).measures
    {'Recall @ 1': 25.0, 'MAP @ 2': 37.5}
    """
    arrays = arrays_of(benchmark)
    chosen = measures or default_measures(benchmark)
    return Result(
        method="random (exact)",
        protocol=benchmark.header(),
        measures={repr(one): value for one in chosen if (value := one.expected(arrays)) is not None},
        queries=len(benchmark.queries),
        revision=benchmark.revision,
    )
