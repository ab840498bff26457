"""A query as clauses: what is asked, how much each counts, and what checking them gives."""

import numpy as np
import pytest

from circlet.core import Gallery, Query, Turn
from circlet.models import load_method
from circlet.models.scorers.checked import Checked, to_check
from circlet.models.scorers.clauses import Checks, Clause, clauses_of
from circlet.models.scorers.untrained import UntrainedClauses


def asked(**turn) -> Query:
    return Query("q", (Turn(**turn),))


def said(query: Query) -> list[str]:
    return [str(clause) for clause in clauses_of(query)]


def test_a_picture_with_words_asks_for_its_subject_and_for_every_edit() -> None:
    query = asked(picture="p/dog.jpg", text="at night, without the people", without=("cars",))
    assert said(query) == ["as in dog.jpg", "at night", "no people", "no cars"]
    assert said(asked(text="a dog")) == ["dog"]
    assert said(asked(picture="dog.jpg", text="the same")) == ["as in dog.jpg"]


def test_the_subject_counts_little_where_another_thing_takes_its_place() -> None:
    kept, gone = (
        clauses_of(asked(picture="a", text="in the snow")),
        clauses_of(asked(picture="a", text="but a cat")),
    )
    assert kept[0].weight > 2 * gone[0].weight
    assert gone[1].weight > kept[1].weight


def test_every_turn_is_heard_and_the_last_picture_is_the_subject() -> None:
    query = Query("q") + Turn(picture="a", text="at night") + Turn(picture="b", text="without people")
    assert said(query) == ["as in b", "at night", "no people"]


def test_balance_and_emphasis_are_weights() -> None:
    words = clauses_of(asked(picture="a", text="at night", balance=0.0))
    assert [clause.weight > 0 for clause in words] == [False, True]
    plain, loud = (
        clauses_of(asked(picture="a", text="at night", emphasis=more)) for more in ((), (("night", 3.0),))
    )
    assert loud[1].weight == pytest.approx(3 * plain[1].weight)


def test_what_was_not_checked_counts_as_neither() -> None:
    two = (Clause("add", "hat"), Clause("count", "two dogs"))
    nan = np.array([[0.2, 0.8], [np.nan, np.nan]], np.float32)
    np.testing.assert_allclose(Checks(two, nan).scores(), [0.2, 0.8], rtol=1e-5)
    assert Checks((), np.zeros((0, 3), np.float32)).scores().tolist() == [0, 0, 0]


def test_one_minus_a_probability_is_a_negation(toy, album: Gallery) -> None:
    query = asked(picture="beach people", text="without people")
    checks = UntrainedClauses(toy).check(query, album.ids, album)
    away = dict(zip(album.ids, checks.probabilities[1], strict=True))
    assert away["beach"] > 0.5 > away["beach people"]


def test_what_an_encoder_cannot_see_is_not_checked(toy, album: Gallery) -> None:
    checks = UntrainedClauses(toy).check(asked(picture="dog", text="two dogs, zoomed in"), album.ids, album)
    assert np.isnan(checks.probabilities[1:]).all()
    assert not np.isnan(checks.probabilities[0]).any()


@pytest.mark.parametrize(
    ("picture", "text", "found"),
    [
        ("beach", "at night", "beach night"),
        ("beach night people", "without the people", "beach night"),
        ("dog red", "in blue", "dog blue"),
        ("dog red", "but a cat", "cat"),
    ],
)
def test_the_default_keeps_the_subject_and_hears_the_change(toy, album, picture, text, found) -> None:
    ranking = load_method("default", toy).rank(
        [asked(picture=picture, text=text)], album, exclude=[[picture]]
    )
    assert ranking[0].ids[0] == found


def test_one_half_alone_is_the_methods_own(toy, album: Gallery) -> None:
    for query in (
        asked(text="beach without people"),
        asked(picture="dog"),
        asked(picture="dog", liked=("cat",)),
    ):
        assert not to_check(query)
        default, edits = (load_method(name, toy).rank([query], album)[0] for name in ("default", "edits"))
        assert default == edits


def test_candidates_after_those_checked_stay_in_order_below_them(toy, album: Gallery) -> None:
    inner = load_method("balanced", toy)
    query = asked(picture="beach", text="at night")
    found = Checked(inner, UntrainedClauses(toy), checked=5).rank([query], album, top=14)[0]
    plain = inner.rank([query], album, top=14)[0]
    assert set(found.ids[:5]) == set(plain.ids[:5])
    assert found.ids[5:] == plain.ids[5:]
    assert (np.diff(found.scores) <= 0).all()
    assert (
        Checked(inner, UntrainedClauses(toy), checked=5).rank([query], album, top=3)[0].ids == found.ids[:3]
    )


def test_clauses_rerank_in_an_expression(toy, album: Gallery) -> None:
    ranking = load_method("edits % 6 >> clauses", toy).rank([asked(picture="beach", text="at night")], album)[
        0
    ]
    assert len(ranking) == 6
    assert ranking.ids[0] in ("beach night", "beach night people")
