import pytest

from circlet.core import Benchmark, Query, Turn, cases_of
from circlet.data import load_benchmark
from circlet.data.analysis import stats, texts_of
from circlet.language.tagging import tagged
from tests.data.shared import real


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("remove the chair", "verb other noun"),
        ("the show", "other noun"),
        ("is darker and longer", "verb adjective other adjective"),
        ("two dogs are sitting quickly", "other noun verb verb adverb"),
        ("a sleeveless floral dress", "other adjective adjective noun"),
    ],
)
def test_word_classes_by_hand(text: str, classes: str) -> None:
    assert [kind for _, kind in tagged(text)] == classes.split()


def test_sessions_are_counted_by_length() -> None:
    turns = {"a": 2, "b": 2, "c": 5}
    bench = Benchmark(
        name="toy",
        split="val",
        cases=cases_of(tuple(Query(id, (Turn(text="add a dog"),) * amount) for id, amount in turns.items())),
        galleries={},
    )
    found = stats(bench)
    assert found.turns == {2: 2, 5: 1}
    assert found.mean_turns == 3
    assert (found.texts, found.words, found.vocabulary) == (9, 27, 3)
    assert found.type_token == pytest.approx(3 / 27)


def test_both_captions_of_a_pair_are_texts_of_their_own() -> None:
    bench = Benchmark(
        name="toy",
        split="val",
        cases=cases_of(
            (Query("1", (Turn(text="is red and is long"),)),),
            notes={"1": {"captions": ["is red", " is long "]}},
        ),
        galleries={},
    )
    assert texts_of(bench) == ["is red", "is long"]


def test_cirr_is_as_the_paper_says() -> None:
    found = stats(load_benchmark(f"cirr:{real('cirr')}"))
    # The paper prints 11.3 words over all splits, and for val 72, 68, 49 and 65 per cent of pairs.
    assert found.length == pytest.approx(11.3, abs=0.5)
    assert list(found.auxiliary) == ["Q1", "Q2", "Q3", "Q4"]
    assert list(found.auxiliary.values()) == pytest.approx([72, 68, 49, 65], abs=7)
    assert found.aspects["statement_with_conjunction"] == pytest.approx(43.7, abs=5)
    assert sum(found.classes.values()) == pytest.approx(100)
    assert found.classes["noun"] > found.classes["verb"] > found.classes["adverb"]


def test_fashioniq_captions_are_shorter() -> None:
    assert stats(load_benchmark(f"fashioniq:{real('fashioniq')}")).length == pytest.approx(5.3, abs=0.2)
