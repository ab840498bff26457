"""Everything that `circlet reproduce relevance` measures, and the page that shows it beside the paper."""

from collections.abc import Callable, Mapping, Sequence
from math import isnan
from typing import Any

import numpy as np

from circlet.core import Benchmark, Case, Key
from circlet.data.tableaux.files import known_scenes
from circlet.data.tableaux.tasks.relevance import share_matched
from circlet.evaluate import NDCG, judge, rank
from circlet.evaluate.people import judge_figures
from circlet.experiments import relevance_results as results
from circlet.experiments.claims import Verdict
from circlet.experiments.composers import Spread
from circlet.experiments.relevance import BLIND, LONG, SCENES, SCRATCH, START, Lab, of_judged
from circlet.experiments.relevance_scores import (
    BOTH,
    EVERY,
    GRADE,
    GRADED,
    KNOWS_THE_BEST,
    WHOLE,
    Checked,
    Found,
    Mixtures,
    Says,
    Scores,
    mixed,
    odds_of,
    shown,
    told,
)
from circlet.experiments.zero_shot import zero_shot
from circlet.models import load_encoder
from circlet.models.features import FeatureStore
from circlet.models.learned.folder import load
from circlet.models.odds import Odds
from circlet.train.calibration import calibration_error
from circlet.train.setup import TrainingSetup, pictures_of
from circlet.train.tasks.preference import NEGATIVES

# Which way's network the tables of scorers are about.
CHOSEN = "self-paced"
# The paper's tables 2, 3 and 7: Spearman, preference; and (R@5 + Rsub@1)/2 on CIRR.
PAPER = {"Recall@5": (0.16, 58), "CIRQRS": (0.42, 75)}
PAPER_WAYS = {"all": 75.96, "top": 80.96, "self-paced": 81.45}
HEADLINE = "Mean(Recall @ 5, SubsetRecall @ 1)"
_SETS = {"simulated": "tableaux:judges (sets by the graphs)", "found": "judges of what eight methods find"}
_COSINE = "cosine of the weighted sum"
SPLITS = ("val", "test")
# By what a method's results are told to be good, and by whether the target is among them.
ORDERING, RECALL = (WHOLE, BOTH, GRADE, GRADED), "Recall @ 10"
# How many of the first are asked whether any answers; of how many of each method's first grades are learned.
DEPTHS, _SHOWN = (50, 200), 10
# By what CIRPLANT's first fifty are put into another order; the last, which knows most, is what is claimed.
RERANKED = (
    ("whole",),
    ("clauses, mean",),
    ("whole", "clauses, mean"),
    ("whole", "clauses, mean", "its own score"),
    ("scenes, mean",),
    ("whole", "clauses, mean", "scenes, mean", "its own score"),
)
Numbers = dict[str, Any]
Tell = Callable[[str], None]


def measured(lab: Lab, setup: TrainingSetup, tell: Tell) -> Numbers:
    """All numbers of the page, from what is trained; the test split, after weights were fitted on val."""
    features, test = setup.features, lab.relevance["test"]
    tell("what the methods find")
    found = {split: lab.retrieved(split, features, 50) for split in SPLITS}
    sets = {
        split: {"simulated": lab.bench("judges", split), "found": lab.judged(split, found[split])}
        for split in SPLITS
    }
    judged, cir = sets["test"], lab.bench("cir", "test")
    checked = Checked(lab.clauses, lab.scenes, features)
    numbers: Numbers = {
        "world": _world(lab, setup),
        "judges": {name: vars(judge_figures(bench)) for name, bench in judged.items()},
        "yardsticks": {name: results.yardsticks(bench) for name, bench in judged.items()},
        "scorers": {name: {} for name in judged},
        "val": {name: {} for name in judged},
        "retrieval": {},
        "order": {},
        "val kendall": {},
        "kendall": {},
        "calibration": [],
        "val nothing": {},
        "nothing": {},
        "rerank": {},
    }
    for seed in range(lab.effort.seeds):
        for way in (START, *NEGATIVES):
            tell(f"{way}, seed {seed}")
            method = load(lab.place(way, seed), setup.encoder)
            row = results.retrieval(method, cir, features)
            numbers["retrieval"].setdefault(way, []).append(row)
            if way == CHOSEN:
                scores = {split: Scores(lab.relevance[split], method, checked, features) for split in SPLITS}
                _chosen(scores, sets, found, seed, numbers)
                _rerank(lab, setup, scores["test"], seed, numbers)
                continue
            here = Scores(test, method, checked, features)
            for name, bench in judged.items():
                told = numbers["scorers"][name].setdefault(f"whole, {way}", [])
                told.append(results.agreement(bench, here.whole))
    for way in NEGATIVES:
        method = load(lab.place(f"{SCRATCH}-{way}", 0), setup.encoder)
        numbers["retrieval"][f"{SCRATCH}-{way}"] = [results.retrieval(method, cir, features)]
    plain = [(case, found["test"]["sum, tableaux"][case.id]) for case in test.cases]
    numbers["nothing"][_COSINE] = [results.nothing_matches(plain, _plain(lab, setup))]
    numbers["blind"] = blind(lab, setup, checked, judged)
    tell("clauses by aspect")
    scenes, last = known_scenes(lab.world, "test"), load(lab.place(CHOSEN, 0), setup.encoder)
    asked = Scores(test, last, checked, features).candidates(50)
    hard, scorers = lab.bench("aspects", "test"), {"clauses": lab.clauses, SCENES: lab.scenes}
    numbers["aspects"] = {
        name: results.clause_auroc(asked, features, scenes, one) for name, one in scorers.items()
    }
    numbers["look-alikes"] = {name: results.look_alikes(hard, one, features) for name, one in scorers.items()}
    return numbers


def blind(lab: Lab, setup: TrainingSetup, checked: Checked, judged: Mapping[str, Benchmark]) -> Numbers:
    """The same of networks that see half of the input, beside one that sees all of it."""
    rows, test = {}, lab.relevance["test"]
    for way in (*BLIND, START):
        method = load(lab.place(way, 0), setup.encoder)
        here = Scores(test, method, checked, setup.features)
        found = {name: results.agreement(bench, here.whole)["Spearman"] for name, bench in judged.items()}
        rows[way] = {"NDCG @ 10": (NDCG @ 10).value(judge(method, test, setup.features)), **found}
    return rows


def _chosen(
    scores: Mapping[str, Scores],
    sets: Mapping[str, Mapping[str, Benchmark]],
    found: Mapping[str, Found],
    seed: int,
    numbers: Numbers,
) -> None:
    """What is told of one network only: with clauses and scenes, as a measure and as a probability."""
    mixtures = Mixtures.fitted(scores["val"], shown(scores["val"].relevance, of_judged(found["val"]), _SHOWN))
    says = {split: mixtures.says(here) for split, here in scores.items()}
    for table, split in (("val", "val"), ("scorers", "test")):
        for name, bench in sets[split].items():
            for scorer, say in says[split].items():
                numbers[table][name].setdefault(scorer, []).append(results.agreement(bench, say))
    numbers["calibration"].append(_calibrated(scores, says))
    for scorer in says["val"]:
        # What is below the gallery's best knows what was taken out of it.
        if scorer not in KNOWS_THE_BEST:
            _nothing(scorer, scores, says, numbers)
    for table, split in (("val kendall", "val"), ("kendall", "test")):
        measures = {name: says[split][name] for name in ORDERING}
        rows = results.order(scores[split].relevance, found[split], measures)
        if split == "test":
            numbers["order"][str(seed)] = rows
        grades = [row["grade @ 10"] for row in rows.values()]
        for by in (RECALL, *(f"{name} @ 10" for name in ORDERING)):
            tau = results.kendall(grades, [row[by] for row in rows.values()])
            numbers[table].setdefault(by, []).append(tau)


def _calibrated(scores: Mapping[str, Scores], says: Mapping[str, Mapping[str, Says]]) -> dict[str, float]:
    """How far the probabilities of val are from what is true on test, among the first hundred."""
    names = (WHOLE, BOTH, EVERY)
    first = {split: here.candidates(100) for split, here in scores.items()}
    given, right = told(first["test"], *(says["test"][name] for name in names))
    # What was mixed on val is the odds of an answer already.
    odds = (odds_of(first["val"], says["val"][WHOLE]), Odds(1.0, 0.0), Odds(1.0, 0.0))
    likely = (one.likely(column) for one, column in zip(odds, given.T, strict=True))
    return {name: calibration_error(one, right) for name, one in zip(names, likely, strict=True)}


def _nothing(
    scorer: str, scores: Mapping[str, Scores], says: Mapping[str, Mapping[str, Says]], numbers: Numbers
) -> None:
    """How well a scorer tells that nothing matches, by its first fifty and by more."""
    for depth in DEPTHS:
        first = {split: here.candidates(depth) for split, here in scores.items()}
        stands_for = odds_of(first["val"], says["val"][scorer])
        for table, split in (("val nothing", "val"), ("nothing", "test")):
            auroc = results.nothing_matches(first[split], says[split][scorer], stands_for)
            numbers[table].setdefault(f"{scorer}, first {depth}", []).append(auroc)


def _plain(lab: Lab, setup: TrainingSetup) -> Says:
    """The cosine that the weighted sum ranks by."""
    relevance, method = lab.relevance["test"], zero_shot("sum", setup.encoder)
    gallery = setup.features.subset(relevance.galleries[""])
    table = method.score_all(relevance.queries, gallery, pictures=setup.features)
    row = {case.id: number for number, case in enumerate(relevance.cases)}
    return lambda case, ids: table[row[case.id], gallery.rows_of(list(ids))]


def _rerank(lab: Lab, setup: TrainingSetup, scores: Scores, seed: int, numbers: Numbers) -> None:
    """The long-trained CIRPLANT's first fifty in another order, by weights fitted to those of val."""
    fine = load_encoder("fine")
    cirplant, whole = load(lab.place(LONG, 0), fine), load(lab.place(CHOSEN, seed), setup.encoder)
    tables = []
    for cir in (setup.validation, lab.bench("cir", "test")):
        held, _ = FeatureStore().features(pictures_of(cir), fine)
        run = rank(cirplant, cir, held, top=50).rankings
        own = {key: dict(zip(one.ids, one.scores.tolist(), strict=True)) for key, one in run.items()}
        tables.append((cir, own, Scores(cir, whole, scores.checked, setup.features)))
    says = [_said(own, here) for _, own, here in tables]
    val, test = ([(case, list(own[Key(case.id)])) for case in cir.cases] for cir, own, _ in tables)
    for names in RERANKED:
        fitted = mixed(val, [says[0][name] for name in names])

        def say(case: Case, ids: Sequence[str], names: Any = names, fitted: Any = fitted) -> Any:
            return fitted([says[1][name](case, ids) for name in names])

        after = results.reranked(test, say, seed=seed)
        numbers["rerank"].setdefault(" + ".join(names), []).append(after)


def _said(own: Mapping[Key, Mapping[str, float]], here: Scores) -> dict[str, Says]:
    return {
        "whole": here.whole,
        "clauses, mean": here.mean,
        "scenes, mean": here.seen,
        "its own score": lambda case, ids: np.array([own[Key(case.id)][id] for id in ids], np.float32),
    }


def _world(lab: Lab, setup: TrainingSetup) -> Numbers:
    """How much half of the input gets: grades of what methods rank first."""
    rows = {}
    for name in ("image", "text", "sum", "balanced", "default"):
        judged = judge(zero_shot(name, setup.encoder), lab.relevance["test"], setup.features)
        rows[name] = (NDCG @ 10).value(judged)
    matched = {split: 100 * share_matched(bench.cases) for split, bench in lab.relevance.items()}
    return {"NDCG @ 10": rows, "queries with at least four further answers": matched}


def check(numbers: Numbers) -> list[Verdict]:
    """The claims, held against what was measured."""
    ndcg = numbers["world"]["NDCG @ 10"]
    best = max(value for name, value in ndcg.items() if name not in ("image", "text"))
    told = f"{ndcg['image']:.1f}, words alone {ndcg['text']:.1f}, best {best:.1f}"
    claim = "the picture alone is at least 10 points of NDCG@10 below the best method"
    verdicts = [_verdict(claim, best - ndcg["image"] >= 10, told)]
    for name in _SETS:
        told_on = numbers["val"][name], numbers["scorers"][name]
        verdicts += _agreeing(_SETS[name], numbers["yardsticks"][name], *told_on)
    tau, on_val = _means(numbers["kendall"]), _means(numbers["val kendall"])
    top = max((by for by in tau if by != RECALL), key=on_val.__getitem__)
    count = len(numbers["order"]["0"])
    claim = (
        f"Kendall's τ of {count} methods by Relevance@10 and by true grade@10 at least .8, above Recall@10's"
    )
    told = f"{top} {tau[top]:.2f}; all: {_listed(tau)}"
    verdicts.append(_verdict(claim, tau[top] >= 0.8 and tau[top] > tau[RECALL], told))
    errors = {
        name: Spread.of([one[name] for one in numbers["calibration"]]).mean
        for name in numbers["calibration"][0]
    }
    claim = "calibration error below .05 on test wordings"
    verdicts.append(_verdict(claim, errors["whole"] < 0.05, _listed(errors)))
    claim = "clauses are likelier where they hold, AUROC at least .85 for each of the six aspects"
    told = "; ".join(
        f"{name}: {_listed(aspects)} (look-alikes that fail in that aspect alone: "
        f"{_listed(numbers['look-alikes'][name])})"
        for name, aspects in numbers["aspects"].items()
    )
    verdicts.append(_verdict(claim, min(numbers["aspects"][SCENES].values()) >= 0.85, told))
    nothing, on_val = _means(numbers["nothing"]), _means(numbers["val nothing"])
    top = max(on_val, key=on_val.__getitem__)
    claim = (
        "'nothing matches' is told by how likely any of the first answers, AUROC at least .85 and above that "
        "of the best cosine"
    )
    told = f"{top} {nothing[top]:.2f} (val {on_val[top]:.2f}); all: {_listed(nothing)}"
    verdicts.append(_verdict(claim, nothing[top] >= 0.85 and nothing[top] > nothing[_COSINE], told))
    return [*verdicts, _reranked(numbers["rerank"]), *_ways(numbers)]


def _agreeing(title: str, sticks: Numbers, val: Numbers, test: Numbers) -> list[Verdict]:
    """Agreement with judges: more than recall's by the paper's factor, or near what is possible at all.

    Which scorer is claimed for is chosen on val.
    """
    recall, ceiling = sticks["Recall@5"], sticks["ceiling (the grades themselves)"]
    top, liked = (max(val, key=lambda one: _spread(val[one], by).mean) for by in ("Spearman", "preferred"))
    value, factor = _spread(test[top], "Spearman").mean, 2.6 * recall["Spearman"]
    bound = factor if factor <= ceiling["Spearman"] else 0.85 * ceiling["Spearman"]
    told = f"{top} {value:.2f}; Recall@5 {recall['Spearman']:.2f}, ceiling {ceiling['Spearman']:.2f}"
    claim = f"{title}: Spearman at least 2.6 × Recall@5's or, where that is impossible, .85 of the ceiling"
    rate = _spread(test[liked], "preferred").mean
    also = f"{liked} {rate:.1f}; Recall@5 {recall['preferred']:.1f}, ceiling {ceiling['preferred']:.1f}"
    return [
        _verdict(claim, value >= bound, told),
        _verdict(f"{title}: preference rate at least 75", rate >= 75, also),
    ]


def _reranked(rows: Numbers) -> Verdict:
    after = {name: Spread.of([one["after"] for one in seeds]).mean for name, seeds in rows.items()}
    top = list(after)[-1]
    before, p = rows[top][0]["before"], max(one["p"] for one in rows[top])
    claim = "reranking the long-trained CIRPLANT's first fifty adds at least 5 points of R@1, p < .05"
    told = f"{before:.1f} before; {_listed(after, 1)}; p of {top} at most {p:.4f}"
    return _verdict(claim, after[top] >= before + 5 and p < 0.05, told)


def _means(rows: Mapping[str, Sequence[float]]) -> dict[str, float]:
    return {name: Spread.of(values).mean for name, values in rows.items()}


def _listed(numbers: Mapping[str, float], digits: int = 2) -> str:
    return ", ".join(f"{name} {value:.{digits}f}" for name, value in numbers.items())


def _ways(numbers: Numbers) -> list[Verdict]:
    """The paper's order of negatives as a way to find targets: from a trained start and from none."""
    found = []
    for said, prefix in (("a trained start", ""), ("an untrained network", f"{SCRATCH}-")):
        by = {way: _spread(numbers["retrieval"][prefix + way], HEADLINE) for way in NEGATIVES}
        holds = by["self-paced"].mean > by["top"].mean > by["all"].mean
        told = ", ".join(f"{way} {value}" for way, value in by.items())
        found.append(_verdict(f"from {said}: self-paced above Top above Baseline ({HEADLINE})", holds, told))
    return found


def _verdict(claim: str, holds: bool, evidence: str) -> Verdict:
    return Verdict(claim, "holds" if holds else "does not hold", evidence)


def _spread(rows: Sequence[Mapping[str, float]], name: str) -> Spread:
    return Spread.of([row[name] for row in rows])


def page(numbers: Numbers, about: Sequence[str]) -> str:
    """The tables and the claims as Markdown."""
    lines = ["# Relevance", "", *(f"- {line}" for line in about), ""]
    lines += ["| claim | | |", "| --- | --- | --- |"]
    lines += [f"| {one.claim} | **{one.holds}** | {one.evidence} |" for one in check(numbers)]
    for name, title in _SETS.items():
        figures = numbers["judges"][name]
        alpha = ", ".join(
            f"α of {what} {figures[key]:.2f}"
            for what, key in (("scores", "scores"), ("preferences", "preferred"))
            if figures[key] is not None
        )
        lines += ["", f"## {title[0].upper() + title[1:]}", ""]
        lines += [f"{figures['judgements']} judgements by {figures['judges']} judges, "
                  f"{figures['shared']} queries judged twice: {alpha or 'too few to tell'}", ""]  # fmt: skip
        lines += ["| | Spearman | 95 % of seed 0 | preferred (8) | both sides | recall equal (9) |"]
        lines += ["| --- |" + " ---: |" * 5]
        rows = {key: [row] for key, row in numbers["yardsticks"][name].items()} | numbers["scorers"][name]
        for key, seeds in rows.items():
            between = f"{seeds[0]['low']:.2f} … {seeds[0]['high']:.2f}"
            cells = [_spread(seeds, one) for one in
                     ("preferred", "preferred, both sides", "preferred, recall equal")]  # fmt: skip
            # Where recall is equal it is never higher: nothing can be said of it there.
            told = " | ".join("–" if isnan(cell.mean) else str(cell) for cell in cells)
            lines += [f"| {key} | {_spread(seeds, 'Spearman')} | {between} | {told} |"]
    said = ", ".join(f"{name} Spearman {rho}, preferred {liked}" for name, (rho, liked) in PAPER.items())
    lines += ["", f"Paper 004 on HS-FashionIQ: {said}", "", "## Negatives, as a way to find targets", ""]
    lines += ["| | R@1 | R@5 | Rsub@1 | (R@5 + Rsub@1)/2 | paper, CIRR |", "| --- |" + " ---: |" * 5]
    for way, seeds in numbers["retrieval"].items():
        found = " | ".join(str(_spread(seeds, one)) for one in seeds[0])
        lines += [f"| {way} | {found} | {PAPER_WAYS.get(way, '–')} |"]
    lines += ["", "## Half of the input", "", "Trained alike, seed 0", ""]
    lines += [
        "| | NDCG@10 | Spearman, sets by the graphs | Spearman, what methods find |",
        "| --- |" + " ---: |" * 3,
    ]
    for way, row in numbers["blind"].items():
        lines += [f"| {way} | {row['NDCG @ 10']:.1f} | {row['simulated']:.2f} | {row['found']:.2f} |"]
    lines += ["", "## Methods in order", "", "Seed 0 of the scorer", ""]
    first = numbers["order"]["0"]
    heads = list(next(iter(first.values())))
    lines += [f"| | {' | '.join(heads)} |", "| --- |" + " ---: |" * len(heads)]
    for name, row in sorted(first.items(), key=lambda item: -item[1]["grade @ 10"]):
        lines += [f"| {name} | {' | '.join(f'{row[head]:.2f}' for head in heads)} |"]
    return "\n".join(lines) + "\n"
