"""JSON lines on disk: whole or not at all."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from circlet.core.files import written_whole


def write_lines(path: Path | str, lines: Iterable[Mapping[str, Any]]) -> Path:
    """Write one JSON object a line; what was there stays until everything is written.

    >>> import tempfile
    >>> path = write_lines(Path(tempfile.mkdtemp()) / "a" / "b.jsonl", [{"a": 1}, {"b": "ä"}])
    >>> print(path.read_text(encoding="utf-8"), end="")
    {"a": 1}
    {"b": "ä"}
    """
    with written_whole(path) as file:
        for line in lines:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return Path(path)
