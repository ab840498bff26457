"""What gauges learn from: degrees of facts, as the rules have them of what is seen."""

import numpy as np
import torch

from circlet.language.frame_facts import OF_FILMS, OF_ONE, OVERALL, SEEN, FrameFact
from circlet.train.tasks.measuring import _Truth, held

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
    of_things = facts.view(2, 3, len(OF_ONE))
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


def test_what_a_mirror_shows_is_what_the_rules_say_of_it() -> None:
    chance = np.random.default_rng(4)
    seen = np.array([GOING], np.float32).transpose(1, 0, 2)
    seen[:2, :, SEEN.index("x")] = chance.random((2, 1))
    facts, overall = held(seen, LOOKS, in_time=True)
    nothing = torch.zeros(3, dtype=torch.int64)
    truth = _Truth(
        torch.from_numpy(seen[:, 0]), facts, nothing, overall, torch.from_numpy(LOOKS), *[nothing] * 3
    )
    other = seen.copy()
    other[..., SEEN.index("x")] = 1 - other[..., SEEN.index("x")]
    expected, _ = held(other, LOOKS, in_time=True)
    found = truth.mirrored()
    # Where things face is not said: the mirror turned masks, and not what was gathered of looks.
    faces = torch.tensor([fact.about in ("facing", "turned") for fact in OF_ONE])
    assert found.facts[:, faces].isnan().all()
    assert torch.allclose(found.facts[:, ~faces], expected[:, ~faces])
    assert torch.equal(found.seen[:2, SEEN.index("x")], torch.from_numpy(other[:2, 0, SEEN.index("x")]))
