"""Things cut out of pictures: wherever they stand they look the same, and what is hidden is seen to be."""

import numpy as np
import torch

from circlet.models.frames.close import CLOSE_OUT, Compared, closely
from circlet.models.frames.glimpse import SIDE, Numbers


def picture(left: int, top: int, width: int = 8, height: int = 8) -> tuple[torch.Tensor, Numbers]:
    """A mask of 28 × 28 places and a red thing on grey where the mask is."""
    mask = torch.zeros(28, 28)
    mask[top : top + height, left : left + width] = 1
    pixels = np.full((SIDE, SIDE, 3), 128, np.uint8)
    pixels[8 * top : 8 * (top + height), 8 * left : 8 * (left + width)] = (255, 0, 0)
    return mask, pixels


def seen(*pictures: tuple[torch.Tensor, Numbers], alike: bool = False) -> torch.Tensor:
    masks, pixels = zip(*pictures, strict=True)
    return closely(torch.stack(masks)[:, None], np.stack(pixels), alike=alike)[:, 0].float() / 255


def test_a_thing_looks_the_same_wherever_it_stands() -> None:
    here, there = seen(picture(4, 6), picture(15, 12))
    assert torch.allclose(here, there, atol=0.02)
    red, mask = here[0], here[3]
    assert (red > 0.9).float().mean() > 0.5
    assert (red * mask).sum() > 0.9 * mask.sum()


def test_a_small_thing_fills_its_box_as_a_large_one_does() -> None:
    large, small = seen(picture(4, 4, 12, 12), picture(4, 4, 6, 6))
    assert abs(float(large[3].mean() - small[3].mean())) < 0.12


def test_in_a_box_that_is_as_large_in_all_pictures_less_is_seen_to_be_less() -> None:
    whole, half = picture(8, 8, 12, 12), picture(8, 8, 6, 12)
    apart, alike = seen(whole, half), seen(whole, half, alike=True)
    assert float(apart[1, 3].mean() / apart[0, 3].mean()) > 0.9
    assert 0.4 < float(alike[1, 3].mean() / alike[0, 3].mean()) < 0.6


def test_a_haze_where_it_is_not_makes_no_box_larger() -> None:
    whole, (_, elsewhere) = picture(8, 8), picture(20, 20)
    haze = torch.full((28, 28), 0.1)
    alone, beside_it = seen(whole, alike=True), seen(whole, (haze, elsewhere), alike=True)
    assert torch.equal(alone[0], beside_it[0])
    # Nor does a haze around it, by much.
    assert float(seen((torch.clamp(whole[0], 0.05), whole[1]))[0, 3].mean()) > 0.5


def test_where_nothing_is_there_is_something_to_look_at() -> None:
    nothing = closely(torch.zeros(1, 2, 28, 28), picture(4, 4)[1][None])
    assert nothing.shape[:3] == (1, 2, 4)
    assert not nothing[:, :, 3].any()


def test_what_is_seen_of_a_picture_depends_on_the_best_one_and_on_no_other() -> None:
    torch.manual_seed(0)
    compared, chance = Compared().eval(), torch.Generator().manual_seed(1)
    close = torch.randint(0, 256, (2, 3, 4, 64, 64), generator=chance, dtype=torch.uint8)
    with torch.no_grad():
        found = compared(close, close[:, 0]).flatten(1).unflatten(0, (2, 3))
        alone = compared(close[:, 1:2], close[:, 0]).flatten(1)
        beside_another = compared(close[:, 1:2], close[:, 2]).flatten(1)
    assert found.shape == (2, 3, CLOSE_OUT)
    assert torch.allclose(found[:, 1], alone, atol=1e-4)
    assert not torch.allclose(alone, beside_another, atol=1e-2)
