"""A file of JSON objects that is only ever added to: what was made so far, whole after any kill."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from circlet.core import DataError, UsageError
from circlet.core.files import parse_json, read_text


class LineBook:
    """Objects with an id, a line each; a last line that a kill cut short is dropped.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "a.jsonl"
    >>> LineBook(path).add({"id": "1"})
    >>> list(LineBook(path).records)
    ['1']
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records: dict[str, Mapping[str, Any]] = {}
        text = read_text(path, "name another place") if path.exists() else ""
        *whole, self._torn = text.split("\n")
        for number, line in enumerate(whole, start=1):
            if line.strip():
                self._read(number, line)

    def fault(self, record: Mapping[str, Any]) -> str:
        """What is wrong with a record, beside its having no id; nothing, if it is none."""
        return ""

    def _read(self, number: int, line: str) -> None:
        where = f"{self.path}, line {number}"
        try:
            record = parse_json(line)
        except json.JSONDecodeError as error:
            raise DataError(f"{where}: not JSON ({error.msg}); correct it or remove it") from None
        if not isinstance(record, dict) or not isinstance(record.get("id"), str):
            raise DataError(f"{where}: a line is an object with an id; remove it")
        if wrong := self.fault(record):
            raise DataError(f"{where}: {wrong}")
        self.records[record["id"]] = record

    def add(self, *records: Mapping[str, Any]) -> None:
        """Write records at the end; they are on their way to the disk when this returns."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self._torn:
                size = self.path.stat().st_size - len(self._torn.encode())
                with self.path.open("r+b") as file:
                    file.truncate(size)
                self._torn = ""
            with self.path.open("a", encoding="utf-8", newline="\n") as file:
                file.writelines(_lines(records))
        except OSError as error:
            raise UsageError(
                f"{self.path}: cannot be written there ({error.strerror or error}); name another place"
            ) from None
        self.records |= {str(record["id"]): record for record in records}


def _lines(records: Iterable[Mapping[str, Any]]) -> list[str]:
    return [json.dumps(record, ensure_ascii=False) + "\n" for record in records]
