"""circlet's own benchmark file: a header line, then galleries, pictures and queries, a line each.

The file holds everything a `Benchmark` says, so every reader's benchmark converts to it and back
without loss. Picture files are written relative to the file, so that a folder can move as a whole.

    {"circlet": "benchmark", "version": 1, "name": "toy", "split": "val", "protocol": {}}
    {"gallery": "", "ids": ["a", "b"]}
    {"picture": "a", "file": "images/a.png"}
    {"query": "1", "turns": [{"picture": "a", "text": "at night"}], "truths": ["b"]}
"""

import json
import os
from collections.abc import Iterable, Iterator
from math import isfinite
from pathlib import Path
from typing import Any

from circlet.core import Benchmark, Case, DataError, Judgement, Query, Turn, UsageError
from circlet.core.files import not_endless, parse_json, unread, write_lines
from circlet.data.aspect_names import with_one_naming

VERSION = 1
_HEADER = ("name", "split", "protocol", "measures", "revision", "extra")
# What the line of a query may say beside its turns, and the type of what is no list of names.
_OF_CASE: dict[str, type | None] = {
    "truths": None,
    "group": str,
    "exclude": None,
    "subset": None,
    "negatives": None,
    "grades": dict,
    "aspects": None,
    "wordings": None,
    "judgement": dict,
    "notes": dict,
}


def write_benchmark(benchmark: Benchmark, path: Path | str) -> Path:
    """Write the benchmark as circlet JSONL; the same benchmark gives the same bytes.

    >>> import tempfile
    >>> toy = Benchmark(name="toy", split="val", galleries={"": ("a", "b")},
    ...                 cases=(Case(query=Query("1", (Turn(picture="a", text="at night"),)), truths=("b",)),))
    >>> read_benchmark(write_benchmark(toy, Path(tempfile.mkdtemp()) / "toy.jsonl")) == toy
    True
    """
    return write_lines(path, lines_of(benchmark, Path(path).parent))


def lines_of(benchmark: Benchmark, folder: Path) -> Iterator[dict[str, Any]]:
    """The lines of the file, which would lie in this folder."""
    header = {name: getattr(benchmark, name) for name in _HEADER}
    yield {"circlet": "benchmark", "version": VERSION} | {
        name: value for name, value in header.items() if value
    }
    for name, ids in benchmark.galleries.items():
        yield {"gallery": name, "ids": ids}
    base = folder.resolve()
    for id, file in benchmark.images.items():
        yield {"picture": id, "file": Path(os.path.relpath(file.absolute(), base)).as_posix()}
    for case in benchmark.cases:
        line: dict[str, Any] = {"query": case.id, "turns": [turn.to_dict() for turn in case.query.turns]}
        values = {name: getattr(case, name) for name in _OF_CASE}
        if case.judgement is not None:
            values["judgement"] = case.judgement.to_dict()
        yield line | {name: value for name, value in values.items() if value}


def read_benchmark(path: Path | str) -> Benchmark:
    """The benchmark that `write_benchmark` wrote; an error names the file, the line and the cause."""
    path = Path(path)
    reading = _Reading(path)
    not_endless(path, "name a circlet benchmark file")
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, text in enumerate(file, start=1):
                if text.strip():
                    reading.line(number, text)
    except (OSError, UnicodeDecodeError) as error:
        raise unread(path, error, "name a circlet benchmark file") from None
    return with_one_naming(reading.done())


def benchmark_from(lines: Iterable[dict[str, Any]], source: Path) -> Benchmark:
    """The benchmark that these lines say, wherever they were kept."""
    reading = _Reading(source)
    for number, line in enumerate(lines, start=1):
        reading.take(f"{source}, row {number}", line)
    return with_one_naming(reading.done())


def _names(where: str, what: str, value: Any) -> tuple[str, ...]:
    """A list of names; a single text is not taken for a list of letters."""
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise DataError(f"{where}: {what} is a list of texts, not {str(value)[:40]}")
    return tuple(value)


def _name(where: str, what: str, value: Any) -> str:
    if not isinstance(value, str):
        raise DataError(f"{where}: {what} is text, not {str(value)[:40]}")
    return value


class _Reading:
    """What was read of a file so far."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.base = path.parent.resolve()
        self.header: dict[str, Any] = {}
        self.galleries: dict[str, tuple[str, ...]] = {}
        self.images: dict[str, Path] = {}
        self.cases: dict[str, Case] = {}

    def line(self, number: int, text: str) -> None:
        """Take one line in."""
        where = f"{self.path}, line {number}"
        try:
            line = parse_json(text)
        except json.JSONDecodeError as error:
            raise DataError(f"{where}: not JSON ({error.msg}); write the file again") from None
        if not isinstance(line, dict):
            raise DataError(f"{where}: a line is one JSON object, not {text.strip()[:40]}")
        self.take(where, line)

    def take(self, where: str, line: dict[str, Any]) -> None:
        """Take in what a line says."""
        if not self.header:
            self._begin(where, line)
        elif "gallery" in line:
            self.galleries[_name(where, "a gallery's name", line["gallery"])] = _names(
                where, "ids", line.get("ids")
            )
        elif "picture" in line:
            id = _name(where, "a picture's id", line["picture"])
            if not isinstance(line.get("file"), str):
                raise DataError(f"{where}: picture {id} does not say its file")
            self.images[id] = Path(os.path.normpath(self.base / line["file"]))
        elif "query" in line:
            self._query(where, line)
        else:
            raise DataError(f"{where}: neither a gallery, a picture nor a query")

    def _begin(self, where: str, line: dict[str, Any]) -> None:
        if line.get("circlet") != "benchmark":
            raise DataError(f'{where}: not a circlet benchmark; its first line has "circlet": "benchmark"')
        if line.get("version") != VERSION:
            raise DataError(
                f"{where}: version {line.get('version')} of the format, and this circlet reads {VERSION}: "
                "upgrade circlet, or write the file again"
            )
        if gone := [name for name in ("name", "split") if name not in line]:
            raise DataError(f"{where}: the header has no {' and no '.join(gone)}")
        for name in ("name", "split", "revision"):
            _name(where, f"the header's {name}", line.get(name, ""))
        for name in ("protocol", "extra"):
            if not isinstance(line.get(name, {}), dict):
                raise DataError(f"{where}: the header's {name} is an object, not {str(line[name])[:40]}")
        _names(where, "measures", line.get("measures", []))
        self.header = line

    def _query(self, where: str, line: dict[str, Any]) -> None:
        id = _name(where, "a query's id", line["query"])
        if id in self.cases:
            raise DataError(f"{where}: query {id} is there twice; keep one of the two")
        if unknown := sorted(set(line) - set(_OF_CASE) - {"query", "turns"}):
            raise DataError(f"{where}: a query has no {', '.join(unknown)}; it has {', '.join(_OF_CASE)}")
        try:
            query = Query(id, tuple(Turn.from_dict(turn) for turn in line.get("turns", ())))
        except (UsageError, TypeError, ValueError, AttributeError) as error:
            raise DataError(f"{where}: a turn cannot be read: {error}") from None
        values: dict[str, Any] = {}
        for name, kind in _OF_CASE.items():
            if name in line:
                if kind and not isinstance(line[name], kind):
                    raise DataError(f"{where}: {name} is not {'text' if kind is str else 'an object'}")
                values[name] = line[name] if kind else _names(where, name, line[name])
        for grade in values.get("grades", {}).values():
            if type(grade) not in (int, float) or not isfinite(grade):
                raise DataError(f"{where}: grades are numbers, not {str(grade)[:40]}")
        self.cases[id] = Case(query=query, **values | _judged(where, values))

    def done(self) -> Benchmark:
        """The benchmark, once every line is in."""
        if not self.header:
            raise DataError(f"{self.path}: empty; write the benchmark again")
        fields: dict[str, Any] = {name: self.header[name] for name in _HEADER if name in self.header}
        fields["measures"] = tuple(fields.get("measures", ()))
        return Benchmark(
            **fields, cases=tuple(self.cases.values()), galleries=self.galleries, images=self.images
        )


def _judged(where: str, values: dict[str, Any]) -> dict[str, Any]:
    """The judgement of a query; older files have it among the notes."""
    notes = values.get("notes", {})
    given = values.get("judgement") or ({"sets", "preferred"} <= notes.keys() and notes)
    if not given:
        return {}
    try:
        judgement = Judgement.from_dict(given)
    except DataError as error:
        raise DataError(f"{where}: {error}") from None
    rest = {name: value for name, value in notes.items() if name not in ("sets", "preferred")}
    return {"judgement": judgement, "notes": rest}
