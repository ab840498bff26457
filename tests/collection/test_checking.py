"""Which clauses hold in which result, on an encoder that sees nothing but colour."""

from pathlib import Path

import pytest

from circlet.collection import Collection, SearchOptions
from circlet.core import Query, Turn


def test_each_clause_is_told_for_each_picture(collection: Collection, shades: Path) -> None:
    query = Query("q") + Turn(picture=str(shades / "cold/teal.png"), text="blue; three of them; no green")
    ids = [str(shades / "cold/blue.png"), str(shades / "cold/green.png")]
    blue, green = collection.checks(query, ids)
    assert [check.clause for check in blue] == ["as in teal.png", "in blue", "three", "no green"]
    assert [check.holds for check in blue[1:]] == [True, None, True]
    assert [check.holds for check in green[1:]] == [False, None, False]
    assert blue[0].picture == str(shades / "cold/teal.png")
    assert collection.checks(query, []) == []


@pytest.mark.parametrize("method", ["default", "edits % 5 >> clauses"])
@pytest.mark.parametrize("words", ["blue", "but a blue thing", "no red"])
def test_one_picture_is_told_the_same_as_on_a_page(
    collection: Collection, shades: Path, method: str, words: str
) -> None:
    options = SearchOptions(method=method)
    results = collection.search(shades / "cold/teal.png", words, options=options)
    page = collection.checks(results.query, results.ids, options)
    assert [collection.checks(results.query, [id], options)[0] for id in results.ids] == page
    for hit in results.checked(page):
        why = collection.why(results.query, hit.path, options)
        assert why.by_clauses
        # What brought a candidate here counts a little beside its clauses.
        assert why.score >= hit.score - 1e-5
        assert hit.to_dict()["checks"] == [check.to_dict() for check in hit.checks]


def test_a_method_without_clauses_is_checked_by_its_encoder(collection: Collection) -> None:
    options = SearchOptions(method="sum")
    results = collection.search("red", options=options)
    first, last = (collection.checks(results.query, results.ids, options)[at][0] for at in (0, -1))
    assert first.clause == last.clause == "in red"
    assert first.probability > 2 * last.probability  # type: ignore[operator]
    why = collection.why(results.query, results.ids[0], options)
    assert not why.by_clauses
    assert sum(part.score for part in why.parts) == pytest.approx(why.score)
