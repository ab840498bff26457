"""A composer that gives vectors and tells nothing of what they are made of."""

import pytest

from circlet.core import Composer


@pytest.fixture
def opaque(toy) -> Composer:
    class Opaque(Composer):
        fingerprint = toy.fingerprint

        def turns(self, turns, pictures):
            return toy.texts([turn.text for turn in turns])

    return Opaque()
