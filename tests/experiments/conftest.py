"""The little world that training is tried on."""

from tests.train.conftest import world  # noqa: F401
