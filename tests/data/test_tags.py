"""Aspects of datasets whose files name none: by the tagger, or by a list of query ids."""

from pathlib import Path

import pytest

from circlet.core import Case, DataError, Key, Query, Ranking, Run, Turn
from circlet.data import load_benchmark, write_benchmark
from circlet.data.analysis import coverage
from circlet.data.tags import texts_of_case
from circlet.evaluate import measure
from circlet.evaluate.measures.parse import parse_measures
from circlet.language import Aspect
from tests.data.shared import real

NAMES = tuple(map(str, Aspect))


def _perfect_where(benchmark, found) -> Run:  # type: ignore[no-untyped-def]
    """A run that finds the targets of these cases and of no other."""
    rankings = {}
    for case in benchmark.cases:
        wrong = next(id for id in benchmark.gallery_of(case.id) if id not in (case.target, *case.exclude))
        ids = (case.target, wrong) if found(case) else (wrong, case.target)
        rankings[Key(case.id)] = Ranking(ids, [2, 1])
    return Run(method="toy", rankings=rankings)


def test_cirr_has_the_aspects_that_stats_counts() -> None:
    benchmark = load_benchmark(f"cirr:{real('cirr')}")
    shares = coverage([case.query.last.text for case in benchmark.cases])
    for name in NAMES:
        assert 100 * sum(benchmark.showing(name)) / len(benchmark) == pytest.approx(shares[name])
    # Another name of an aspect is the same aspect.
    assert benchmark.showing("background") == benchmark.showing("spatial_relations_background")


def test_a_measure_within_an_aspect_of_cirr() -> None:
    benchmark = load_benchmark(f"cirr:{real('cirr')}")
    negated = dict(zip((case.id for case in benchmark.cases), benchmark.showing("negation"), strict=True))
    run = _perfect_where(benchmark, lambda case: not negated[case.id])
    row = measure(run, benchmark, parse_measures(["Within('negation', Recall @ 1)", "Recall @ 1"]))
    assert row.measures["Within('negation', Recall @ 1)"] == 0
    assert row.measures["Recall @ 1"] == pytest.approx(100 * (1 - sum(negated.values()) / len(negated)))
    assert any(
        remark.startswith(f"negation: {sum(negated.values())} of 4181 queries, as the tagger")
        for remark in row.remarks
    )


def test_a_pair_of_fashioniq_shows_what_either_caption_shows() -> None:
    benchmark = load_benchmark(f"fashioniq:{real('fashioniq')}")
    joined = sum(benchmark.showing("statement_with_conjunction")) / len(benchmark)
    assert 0.3 < joined < 0.9, "two captions joined by circlet are no statement with a conjunction"
    assert sum(benchmark.showing("dress")) == 2017
    row = measure(
        _perfect_where(load_benchmark(f"fashioniq:{real('fashioniq')}?captions=joined"), lambda case: True),
        load_benchmark(f"fashioniq:{real('fashioniq')}?captions=joined"),
        parse_measures(["Within('comparative_statement', Recall @ 1)"]),
    )
    assert list(row.measures.values()) == [100]


def test_each_caption_of_a_pair_is_heard_by_itself() -> None:
    notes = {"captions": ["is red", "has no sleeves"]}
    each = Case(query=Query("1", (Turn(text="has no sleeves"),)), notes=notes)
    assert texts_of_case(each) == ["has no sleeves"]
    both = Case(query=Query("1", (Turn(text="is red and has no sleeves"),)), notes=notes)
    assert texts_of_case(both) == ["is red", "has no sleeves"]


@pytest.fixture
def toy(tmp_path: Path) -> str:
    from circlet.core import Benchmark

    texts = {"1": "no dog", "2": "two dogs", "3": "a cat"}
    cases = tuple(
        Case(query=Query(id, (Turn(picture="a", text=text),)), truths=("b",)) for id, text in texts.items()
    )
    benchmark = Benchmark(name="toy", split="val", galleries={"": ("a", "b", "c")}, cases=cases)
    return str(write_benchmark(benchmark, tmp_path / "toy.jsonl"))


@pytest.mark.parametrize(
    ("name", "content", "aspect"),
    [
        ("negation.txt", "2  # checked by hand\n\n3\n", "negation"),
        ("negation.json", "[2, 3]", "negation"),
        ("any.json", '{"background": ["2", "3"]}', "spatial_relations_background"),
        ("hard.txt", "2\n3", "hard"),
    ],
)
def test_a_list_of_ids_says_who_shows_an_aspect(
    toy: str, tmp_path: Path, name: str, content: str, aspect: str
) -> None:
    (tmp_path / name).write_text(content)
    benchmark = load_benchmark(f"{toy}?aspects={tmp_path / name}")
    assert benchmark.showing(aspect) == [False, True, True]
    assert benchmark.showing("cardinality") == [False, True, False], "the others stay the tagger's"
    assert benchmark.told(aspect) == f"as {name} lists it"
    assert benchmark.header() == load_benchmark(toy).header(), "what is ranked is the same"


def test_a_list_that_fits_nothing_is_refused(toy: str, tmp_path: Path) -> None:
    (tmp_path / "negation.txt").write_text("2\n77\n")
    with pytest.raises(
        DataError, match=r"1 of 2 ids under negation are no query of toy val \(the first: 77\)"
    ):
        load_benchmark(f"{toy}?aspects={tmp_path / 'negation.txt'}")
    (tmp_path / "negation.txt").write_text("\n")
    with pytest.raises(DataError, match="write one id a line"):
        load_benchmark(f"{toy}?aspects={tmp_path / 'negation.txt'}")


def test_an_aspect_that_is_none_lists_those_there_are(toy: str) -> None:
    run = Run(method="toy", rankings={Key("1"): Ranking(("b",), [1])})
    with pytest.raises(DataError, match="no query of the group or aspect 'shiny'; there is addition, card"):
        measure(run, load_benchmark(toy), parse_measures(["Within('shiny', Recall @ 1)"]))


def test_aspects_of_annotators_are_not_told_again() -> None:
    benchmark = load_benchmark(f"circo:{real('circo')}")
    said = [("negation" in case.aspects) for case in benchmark.cases]
    assert benchmark.tagger is None
    assert benchmark.showing("negation") == said
