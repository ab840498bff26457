"""Methods by name, as the command line and the saved runs spell them."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from circlet.core import Encoder, Method, UsageError
from circlet.models.composers.blends import ImageOnly, Slerp, Sum, TextOnly
from circlet.models.composers.edits import Edits


def _caption(encoder: Encoder, **options: Any) -> Method:
    # Its client for chat servers takes a while to load, and few searches need it.
    from circlet.models.composers.caption import Caption

    return Caption(encoder, **options)


# name: (what makes it, one line for lists and help)
METHODS: dict[str, tuple[Callable[..., Method], str]] = {
    "default": (Edits, "the one that measured best: edits"),
    "edits": (Edits, "picture and words, with negation heard and the weights set by the kind of change"),
    "text": (TextOnly, "the words alone"),
    "image": (ImageOnly, "the picture alone"),
    "sum": (Sum, "picture and words, added by weight"),
    "slerp": (Slerp, "picture and words, on the arc between them"),
    "caption": (_caption, "the picture described, the description changed by the words, searched by words"),
}


def load_method(name: str, encoder: Encoder, **options: Any) -> Method:
    """The method of this name over an encoder: `load_method("sum", encoder, balance=0.4)`.

    A folder that `circlet train` wrote is a method too; `images` then says where a benchmark's
    pictures are, for the models that look at more than their vectors.
    """
    if name not in METHODS and (Path(name).exists() or os.sep in name):
        from circlet.models.learned.folder import load

        return load(Path(name), encoder, **options)
    if name not in METHODS:
        raise UsageError(
            f"unknown method {name!r}: pick one of {', '.join(METHODS)}, or the folder of a trained composer"
        )
    make, _ = METHODS[name]
    try:
        return make(encoder, **options)
    except TypeError as error:
        raise UsageError(f"method {name!r} does not take these options: {error}") from None
