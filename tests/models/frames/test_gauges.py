"""Gauges beside the eye: who hears of whom, sets of any size, and things apart from each other."""

import numpy as np
import torch

from circlet.models.frames.eye import EyeSizes, FrameEye
from circlet.models.frames.gauges import Gauges, GaugeSizes, Looked, Measured, look
from circlet.models.frames.glimpse import Glimpses
from circlet.models.frames.readings import READ

SIZES = EyeSizes(kinds=4, colours=2, names=8, key=6, width=8)


def looked(count: int, *, in_time: bool, kinds: tuple[int, ...] = (0, 2)) -> tuple[Looked, Gauges]:
    torch.manual_seed(3)
    eye = FrameEye(SIZES, torch.randn(4, 8)).eval()
    gauges = Gauges(GaugeSizes(SIZES.key, SIZES.told, SIZES.width, 2, 3, 2, 2)).eval()
    chance = np.random.default_rng(1)
    seen = Glimpses(
        chance.integers(0, 256, (count, 112, 112, 3), np.uint8),
        chance.integers(-99, 99, (count, 28, 28, 40), np.int8),
        chance.integers(-99, 99, (count, 14, 14, 112), np.int8),
    )
    pixels = chance.integers(0, 256, (count, 224, 224, 3), np.uint8)
    return look(eye, seen, pixels, torch.tensor(kinds), in_time), gauges


def measured(one: Looked, gauges: Gauges) -> Measured:
    with torch.no_grad():
        found: Measured = gauges([one])
    return found


def test_sets_of_any_size_are_measured() -> None:
    for count in (1, 3, 12):
        one, gauges = looked(count, in_time=True)
        found = measured(one, gauges)
        assert found.seen.shape == (2, count, 8)
        assert found.settings.shape == (count, 3)
        assert all(part.isfinite().all() for part in found)
        assert (found.seen_off > 0).all()


def test_without_time_the_order_of_pictures_means_nothing() -> None:
    one, gauges = looked(4, in_time=False)
    order = torch.tensor([2, 0, 3, 1])
    turned = Looked(
        *(part[:, order] for part in (one.named, one.plain, one.close)),
        *(part[order] for part in (one.ground, one.changed, one.light)),
        *(part[:, order] for part in (one.things, one.coats)),
        *(part[order] for part in (one.looks, one.scenes)),
        False,
    )
    assert torch.allclose(measured(turned, gauges).seen, measured(one, gauges).seen[:, order], atol=1e-4)
    # With it, who comes before and after counts.
    timed, shuffled = one._replace(in_time=True), turned._replace(in_time=True)
    assert not torch.allclose(
        measured(shuffled, gauges).seen, measured(timed, gauges).seen[:, order], atol=1e-3
    )


def test_a_thing_is_measured_alike_whatever_else_is_spoken_of() -> None:
    both, gauges = looked(3, in_time=True)
    alone, _ = looked(3, in_time=True, kinds=(2,))
    assert torch.allclose(measured(both, gauges).seen[1], measured(alone, gauges).seen[0], atol=1e-4)


def test_a_mirror_and_the_way_back_lead_to_what_was_there() -> None:
    one, _ = looked(3, in_time=True)
    for turn in (Looked.backwards, Looked.mirrored):
        once, twice = turn(one), turn(turn(one))
        assert not torch.equal(once.named, one.named)
        assert once.in_time
        for before, after in zip(one[:-1], twice[:-1], strict=True):
            assert torch.allclose(before.float(), after.float(), atol=1e-3)  # type: ignore[union-attr]
    # What is gathered of a mask has its middle on the other side.
    across = 1 - READ
    assert torch.allclose(one.mirrored().things[..., across], 1 - one.things[..., across], atol=1e-3)
