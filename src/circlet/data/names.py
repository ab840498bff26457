"""Benchmarks by name: `cirr:ROOT:val?reference=kept`, `tableaux:cir:ROOT`, or a circlet JSONL file."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl

from circlet.core import Benchmark, DataError, UsageError
from circlet.data.jsonl import read_benchmark

FORMS = "tableaux:KIND:ROOT[:split] or a circlet .jsonl file"


@dataclass(frozen=True)
class Name:
    """A benchmark's name, taken apart.

    >>> parse_name("cirr:data/cirr:val?reference=kept")
    Name(scheme='cirr', root='data/cirr', split='val', options={'reference': 'kept'})
    """

    scheme: str
    root: str
    split: str = ""
    options: Mapping[str, str] = field(default_factory=dict)


def parse_name(name: str) -> Name:
    """The parts of `SCHEME:ROOT[:split][?option=value&…]`; a plain path has no scheme."""
    name, _, asked = name.partition("?")
    options = dict(parse_qsl(asked, keep_blank_values=True))
    # One letter before a colon is a drive, not a scheme.
    found = re.fullmatch(r"(?:([a-z]\w+):)?(.+?)(?::(\w+))?", name)
    if not found or (not found[1] and found[3]):
        return Name("", name, "", options)
    return Name(found[1] or "", found[2], found[3] or "", options)


def load_benchmark(name: str, *, protocol: Mapping[str, str] | None = None) -> Benchmark:
    """The benchmark of this name, under its default protocol or the options given.

    Options stand after a question mark (`cirr:data/cirr:val?reference=kept&target=soft`) or in
    `protocol`; what they are is in docs/evaluation.md, and they are printed with every result.
    """
    asked = parse_name(name)
    if asked.scheme == "tableaux":
        kind, _, root = asked.root.partition(":")
        return read_benchmark(_tableaux(kind, Path(root), asked.split or "val"))
    if not asked.scheme and Path(asked.root).suffix == ".jsonl":
        return read_benchmark(asked.root)
    raise UsageError(f"no benchmark is named {name!r}: give {FORMS}")


def _tableaux(kind: str, root: Path, split: str) -> Path:
    """The file of one kind of tableaux benchmark: `ROOT/KIND.SPLIT.jsonl`."""
    path = root / f"{kind}.{split}.jsonl"
    if not path.is_file():
        there = sorted(file.name for file in root.glob("*.jsonl"))
        listed = f"there is {', '.join(there)}" if there else "make it with `circlet data make`"
        raise DataError(f"{path}: no such tableaux benchmark; {listed}")
    return path
