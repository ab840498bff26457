"""Answers of language models, kept on disk by prompt: nothing is asked, or paid for, twice."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from circlet.core.files import parse_json, write_text
from circlet.core.home import room


class Ask(Protocol):
    """Answers a prompt, with or without pictures beside it."""

    def __call__(self, prompt: str, *pictures: Any) -> str: ...


def remembered(
    ask: Ask, model: str, folder: Path | None = None, *, good: Callable[[str], bool] | None = None
) -> Ask:
    """The same function, which asks only for what is not among the model's answers yet.

    Pictures are known by what they show, so that a moved file is not described again. The answers lie in
    CIRCLET_HOME/answers; a file that cannot be read is asked for again. Where `good` tells which answers are
    of use, the others are given back and not kept.

    >>> import tempfile
    >>> asked = []
    >>> ask = remembered(lambda prompt: asked.append(prompt) or "a cup", "toy", Path(tempfile.mkdtemp()))
    >>> ask("what?"), ask("what?"), len(asked)
    ('a cup', 'a cup', 1)
    """
    root = folder or room("answers")

    def answer(prompt: str, *pictures: Any) -> str:
        told = hashlib.sha256(f"{model}\0{prompt}".encode())
        for picture in pictures:
            told.update(f"{picture.size}{picture.mode}".encode() + picture.tobytes())
        key = told.hexdigest()
        path = root / key[:2] / f"{key}.json"
        known = _read(path)
        if known is not None:
            return known
        said = ask(prompt, *pictures)
        if good is not None and not good(said):
            return said
        kept = {"model": model, "prompt": prompt, "answer": said}
        write_text(path, json.dumps(kept, indent=2, ensure_ascii=False) + "\n")
        return said

    return answer


def _read(path: Path) -> str | None:
    try:
        told = parse_json(path.read_text(encoding="utf-8"))["answer"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return told if isinstance(told, str) else None
