"""circlet's numbers beside those of pytrec_eval, ranx and ir_measures, query by query.

    pip install pytrec_eval-terrier ranx ir_measures
    python benchmarks/peers.py ROOT

ROOT holds the annotation files of CIRR, CIRCO and FashionIQ, in `ROOT/cirr` and so on; the truths,
grades, subsets and exclusions are theirs, the rankings are random. A hundred runs without equal
scores are measured by all four, then a hundred with many. What to look for:

- `no ties`: the largest difference of any query in any run, on a scale from 0 to 1; at most 1e-6.
- `ties`: the same, where the others are given the pessimistic order that circlet's rule means: what
  has the score of a truth stands ahead of it. At most 1e-6.
- `by themselves`: how far the mean of a run strays, in points, when the others are given the equal
  scores and break ties as they do. This is no error of anybody's; it is why the rule is told.

Exit code 1 if a bound is broken, 2 if something is missing.
"""

import argparse
import importlib.util
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf, isnan
from pathlib import Path
from typing import Any

import numpy as np

from circlet.core import Benchmark, Case, CircletError, Key, Ranking, Run
from circlet.data import load_benchmark
from circlet.evaluate import Judged, judge_run, parse_measure

BOUND = 1e-6
QUERIES, CANDIDATES, LEVELS = 40, 60, 6
NAMES = (
    "cirr:{}/cirr:val?target=soft",
    "circo:{}/circo:val",
    "fashioniq:{}/fashioniq:val?captions=joined",
)
Scores = dict[str, dict[str, float]]
Qrels = dict[str, dict[str, int]]


@dataclass(frozen=True)
class Row:
    """One measure by its names; `counts` says what is relevant: the truths, the target, or by grade.

    The others divide average precision by the number of truths; with `over_min` theirs is divided by
    min(number of truths, K) before it is compared.
    """

    ours: str
    counts: str
    pytrec_eval: str
    ranx: str
    ir_measures: str
    subset: bool = False
    over_min: int = 0
    largest: dict[tuple[str, str], float] = field(default_factory=dict, compare=False)

    def scaled(self, theirs: Mapping[str, float], qrels: Qrels) -> dict[str, float]:
        """What another says, by the divisor of this row."""
        if not self.over_min:
            return dict(theirs)
        amounts = {id: len(qrels[id]) for id in theirs}
        return {id: value * amounts[id] / min(amounts[id], self.over_min) for id, value in theirs.items()}

    def note(self, peer: str, kind: str, difference: float) -> None:
        """Keep the largest difference."""
        self.largest[peer, kind] = max(self.largest.get((peer, kind), 0.0), difference)


def rows() -> list[Row]:
    """Everything that the others have too; a name that one of them lacks is empty."""
    hit = [(k, f"success_{k}", f"hit_rate@{k}", f"Success@{k}") for k in (1, 2, 3, 5, 10, 50)]
    found = [(k, f"recall_{k}", f"recall@{k}", f"R@{k}") for k in (1, 5, 10, 50)]
    precision = [(k, f"map_cut_{k}", f"map@{k}", f"AP@{k}") for k in (5, 10, 25, 50)]
    gain = [(k, f"ndcg_cut_{k}", f"ndcg@{k}", f"nDCG@{k}") for k in (5, 10, 50)]
    return [
        *(Row(f"Recall @ {k}", "target", *names) for k, *names in hit),
        *(Row(f"Recall(of='any') @ {k}", "truths", *names) for k, *names in hit),
        *(Row(f"Recall(of='all') @ {k}", "truths", *names) for k, *names in found),
        *(Row(f"SubsetRecall @ {k}", "target", *names, subset=True) for k, *names in hit[:3]),
        Row("MAP", "truths", "map", "map", "AP"),
        *(Row(f"MAP(over='min') @ {k}", "truths", *names, over_min=k) for k, *names in precision),
        *(Row(f"MAP(over='truths') @ {k}", "truths", *names) for k, *names in precision),
        Row("MRR", "truths", "recip_rank", "mrr", "RR"),
        *(Row(f"NDCG @ {k}", "grades", *names) for k, *names in gain),
        *(Row(f"NDCG(gain='exponential') @ {k}", "grades", "", f"ndcg_burges@{k}", "") for k, *_ in gain),
    ]


def ask_pytrec_eval(qrels: Qrels, run: Scores, names: Sequence[str]) -> dict[str, dict[str, float]]:
    """By measure and query, what trec_eval says."""
    import pytrec_eval

    found = pytrec_eval.RelevanceEvaluator(qrels, set(names)).evaluate(run)
    return {name: {query: values[name] for query, values in found.items()} for name in names}


def ask_ranx(qrels: Qrels, run: Scores, names: Sequence[str]) -> dict[str, dict[str, float]]:
    """By measure and query, what ranx says."""
    import ranx

    given = ranx.Run(run)
    ranx.evaluate(ranx.Qrels(qrels), given, list(names), return_mean=False, make_comparable=True)
    return {name: dict(given.scores[name]) for name in names}


def ask_ir_measures(qrels: Qrels, run: Scores, names: Sequence[str]) -> dict[str, dict[str, float]]:
    """By measure and query, what ir_measures says."""
    import ir_measures

    chosen = {ir_measures.parse_measure(name): name for name in names}
    found: dict[str, dict[str, float]] = {name: {} for name in names}
    for one in ir_measures.iter_calc(list(chosen), qrels, run):
        found[chosen[one.measure]][one.query_id] = one.value
    return found


PEERS = {"pytrec_eval": ask_pytrec_eval, "ranx": ask_ranx, "ir_measures": ask_ir_measures}


def sample(benchmark: Benchmark, rng: np.random.Generator, *, ties: bool) -> tuple[Benchmark, Run]:
    """A few queries of a benchmark with whole grades, and a random run of them.

    One truth in seven is not in its ranking; what the protocol excludes is, and must not count.
    """
    picked = rng.choice(len(benchmark), QUERIES, replace=False)
    cases = tuple(_whole_grades(benchmark.cases[place]) for place in picked)
    rankings, galleries = {}, {name: np.array(ids) for name, ids in benchmark.galleries.items()}
    for case in cases:
        if galleries:
            drawn = rng.choice(galleries[case.group], CANDIDATES, replace=False).tolist()
        else:
            drawn = [str(number) for number in rng.choice(500_000, CANDIDATES, replace=False)]
        wanted = [id for id in (*case.truths, *case.grades) if rng.random() < 6 / 7 or id in case.subset]
        named = list(dict.fromkeys((*drawn, *wanted, *case.subset, *case.exclude)))
        ids = [named[place] for place in rng.permutation(len(named))]
        levels = rng.integers(0, LEVELS, len(ids)) if ties else rng.permutation(len(ids))
        order = np.argsort(-levels, kind="stable")
        rankings[Key(case.id)] = Ranking([ids[i] for i in order], levels[order].astype(np.float32))
    return replace(benchmark, cases=cases), Run(method="random", rankings=rankings)


def _whole_grades(case: Case) -> Case:
    """trec_eval's grades are whole numbers: CIRR's halves are doubled, on both sides."""
    return replace(case, grades={id: max(0.0, round(2 * grade)) for id, grade in case.grades.items()})


def relevant(case: Case, counts: str) -> dict[str, int]:
    """The qrels of one query; what is excluded from its ranking counts for nobody."""
    left = [id for id in case.truths if id not in case.exclude]
    if counts == "target":
        return {left[0]: 1}
    if counts == "truths":
        return dict.fromkeys(left, 1)
    graded = dict.fromkeys((*left, *(id for id in case.grades if id not in case.exclude)))
    return {id: int(case.grades.get(id, 1)) for id in graded}


def pessimistic(scores: Mapping[str, float], good: Mapping[str, int]) -> dict[str, float]:
    """The same ranking without ties: among equals what does not count first, then the least worth.

    Sorted, the slow and obvious way, so that it shares nothing with how circlet counts.
    """
    order = sorted(scores, key=lambda id: (-scores[id], good.get(id, -inf)))
    return {id: float(len(order) - place) for place, id in enumerate(order)}


def compare(benchmark: Benchmark, run: Run, table: Sequence[Row], *, ties: bool) -> None:
    """Measure one run by everybody, and note the differences."""
    judged = judge_run(run, benchmark)
    for counts, subset in sorted({(row.counts, row.subset) for row in table}):
        some = [row for row in table if (row.counts, row.subset) == (counts, subset)]
        if subset and not benchmark.has_subsets:
            continue
        qrels = {case.id: relevant(case, counts) for case in benchmark.cases}
        given = {case.id: _candidates(run, case, subset=subset) for case in benchmark.cases}
        strict = {id: pessimistic(scores, qrels[id]) for id, scores in given.items()} if ties else given
        for peer, ask in PEERS.items():
            names = {row: getattr(row, peer) for row in some if getattr(row, peer)}
            asked = sorted(set(names.values()))
            found = ask(qrels, strict, asked)
            alone = ask(qrels, given, asked) if ties else {}
            for row, name in names.items():
                ours = _by_query(row, judged)
                row.note(peer, "ties" if ties else "no ties", _apart(ours, row.scaled(found[name], qrels)))
                if ties:
                    theirs = row.scaled(alone[name], qrels)
                    apart = np.mean([theirs[id] - value for id, value in ours.items()])
                    row.note(peer, "by themselves", 100 * abs(float(apart)))


def _candidates(run: Run, case: Case, *, subset: bool) -> dict[str, float]:
    ranking = run.rankings[Key(case.id)]
    return {
        id: score for id, score in ranking if id not in case.exclude and (not subset or id in case.subset)
    }


def _by_query(row: Row, judged: Judged) -> dict[str, float]:
    measure: Any = parse_measure(row.ours)
    values = measure.each(judged).tolist()
    return dict(zip((query.id for query in judged.benchmark.queries), values, strict=True))


def _apart(ours: Mapping[str, float], theirs: Mapping[str, float]) -> float:
    """The largest difference of a query; what either does not tell is as far off as can be."""
    apart = [abs(value - theirs.get(id, inf)) for id, value in ours.items()]
    return inf if any(isnan(one) for one in apart) else max(apart)


def shown(table: Sequence[Row]) -> bool:
    """Print the table; whether every bound holds."""
    kinds = ("no ties", "ties", "by themselves")
    print(f"{'':32}" + "".join(f"{kind:>36}" for kind in kinds))
    print(f"{'measure':32}" + "".join(f"{peer:>12}" for _ in kinds for peer in PEERS))
    for row in table:
        cells = []
        for kind in kinds:
            for peer in PEERS:
                value = row.largest.get((peer, kind))
                form = ".2f" if kind == "by themselves" else ".0e"
                cells.append(f"{'–' if value is None else format(value, form):>12}")
        print(f"{row.ours:32}" + "".join(cells))
    kept = [
        (value, f"{row.ours}, {kind}, {peer}: {value:.2g}")
        for row in table
        for (peer, kind), value in row.largest.items()
        if kind != "by themselves"
    ]
    broken = [told for value, told in kept if not value <= BOUND]
    for told in broken:
        print(f"differs: {told}")
    worst = max(value for value, _ in kept)
    verdict = "NOT the same" if broken else "the same"
    print(f"{verdict}: the largest difference is {worst:.1e} (bound: {BOUND:g})")
    return not broken


def main() -> None:
    """Run everything; the exit code is the verdict."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("root", type=Path, metavar="ROOT")
    parser.add_argument("--runs", type=int, default=100, help="random runs of each kind (100)")
    asked = parser.parse_args()
    if absent := [peer for peer in PEERS if importlib.util.find_spec(peer) is None]:
        print(
            f"{', '.join(absent)}: not installed, and needed only here; "
            "run pip install pytrec_eval-terrier ranx ir_measures",
            file=sys.stderr,
        )
        sys.exit(2)
    try:
        benchmarks = [load_benchmark(name.format(asked.root)) for name in NAMES]
    except CircletError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    rng, table = np.random.default_rng(0), rows()
    for ties in (False, True):
        for number in range(asked.runs):
            benchmark, run = sample(benchmarks[number % len(benchmarks)], rng, ties=ties)
            compare(benchmark, run, table, ties=ties)
    print(f"{asked.runs} runs without ties and {asked.runs} with, {QUERIES} queries each")
    sys.exit(0 if shown(table) else 1)


if __name__ == "__main__":
    main()
