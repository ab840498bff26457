"""Measures on cases small enough to check by hand, and against well-kept libraries."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from tests.evaluate import slow

from circlet.core import Benchmark, DataError, Key, Query, Ranking, Run, Turn, UsageError, cases_of
from circlet.evaluate import (
    AUC,
    MAP,
    MRR,
    NDCG,
    Accuracy,
    ByGroup,
    FinalRecall,
    Hits,
    Mean,
    Measure,
    NegativeWins,
    Recall,
    SubsetMAP,
    SubsetRecall,
    Within,
    arrays_of,
    chance,
    judge,
    judge_run,
    measure,
    parse_measure,
    parse_measures,
)
from circlet.evaluate.compare import compare
from circlet.evaluate.measures.parse import short

GALLERY = tuple("abcdefgh")


def bench(truths: Mapping[str, Sequence[str]], **more: object) -> Benchmark:
    """A benchmark of these truths; `more` are tables by query, or fields of the benchmark."""
    queries = more.pop("queries", tuple(Query(id, (Turn(text="x"),)) for id in truths))
    told = {id: tuple(letters) for id, letters in truths.items()}
    fields = {name: more.pop(name) for name in ("galleries", "protocol", "measures", "extra") if name in more}
    cases = cases_of(queries, **{"truths": told, **more})  # type: ignore[arg-type]
    return Benchmark(name="toy", split="val", cases=cases, **{"galleries": {"": GALLERY}, **fields})  # type: ignore[arg-type]


def ranked(**orders: str) -> Run:
    return Run(
        method="toy",
        rankings={Key(id): Ranking(order, range(len(order), 0, -1)) for id, order in orders.items()},
    )


def value(one: Measure, run: Run, on: Benchmark) -> float:
    return one.value(judge_run(run, on))


def test_recall_is_the_hit_rate_of_the_target() -> None:
    on, run = bench({"p": "a", "q": "b"}), ranked(p="ba", q="bc")
    assert value(Recall @ 1, run, on) == 50
    assert value(Recall @ 2, run, on) == 100


def test_recall_of_several_truths() -> None:
    # The target is a; b and c are truths too. Of the first two, d and b, only b is a truth.
    on, run = bench({"p": "abc"}), ranked(p="dbac")
    assert value(Recall @ 2, run, on) == 0
    assert value(Recall(of="any") @ 2, run, on) == 100
    assert value(Recall(of="all") @ 2, run, on) == pytest.approx(100 / 3)


def test_soft_recall_is_the_highest_grade_found() -> None:
    on = bench({"p": "ab"}, grades={"p": {"a": 1.0, "b": 0.5, "c": -1.0}})
    assert value(Recall(of="soft") @ 1, ranked(p="bca"), on) == 50
    assert value(Recall(of="soft") @ 3, ranked(p="bca"), on) == 100
    assert value(Recall(of="soft") @ 1, ranked(p="cab"), on) == 0


def test_map_divides_by_what_could_be_found() -> None:
    # Truths at ranks 1 and 3 of three truths: (1/1 + 2/3) / min(3, 4), or / 3.
    on, run = bench({"p": "abc"}), ranked(p="adb")
    assert value(MAP @ 4, run, on) == pytest.approx(100 * (1 + 2 / 3) / 3)
    # With K = 2 the best possible is two truths, so the divisor is 2.
    assert value(MAP @ 2, run, on) == pytest.approx(100 * 1 / 2)
    assert value(MAP(over="truths") @ 2, run, on) == pytest.approx(100 * 1 / 3)


def test_map_with_one_truth_is_one_over_the_rank() -> None:
    on, run = bench({"p": "c"}), ranked(p="abc")
    assert value(MAP @ 3, run, on) == pytest.approx(100 / 3)
    assert value(MAP @ 2, run, on) == 0


def test_subset_measures_rank_the_subset_alone() -> None:
    on = bench({"p": "c"}, subsets={"p": tuple("bce")})
    run = ranked(p="abdce")
    assert value(SubsetRecall @ 1, run, on) == 0
    assert value(SubsetRecall @ 2, run, on) == 100
    assert value(SubsetMAP, run, on) == 50
    # A ranking of the subset by itself goes before what the gallery's ranking says of it.
    apart = Run(method="toy", rankings=run.rankings, subsets={Key("p"): Ranking("cbe", [3, 2, 1])})
    assert value(SubsetRecall @ 1, apart, on) == 100


def test_mrr_takes_the_first_truth() -> None:
    on = bench({"p": "cb", "q": "a"})
    assert value(MRR, ranked(p="abc", q="a"), on) == pytest.approx(100 * (1 / 2 + 1) / 2)
    assert value(MRR @ 1, ranked(p="abc", q="a"), on) == 50


def test_ndcg_by_hand() -> None:
    on = bench({"p": "ab"}, grades={"p": {"a": 2.0, "b": 1.0}})
    gained = 1 / np.log2(2) + 2 / np.log2(4)
    ideal = 2 / np.log2(2) + 1 / np.log2(3)
    assert value(NDCG @ 3, ranked(p="bca"), on) == pytest.approx(100 * gained / ideal)
    exponential = (1 / np.log2(2) + 3 / np.log2(4)) / (3 / np.log2(2) + 1 / np.log2(3))
    assert value(NDCG(gain="exponential") @ 3, ranked(p="bca"), on) == pytest.approx(100 * exponential)


def sessions() -> tuple[Benchmark, Run]:
    """Three sessions of 3, 2 and 1 turns; the target is a, or one of a and b."""
    queries = tuple(Query(id, (Turn(text="x"),) * turns) for id, turns in (("p", 3), ("q", 2), ("r", 1)))
    on = bench({"p": "a", "q": "ba", "r": "a"}, queries=queries)
    orders = {("p", 1): "bc", ("p", 2): "ab", ("p", 3): "cb", ("q", 1): "cd", ("q", 2): "ca", ("r", 1): "cb"}
    rankings = {Key(id, turn): Ranking(order, [2, 1]) for (id, turn), order in orders.items()}
    return on, Run(method="toy", rankings=rankings)


def test_hits_are_cumulative_and_short_sessions_keep_their_last_value() -> None:
    on, run = sessions()
    # p is found in turn 2 and lost again; q in turn 2, by its second truth at rank 2; r never.
    found = [value(Hits(turn=turn) @ 2, run, on) for turn in (1, 2, 3)]
    assert found == pytest.approx([0, 200 / 3, 200 / 3])
    assert value(Hits @ 2, run, on) == found[-1]
    assert value(Hits(turn=9) @ 2, run, on) == found[-1]
    assert value(Hits(turn=2) @ 1, run, on) == pytest.approx(100 / 3)


def test_final_recall_is_the_last_turn_of_each_session() -> None:
    on, run = sessions()
    assert value(FinalRecall @ 2, run, on) == pytest.approx(100 / 3)


def test_final_recall_of_a_turn_is_the_last_one_up_to_it() -> None:
    first, second = (Turn(text="x"),), (Turn(text="x"), Turn(text="y"), Turn(text="z"))
    on = bench({"p": "a", "q": "a"}, queries=(Query("p", first), Query("q", second)))
    found = {Key("p"): "ab", Key("q", 1): "ba", Key("q", 2): "ab", Key("q", 3): "ba"}
    run = Run(method="toy", rankings={key: Ranking(ids, [2, 1]) for key, ids in found.items()})
    after = [value(FinalRecall(turn=turn) @ 1, run, on) for turn in (1, 2, 3, 9)]
    # The first session has ended and keeps its hit; the second finds it, and loses it again.
    assert after == [50, 100, 50, 50]
    assert value(FinalRecall @ 1, run, on) == 50
    with pytest.raises(UsageError, match="counted from 1"):
        parse_measure("FinalRecall(turn=0) @ 1")


def test_auc_is_the_area_under_hits() -> None:
    on, run = sessions()
    area = (0 + 200 / 3) / 2 + (200 / 3 + 200 / 3) / 2
    assert value(AUC @ 2, run, on) == pytest.approx(area / 2)
    # CIRCLED's released code takes the plain mean of Hits over the turns.
    assert value(AUC(over="turns") @ 2, run, on) == pytest.approx((0 + 200 / 3 + 200 / 3) / 3)


def test_a_perfect_session_has_an_area_of_a_hundred_either_way() -> None:
    turns = tuple(Turn(text=word) for word in "xyz")
    on = bench({"p": "a"}, queries=(Query("p", turns),))
    run = Run(method="toy", rankings={Key("p", turn): Ranking("ab", [2, 1]) for turn in (1, 2, 3)})
    assert value(AUC @ 1, run, on) == value(AUC(over="turns") @ 1, run, on) == 100


def test_the_area_within_a_group_goes_to_the_groups_own_longest_session() -> None:
    two, three = (tuple(Turn(text="x") for _ in range(count)) for count in (2, 3))
    on = bench(
        {"p": "a", "q": "a"},
        queries=(Query("p", two), Query("q", three)),
        groups={"p": "short", "q": "long"},
        galleries={"short": GALLERY, "long": GALLERY},
    )  # fmt: skip
    orders = {("p", 1): "ba", ("p", 2): "ab", ("q", 1): "ba", ("q", 2): "ba", ("q", 3): "ab"}
    run = Run(method="toy", rankings={Key(*key): Ranking(ids, [2, 1]) for key, ids in orders.items()})
    # p reaches the target in the second of its two turns: the area is half, not three quarters.
    assert value(Within("short", AUC @ 1), run, on) == 50
    assert value(Within("long", AUC @ 1), run, on) == 25


def test_chance_over_turns_is_the_chance_of_any() -> None:
    on, _ = sessions()
    arrays = arrays_of(on)
    # p has one truth of eight pictures and draws twice; q has two.
    assert (Hits(turn=2) @ 1).chance(arrays) == pytest.approx([1 - (7 / 8) ** 2, 1 - (6 / 8) ** 2, 1 / 8])


def test_accuracy_by_source() -> None:
    on = bench(
        {"p": "a", "q": "b", "r": "c"},
        galleries={},
        subsets={id: tuple("abc") for id in "pqr"},
        aspects={"p": ("video",), "q": ("video",), "r": ("static",)},
    )
    run = Run(method="toy", subsets={Key(id): Ranking("abc", [3, 2, 1]) for id in "pqr"})
    assert value(Accuracy, run, on) == pytest.approx(100 / 3)
    assert value(Within("video", Accuracy), run, on) == 50
    assert value(Within("static", Accuracy), run, on) == 0


def test_a_hard_negative_wins_where_it_stands_above_the_target_or_ties_with_it() -> None:
    on = bench(
        {"p": "a", "q": "a", "r": "a"},
        subsets=dict.fromkeys("pqr", ("a", "b")),
        negatives=dict.fromkeys("pqr", ("b",)),
        aspects={"p": ("negation",), "q": ("negation",), "r": ("addition",)},
    )
    run = ranked(p="cab", q="bca")
    tied = replace(run, rankings={**run.rankings, Key("r"): Ranking("cab", [3, 1, 1])})
    assert value(NegativeWins, tied, on) == pytest.approx(100 * 2 / 3)
    assert value(Within("negation", NegativeWins), tied, on) == 50
    assert NegativeWins.expected(arrays_of(on)) == 50
    assert value(NegativeWins, tied, on) + value(SubsetRecall @ 1, tied, on) == pytest.approx(100)


def test_hard_negatives_must_be_there_and_alone() -> None:
    run, pair = ranked(p="abc"), {"subsets": {"p": ("a", "b", "c")}}
    with pytest.raises(DataError, match="no query has any: leave the measure out"):
        value(NegativeWins, run, bench({"p": "a"}, **pair))
    with pytest.raises(DataError, match="the subset of query p holds others"):
        value(NegativeWins, run, bench({"p": "a"}, negatives={"p": ("b",)}, **pair))
    some = bench({"p": "a", "q": "b"}, negatives={"p": ("b",)}, subsets={"p": ("a", "b"), "q": ("b",)})
    assert NegativeWins.each(judge_run(ranked(p="ab", q="b"), some)).tolist() == pytest.approx(
        [0, float("nan")], nan_ok=True
    )


def test_an_aspect_that_is_not_there_is_told_what_is() -> None:
    on = bench({"p": "a"}, aspects={"p": ("negation",)})
    with pytest.raises(DataError, match=r"no query of the group or aspect 'change'; there is negation"):
        value(Within("change", Recall @ 1), ranked(p="a"), on)


def test_means_over_measures_and_groups() -> None:
    on = bench(
        {"p": "a", "q": "a", "r": "b"},
        galleries={"dress": GALLERY, "shirt": GALLERY},
        groups={"p": "dress", "q": "dress", "r": "shirt"},
    )
    run = ranked(p="ab", q="ba", r="ba")
    assert value(Recall @ 1, run, on) == pytest.approx(200 / 3)
    # Half of the dresses and all of the shirts.
    assert value(ByGroup(Recall @ 1), run, on) == 75
    assert value(Within("dress", Recall @ 1), run, on) == 50
    assert value(Mean(Recall @ 1, ByGroup(Recall @ 1)), run, on) == pytest.approx((200 / 3 + 75) / 2)
    # Contributions that share no query: every query still counts, so that runs can be compared by it.
    apart = Mean(Within("dress", Recall @ 1), Within("shirt", Recall @ 1))
    assert value(apart, run, on) == 75
    assert apart.each(judge_run(run, on)) == pytest.approx([0.75, 0, 1.5])
    assert value(ByGroup(Within("dress", Recall @ 1)), run, on) == 50


def test_the_protocol_decides_a_denominator_that_the_measure_leaves_open() -> None:
    on = bench({"p": "abc"})
    run = ranked(p="abc")
    assert value(MAP @ 2, run, on) == 100
    said = replace(on, protocol={"map": "truths"})
    assert value(MAP @ 2, run, said) == pytest.approx(200 / 3)
    assert value(MAP(over="min") @ 2, run, said) == 100


def test_wordings_are_averaged() -> None:
    on = bench({"p": "a"}, wordings={"p": ("one", "two")})
    orders = {0: "ab", 1: "ba"}
    run = Run(method="toy", rankings={Key("p", 1, n): Ranking(order, [2, 1]) for n, order in orders.items()})
    assert value(Recall @ 1, run, on) == 50


def test_ties_are_pessimistic() -> None:
    on = bench({"p": "a"})
    constant = Run(method="toy", rankings={Key("p"): Ranking(GALLERY, [0.5] * 8)})
    assert value(Recall @ 7, constant, on) == 0
    assert value(Recall @ 8, constant, on) == 100


def test_a_missing_query_scores_zero_instead_of_vanishing() -> None:
    on = bench({"p": "a", "q": "b"})
    result = measure(ranked(p="ab"), on, [Recall @ 1])
    assert result.measures == {"Recall @ 1": 50}
    assert "1 of 2 rankings are not in the run and score zero" in result.remarks


def test_a_shallow_run_is_remarked() -> None:
    on = bench({"p": "a", "q": "b"})
    result = measure(ranked(p="ab", q="ac"), on, [Recall @ 10])
    assert result.remarks[-1] == "the run is 2 deep: what lies beyond counts as not found @ 10"
    assert "says no protocol" in result.remarks[0]
    said = replace(ranked(p="ab", q="ac"), protocol=on.header())
    assert len(measure(said, on, [Recall @ 10]).remarks) == 1
    # Where everything was found, nothing lies beyond.
    assert measure(replace(ranked(p="ab", q="ab"), protocol=on.header()), on, [Recall @ 10]).remarks == ()


def test_truths_that_tie_with_each_other_are_not_ahead_of_each_other() -> None:
    on = bench({"p": "ab"})
    alone = Run(method="toy", rankings={Key("p"): Ranking("abc", [2, 2, 1])})
    for one in (MRR, MAP @ 2, Recall(of="any") @ 1, Hits @ 1, FinalRecall @ 1, Recall(of="all") @ 2):
        assert value(one, alone, on) == 100, one
    assert value(Recall(of="all") @ 1, alone, on) == 50
    # With a picture that does not count beside them, that one comes first.
    beside = Run(method="toy", rankings={Key("p"): Ranking("abc", [2, 2, 2])})
    assert value(MRR, beside, on) == 50
    assert value(Recall(of="any") @ 1, beside, on) == 0


def test_what_was_not_ranked_is_no_number() -> None:
    on = bench({"p": "a", "q": "b"}, subsets={"p": tuple("abc"), "q": tuple("abc")})
    both = Mean(Recall @ 5, SubsetRecall @ 1)
    shallow = ranked(p="ad", q="bd")  # the subsets are not wholly in it
    assert value(Recall @ 1, shallow, on) == 100
    assert np.isnan(value(SubsetRecall @ 1, shallow, on))
    assert np.isnan(value(both, shallow, on))
    assert np.isnan(value(Within("", SubsetRecall @ 1), shallow, on))
    apart = Run(method="toy", subsets={Key("p"): Ranking("abc", [3, 2, 1])})
    assert np.isnan(value(Recall @ 1, apart, on))
    assert value(SubsetRecall @ 1, apart, on) == 50, "a query that is left out scores zero"
    row = measure(shallow, on, [Recall @ 1, SubsetRecall @ 1])
    assert row.to_dict()["measures"] == {"Recall @ 1": 100.0, "SubsetRecall @ 1": None}
    judged = {"shallow": judge_run(shallow, on), "same": judge_run(shallow, on)}
    one, other = compare(judged, [SubsetRecall @ 1, Recall @ 1], draws=100)
    assert np.isnan([one.value, one.difference, one.p, one.corrected]).all()
    assert one.mark == ""
    assert other.corrected == 1.0


@pytest.mark.parametrize(
    ("run", "said"),
    [
        (ranked(p="aba"), "ranks a twice for query p"),
        (ranked(p="az"), "ranks z, which is not in its gallery"),
        (ranked(z="ab"), "ranks query z, which toy val does not have"),
        (
            Run(method="m", rankings={Key("p"): Ranking("ab", [1, np.nan])}),
            "gives b a score that is not a number",
        ),
        (Run(method="m", subsets={Key("p"): Ranking("ab", [1, 0])}), "ranks b, which is not in its subset"),
    ],
)
def test_a_run_for_something_else_is_refused(run: Run, said: str) -> None:
    with pytest.raises(DataError, match=said):
        judge_run(run, bench({"p": "a"}, subsets={"p": ("a", "c")}))


def test_excluded_pictures_are_dropped_from_a_run() -> None:
    on = bench({"p": "b"}, exclusions={"p": ("a",)})
    assert value(Recall @ 1, ranked(p="abc"), on) == 100


def test_a_target_outside_the_gallery_is_named() -> None:
    with pytest.raises(DataError, match=r"outside the gallery are the truths z \(query p\)"):
        arrays_of(bench({"p": "z"}))
    missed = bench({"p": "z", "q": "a"}, protocol={"outside": "miss"})
    assert value(Recall @ 8, ranked(p="ab", q="ab"), missed) == 50
    assert chance(missed, [Recall @ 4]).measures == {"Recall @ 4": 25}


def test_a_target_that_is_excluded_is_named() -> None:
    with pytest.raises(DataError, match="every truth is excluded from the ranking for p"):
        arrays_of(bench({"p": "a"}, exclusions={"p": ("a",)}))
    # Of several truths the excluded one does not count, and the next is the target.
    on = bench({"p": "ab"}, exclusions={"p": ("a",)})
    assert value(MAP @ 2, ranked(p="ab"), on) == 100
    assert value(Recall @ 1, ranked(p="ab"), on) == 100


def test_a_measure_of_subsets_needs_subsets() -> None:
    on = bench({"p": "a", "q": "b"}, subsets={"p": ("a", "b")})
    with pytest.raises(DataError, match=r"none for 1 of 2 rankings \(the first of these query q\)"):
        value(SubsetRecall @ 1, ranked(p="ab", q="ab"), on)


def test_an_unlisted_gallery_has_no_chance_row() -> None:
    on = bench({"p": "a"}, galleries={})
    assert value(Recall @ 1, ranked(p="ab"), on) == 100
    with pytest.raises(DataError, match="needs the gallery's size"):
        chance(on, [Recall @ 1])


def test_a_query_of_a_gallery_that_is_not_there_is_named() -> None:
    with pytest.raises(DataError, match="query p searches a gallery that is not there"):
        arrays_of(bench({"p": "a"}, groups={"p": "dress"}))


def test_scores_that_are_no_numbers_rank_behind_everything() -> None:
    gallery = slow.gallery(4)
    vectors = np.ones((4, 3), np.float32)
    vectors[1] = np.nan
    on = bench({"p": "b", "q": "a"}, galleries={"": tuple("abcd")})
    zero = (Turn(text="0"),)
    on = replace(on, cases=tuple(replace(case, query=Query(case.id, zero)) for case in on.cases))
    method = slow.Given(np.ones((1, 3), np.float32))
    judged = judge(method, on, type(gallery)("abcd", vectors, slow.FINGERPRINT))
    assert (Recall @ 4).each(judged).tolist() == [0, 1]
    # a ties with c and d; what has no number is not ahead of it.
    assert (Recall @ 2).each(judged).tolist() == [0, 0]
    assert (Recall @ 3).each(judged).tolist() == [0, 1]


@pytest.mark.parametrize(
    "text",
    [
        "Recall @ 5",
        "Recall(of='soft') @ 5",
        "SubsetRecall @ 1",
        "MAP @ 10",
        "MAP(over='truths') @ 5",
        "SubsetMAP",
        "MRR",
        "NDCG @ 10",
        "NDCG(gain='exponential') @ 10",
        "Accuracy",
        "Hits(turn=3) @ 10",
        "FinalRecall @ 10",
        "AUC @ 10",
        "AUC(over='turns') @ 10",
        "Mean(Recall @ 5, SubsetRecall @ 1)",
        "Within('dress', Recall @ 10)",
        "ByGroup(Recall @ 50)",
        "Mean(ByGroup(Recall @ 10), ByGroup(Recall @ 50))",
        "Spearman()",
        "PreferenceRate(given='higher', sides='both')",
    ],
)
def test_a_repr_can_be_pasted_back(text: str) -> None:
    assert repr(parse_measure(text)) == text
    assert parse_measure(text) == parse_measure(text)
    assert parse_measure(short(text)) == parse_measure(text)
    if "Spearman" not in text and "Preference" not in text:
        assert repr(eval(text)) == text


def test_short_names_are_those_of_papers() -> None:
    asked = ["R@1", "Rsub@1", "mAP@5", "mAP", "nDCG@10", "Acc", "Mean(R@5, Rsub@1)", "R(of='any')@5"]
    assert parse_measures(asked) == (
        Recall @ 1, SubsetRecall @ 1, MAP @ 5, MAP, NDCG @ 10, Accuracy, Mean(Recall @ 5, SubsetRecall @ 1),
        Recall(of="any") @ 5,
    )  # fmt: skip
    assert [short(repr(one)) for one in parse_measures(asked)] == asked
    assert short("Within('Recall @ 1', Recall @ 1)") == "Within('Recall @ 1', R@1)"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Recal @ 5", "is no measure"),
        ("Recall", "Recall needs a cutoff: write Recall @ 10"),
        ("Recall @ 0", "a whole number from 1"),
        ("Recall(off='any') @ 5", "Recall has no option off; it has of"),
        ("Recall(of='some') @ 5", "pick one of target, any, all, soft"),
        ("Accuracy @ 5", "Accuracy has no cutoff"),
        ("Mean()", "Mean averages measures"),
        ("Mean(1, 2)", "Mean is made of measures of ranks like Recall @ 10, not of 1"),
        ("Within('a', Spearman())", "Within is made of measures of ranks"),
        ("Hits(turn=0) @ 10", "turns are counted from 1"),
        ("Hits(turn=-1) @ 10", "turns are counted from 1"),
        ("Hits(turn='x') @ 10", "turns are counted from 1"),
        ("__import__('os')", "is no measure"),
        ("Recall @", "is no measure"),
        ("5", "is no measure"),
    ],
)
def test_a_measure_that_means_nothing_is_explained(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        parse_measure(text)


def test_measures_agree_with_trec_eval() -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec-eval-terrier is a dev extra")
    rng = np.random.default_rng(3)
    ids = [f"d{n:02d}" for n in range(60)]
    truths, grades, rankings, qrels, runs = {}, {}, {}, {}, {}
    for number in range(25):
        query = f"q{number}"
        chosen = rng.permutation(ids)[: rng.integers(1, 9)].tolist()
        grades[query] = {id: float(rng.integers(1, 4)) for id in chosen}
        truths[query] = tuple(chosen)
        order = rng.permutation(ids)[:40].tolist()
        scores = np.sort(rng.random(40))[::-1].astype(np.float32)
        rankings[Key(query)] = Ranking(order, scores)
        qrels[query] = {id: int(grade) for id, grade in grades[query].items()}
        runs[query] = dict(zip(order, scores.tolist(), strict=True))
    on = bench(truths, grades=grades, galleries={"": tuple(ids)})
    theirs = pytrec_eval.RelevanceEvaluator(
        qrels, {"map_cut.5,10", "recip_rank", "ndcg_cut.5,10", "recall.5,10", "success.5,10"}
    ).evaluate(runs)
    judged = judge_run(Run(method="toy", rankings=rankings), on)
    pairs = {
        "map_cut_5": MAP(over="truths") @ 5,
        "map_cut_10": MAP(over="truths") @ 10,
        "recip_rank": MRR,
        "ndcg_cut_5": NDCG @ 5,
        "ndcg_cut_10": NDCG @ 10,
        "recall_5": Recall(of="all") @ 5,
        "recall_10": Recall(of="all") @ 10,
        "success_5": Recall(of="any") @ 5,
        "success_10": Recall(of="any") @ 10,
    }
    for name, ours in pairs.items():
        np.testing.assert_allclose(ours.each(judged), [theirs[query][name] for query in truths], err_msg=name)


def test_default_measures_are_plain_recall() -> None:
    assert list(measure(ranked(p="ab"), bench({"p": "a"})).measures) == [
        f"Recall @ {k}" for k in (1, 5, 10, 50)
    ]
    assert parse_measures(["MRR", "MRR"]) == (MRR,)


def test_a_run_with_one_wording_is_not_measured_on_several() -> None:
    on = bench({"p": "a"}, wordings={"p": ("one", "two")})
    with pytest.raises(DataError, match="ranks every query once, and toy is asked in several wordings"):
        judge_run(ranked(p="ab"), on)
