"""A belief: the equation recomputed by hand, what a change of mind does, and what nobody was shown."""

import math

import numpy as np
import pytest

from circlet.core import Composer, Gallery, Pictures, Query, Turn, UsageError, Vectors, unit
from circlet.dialogue import Belief, Session, Weighted, explain, with_history
from circlet.models import load_method
from circlet.testing import ToyEncoder


class Looks(Composer):
    """A turn is its picture."""

    fingerprint = "toy:looks"

    def turns(self, turns: "list[Turn]", pictures: Pictures) -> Vectors:  # type: ignore[override]
        return pictures.vectors_of([turn.picture or "p0" for turn in turns])


@pytest.fixture
def gallery() -> Gallery:
    rows = unit(np.random.default_rng(3).normal(size=(40, 6)))
    return Gallery([f"p{row}" for row in range(40)], rows, "toy:looks")


def by_hand(query: Query, gallery: Gallery) -> list[float]:
    """log b(z) of two turns, each term written out."""
    vector = {id: gallery.vectors[row].astype(float) for row, id in enumerate(gallery.ids)}
    first, second = query.turns
    told = 0.8 * vector[str(first.picture)] + vector[str(second.picture)]
    told /= np.linalg.norm(told)
    spread = np.std([told @ row for row in vector.values()])
    cosines = [a @ b for x, a in vector.items() for y, b in vector.items() if x != y]
    apart = np.std(cosines)
    believed = []
    for row in vector.values():
        shown = [math.exp(row @ vector[id] / apart) for id in second.shown]
        pick = math.exp(row @ vector[str(second.picture)] / apart) / sum(shown)
        believed.append(row @ told / spread + math.log(pick * len(shown)))
    return believed


def test_the_equation(gallery: Gallery) -> None:
    query = Query("q", (Turn(picture="p1"), Turn(picture="p5", shown=("p3", "p4", "p5", "p6"))))
    scores = Belief(Looks()).scores([query], gallery)[0]
    np.testing.assert_allclose(scores, by_hand(query, gallery), rtol=1e-4, atol=1e-4)


def test_many_queries_at_once_and_in_small_blocks_are_believed_alike(
    gallery: Gallery, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = tuple(f"p{row}" for row in range(10, 20))
    queries = [
        Query(f"q{at}", (Turn(picture="p1"), Turn(picture=f"p{at}", shown=shown), Turn(picture="p2")))
        for at in range(10, 20)
    ]
    method = Belief(Looks())
    alone = np.concatenate([method.scores([query], gallery) for query in queries])
    np.testing.assert_allclose(method.scores(queries, gallery), alone, rtol=1e-5)
    monkeypatch.setattr("circlet.dialogue.belief._BLOCK", 1)
    np.testing.assert_allclose(method.scores(queries, gallery), alone, rtol=1e-5)


def test_what_was_passed_over_sinks_and_what_is_like_the_pick_rises(gallery: Gallery) -> None:
    shown = ("p3", "p4", "p5")
    before = Belief(Looks()).scores([Query("q", (Turn(picture="p1"),))], gallery)[0]
    after = Belief(Looks()).scores(
        [Query("q", (Turn(picture="p1"), Turn(liked=("p5",), shown=shown)))], gallery
    )
    moved = after[0] - before
    likeness = gallery.vectors @ gallery.vectors_of(["p5"])[0]
    assert moved[5] == moved.max()
    assert np.corrcoef(moved, likeness)[0, 1] > 0.5
    # A dislike is the same evidence the other way round.
    turned = Query("q", (Turn(picture="p1"), Turn(disliked=("p5",), shown=shown)))
    np.testing.assert_allclose(Belief(Looks()).scores([turned], gallery)[0] - before, -moved, atol=1e-4)


def test_marks_without_what_was_shown_count_too(gallery: Gallery) -> None:
    plain = Query("q", (Turn(picture="p1"),))
    before = Belief(Looks()).scores([plain], gallery)[0]
    liked = Belief(Looks()).scores([plain + Turn(liked=("p7",), disliked=("p8",))], gallery)[0] - before
    assert liked[7] > 0 > liked[8]


def test_without_what_was_shown_turns_of_pictures_join_as_weighted_ones_do(gallery: Gallery) -> None:
    query = Query("q", (Turn(picture="p1"), Turn(picture="p2"), Turn(picture="p3")))
    belief = Belief(Looks()).rank([query], gallery, top=40)[0].ids
    assert belief == Weighted(Looks()).rank([query], gallery, top=40)[0].ids


def test_parts_add_up_to_the_score(gallery: Gallery) -> None:
    query = Query("q", (Turn(picture="p1", liked=("p9",)), Turn(picture="p5", shown=("p3", "p5"))))
    method = Belief(Looks())
    told = explain(method, query, gallery)
    np.testing.assert_allclose(
        [one.score for one in told], method.scores([query], gallery)[0], rtol=1e-4, atol=1e-4
    )
    assert {(part.kind, part.what, part.turn) for part in told[0].parts} >= {
        ("liked", "p5", 2),
        ("liked", "p9", 1),
    }


def test_a_change_of_mind_is_heard(album: Gallery) -> None:
    method = with_history(load_method("sum", ToyEncoder()), "belief")
    session = Session.over(method, album).say("a dog in red").say("make it blue")
    assert "blue" in session.results.ids[0]
    picked = Session.over(method, album).say("a dog").pick("dog")
    assert "dog" in picked.results.ids[0]
    # Which dog was picked says nothing about cats.
    assert "cat" in picked.say("but a cat").results.ids[0]
    assert "cat" in Session.over(method, album).say("a dog").pick("dog", "but a cat").results.ids[0]


def test_a_temperature_is_above_zero() -> None:
    with pytest.raises(UsageError, match="picked is above 0, not 0"):
        Belief(Looks(), picked=0)


def test_in_a_large_gallery_those_that_a_search_finds_are_believed_alike(
    gallery: Gallery, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = tuple(f"p{row}" for row in range(10, 16))
    queries = [
        Query(f"q{at}", (Turn(picture="p1"), Turn(picture=f"p{at}", shown=shown))) for at in range(10, 16)
    ]
    method, gone = Belief(Looks()), [("p1", query.last.picture or "") for query in queries]
    exact = method.rank(queries, gallery, top=8, exclude=gone)
    monkeypatch.setattr("circlet.dialogue.belief._WHOLE", 10)
    monkeypatch.setattr("circlet.dialogue.belief._SHORT", 40)
    for one, other in zip(method.rank(queries, gallery, top=8, exclude=gone), exact, strict=True):
        assert one.ids == other.ids
        np.testing.assert_allclose(one.scores, other.scores, rtol=1e-4)
    # Of a quarter of the gallery, the vector's best, hardly any of the first are missed.
    monkeypatch.setattr("circlet.dialogue.belief._SHORT", 10)
    short = method.rank(queries, gallery, top=8, exclude=gone)
    kept = [len(set(one.ids) & set(other.ids)) for one, other in zip(short, exact, strict=True)]
    assert np.mean(kept) > 6
