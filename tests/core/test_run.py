"""Keys that fit into one word, and runs that are merged from parts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from circlet.core import DataError, Key, Ranking, Run


def part(query: str, **about: object) -> Run:
    return Run(**{"method": "m", "rankings": {Key(query): Ranking(["a"], [1])}, **about})  # type: ignore[arg-type]


@given(st.text("ab1-", min_size=1), st.integers(1, 30), st.integers(0, 30))
def test_a_key_survives_as_one_word(query: str, turn: int, wording: int) -> None:
    key = Key(query, turn, wording)
    assert Key.parse(str(key)) == key


@pytest.mark.parametrize("name", ["anna@home", "@2", "~1", "a@", "a~b", "a@-1"])
def test_a_mark_without_a_name_before_and_a_number_after_belongs_to_the_name(name: str) -> None:
    assert Key.parse(name) == Key(name)


def test_a_run_is_as_deep_as_its_longest_ranking() -> None:
    rankings = {Key("1"): Ranking(["a"], [1]), Key("2"): Ranking(["a", "b", "c"], [3, 2, 1])}
    assert Run(method="m", rankings=rankings).depth == 3
    assert Run(method="m").depth == 0


def test_parts_of_a_run_come_together_with_their_subsets() -> None:
    subset = {Key("2"): Ranking(["b"], [1])}
    first = part("1", seed=7)
    merged = first.merge([part("2", seed=7, subsets=subset), part("3", seed=7)])
    assert set(merged.rankings) == {Key("1"), Key("2"), Key("3")}
    assert merged.subsets == subset
    assert (merged.method, merged.seed) == ("m", 7)
    assert set(first.rankings) == {Key("1")}, "the part is as it was"


@pytest.mark.parametrize("field", ["method", "fingerprint", "protocol"])
def test_runs_of_two_kinds_do_not_merge(field: str) -> None:
    with pytest.raises(
        DataError, match=f"not parts of one: {field} 'mine' against 'theirs'; merge runs of one"
    ):
        part("1", **{field: "mine"}).merge([part("2", **{field: "theirs"})])


def test_runs_of_two_seeds_do_not_merge() -> None:
    with pytest.raises(DataError, match="seed 1 against None"):
        part("1", seed=1).merge([part("2")])


def test_a_query_stands_in_one_part_only() -> None:
    with pytest.raises(DataError, match="query 2 stands in more than one part: drop one"):
        part("1").merge([part("2"), part("2")])
    twice = {Key("9", 2): Ranking(["a"], [1])}
    with pytest.raises(DataError, match="query 9@2 stands in more than one part"):
        part("1", subsets=twice).merge([part("2", subsets=twice)])
