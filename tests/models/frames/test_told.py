"""Degrees of facts, as the rules have them of what is seen."""

import numpy as np

from circlet.language.frame_facts import OF_FILMS, OF_ONE, OVERALL, SEEN, FrameFact
from circlet.models.frames.told import IN_MIRROR, OF_FACING, as_told, held

# One thing that goes, half covered, out of the picture; and one that is never there.
GOING = [
    [1, 1.0, 1, 0.0, 0.2, 0.8, 0.3, -1],
    [1, 0.5, 1, 0.5, 0.1, 0.8, 0.3, -1],
    [1, 0, 0, 0, *[np.nan] * 4],
]
ABSENT = [[0, 0.0, 1, 0.0, *[np.nan] * 4]] * 3
LOOKS = np.array([[0, 1, 0], [3, 1, 0], [0, 1.5, 0]], np.float32)


def told(in_time: bool) -> dict[FrameFact, list[list[float]]]:
    assert len(SEEN) == len(GOING[0])
    seen = np.array([GOING, ABSENT], np.float32).transpose(1, 0, 2)
    facts, overall = held(seen, LOOKS, in_time)
    of_things = facts.reshape(2, 3, len(OF_ONE))
    every = {fact: of_things[:, :, at].tolist() for at, fact in enumerate(OF_ONE)}
    return every | {FrameFact(about): [overall[:, at].tolist()] for at, about in enumerate(OVERALL)}


def test_degrees_are_those_of_the_rules() -> None:
    of = told(in_time=True)
    assert of[FrameFact("clear")] == [[1, 0, 0], [0, 0, 0]]
    assert of[FrameFact("half")] == [[0, 1, 0], [0, 0, 0]]
    assert of[FrameFact("none")] == [[0, 0, 1], [1, 1, 1]]
    assert of[FrameFact("soon")] == [[0, 1, 0], [0, 0, 0]]
    assert of[FrameFact("facing", value="left")][0] == [1, 1, 0]
    assert of[FrameFact("blurry")] == [[0, 1, 0]]
    assert of[FrameFact("bright")] == [[0, 0, 1]]


def test_what_only_films_have_is_unknown_elsewhere() -> None:
    of = told(in_time=False)
    for fact, of_films in zip(OF_ONE, OF_FILMS, strict=True):
        assert np.isnan(of[fact]).all() == of_films


def test_what_is_said_outright_has_its_kind_and_its_time() -> None:
    facts, overall = np.random.default_rng(0).random((1, 3, len(OF_ONE))), np.zeros((3, len(OVERALL)))
    films, others = (as_told(facts, overall, ["dog"], in_time=in_time) for in_time in (True, False))
    half = OF_ONE.index(FrameFact("half"))
    assert np.array_equal(films[FrameFact("half", "dog")], facts[0, :, half])
    assert len(films) - len(others) == sum(OF_FILMS)
    assert FrameFact("soon", "dog") not in others


def test_a_mirror_turned_twice_changes_nothing() -> None:
    assert [IN_MIRROR[at] for at in IN_MIRROR] == list(range(len(OF_ONE)))
    assert IN_MIRROR[OF_ONE.index(FrameFact("cut", value="left"))] == OF_ONE.index(
        FrameFact("cut", value="right")
    )
    assert sum(OF_FACING) == 4
