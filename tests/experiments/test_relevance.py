"""What scorers of relevance are held against, by hand; and the page that says which claims hold."""

from typing import Any

import numpy as np
import pytest

from circlet.core import Benchmark, Case, JudgedSet, Judgement, Query, Turn
from circlet.experiments import relevance_results as results
from circlet.experiments.relevance_page import check, page
from circlet.experiments.relevance_scores import COLUMNS, Checked, Scores, mixed, mixed_grade, odds_of, shown
from circlet.models.scorers.clauses import Checks, Clause

IDS = tuple("abcdefgh")
# Query 0 is answered by a and b, query 1 by c and d.
GRADES: tuple[dict[str, float], ...] = (
    {"a": 1.0, "b": 1.0, "c": 0.4},
    {"c": 1.0, "d": 1.0, "a": 0.4},
)


def graded() -> Benchmark:
    cases = tuple(
        Case(query=Query(str(n), (Turn(text=f"{n}"),)), truths=(next(iter(grades)),), grades=grades)
        for n, grades in enumerate(GRADES)
    )
    return Benchmark(name="toy", split="val", cases=cases, galleries={"": IDS})


class Known:
    """Scores that are the grades, with the odd slip."""

    def __init__(self, slip: float = 0.0) -> None:
        self.relevance = graded()
        self.column = {id: column for column, id in enumerate(IDS)}
        self.table = np.array([[grades.get(id, 0.0) for id in IDS] for grades in GRADES], np.float32)
        self.table[:, -1] += slip

    def say(self, case: Case, ids: Any) -> Any:
        return self.table[int(case.id), [self.column[id] for id in ids]]


def test_candidates_are_the_first_by_the_whole() -> None:
    found = Scores.candidates(Known(), 2)  # type: ignore[arg-type]
    assert [(case.id, ids) for case, ids in found] == [("0", ["a", "b"]), ("1", ["c", "d"])]


def test_weights_are_those_that_tell_answers_from_the_rest() -> None:
    known = Known()
    chance = np.random.default_rng(0)
    noise = {id: float(chance.normal()) for id in IDS}
    asked = [(case, IDS) for case in known.relevance.cases]
    fitted = mixed(asked, [known.say, lambda case, ids: np.array([noise[id] for id in ids])])
    assert fitted.weights[0] > 5 * abs(fitted.weights[1])
    odds = fitted([known.say(known.relevance.cases[0], IDS), np.zeros(len(IDS))])
    assert (odds[:2] > 0).all()
    assert (odds[2:] < 0).all()


def test_grades_are_what_the_weights_of_grades_come_near_to() -> None:
    relevance, seen = graded(), Known()
    found = {"good": {"0": ["a", "b"], "1": ["c", "a"]}, "bad": {"0": ["c", "h"], "1": ["c", "h"]}}
    several = shown(relevance, found, 2)
    assert [list(ids) for _, ids in several] == [["a", "b", "c", "h"], ["c", "a", "h"]]
    fitted = mixed_grade(several, [seen.say])
    case, ids = several[0]
    share = fitted.share([seen.say(case, ids)])
    assert share[0] == share[1] > share[2] > share[3]
    assert share == pytest.approx(np.array([case.grades.get(id, 0.0) for id in ids]), abs=0.15)


class Counting:
    """Clauses and scenes that count how often they are asked about a picture."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def check(self, query: Query, ids: Any, pictures: Any) -> Checks:
        self.asked += ids
        likely = np.array([[0.25] * len(ids), [1.0] * len(ids)], np.float32)
        return Checks((Clause("kept", "0"), Clause("add", "a dog")), likely)

    def answers(self, query: Query, ids: Any, pictures: Any) -> Any:
        return np.array([float(ord(id)) for id in ids], np.float32)


def test_a_picture_is_checked_once_for_a_query_whoever_asks() -> None:
    clauses, scenes = Counting(), Counting()
    checked = Checked(clauses, scenes, None)  # type: ignore[arg-type]
    case = graded().cases[0]
    first = checked(case.query, ["a", "b", "a"])
    again = checked(case.query, ["c", "b"])
    assert clauses.asked == scenes.asked == ["a", "b", "c"]
    rows = dict(zip(COLUMNS, first[0].tolist(), strict=True))
    assert rows["product"] == pytest.approx(np.log(0.25))
    assert rows["mean"] == rows["seen"] == pytest.approx(np.log(0.25) / 2)
    assert rows["grade"] == pytest.approx(0.5)
    assert [row[COLUMNS.index("in full")] for row in (*first, *again)] == [97, 98, 97, 99, 98]
    assert checked(case.query, []).shape == (0, len(COLUMNS))


def test_nothing_matches_is_told_by_the_best_score_that_is_left() -> None:
    # Of query 1 everything that answers is taken out: 0.4 is left.
    asked = [(case, list(IDS)) for case in graded().cases]
    assert results.nothing_matches(asked, Known().say) == 1.0
    assert results.nothing_matches(asked, lambda case, ids: np.zeros(len(ids))) == 0.5
    # Several that may answer are likelier to hold an answer than one that is as likely.
    assert results.any_answers(np.array([0.4, 0.4])) > results.any_answers(np.array([0.5]))
    assert results.nothing_matches(asked, Known().say, odds_of(asked, Known().say)) == 1.0


def test_methods_are_ordered_by_what_is_true_and_by_what_is_said() -> None:
    good = {"0": list("abcdefghijkl")[:8], "1": list("cdabefgh")}
    bad = {"0": list("efghcdab"), "1": list("efghabcd")}
    rows = results.order(graded(), {"good": good, "bad": bad}, {"whole": Known().say})
    assert rows["good"]["grade @ 10"] == rows["bad"]["grade @ 10"]
    assert rows["good"]["Recall @ 10"] == 100
    first = results.order(
        graded(), {"good": {"0": ["a"], "1": ["c"]}, "bad": {"0": ["e"], "1": ["a"]}}, {"whole": Known().say}
    )
    assert [first[name]["grade @ 10"] for name in ("good", "bad")] == [1.0, 0.2]
    assert [first[name]["Recall @ 10"] for name in ("good", "bad")] == [100.0, 0.0]
    assert first["bad"]["whole @ 10"] == pytest.approx(0.2)


def test_reranking_counts_the_target_first_before_and_after() -> None:
    asked = list(zip(graded().cases, (["b", "a"], ["c", "d"]), strict=True))
    told = results.reranked(asked, lambda case, ids: np.array([id == case.target for id in ids]))
    assert (told["before"], told["after"]) == (50.0, 100.0)


def test_set_scores_are_means_and_ceilings_are_the_grades() -> None:
    sets = (("a", "b"), ("e", "f"))
    cases = tuple(
        Case(
            query=Query(f"{n}", (Turn(text=f"{n}"),)),
            truths=("a",),
            grades={"a": 1.0, "b": 0.5, "e": 0.1 * (n % 3), "f": 0.0},
            judgement=Judgement((JudgedSet(sets[0], 4 + n % 2), JudgedSet(sets[1], 1 + n % 3)), 1),
        )
        for n in range(12)
    )
    judged = Benchmark(name="judges", split="test", cases=cases, galleries={})
    found = results.agreement(judged, lambda case, ids: np.array([case.grades[id] for id in ids]))
    ceiling = results.yardsticks(judged)["ceiling (the grades themselves)"]
    assert found == pytest.approx(ceiling, nan_ok=True)
    assert found["Spearman"] > 0.8
    assert found["preferred"] == 100
    assert results.yardsticks(judged)["Recall@5"]["Spearman"] < found["Spearman"]


def _row(**values: float) -> dict[str, float]:
    plain = {"Spearman": 0.5, "low": 0.4, "high": 0.6, "p": 0.0, "preferred": 70.0}
    return {**plain, "preferred, both sides": 70.0, "preferred, recall equal": 70.0, **values}


def numbers(**other: Any) -> dict[str, Any]:
    """A page's numbers in which every claim just holds."""
    ceiling = "ceiling (the grades themselves)"
    found = {"R": 1.0, "Mean(Recall @ 5, SubsetRecall @ 1)": 80.0}
    ways = {"start": 78.0, "all": 79.0, "top": 80.0, "self-paced": 81.0}
    retrieval = {f"{prefix}{way}": [{**found, "Mean(Recall @ 5, SubsetRecall @ 1)": value}]
                 for prefix in ("", "untrained-") for way, value in ways.items()}  # fmt: skip
    agreeing = {"whole": [_row(Spearman=0.77, preferred=76.0)]}
    nothing = {"preferred, recall equal": float("nan")}
    sticks = {"Recall@5": _row(Spearman=0.4, **nothing), ceiling: _row(Spearman=0.9)}
    figures = {"judgements": 3, "judges": 2, "shared": 1, "scores": 0.5, "preferred": None}
    return {
        "world": {"NDCG @ 10": {"image": 30.0, "text": 30.0, "sum": 60.0}},
        "judges": dict.fromkeys(("simulated", "found"), figures),
        "yardsticks": dict.fromkeys(("simulated", "found"), sticks),
        "scorers": dict.fromkeys(("simulated", "found"), agreeing),
        "val": dict.fromkeys(("simulated", "found"), agreeing),
        "val kendall": {"Recall @ 10": [0.95], "whole @ 10": [0.8], "graded @ 10": [0.9]},
        "kendall": {"Recall @ 10": [0.7], "whole @ 10": [0.6], "graded @ 10": [0.8]},
        "calibration": [{"whole": 0.01}],
        "aspects": {"clauses": {"negation": 0.6}, "scenes": {"negation": 0.9}},
        "look-alikes": {name: {"negation": 0.7} for name in ("clauses", "scenes")},
        "val nothing": {"whole": [0.9]},
        "nothing": {"whole": [0.9], "cosine of the weighted sum": [0.8]},
        "rerank": {"whole": [{"before": 50.0, "after": 56.0, "p": 0.001}]},
        "retrieval": retrieval,
        "blind": {"image-only": {"NDCG @ 10": 20.0, "simulated": 0.1, "found": 0.1}},
        "order": {"0": {"sum": {"grade @ 10": 0.5, "Recall @ 10": 60.0}}},
    } | other


def test_every_claim_can_hold() -> None:
    assert {one.holds for one in check(numbers())} == {"holds"}
    shown = page(numbers(), ["about"])
    assert "does not hold" not in shown
    assert "nan" not in shown


def test_what_is_claimed_for_is_chosen_on_val() -> None:
    better, chosen = [_row(Spearman=0.9, preferred=90.0)], [_row(Spearman=0.3, preferred=60.0)]
    told = numbers(
        scorers={name: {"lucky": better, "chosen": chosen} for name in ("simulated", "found")},
        val={name: {"lucky": chosen, "chosen": better} for name in ("simulated", "found")},
    )
    judged = [one for one in check(told) if "Spearman" in one.claim or "preference" in one.claim]
    assert len(judged) == 4
    assert {one.holds for one in judged} == {"does not hold"}


@pytest.mark.parametrize(
    ("changed", "claim"),
    [
        ({"world": {"NDCG @ 10": {"image": 55.0, "text": 3.0, "sum": 60.0}}}, "picture alone"),
        ({"kendall": {"Recall @ 10": [0.95], "whole @ 10": [0.9], "graded @ 10": [0.9]}}, "Kendall"),
        ({"kendall": {"Recall @ 10": [0.7], "whole @ 10": [0.9], "graded @ 10": [0.75]}}, "Kendall"),
        ({"calibration": [{"whole": 0.06}]}, "calibration"),
        ({"aspects": {"clauses": {}, "scenes": {"negation": 0.9, "change": 0.8}}}, "each of the six aspects"),
        ({"nothing": {"whole": [0.9], "cosine of the weighted sum": [0.95]}}, "nothing matches"),
        ({"nothing": {"whole": [0.8], "lucky": [0.9], "cosine of the weighted sum": [0.5]}}, "nothing"),
        ({"rerank": {"whole": [{"before": 50.0, "after": 54.0, "p": 0.001}]}}, "reranking"),
        ({"rerank": {"whole": [{"before": 50.0, "after": 56.0, "p": 0.2}]}}, "reranking"),
        ({"scorers": {n: {"whole": [_row(Spearman=0.7, preferred=76.0)]} for n in ("simulated", "found")}},
         "Spearman"),
        ({"scorers": {n: {"whole": [_row(Spearman=0.8)]} for n in ("simulated", "found")}}, "preference"),
    ],
)  # fmt: skip
def test_every_claim_can_fail(changed: dict[str, Any], claim: str) -> None:
    failed = [one.claim for one in check(numbers(**changed)) if one.holds != "holds"]
    assert failed
    assert all(claim in one for one in failed)
