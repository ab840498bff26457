"""Bursts by time and likeness, on looks that can be told by hand."""

from datetime import datetime

import numpy as np

from circlet.images.bursts import ALIKE, SECONDS, apart_from, bursts, of_one_burst, times_of
from circlet.images.duplicates import fold


def looks(*greys: float) -> np.ndarray:
    return np.array([[grey] * 6 for grey in greys], np.float32)


def test_both_time_and_likeness_are_needed() -> None:
    near, far = 0.5 + 0.9 * ALIKE, 0.5 + 1.1 * ALIKE
    apart = apart_from(0, looks(0.5, near, far, near))
    same = of_one_burst(0, apart, np.array([100.0, 100 + SECONDS, 100, 101 + SECONDS]))
    assert same.tolist() == [True, True, False, False]
    # Who comes before is as near as who comes after.
    assert of_one_burst(0, apart[:2], np.array([100.0, 100 - SECONDS])).tolist() == [True, True]


def test_what_no_camera_dated_is_in_no_burst() -> None:
    times = times_of(
        ["/p/a.jpg", "/p/b.jpg", "/p/c.mp4#t=1"], [datetime(2024, 1, 1), None, datetime(2024, 1, 1)]
    )
    assert np.isnan(times).tolist() == [False, True, True]
    assert bursts(looks(0.5, 0.5, 0.5), times) == []
    # Nor is what has no looks.
    assert bursts(looks(np.nan, np.nan), np.array([0.0, 1.0])) == []


def test_bursts_come_in_the_order_of_time_and_one_does_not_run_on_for_ever() -> None:
    times = np.array([60.0, 0.0, 61.0, 4.0, 8.0, 300.0])
    assert bursts(looks(*[0.5] * 6), times) == [[1, 3], [0, 2]]


def test_folding_gathers_bursts_only_where_times_are_known() -> None:
    copies, hashes = looks(0.5, 0.56, 0.5, 0.9), ["a", "b", "c", "d"]
    assert fold(copies, hashes, groups=9) == [[0, 2], [1], [3]]
    times = np.array([0.0, 3.0, np.nan, 1.0])
    assert fold(copies, hashes, groups=9, times=times) == [[0, 1, 2], [3]]
    assert fold(copies, hashes, groups=9, times=np.array([0.0, 60.0, 60.0, 1.0])) == [[0, 2], [1], [3]]
