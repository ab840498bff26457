"""What gauges learn from: the truth of sets as they are, and as a mirror has them."""

import numpy as np
import torch

from circlet.language.frame_facts import OF_ONE, SEEN
from circlet.models.frames.told import held
from circlet.train.tasks.measuring import _Truth

# One thing that goes, half covered, out of the picture.
GOING = [
    [1, 1.0, 1, 0.0, 0.2, 0.8, 0.3, -1],
    [1, 0.5, 1, 0.5, 0.1, 0.8, 0.3, -1],
    [1, 0, 0, 0, *[np.nan] * 4],
]
LOOKS = np.array([[0, 1, 0], [3, 1, 0], [0, 1.5, 0]], np.float32)


def test_what_a_mirror_shows_is_what_the_rules_say_of_it() -> None:
    chance = np.random.default_rng(4)
    seen = np.array([GOING], np.float32).transpose(1, 0, 2)
    seen[:2, :, SEEN.index("x")] = chance.random((2, 1))
    facts, overall = map(torch.from_numpy, held(seen, LOOKS, in_time=True))
    nothing = torch.zeros(3, dtype=torch.int64)
    truth = _Truth(
        torch.from_numpy(seen[:, 0]), facts, nothing, overall, torch.from_numpy(LOOKS), *[nothing] * 3
    )
    other = seen.copy()
    other[..., SEEN.index("x")] = 1 - other[..., SEEN.index("x")]
    expected = torch.from_numpy(held(other, LOOKS, in_time=True)[0])
    found = truth.mirrored()
    # Where things face is not said: the mirror turned masks, and not what was gathered of looks.
    faces = torch.tensor([fact.about in ("facing", "turned") for fact in OF_ONE])
    assert found.facts[:, faces].isnan().all()
    assert torch.allclose(found.facts[:, ~faces], expected[:, ~faces])
    assert torch.equal(found.seen[:2, SEEN.index("x")], torch.from_numpy(other[:2, 0, SEEN.index("x")]))
