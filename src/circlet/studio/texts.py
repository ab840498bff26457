"""Every word that the studio's pages say, in one file: copy it, translate it, name it in the project."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from circlet.core import UsageError
from circlet.core.files import read_text

ENGLISH = Path(__file__).parent / "texts" / "en.toml"
Texts = Mapping[str, Any]


@cache
def _english() -> dict[str, Any]:
    return tomllib.loads(ENGLISH.read_text(encoding="utf-8"))


def read_texts(path: Path | None = None) -> Texts:
    """The studio's words: English, with what a file says in their place; a name it invents is an error.

    >>> read_texts()["language"]
    'en'
    """
    if path is None:
        return _english()
    try:
        said = tomllib.loads(read_text(path, f"copy {ENGLISH.name} of the studio and translate it"))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: not TOML ({error}); correct it") from None
    return _merged(_english(), said, path, "")


def _merged(first: Mapping[str, Any], second: Mapping[str, Any], path: Path, at: str) -> dict[str, Any]:
    merged = dict(first)
    for name, value in second.items():
        if name not in first or type(value) is not type(first[name]):
            raise UsageError(f"{path}: the studio says nothing under {at}{name}; take the names of {ENGLISH}")
        merged[name] = _merged(first[name], value, path, f"{at}{name}.") if isinstance(value, dict) else value
    return merged
