"""Files made once from the weights and kept: built when missing, rebuilt when damaged, never half there."""

import hashlib
import json
import logging
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import numpy as np

from circlet.core.errors import WeightsError
from circlet.core.files import parse_json, replacing
from circlet.core.home import room
from circlet.core.processes import processors

Made = TypeVar("Made")
_log = logging.getLogger("circlet.models")
# NumPy parses an array's header as Python, which Python 3.11 may fail at in several threads at once.
_reading = Lock()


def folder() -> Path:
    """The folder of prepared models, made on first use."""
    place = room("models")
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(place, error) from error
    return place


def kept(name: str, make: Callable[[Path], None], read: Callable[[Path], Made]) -> Made:
    """What `read` finds in the file `name`, which `make` writes if it is missing or `read` fails.

    The file appears by an atomic rename, so two processes may build it at once and a kill leaves
    the old one or none. The name must change whenever what `make` writes would.
    """
    path = folder() / name
    if path.exists():
        try:
            return read(path)
        except Exception:  # whatever a damaged file makes its reader raise, the cure is the same
            path.unlink(missing_ok=True)
    _log.info("preparing the models for the first time, which takes some seconds")
    try:
        with replacing(path) as half:
            make(half)
    except OSError as error:
        raise _unwritable(path, error) from error
    return read(path)


def kept_array(
    name: str, make: Callable[[], np.ndarray[Any, Any]], *, mapped: bool = False
) -> np.ndarray[Any, Any]:
    """An array kept as `name`.npy; a mapped one is read where it is touched."""

    def write(path: Path) -> None:
        with path.open("wb") as file:
            np.save(file, make(), allow_pickle=False)

    def read(path: Path) -> np.ndarray[Any, Any]:
        with _reading:
            return np.load(path, mmap_mode="r" if mapped else None, allow_pickle=False)

    return kept(f"{name}.npy", write, read)


def digest(*files: Path) -> str:
    """A short hash of the files' bytes, remembered by path, size and time so that it costs one stat.

    The memory is a convenience: without a place to keep it the bytes are hashed again.
    """
    memory = folder() / "digests.json"
    try:
        known: dict[str, str] = parse_json(memory.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        known = {}
    marks = []
    for file in files:
        state = file.stat()
        marks.append(f"{file}|{state.st_size}|{state.st_mtime_ns}")
    missing = [(mark, file) for mark, file in zip(marks, files, strict=True) if mark not in known]
    if missing:
        known |= {mark: _hash(file) for mark, file in missing}
        with suppress(OSError), replacing(memory) as half:
            half.write_text(json.dumps(known, indent=1), encoding="utf-8")
    return combined(*(known[mark] for mark in marks))


def combined(*parts: str) -> str:
    """Twelve hex digits that change when any part does.

    >>> combined("a", "b") == combined("ab"), len(combined("a"))
    (False, 12)
    """
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


def session(path: Path) -> Any:
    """An ONNX Runtime session on the CPU.

    Waiting threads sleep instead of spinning: decoding runs beside the model on the same cores.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = processors()
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _hash(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _unwritable(path: Path, error: OSError) -> WeightsError:
    return WeightsError(
        f"{path} cannot be written ({error.strerror or error}): prepared models are kept there; "
        "free or open that folder, or set CIRCLET_HOME to another one"
    )
