"""Leaving a block closes what it held, however it is left."""

import pytest

from circlet.core.closing import Closing


class Door(Closing):
    def __init__(self) -> None:
        self.closed = 0

    def close(self) -> None:
        self.closed += 1


def test_leaving_a_block_closes_what_it_held() -> None:
    door = Door()
    with door as held:
        assert held is door
        assert door.closed == 0
    assert door.closed == 1


def test_an_error_closes_it_too_and_goes_on() -> None:
    door = Door()
    with pytest.raises(KeyError), door:
        raise KeyError
    assert door.closed == 1
