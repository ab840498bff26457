"""circlet's measures through the real `ir_measures`, beside its own where they mean the same."""

import numpy as np
import pytest

from circlet.evaluate.provider import register

ir_measures = pytest.importorskip("ir_measures")


def judged(seed: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Ten queries over thirty documents, no two scores alike."""
    random = np.random.default_rng(seed)
    docs = [f"d{number}" for number in range(30)]
    qrels, run = {}, {}
    for query in range(10):
        some = random.choice(30, 8, replace=False)
        grades = random.permutation([3, 2, 2, 1, 0, 0, 0, 0])
        qrels[f"q{query}"] = {docs[at]: int(grade) for at, grade in zip(some, grades, strict=True)}
        scores = random.permutation(30) / 30
        run[f"q{query}"] = {doc: float(score) for doc, score in zip(docs, scores, strict=True)}
    return qrels, run


@pytest.mark.parametrize("seed", range(5))
def test_they_equal_those_of_others_where_the_definition_is_the_same(seed: int) -> None:
    ours = register()
    qrels, run = judged(seed)
    pairs = [(ours["CirMRR"], ir_measures.RR), (ours["CirNDCG"] @ 10, ir_measures.nDCG @ 10)]
    for one, other in pairs:
        mine = {found.query_id: found.value for found in ir_measures.iter_calc([one], qrels, run)}
        theirs = {found.query_id: found.value for found in ir_measures.iter_calc([other], qrels, run)}
        assert mine == pytest.approx(theirs, abs=1e-9)
    every = {found.query_id: found.value for found in ir_measures.iter_calc([ours["CirMAP"] @ 3], qrels, run)}
    plain = {found.query_id: found.value for found in ir_measures.iter_calc([ir_measures.AP @ 3], qrels, run)}
    # Four truths and K = 3: theirs is divided by four, ours by three.
    assert every == pytest.approx({query: value * 4 / 3 for query, value in plain.items()}, abs=1e-9)


def test_the_target_is_the_most_relevant_and_a_tie_counts_against_it() -> None:
    ours = register()
    recall = ours["CirRecall"] @ 1
    qrels = {"q": {"a": 2, "b": 1}, "r": {"a": 1}, "s": {"a": 1}}
    run = {"q": {"b": 0.9, "a": 0.5}, "r": {"a": 0.5, "b": 0.5}, "t": {"a": 1.0}}
    found = {one.query_id: one.value for one in ir_measures.iter_calc([recall], qrels, run)}
    assert found == {"q": 0, "r": 0, "s": 0}, "what was not run scores zero, what was not judged is left out"
    assert ir_measures.calc_aggregate([recall], qrels, run | {"q": {"a": 1.0}}) == {
        recall: pytest.approx(1 / 3)
    }


def test_they_are_read_from_text_and_told_by_the_provider_itself() -> None:
    register()
    assert register().keys() == {"CirRecall", "CirMAP", "CirMRR", "CirNDCG"}, "registered once"
    read = ir_measures.parse_measure("CirRecall@5")
    qrels, run = judged(1)
    provider = ir_measures.providers.registry["circlet"]
    assert provider.supports(read)
    assert not provider.supports(ir_measures.nDCG @ 5)
    assert provider.calc_aggregate([read], qrels, run) == ir_measures.calc_aggregate([read], qrels, run)
    with pytest.raises(AssertionError, match="invalid param cutoff"):
        ir_measures.calc_aggregate([ir_measures.parse_measure("CirMAP")], qrels, run)
