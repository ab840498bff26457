"""Vectors as sums of named parts, with numbers small enough to add up in one's head."""

import numpy as np
import pytest

from circlet.core import Contributions, Label


def parts(*terms: tuple[int, Label, list[float]], count: int = 2) -> Contributions:
    rows = np.array([row for _, _, row in terms], np.float32).reshape(-1, 2)
    return Contributions.of(count, [(owner, label) for owner, label, _ in terms], rows)


DOG, CAT, NIGHT = (Label("words", what) for what in ("dog", "cat", "night"))


def test_what_leads_away_is_no_part_of_what_is_wanted() -> None:
    terms = [(0, Label("words", "dog")), (0, Label("without", "cat")), (1, Label("disliked", "a.jpg"))]
    parts = Contributions.of(2, terms, np.array([[2.0, 1.0], [0.0, -1.0], [-1.0, 0.0]]))
    assert parts.sums().tolist() == [[2, 0], [-1, 0]]
    assert parts.wanted().tolist() == [[2, 1], [0, 0]]


@pytest.mark.parametrize("kind", ["disliked", "passed over"])
def test_no_height_is_known_once_a_picture_is_turned_down(kind) -> None:
    turned_down, told = parts((0, DOG, [2, 1]), (0, Label(kind, "a"), [-1, 0]), (1, CAT, [0, 3])).calibrated()
    assert turned_down is None
    assert told.tolist() == [0, 3]


def test_ruling_a_thing_out_leaves_the_height_of_what_is_wanted() -> None:
    [wanted] = parts((0, DOG, [2, 1]), (0, Label("without", "cat"), [0, -1]), count=1).calibrated()
    assert wanted.tolist() == [2, 1]


def test_a_vector_without_parts_is_zero() -> None:
    assert parts((1, DOG, [2, 1])).sums().tolist() == [[0, 0], [2, 1]]
    assert parts().sums().tolist() == [[0, 0], [0, 0]]
    assert len(parts()) == 0


def test_parts_are_scaled_by_the_factor_of_their_vector() -> None:
    scaled = parts((1, DOG, [2, 1]), (0, CAT, [1, 1]), (1, NIGHT, [0, 3])).scaled(np.array([10, -1]))
    assert scaled.rows.tolist() == [[-2, -1], [10, 10], [0, -3]]


def test_sums_get_length_one_and_what_cancels_out_stays_zero() -> None:
    made = parts((0, DOG, [1, 4]), (0, CAT, [2, 0]), (1, DOG, [1, 1]), (1, CAT, [-1, -1])).unit()
    np.testing.assert_allclose(made.sums(), [[0.6, 0.8], [0, 0]], rtol=1e-6)
    np.testing.assert_allclose(made.rows[:2], [[0.2, 0.8], [0.4, 0]], rtol=1e-6)


def test_more_parts_of_the_same_vectors_join() -> None:
    joined = parts((0, DOG, [1, 0])).join(parts((1, CAT, [0, 1])), parts((0, NIGHT, [0, 2])))
    assert joined.labels == (DOG, CAT, NIGHT)
    assert joined.sums().tolist() == [[1, 2], [0, 1]]
    assert len(joined) == 3


def test_turns_become_parts_of_their_queries() -> None:
    of_turns = parts((0, DOG, [1, 0]), (1, NIGHT, [0, 1]), (2, CAT, [5, 5]), (1, DOG, [0, 2]), count=3)
    made = of_turns.regroup(2, np.array([0, 0, 1]), [1, 2, 1])
    assert made.sums().tolist() == [[1, 3], [5, 5]]
    assert [(label.what, label.turn) for label in made.labels] == [
        ("dog", 1), ("night", 2), ("cat", 1), ("dog", 2),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "away", "turned_down", "of_picture"),
    [
        ("picture", False, False, True),
        ("words", False, False, False),
        ("without", True, False, False),
        ("liked", False, False, True),
        ("disliked", True, True, True),
        ("passed over", True, True, True),
        ("turn", False, False, False),
    ],
)
def test_a_label_knows_where_its_part_leads(kind, away: bool, turned_down: bool, of_picture: bool) -> None:
    label = Label(kind, "x")
    assert (label.away, label.turned_down, label.of_picture) == (away, turned_down, of_picture)
