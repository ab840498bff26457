"""Anybody's features measured: the same numbers as by hand, on CIRR's own annotations too."""

from dataclasses import replace

import numpy as np
import pytest

from circlet.core import Benchmark, DataError, Gallery, Key, Query, Turn, cases_of, unit
from circlet.data import load_benchmark
from circlet.evaluate import MRR, Recall, SubsetRecall, measure
from circlet.evaluate.features import survey_features
from circlet.evaluate.files.npz import GivenFeatures
from tests.data.shared import real


def given(queries: dict[Key, list[float]], pictures: str = "abc") -> GivenFeatures:
    vectors = np.array(list(queries.values()), np.float32)
    return GivenFeatures(
        "mine",
        Gallery(pictures, np.eye(3, dtype=np.float32)[: len(pictures)], "features:1"),
        {key: row for row, key in enumerate(queries)},
        vectors,
        scaled=False,
    )


def bench() -> Benchmark:
    cases = cases_of(
        (Query("p", (Turn(picture="a", text="x"),)), Query("q", (Turn(picture="b", text="y"),))),
        truths={"p": ("b",), "q": ("c",)},
        exclusions={"p": ("a",), "q": ("b",)},
    )
    return Benchmark(name="toy", split="val", cases=cases, galleries={"": ("a", "b", "c")})


def test_ranks_and_what_is_not_there() -> None:
    judged, run = survey_features(given({Key("p"): [0.9, 0.8, 0.1]}), bench())
    result = measure(judged, bench(), [Recall @ 1, MRR])
    assert result.measures == {"Recall @ 1": 50.0, "MRR": 50.0}
    assert result.remarks == ("1 of 2 queries have no vector in the features and score zero",)
    assert run.rankings[Key("p")].ids == ("b", "c")
    assert run.rankings[Key("q")].ids == ()
    assert (run.method, run.fingerprint) == ("mine", "features:1")


def test_other_names_are_told_where_nothing_is_known() -> None:
    with pytest.raises(DataError, match=r"the first of them a \(theirs are called like x\); add them"):
        survey_features(given({Key("p"): [0, 1, 0]}, "xyz"), bench())


def test_pictures_without_a_vector_are_named_or_left_out() -> None:
    few = given({Key("p"): [0, 1, 0], Key("q"): [0, 0, 1]}, "ab")
    with pytest.raises(
        DataError, match="1 of 3 pictures have no vector in the features, the first of them c"
    ):
        survey_features(few, bench())
    judged, _ = survey_features(few, bench(), allow_missing=True)
    assert (judged.coverage, [query.id for query in judged.benchmark.queries]) == (0.5, ["p"])


def test_wordings_and_turns_are_asked_apart() -> None:
    two = replace(bench(), cases=tuple(replace(case, wordings=("x", "z")) for case in bench().cases))
    answers = {Key("p"): [0, 1, 0], Key("p", 1, 1): [0, 0, 1], Key("q"): [0, 0, 1], Key("q", 1, 1): [1, 0, 0]}
    judged, _ = survey_features(given(answers), two)
    assert (Recall @ 1).each(judged).tolist() == [0.5, 0.5]
    with pytest.raises(DataError, match="the features answer every query once, and toy is asked in several"):
        survey_features(given({Key("p"): [0, 1, 0]}), two)
    with pytest.raises(DataError, match="the features answer query z, which toy val does not have"):
        survey_features(given({Key("z"): [0, 1, 0]}), two)


def test_cirr_by_hand() -> None:
    on = load_benchmark(f"cirr:{real('cirr')}")
    rng = np.random.default_rng(0)
    ids = on.galleries[""]
    place = {id: row for row, id in enumerate(ids)}
    pictures = unit(rng.standard_normal((len(ids), 16)))
    # Near their targets, so that the numbers are neither 0 nor 100.
    targets = np.array([place[case.truths[0]] for case in on.cases])
    asked = unit(pictures[targets] + 0.3 * rng.standard_normal((len(on), 16)))
    features = GivenFeatures(
        "mine", Gallery(ids, pictures, "f:1"), {Key(q.id): n for n, q in enumerate(on.queries)}, asked, False
    )
    judged, _ = survey_features(features, on, top=0)
    hits, inside = [], []
    for row, case in enumerate(on.cases):
        scores = pictures @ asked[row]
        scores[place[case.query.last.picture or ""]] = -9
        own = scores[targets[row]]
        hits.append((scores >= own).sum() <= 5)
        inside.append(sum(scores[place[id]] >= own for id in case.members) <= 1)
    assert (Recall @ 5).value(judged) == pytest.approx(100 * np.mean(hits), abs=0.05)
    assert (SubsetRecall @ 1).value(judged) == pytest.approx(100 * np.mean(inside), abs=0.05)
    assert 20 < (Recall @ 5).value(judged) < 90
