"""What is known of a query's answer, and how it is read from tables."""

from typing import Any

import pytest

from circlet.core import Case, DataError, JudgedSet, Judgement, Query, Turn, cases_of
from circlet.core.case import without

FIRST: dict[str, Any] = {"images": ["a", "b"], "score": 4}
SECOND: dict[str, Any] = {"images": ["c"], "score": 2.5}


def test_a_judgement_is_read_and_written_as_plain_values() -> None:
    told = {"sets": [FIRST, SECOND], "preferred": 1}
    judged = Judgement.from_dict(told)
    assert judged == Judgement((JudgedSet(("a", "b"), 4), JudgedSet(("c",), 2.5)), preferred=1)
    assert judged.to_dict() == told


@pytest.mark.parametrize(
    "told",
    [
        {"preferred": 1},
        {"sets": [FIRST, SECOND]},
        {"sets": [FIRST], "preferred": 1},
        {"sets": [FIRST, SECOND, FIRST], "preferred": 1},
        {"sets": [FIRST, {"images": ["c"]}], "preferred": 1},
        {"sets": [FIRST, {"score": 1}], "preferred": 1},
        {"sets": [FIRST, None], "preferred": 1},
        {"sets": None, "preferred": 1},
        [FIRST, SECOND],
        None,
    ],
)
def test_a_judgement_that_lacks_something_is_refused(told: Any) -> None:
    with pytest.raises(DataError, match="two sets of images with a score each, and one preferred"):
        Judgement.from_dict(told)


@pytest.mark.parametrize("images", [3, "abc", [1], None])
def test_a_judged_set_lists_its_images_by_name(images: object) -> None:
    with pytest.raises(DataError, match="lists its images by name"):
        Judgement.from_dict({"sets": [FIRST, {"images": images, "score": 1}], "preferred": 1})


@pytest.mark.parametrize("preferred", [0, 3, "1", None])
def test_one_or_the_other_set_is_preferred(preferred: object) -> None:
    with pytest.raises(DataError, match=f"1 or 2 as the one preferred, not {preferred!r}"):
        Judgement.from_dict({"sets": [FIRST, SECOND], "preferred": preferred})


@pytest.mark.parametrize("score", ["4", None, [4]])
def test_a_judged_score_is_a_number(score: object) -> None:
    with pytest.raises(DataError, match="a number for a score"):
        Judgement.from_dict({"sets": [FIRST, {"images": ["c"], "score": score}], "preferred": 1})


def test_the_first_truth_is_the_target() -> None:
    case = Case(query=Query("1"), truths=("b", "c"))
    assert (case.id, case.target) == ("1", "b")
    assert Case(query=Query("1")).target is None


def test_what_is_excluded_is_no_member_of_the_subset() -> None:
    case = Case(query=Query("1"), subset=("a", "b", "c"), exclude=("c", "a", "z"))
    assert case.members == ("b",)


def test_ids_that_lose_nothing_are_the_same_tuple() -> None:
    ids = ("a", "b", "a")
    assert without(ids, ["z"]) is ids
    assert without(ids, ["z", "a"]) == ("b",)


def test_a_case_needs_its_target_and_every_picture_that_it_speaks_of() -> None:
    turns = (Turn(picture="p", text="red"), Turn(liked=("l",), disliked=("d",), shown=("s",)))
    case = Case(query=Query("1", turns), truths=("t", "u"), subset=("m",), negatives=("n",))
    assert [id for id in "pldstumnz" if case.needs(frozenset(id))] == list("pldst")
    assert not case.needs(frozenset())
    assert not Case(query=Query("2")).needs(frozenset("a"))


def test_a_case_gives_up_truths_and_members() -> None:
    case = Case(query=Query("1"), truths=("t", "u"), subset=("t", "u", "m"), group="dress")
    assert case.less(frozenset("um")) == Case(
        query=Query("1"), truths=("t",), subset=("t",), group="dress"
    )  # fmt: skip


def test_every_table_fills_its_field_of_the_case() -> None:
    judged = Judgement.from_dict({"sets": [FIRST, SECOND], "preferred": 2})
    first, second = cases_of(
        [Query("1"), Query("2")],
        truths={"1": ("b",)},
        groups={"1": "dress"},
        exclusions={"1": ("a",)},
        subsets={"1": ("b", "c")},
        negatives={"1": ("n",)},
        grades={"1": {"b": 2.0}},
        aspects={"1": ("colour",)},
        wordings={"1": ("red", "in red")},
        judgements={"1": judged},
        notes={"1": {"source": 7}},
    )
    assert first == Case(
        query=Query("1"),
        truths=("b",),
        group="dress",
        exclude=("a",),
        subset=("b", "c"),
        negatives=("n",),
        grades={"b": 2.0},
        aspects=("colour",),
        wordings=("red", "in red"),
        judgement=judged,
        notes={"source": 7},
    )
    assert second == Case(query=Query("2")), "what no table says is left as it is"


def test_cases_come_in_the_order_of_their_queries() -> None:
    cases = cases_of([Query("2"), Query("1")], truths={"1": ("a",), "2": ("b",)})
    assert [(case.id, case.target) for case in cases] == [("2", "b"), ("1", "a")]


def test_a_table_that_a_case_does_not_have_is_refused() -> None:
    with pytest.raises(DataError, match="no table truth; there are truths, groups"):
        cases_of([Query("1")], truth={"1": ("a",)})


def test_pictures_that_are_gone_leave_nothing_behind() -> None:
    judged = Judgement((JudgedSet(("a",), 1), JudgedSet(("c",), 2)), preferred=2)
    case = Case(
        query=Query("1"),
        truths=("a", "c"),
        subset=("a", "b", "c"),
        negatives=("c",),
        grades={"a": 1.0, "c": 3.0},
    )
    left = case.less(frozenset("c"))
    assert (left.truths, left.subset, left.negatives, left.grades) == (("a",), ("a", "b"), (), {"a": 1.0})
    assert not case.needs(frozenset("c"))
    assert Case(query=Query("1"), judgement=judged).needs(frozenset("c")), "somebody judged it"
