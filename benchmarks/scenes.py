"""Clauses checked by scorers among look-alikes, held against the truth of the scenes and against judges.

    python benchmarks/scenes.py ROOT SCORER [SCORER …] [--encoder NAME] [--split val] [--top 50]

ROOT is a tableaux set of the standard size, each SCORER a folder of `circlet train scenes` or `circlet train
clauses`. Candidates are the first fifty (or `--top`) of every graded query by `default` over the encoder; how
many of the queries have an answer among them is told. For each scorer: the AUROC of single clauses by aspect;
of "nothing matches", with every answer taken out for half of the queries, by the best score and by how likely
any of them answers (by odds fitted to these candidates); how set scores go with judges (`tableaux:judges`),
beside Recall@5 and the ceiling; the NDCG@10 of the candidates in the scorer's order; and how long a hundred
candidates take that were looked at before. Choose on val, report on test.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from circlet.core import Case, Key, Vectors
from circlet.data import load_benchmark
from circlet.data.tableaux.files import known_scenes
from circlet.data.tableaux.tasks.relevance import full_matches
from circlet.evaluate import rank
from circlet.experiments import relevance_results as results
from circlet.experiments.relevance_scores import Asked, Says, odds_of
from circlet.models import load_encoder, load_method
from circlet.models.features import Features, FeatureStore
from circlet.models.methods import load_scorer
from circlet.models.scenes.scene_clauses import SceneClauses, expected_grade
from circlet.models.scorers.clauses import Checks, ClauseScorer
from circlet.train.setup import pictures_of


def every(checks: Checks) -> Vectors:
    """The probability that all clauses hold and the rest is kept, as a logarithm."""
    known = np.nan_to_num(checks.probabilities, nan=0.5)
    return np.log(np.clip(known, 1e-6, 1)).sum(axis=0)


def says(scorer: ClauseScorer, features: Features, joined: Callable[[Checks], Vectors]) -> Says:
    """What a scorer says of some pictures for a query."""
    return lambda case, ids: joined(scorer.check(case.query, list(ids), features))


def in_full(scorer: SceneClauses, features: Features, case: Case, ids: Sequence[str]) -> Vectors:
    """The odds that each picture answers in full, as a logarithm."""
    return scorer.answers(case.query, ids, features)


def ndcg(asked: Asked, say: Says) -> float:
    """NDCG@10 of candidates in a scorer's order, against the best ten grades that there are."""
    discounts = 1 / np.log2(np.arange(2, 12))
    found = []
    for case, ids in asked:
        order = np.argsort(-say(case, ids), kind="stable")[:10]
        gained = np.array([case.grades.get(ids[at], 0.0) for at in order])
        best = np.sort(list(case.grades.values()))[::-1][:10]
        found.append(gained @ discounts[: len(gained)] / (best @ discounts[: len(best)]))
    return 100 * float(np.mean(found))


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("root", type=Path)
    parser.add_argument("scorers", nargs="+")
    parser.add_argument("--encoder", default="finest")
    parser.add_argument("--split", default="val")
    parser.add_argument("--top", type=int, default=50)
    asked_for = parser.parse_args()
    encoder = load_encoder(asked_for.encoder)
    relevance = load_benchmark(f"tableaux:relevance:{asked_for.root}:{asked_for.split}")
    judged = load_benchmark(f"tableaux:judges:{asked_for.root}:{asked_for.split}")
    features, _ = FeatureStore().features(pictures_of(relevance, judged), encoder)
    scenes = known_scenes(asked_for.root, asked_for.split)
    found = rank(load_method("default", encoder), relevance, features, top=asked_for.top).rankings
    asked = [(case, list(found[Key(case.id)].ids)) for case in relevance.cases]
    print(f"{relevance.header()}; {len(asked)} queries, encoder {encoder.fingerprint}")
    held = np.mean([not set(full_matches(case)).isdisjoint(ids) for case, ids in asked])
    print(f"an answer is among the first {asked_for.top} of {100 * held:.1f} in 100 queries")
    own = {key: dict(zip(one.ids, one.scores.tolist(), strict=True)) for key, one in found.items()}

    def default(case: Case, ids: Sequence[str]) -> Vectors:
        return np.array([own[Key(case.id)][id] for id in ids], np.float32)

    for name, stick in results.yardsticks(judged).items():
        print(f"{name}: Spearman {stick['Spearman']:.2f}, preferred {stick['preferred']:.1f}")
    left = results.nothing_matches(asked, default)
    print(f"default: NDCG@10 {ndcg(asked, default):.1f}, nothing matches {left:.2f}")
    for name in asked_for.scorers:
        scorer = load_scorer(name, encoder)
        assert isinstance(scorer, ClauseScorer), f"{name} checks no clauses"
        likely = results.clause_auroc(asked, features, scenes, scorer)
        print(
            f"\n{name}\n  clauses: " + ", ".join(f"{aspect} {value:.2f}" for aspect, value in likely.items())
        )
        ways = {
            "√(asked · kept)": says(scorer, features, expected_grade),
            "all clauses": says(scorer, features, every),
        }
        if isinstance(scorer, SceneClauses):
            ways["in full"] = partial(in_full, scorer, features)
        for title, say in ways.items():
            agreed, odds = results.agreement(judged, say), odds_of(asked, say)
            print(
                f"  {title}: NDCG@10 {ndcg(asked, say):.1f}, nothing matches "
                f"{results.nothing_matches(asked, say):.2f} by the best, "
                f"{results.nothing_matches(asked, say, odds):.2f} by any, Spearman {agreed['Spearman']:.2f} "
                f"({agreed['low']:.2f} to {agreed['high']:.2f}), preferred {agreed['preferred']:.1f}"
            )
        case, _ = asked[0]
        hundred = [id for _, several in asked[:2] for id in several][:100]
        scorer.check(case.query, hundred, features)
        began = time.perf_counter()
        scorer.check(case.query, hundred, features)
        print(f"  {len(hundred)} candidates in {1000 * (time.perf_counter() - began):.0f} ms")


if __name__ == "__main__":
    main()
