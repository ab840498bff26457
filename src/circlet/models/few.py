"""Methods that hold a few pictures against each other: how many those are at most."""

from circlet.core import Gallery, Method, UsageError

MOST = 200


def only_a_few(method: Method, gallery: Gallery, name: str = "") -> None:
    """Refuse more pictures than can be held against each other, and say how to cut first.

    >>> import numpy as np
    >>> from circlet.models import load_method
    >>> from circlet.testing import ToyEncoder
    >>> only_a_few(load_method("text", ToyEncoder()), Gallery(["a"], np.ones((1, 2), np.float32), "toy"))
    """
    if len(gallery) > MOST:
        raise UsageError(
            f"{method!r} holds pictures against each other, {MOST} at most, and here are {len(gallery):,}: "
            f"cut first, as in 'text % 50 >> {name or 'FOLDER'}'"
        )
