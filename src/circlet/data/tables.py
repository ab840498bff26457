"""What people keep beside their pictures: CSV, TSV or JSONL, line by line, and the pictures they name."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from circlet.core import DataError
from circlet.core.files import parse_json, read_text

Record = dict[str, Any]
SPLITS = ("train", "val", "test")
# How many problems an error shows before it counts the rest.
SHOWN = 20


def to_mend(path: Path, problems: Sequence[object]) -> DataError:
    """What is wrong with the lines of a file, as one error.

    >>> print(to_mend(Path("a.csv"), ["line 3: no text"]))
    a.csv: 1 problem(s) to mend first
      line 3: no text
    """
    shown = "\n  ".join(map(str, problems[:SHOWN]))
    more = f"\n  and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
    return DataError(f"{path}: {len(problems)} problem(s) to mend first\n  {shown}{more}")


def found_pictures(folder: Path) -> dict[str, Path]:
    """The pictures of a folder by their path in it, written with slashes."""
    from circlet.images import FoundFile, walk

    root = folder.absolute()
    return {
        item.path.relative_to(root).as_posix(): item.path
        for item in walk(root)
        if isinstance(item, FoundFile) and item.path.is_relative_to(root)
    }


def records(path: Path, needs: Sequence[str] = ()) -> Iterator[tuple[int, Record | str]]:
    """Each line's number with its record, or with what is wrong with it.

    `needs` are the columns that a table cannot do without.
    """
    text = read_text(path, "name the file, saved as UTF-8")
    yield from _csv(text, needs) if path.suffix.lower() in {".csv", ".tsv"} else _jsonl(text, needs)


def _jsonl(text: str, needs: Sequence[str]) -> Iterator[tuple[int, Record | str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = parse_json(line)
        except json.JSONDecodeError as error:
            yield number, f"not JSON ({error.msg} at column {error.colno})"
            continue
        wanted = f" with {_listed(needs)}" if needs else ""
        yield number, record if isinstance(record, dict) else f"not a JSON object{wanted}"


def _csv(text: str, needs: Sequence[str]) -> Iterator[tuple[int, Record | str]]:
    head = text.partition("\n")[0]
    # Some spreadsheets write semicolons where commas stand in numbers.
    between = "\t" if "\t" in head else ";" if ";" in head and "," not in head else ","
    rows = csv.reader(io.StringIO(text), delimiter=between)
    try:
        yield from _rows(rows, needs)
    except csv.Error as error:
        yield rows.line_num, f"no table from here on ({error}); is a quote not closed?"


def _rows(rows: Any, needs: Sequence[str]) -> Iterator[tuple[int, Record | str]]:
    header = [name.strip().lower() for name in next(rows, [])]
    lacking = [field for field in needs if field not in header]
    if lacking:
        yield 1, f"the header lacks {', '.join(lacking)}; it must name {_listed(needs)}"
        return
    for row in rows:
        if not row:
            continue
        if len(row) != len(header):
            yield (
                rows.line_num,
                f"{len(row)} columns where the header has {len(header)}; quote texts with commas",
            )
        else:
            yield rows.line_num, dict(zip(header, row, strict=True))


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)
