"""Reranked searches: how likely each result answers, and what is said where nothing does."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.collection.colours import Colours

from circlet.collection import Collection, Results, SearchOptions
from circlet.collection.checking import UNTRAINED
from circlet.collection.results import RELEVANT
from circlet.core import Query, Turn, UsageError
from circlet.testing import ToyScorer


def names(found: Results) -> list[str]:
    return [Path(id).name for id in found.ids]


@pytest.fixture
def scorer() -> ToyScorer:
    return ToyScorer(Colours(), even=0.7)


def test_the_best_of_the_method_come_in_the_scorers_order(collection: Collection, scorer: ToyScorer) -> None:
    plain = collection.search("green", method="image % 3 + text")
    found = collection.search("green", method="image % 3 + text", rerank=scorer)
    assert sorted(found.ids) == sorted(plain.ids)
    assert names(found)[:2] == ["green.png", "teal.png"]
    relevance = [hit.relevance or 0 for hit in found]
    likely = scorer.likely(np.array([hit.score for hit in found], np.float32))
    assert relevance == pytest.approx(list(likely))
    assert [hit.below for hit in found] == [value < RELEVANT for value in relevance]
    assert (found.cutoff, found.relevance_cutoff, found.matched, found.missed) == (None, RELEVANT, True, None)
    assert [hit.relevance for hit in plain] == [None] * len(plain)
    assert plain.relevance_cutoff is None
    assert found.to_dict()["results"][0]["relevance"] == relevance[0]


def test_it_is_the_pipeline_that_a_method_can_be_written_as(collection: Collection, shades: Path) -> None:
    asked = (shades / "cold/teal.png", "blue, without green")
    by_option = collection.search(*asked, method="edits", rerank="clauses")
    by_hand = collection.search(*asked, method="edits % 100 >> clauses")
    assert [(hit.path, hit.score) for hit in by_option] == [(hit.path, hit.score) for hit in by_hand]


def test_a_history_is_heard_by_the_method_and_by_the_scorer(
    collection: Collection, scorer: ToyScorer
) -> None:
    session = collection.session(rerank=scorer).say("red").say("blue", instead=False)
    assert len(session.query.turns) == 2
    method = collection.method(SearchOptions(rerank=scorer), session.query)
    assert "Belief(" in repr(method)
    assert repr(method).endswith(f"% 100 >> {scorer!r}")
    first = session.results.hits[0]
    assert first.relevance is not None
    [whole] = scorer.score([session.query], [[first.path]], collection.store.space("colours:1"))
    assert first.score == pytest.approx(float(whole[0]))


def test_nothing_matches_and_the_reason_is_said(collection: Collection, shades: Path) -> None:
    sure = ToyScorer(Colours(), even=1.5)
    found = collection.search(shades / "cold/teal.png", "blue, without green", rerank=sure)
    assert not found.matched
    assert found.missed is not None
    assert found.missed.relevance == found.hits[0].relevance
    assert found.missed.worst is None, "all that was asked holds: none of it is the reason"
    assert str(found.missed) == "the best result has a relevance of 1 %"
    later = collection.find(found.query, rerank=sure, start=2)
    assert later.missed == found.missed, "it is about the best, whichever page is seen"
    assert found.to_dict()["missed"]["relevance"] == found.missed.relevance


def test_what_holds_least_is_blamed(collection: Collection, shades: Path) -> None:
    sure = ToyScorer(Colours(), even=1.5)
    found = collection.search(shades / "cold/teal.png", "purple, without blue, without green", rerank=sure)
    assert found.missed is not None
    [checks] = collection.checks(found.query, [found.ids[0]])
    worst = min(checks, key=lambda one: one.probability or 0)
    assert found.missed.worst == worst
    assert worst.probability is not None
    assert worst.probability < 0.5
    assert str(found.missed).startswith(f"the best result has a relevance of 1 %, and “{worst.clause}” holds")


def test_without_words_no_clause_is_blamed(collection: Collection) -> None:
    found = collection.find(Query("q") + Turn(text="red"), rerank=ToyScorer(Colours(), even=1.5))
    assert found.missed is not None
    assert str(replace(found.missed, worst=None)) == "the best result has a relevance of 1 %"


def test_likes_alone_are_left_to_the_method(collection: Collection, shades: Path, scorer: ToyScorer) -> None:
    liked = Query("q") + Turn(liked=(str(shades / "warm/red.png"),))
    found = collection.find(liked, rerank=scorer)
    assert found.ids == collection.find(liked).ids
    assert {hit.relevance for hit in found} == {None}
    assert found.notes == ()
    said = collection.find(liked + Turn(text="green"), rerank=scorer)
    assert names(said)[0] == "green.png"
    assert said.hits[0].relevance is not None


def test_what_has_no_probability_says_so(collection: Collection, shades: Path) -> None:
    found = collection.search(shades / "cold/teal.png", "blue", rerank="clauses")
    assert [hit.relevance for hit in found] == [None] * len(found)
    assert (found.notes, found.matched, found.relevance_cutoff) == ((UNTRAINED,), True, None)
    other = collection.search(shades / "cold/teal.png", "blue", rerank="text")
    assert other.notes == ("no percentage: none was fitted for text",)
    assert collection.search(shades / "cold/teal.png", "blue").notes == ()


def test_clauses_are_told_as_without_the_scorer(
    collection: Collection, shades: Path, scorer: ToyScorer
) -> None:
    query = Query("q") + Turn(picture=str(shades / "cold/teal.png"), text="blue; no green")
    found = collection.find(query, rerank=scorer)
    reranked = SearchOptions(rerank=scorer)
    assert collection.checks(query, found.ids, reranked) == collection.checks(query, found.ids)
    why = collection.why(query, found.ids[0], reranked)
    assert (why.relevance, why.by_clauses) == (pytest.approx(found.hits[0].relevance), False)
    assert why.score == pytest.approx(found.hits[0].score)
    assert collection.why(query, found.ids[0]).relevance is None
    assert collection.untrained(reranked) == UNTRAINED


def test_a_scorer_is_loaded_once(collection: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    before = ToyScorer.__init__

    def counted(self: ToyScorer, *given: object, **options: object) -> None:
        made.append(self)
        before(self, *given, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(ToyScorer, "__init__", counted)
    for method in ("default", "text", "sum"):
        for history in ("belief", "average"):
            collection.session(rerank="circlet.testing:ToyScorer", method=method, history=history).say("red")
            collection.search("red", rerank="circlet.testing:ToyScorer", method=method, history=history)
    assert len(made) == 1


@pytest.mark.parametrize(
    ("named", "says"),
    [
        ("lost/relevance", "lost/relevance is no checkpoint"),
        ("relevance", "no scorer 'relevance': name a folder that circlet train wrote, clauses"),
        ("", "is no checkpoint: it has no"),
        ("circlet.testing:Lost", "check the name behind the colon"),
    ],
)
def test_what_is_no_scorer_is_refused(collection: Collection, shades: Path, named: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        collection.search("red", rerank=named or str(shades / "cold"))
