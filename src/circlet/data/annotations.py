"""What every reader needs: JSON with good errors, options with defaults, the source's revision."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from circlet.core import DataError, UsageError
from circlet.core.files import parse_json, read_text

_REMEDY = "put it there, or name the right path"


def read_json(path: Path) -> Any:
    """A JSON file's value; what is missing or broken is named."""
    try:
        return parse_json(read_text(path, _REMEDY))
    except json.JSONDecodeError as error:
        raise DataError(f"{path}: not JSON ({error}); fetch the file again") from None


def read_records(path: Path) -> list[dict[str, Any]]:
    """The records of a JSON list or of JSON lines."""
    text = read_text(path, _REMEDY)
    try:
        if text.lstrip().startswith("["):
            records = parse_json(text)
        else:
            # Not splitlines: a text in JSON may hold other marks that end a line elsewhere.
            records = [parse_json(line) for line in text.split("\n") if line.strip()]
    except json.JSONDecodeError as error:
        raise DataError(f"{path}: neither a JSON list nor JSON lines ({error}); fetch it again") from None
    for number, record in enumerate(records, start=1):
        if not isinstance(record, dict):
            raise DataError(
                f"{path}, record {number}: a JSON object is wanted, not {str(record)[:40]}; fetch it again"
            )
    return records


def need(record: Mapping[str, Any], path: Path, number: int, *names: str) -> list[Any]:
    """These fields of a record; an absent one is an error that names the record and the field.

    >>> need({"a": 1, "b": 2}, Path("x.json"), 0, "b", "a")
    [2, 1]
    """
    try:
        return [record[name] for name in names]
    except KeyError:
        gone = ", ".join(name for name in names if name not in record)
        raise DataError(f"{path}, record {number + 1}: no field {gone}; is this the right file?") from None


def choose(dataset: str, asked: Mapping[str, str], offers: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The protocol: what was asked for, and the first of each offer where nothing was.

    >>> choose("toy", {"reference": "kept"}, {"reference": ("removed", "kept"), "target": ("hard",)})
    {'reference': 'kept', 'target': 'hard'}
    """
    if unknown := sorted(set(asked) - set(offers)):
        has = "; ".join(f"{name}={'|'.join(values)}" for name, values in offers.items())
        raise UsageError(f"{dataset} has no option {', '.join(unknown)}; it has {has or 'none'}")
    for name, value in asked.items():
        if value not in offers[name]:
            raise UsageError(f"{dataset}: {name}={value} is none of {', '.join(offers[name])}")
    return {name: asked.get(name, values[0]) for name, values in offers.items()}


def revision(paths: Iterable[Path]) -> str:
    """A short name for exactly these bytes, so that a result says which annotations it used."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return f"sha256:{digest.hexdigest()[:12]}"


class Under(Mapping[str, Path]):
    """Pictures by their paths in one folder; a path is made when it is asked for, as most never are.

    >>> Under(Path("data"), {"a": "./dev/a.png"})["a"].as_posix()
    'data/dev/a.png'
    """

    def __init__(self, folder: Path, names: Mapping[str, str]) -> None:
        self.folder, self.names = folder, names

    def __getitem__(self, id: str) -> Path:
        return self.folder / self.names[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


def pictures_under(folder: Path) -> dict[str, Path]:
    """Picture files of a folder by their name without ending; none if there is no such folder."""
    endings = {".png", ".jpg", ".jpeg", ".webp"}
    if not folder.is_dir():
        return {}
    files = (path for path in sorted(folder.rglob("*")) if path.suffix.lower() in endings)
    return {path.stem: path for path in files}
