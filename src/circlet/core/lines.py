"""JSON lines on disk: whole or not at all."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any


def write_lines(path: Path | str, lines: Iterable[Mapping[str, Any]]) -> Path:
    """Write one JSON object a line; what was there stays until everything is written.

    >>> import tempfile
    >>> path = write_lines(Path(tempfile.mkdtemp()) / "a" / "b.jsonl", [{"a": 1}, {"b": "ä"}])
    >>> print(path.read_text(encoding="utf-8"), end="")
    {"a": 1}
    {"b": "ä"}
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(path.name + ".part")
    with half.open("w", encoding="utf-8", newline="\n") as file:
        for line in lines:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    half.replace(path)
    return path
