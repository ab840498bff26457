"""Answers of language models, kept on disk by prompt: nothing is asked, or paid for, twice."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from circlet.core.files import parse_json, write_text
from circlet.core.home import room


def remembered(ask: Callable[[str], str], model: str, folder: Path | None = None) -> Callable[[str], str]:
    """The same function, which asks only for what is not among the model's answers yet.

    They lie in CIRCLET_HOME/answers; a file that cannot be read is asked for again.

    >>> import tempfile
    >>> asked = []
    >>> ask = remembered(lambda prompt: asked.append(prompt) or "a cup", "toy", Path(tempfile.mkdtemp()))
    >>> ask("what?"), ask("what?"), len(asked)
    ('a cup', 'a cup', 1)
    """
    root = folder or room("answers")

    def answer(prompt: str) -> str:
        key = hashlib.sha256(f"{model}\0{prompt}".encode()).hexdigest()
        path = root / key[:2] / f"{key}.json"
        known = _read(path)
        if known is not None:
            return known
        told = ask(prompt)
        kept = {"model": model, "prompt": prompt, "answer": told}
        write_text(path, json.dumps(kept, indent=2, ensure_ascii=False) + "\n")
        return told

    return answer


def _read(path: Path) -> str | None:
    try:
        told = parse_json(path.read_text(encoding="utf-8"))["answer"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return told if isinstance(told, str) else None
