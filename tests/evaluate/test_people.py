"""Agreement with people: how sure it is, its yardsticks, and how far judges agree among themselves."""

from dataclasses import replace

import numpy as np
import pytest

from circlet.core import UsageError
from circlet.evaluate import Evidence, PreferenceRate, Recall, Spearman, compare, measure
from circlet.evaluate.certainty import correlated, shapiro
from circlet.evaluate.measures.agreement import Krippendorff
from circlet.evaluate.measures.judgements import Judgements, set_scores
from circlet.evaluate.people import judge_figures, true_scores, yardsticks
from circlet.evaluate.report.page import ReportRow, report
from circlet.evaluate.report.tables import notes
from circlet.evaluate.resampling import resamples

from .judged import noisy, survey


def test_p_and_normality_are_scipys() -> None:
    stats = pytest.importorskip("scipy.stats")
    on = survey(60)
    people, table = Judgements.of(on), set_scores(noisy(on, 0.4), on)
    found = correlated(table, people)
    theirs = stats.spearmanr(table.ravel(), people.scores.ravel())
    assert found.value == pytest.approx(theirs.statistic)
    assert found.p == pytest.approx(theirs.pvalue, rel=1e-9)
    w, p = stats.shapiro(people.scores.ravel())
    assert (found.people.w, found.people.p) == pytest.approx((w, p))  # type: ignore[union-attr]
    assert shapiro(np.ones(5)) is None


def test_draws_are_those_of_lists_written_out() -> None:
    on = survey(12, twice=4)
    people, table = Judgements.of(on), set_scores(noisy(on, 0.3), on)
    weights = np.random.default_rng(3).integers(0, 4, (20, len(on))).astype(float)
    for each in (Spearman(), PreferenceRate(), PreferenceRate(given="higher"), PreferenceRate(sides="both")):
        drawn = each.resampled(table, people, weights)
        for row, amounts in enumerate(weights.astype(int)):
            rows = np.repeat(np.arange(len(on)), amounts)
            if isinstance(each, Spearman):
                wanted = each(table[rows].ravel(), people.scores[rows].ravel())
            else:
                wanted = each(table[rows], people.preferred[rows], people.recalls[rows])
            assert drawn[row] == pytest.approx(wanted, nan_ok=True)


def test_a_query_is_drawn_with_all_that_was_said_of_it() -> None:
    on = survey(3, twice=3)
    people = Judgements.of(on)
    assert people.queries == 3
    assert people.query.tolist() == [0, 0, 1, 1, 2, 2]

    class Weights(Spearman):
        def resampled(self, table, people, weights):  # type: ignore[no-untyped-def]
            assert (weights[:, ::2] == weights[:, 1::2]).all()
            assert (weights.sum(axis=1) == 6).all()
            return weights[:, 0]

    assert resamples(Weights(), [people.scores], people, draws=50).shape == (50, 1)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    """Forty surveys of one world: their intervals hold its correlation in most of them, and not by width."""
    whole = survey(2000, seed=9)
    truth = Spearman().of(set_scores(noisy(whole, 0.3), whole), Judgements.of(whole))
    inside, widths = 0, []
    for seed in range(40):
        on = survey(50, seed=seed)
        found = correlated(set_scores(noisy(on, 0.3, seed=seed), on), Judgements.of(on), draws=400)
        inside += found.low <= truth <= found.high
        widths.append(found.high - found.low)
    assert inside >= 34
    assert np.mean(widths) < 0.5


def test_recall_and_the_grades_stand_beside_a_method() -> None:
    on = survey(80)
    recall, ceiling = yardsticks(on, [Spearman(), PreferenceRate()])
    assert (recall.method, ceiling.method) == ("Recall@2", "ceiling (the grades themselves)")
    people = Judgements.of(on)
    assert recall.measures["Spearman()"] == Spearman()(people.recalls.ravel(), people.scores.ravel())
    grades = true_scores(on)
    assert grades is not None
    assert grades[0, 0] == pytest.approx(np.mean([on.cases[0].grades[id] for id in ("0-a", "0-b")]))
    # What people said comes of the grades, with some noise; the target was drawn at random.
    assert ceiling.measures["Spearman()"] > 0.7 > recall.measures["Spearman()"] + 0.3
    assert ceiling.measures["PreferenceRate()"] > recall.measures["PreferenceRate()"]


def test_a_yardstick_needs_what_it_reads() -> None:
    assert [row.method for row in yardsticks(survey(graded=False), [Spearman()])] == ["Recall@2"]
    assert yardsticks(survey(graded=False, targets=False), [Spearman()]) == []
    assert yardsticks(survey(), [Recall @ 1]) == []


def test_where_no_set_holds_the_target_nothing_goes_with_recall() -> None:
    on = survey(5)
    moved = replace(on, cases=tuple(replace(case, truths=("elsewhere",)) for case in on.cases))
    row = yardsticks(moved, [Spearman(), PreferenceRate()])[0]
    assert np.isnan(row.measures["Spearman()"])
    assert row.agreement is None


def test_how_sure_it_is_stands_with_the_numbers_in_lines_and_in_json() -> None:
    on = survey(30)
    row = measure(noisy(on, 0.3), on)
    beside = yardsticks(on, [Spearman()])
    said = notes([row], beside)
    assert any(line.startswith("note: noise 0.3: Spearman 0.") for line in said)
    assert any(line.startswith("note: Recall@2: Spearman") for line in said)
    assert any("bootstrap over 30 queries; 60 sets" in line for line in said)
    assert [line for line in said if "Shapiro–Wilk: people W" in line and ", noise 0.3 W" in line]
    page = report(on, [ReportRow(row)], beside, lambda id: "")
    assert "Recall@2: Spearman" in page
    told = row.to_dict()["agreement"]
    assert told["low"] < told["value"] < told["high"]
    assert told["people"]["p"] < 1
    assert measure(noisy(on, 0.3), on, [PreferenceRate()]).agreement is None


def test_without_scipy_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        assert name == "scipy"

    monkeypatch.setattr("circlet.core.extras.find_spec", absent)
    on = survey(10)
    said = notes([measure(noisy(on, 0.3), on)], yardsticks(on, [Spearman()]))
    remedy = [line for line in said if "pip install 'circlet[stats]'" in line]
    assert len(remedy) == 1
    assert "normality is not checked" in remedy[0]
    with pytest.raises(UsageError, match="needs scipy"):
        shapiro(np.arange(9.0))


def test_judges_of_the_same_sets_are_compared_however_these_were_shown() -> None:
    figures = judge_figures(survey(30, twice=12))
    assert figures is not None
    assert (figures.queries, figures.judgements, figures.sets) == (30, 42, 60)
    assert (figures.judges, figures.shared, figures.invalid) == (2, 12, 0)
    on = survey(30, twice=12)
    pairs = [on.cases[2 * number : 2 * number + 2] for number in range(12)]
    ann = [one.score for first, _ in pairs for one in first.judgement.sets]  # type: ignore[union-attr]
    bob = [one.score for _, second in pairs for one in second.judgement.sets[::-1]]  # type: ignore[union-attr]
    assert figures.scores == pytest.approx(Krippendorff("interval")([ann, bob]))
    liked = [[a.judgement.preferred, 3 - b.judgement.preferred] for a, b in pairs]  # type: ignore[union-attr]
    assert figures.preferred == pytest.approx(Krippendorff()(np.array(liked).T))
    assert figures.scores > 0.5  # type: ignore[operator]


def test_where_nobody_judged_the_same_there_is_no_alpha() -> None:
    figures = judge_figures(survey(5))
    assert figures is not None
    assert (figures.shared, figures.scores, figures.preferred) == (0, None, None)


def test_runs_are_compared_by_agreement_over_the_same_draws() -> None:
    on = survey(120)
    good, bad, same = noisy(on, 0.1), noisy(on, 2.0), noisy(on, 0.1)
    given = {name: Evidence(on, run) for name, run in (("bad", bad), ("good", good))}
    rank, rate = compare(given, [Spearman(), PreferenceRate()])
    assert rank.difference == pytest.approx(rank.other_value - rank.value)
    assert 0 < rank.low < rank.difference < rank.high
    assert (rank.mark, rate.mark) == ("**", "**")
    assert np.isnan(rank.p_t)
    given = {"one": Evidence(on, good), "two": Evidence(on, same)}
    again = compare(given, [Spearman()])[0]
    assert (again.low, again.high, again.p, again.mark) == (0, 0, 1, "")
