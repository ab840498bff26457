"""Clauses that looking answers: what was counted and read, before what an encoder makes of the words."""

import json
from pathlib import Path

import numpy as np
import pytest

from circlet.core import Filters, Query, Turn
from circlet.core.marks import PEOPLE, TEXT, Mark
from circlet.index import Entry
from circlet.language.people import Heads
from circlet.models import load_method
from circlet.models.scorers.checked import Checked, ordered_by_clauses, seen_for
from circlet.models.scorers.clauses import Clause, clauses_of
from circlet.models.scorers.seen import likely_people, likely_written, narrowed
from circlet.models.scorers.untrained import UntrainedClauses
from circlet.testing import MemoryStore, ToyEncoder

HEADS = {"beach people": 2, "beach night people": 4, "dog": 1, "city people": 3}


def faces(number: int, height: float = 0.1, score: float = 0.9) -> Mark:
    return Mark("faces:1", number, detail=json.dumps([[score, height]] * number))


def lines(*texts: str, sure: float = 0.9) -> Mark:
    return Mark("text:1", len(texts), " ".join(texts), json.dumps([[text, sure] for text in texts]))


@pytest.fixture
def looked(toy: ToyEncoder, album, tmp_path: Path):
    """The album in a store, where people were counted in all pictures but one and text was read in two."""
    with MemoryStore.open(tmp_path / "looked", write=True) as store:
        store.add([Entry(id, 1, 1, id) for id in album.ids], album.vectors, album.fingerprint)
        store.mark(PEOPLE, {id: faces(HEADS.get(id, 0)) for id in album.ids if id != "night"})
        store.mark(TEXT, {"city": lines("no parking"), "dog": lines("n0 parkng"), "cat": lines()})
        yield store.space(album.fingerprint)


def best(looked, toy: ToyEncoder, count: int = 3, **turn) -> list[str]:
    query = Query("q", (Turn(**turn),))
    [ranking] = load_method("default", toy).rank([query], looked, top=count)
    return list(ranking.ids)


def test_people_are_counted_not_guessed(looked, toy) -> None:
    assert best(looked, toy, 1, text="two people") == ["beach people"]
    assert set(best(looked, toy, 2, text="a group")) == {"beach night people", "city people"}
    assert set(best(looked, toy, 14, text="nobody")[-4:]) == HEADS.keys()
    assert best(looked, toy, 1, text="a beach with two people") == ["beach people"]


def test_without_people_is_what_was_seen_beside_a_picture(looked, toy) -> None:
    assert best(looked, toy, 1, picture="beach people", text="without people") == ["beach"]
    assert best(looked, toy, 1, picture="city people", without=("people",)) == ["city"]


def test_what_is_written_is_looked_up(looked, toy) -> None:
    assert best(looked, toy, 1, text='"no parking"') == ["city"]
    # Letters that were nearly read come before pictures in which there is nothing to read.
    assert best(looked, toy, 2, text="a sign that says no parking") == ["city", "dog"]


def test_what_holds_is_found_though_the_method_finds_others_first(looked, toy) -> None:
    method = load_method("default", toy)
    assert isinstance(method, Checked)
    method = Checked(method.method, method.scorer, checked=2)
    [ranking] = method.rank([Query("q", (Turn(text="a cat with two people"),))], looked, top=14)
    assert ranking.ids[0] == "beach people"
    assert len(set(ranking.ids)) == len(ranking.ids) == 14
    assert all(np.diff(ranking.scores) <= 0)


def test_what_is_left_out_and_filtered_stays_out(looked, toy) -> None:
    query = Query("q", (Turn(text="two people"),))
    [ranking] = load_method("default", toy).rank([query], looked, top=14, exclude=[["beach people"]])
    assert "beach people" not in ranking.ids


def test_the_probabilities_say_what_was_seen_and_what_was_not_looked_at(looked, toy) -> None:
    query = Query("q", (Turn(picture="dog", text="two people, at night"),))
    ids = ["beach people", "dog", "night"]
    checks = UntrainedClauses(toy).judged(query, ids, looked)
    at = [clause.what for clause in checks.clauses].index("two people")
    two, one, unknown = checks.probabilities[at].tolist()
    assert two > 0.9 > 0.1 > one
    assert np.isnan(unknown)
    assert not np.isnan(checks.scores()).any()
    assert checks.clauses[at].weight > clauses_of(query)[at].weight


def test_a_query_that_asks_for_nothing_of_the_kind_is_not_touched(looked, toy, album) -> None:
    for turn in (Turn(text="a dog"), Turn(picture="beach"), Turn(picture="beach", text="at night")):
        query = Query("q", (turn,))
        assert seen_for(query, looked) == []
        [with_marks] = load_method("default", toy).rank([query], looked, top=14)
        [without] = load_method("default", toy).rank([query], album, top=14)
        assert with_marks.ids == without.ids
    people = Query("q", (Turn(text="two people"),))
    assert (seen_for(people, looked), seen_for(people, album)) == ([PEOPLE], [])
    assert ordered_by_clauses(load_method("default", toy), people, looked)
    assert not ordered_by_clauses(load_method("default", toy), people, album)


def test_the_more_it_looks_like_a_face_the_likelier_it_is_one() -> None:
    unsure = Mark("faces:1", 1, detail="[[0.9, 0.3], [0.45, 0.1]]")
    one, two = (likely_people(Heads(n, n), unsure) for n in (1, 2))
    assert one > two > 0.1
    assert likely_people(Heads(1), faces(0)) == 0
    assert 0.9 < likely_people(Heads(0, 0), faces(0)) < 1


def test_a_portrait_is_one_large_face() -> None:
    portrait = Heads(1, 1, portrait=True)
    assert likely_people(portrait, faces(1, 0.3)) > 0.9
    assert likely_people(portrait, faces(1, 0.08)) < 0.1
    assert likely_people(portrait, faces(2, 0.3)) < 0.1
    assert likely_people(portrait, faces(0)) == 0


def test_words_letters_within_words_and_nearly_the_words() -> None:
    says = Clause("written", "no parking")
    whole, within, nearly, other = (
        likely_written(says, lines(text))
        for text in ("sorry no parking here", "noparking", "no parkng", "stop")
    )
    assert whole > within > nearly > 0.5 > other
    assert likely_written(Clause("written", "stop", absent=True), lines("stop")) < 0.2
    assert likely_written(Clause("remove", "text", absent=True), lines()) > 0.9
    assert likely_written(Clause("remove", "text", absent=True), lines("stop")) < 0.1
    # Two lines of a sign are one thing to read.
    assert likely_written(says, lines("no", "parking")) == pytest.approx(0.9)


def test_what_is_seen_to_hold_narrows() -> None:
    clauses = (Clause("count", "two people"), Clause("written", "Stop!"), Clause("add", "a hat"))
    kinds = [PEOPLE, TEXT]
    assert narrowed(clauses, Filters(folder="/p"), kinds) == Filters(
        folder="/p", people=(2, 2), written="stop"
    )
    assert narrowed(clauses, None, [TEXT]) == Filters(written="stop")
    assert narrowed(clauses[2:], Filters(folder="/p"), kinds) is None
    away = Clause("remove", "people", absent=True)
    assert narrowed([away], None, kinds) == Filters(people=(0, 0))
