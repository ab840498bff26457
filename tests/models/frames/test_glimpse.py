"""What the eye takes in: the lower half of the network as the whole one has it, and what differs in a set."""

import numpy as np

from circlet.models.encoders import convnet
from circlet.models.frames.glimpse import beside, coloured, glimpse, median_of

NOISE = np.random.default_rng(0).integers(0, 256, (3, 224, 224, 3), np.uint8)


def test_the_lower_half_sees_what_the_whole_network_sees_on_its_way() -> None:
    _, far = convnet.load_lower().run(convnet.LOWER, {"pixels": NOISE})
    (middle,) = convnet.load().run(["middle"], {"pixels": NOISE})
    pooled = far.reshape(3, convnet.MIDDLE, 7, 2, 7, 2).mean((3, 5))
    assert np.allclose(pooled, middle, atol=1e-3)


def test_in_eight_bits_it_says_nearly_the_same() -> None:
    pictures = np.repeat(np.repeat(NOISE[:, ::16, ::16], 16, axis=1), 16, axis=2)
    whole = convnet.load_lower().run(convnet.LOWER, {"pixels": pictures})
    kept = glimpse(pictures)
    for exact, bytes_ in zip(whole, (kept.near, kept.far), strict=True):
        one, two = exact.transpose(0, 2, 3, 1).ravel(), bytes_.astype(np.float32).ravel()
        assert one @ two / np.linalg.norm(one) / np.linalg.norm(two) > 0.98
    assert (kept.pixels == pictures[:, ::2, ::2]).all(), "four alike are one"


def test_small_pixels_are_the_mean_of_four() -> None:
    small = NOISE.reshape(3, 112, 2, 112, 2, 3).mean((2, 4))
    assert np.abs(glimpse(NOISE).pixels - small).max() <= 0.5


def test_what_all_pictures_of_a_set_share_is_no_difference() -> None:
    same = np.repeat(NOISE[:1], 3, axis=0)
    seen = glimpse(same)
    shown = beside(seen, seen.each(median_of))
    for part, places in zip(shown, (112, 28, 14), strict=True):
        kept, differing = part.chunk(2, 1)
        assert part.shape[2:] == (places, places)
        assert kept.abs().max() > 0
        assert differing.abs().max() == 0
    pixels, apart = coloured(seen, seen.each(median_of)).chunk(2, 1)
    assert pixels.abs().max() <= 0.5
    assert apart.abs().max() == 0
    moved = same.copy()
    moved[1, :32, :32] = 255 - moved[1, :32, :32]
    seen = glimpse(moved)
    apart = coloured(seen, seen.each(median_of))[:, 3:]
    assert apart[1, :, :16, :16].abs().max() > 0
    assert apart[[0, 2]].abs().max() == 0


def test_the_median_is_what_stays() -> None:
    pictures = np.full((5, 2, 2, 3), 40, np.uint8)
    pictures[2] = 255
    assert (median_of(pictures) == 40).all()
