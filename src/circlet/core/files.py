"""Files on disk: read with errors that say what to do, written whole or not at all."""

import errno
import gc
import json
import os
import secrets
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from circlet.core.errors import DataError, UsageError

# A path that leads nowhere was named wrongly; whatever else goes wrong lies with the file.
_NAMED_WRONGLY = (FileNotFoundError, IsADirectoryError, NotADirectoryError)


def read_text(path: Path | str, remedy: str) -> str:
    """A file's text; the mark that some programs put before UTF-8 is no part of it.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "a.json"
    >>> _ = path.write_bytes(b"\\xef\\xbb\\xbf[]")
    >>> read_text(path, "name another file")
    '[]'
    """
    not_endless(path, remedy)
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise unread(path, error, remedy) from None


def not_endless(path: Path | str, remedy: str) -> None:
    """Refuse a device, such as /dev/zero, whose end never comes; a pipe is as good as a file."""
    try:
        endless = stat.S_ISCHR(Path(path).stat().st_mode)
    except (OSError, ValueError):
        return  # whoever opens it says why it cannot be read
    if endless:
        raise UsageError(f"{path}: a device, not a file; {remedy}")


def parse_json(text: str | bytes, **options: Any) -> Any:
    """The value of a JSON text; whatever is wrong with it is a `json.JSONDecodeError`.

    Values nested without end and numbers too long to be counted with would be errors of their own.

    >>> parse_json('{"a": [1, 0.5]}')
    {'a': [1, 0.5]}
    >>> parse_json("1" + "0" * 400)
    Traceback (most recent call last):
        ...
    json.decoder.JSONDecodeError: a number of 401 digits: line 1 column 1 (char 0)
    """
    try:
        if options or not isinstance(text, str):
            return json.loads(text, parse_int=_whole, **options)
        return _DECODER.decode(text)
    except json.JSONDecodeError:
        raise
    except RecursionError:
        raise json.JSONDecodeError("nested too deeply", "", 0) from None
    except ValueError as error:
        raise json.JSONDecodeError(str(error), "", 0) from None


# No count, size or id has as many, and what has fewer is a number in floating point, too.
_DIGITS = 100


def _whole(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise ValueError(f"a number of {len(digits)} digits")
    return int(digits)


# Made once: files of runs have thousands of lines, each a text of its own.
_DECODER = json.JSONDecoder(parse_int=_whole)


def unread(path: Path | str, error: OSError | UnicodeDecodeError, remedy: str) -> DataError | UsageError:
    """The error to raise for a file that could not be read: its name, the cause, and what to do."""
    if isinstance(error, UnicodeDecodeError):
        return DataError(f"{path}: not text in UTF-8; {remedy}")
    kind = UsageError if isinstance(error, _NAMED_WRONGLY) else DataError
    return kind(f"{path}: {error.strerror or error}; {remedy}")


@contextmanager
def gathering() -> Iterator[None]:
    """For reading many objects that all stay: looking for garbage among them takes a third of the time.

    >>> with gathering():
    ...     gc.isenabled()
    False
    >>> gc.isenabled()
    True
    """
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


@contextmanager
def written_whole(path: Path | str, mode: str = "w") -> Iterator[IO[Any]]:
    """A file to write to, as text or with mode "wb" as bytes; what was there stays until all is written.

    A kill leaves the old file or the new one; two writers at once do not mix. What goes wrong with
    the disk is an error that names the file.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with written_whole(folder / "new" / "a.txt") as file:
    ...     _ = file.write("ä")
    >>> (folder / "new" / "a.txt").read_text(encoding="utf-8")
    'ä'
    """
    path = Path(path)
    try:
        with replacing(path) as half, half.open(mode, **_TEXT if "b" not in mode else {}) as file:
            yield file
    except OSError as error:
        if error.filename is not None and not _is_ours(error.filename, path):
            raise  # another file, which whoever wrote this one was reading
        cause = error.strerror or error
        raise UsageError(f"{path}: cannot be written there ({cause}); name another file") from None
    except UnicodeEncodeError as error:
        # JSON can spell half a letter, and a file's name of raw bytes reads as such; no file can hold it.
        around = error.object[max(0, error.start - 20) : error.end + 20].encode("ascii", "backslashreplace")
        raise DataError(
            f"{path}: not written, because …{around.decode()}… is no valid text: correct it at its source"
        ) from None


def _is_ours(name: Any, path: Path) -> bool:
    """Whether an error speaks of this file, of what is written beside it, or of a folder on the way."""
    here, end = Path(os.fsdecode(name)), path.absolute()
    return here.name.startswith(path.name) or here.absolute() in (end, *end.parents)


_TEXT: dict[str, Any] = {"encoding": "utf-8", "newline": "\n"}


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path to write to, which takes the place of `path` when all went well and is gone when not.

    For whoever writes by a library's own function; everything else writes with `written_whole`.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if path.exists() and not path.is_file():
        # A pipe or a device is written to as it is: moving a file onto it would destroy it.
        yield path
        return
    end = path.resolve()
    end.parent.mkdir(parents=True, exist_ok=True)
    # A name of its own: two writers may be at it at once.
    half = end.with_name(f"{end.name}.{secrets.token_hex(4)}.part")
    try:
        yield half
        half.replace(end)
    finally:
        with suppress(OSError):
            half.unlink()


def write_text(path: Path | str, text: str) -> Path:
    """Write a text file; what was there stays until everything is written."""
    with written_whole(path) as file:
        file.write(text)
    return Path(path)


def write_lines(path: Path | str, lines: Iterable[Mapping[str, Any]]) -> Path:
    """Write one JSON object a line; what was there stays until everything is written.

    >>> import tempfile
    >>> path = write_lines(Path(tempfile.mkdtemp()) / "b.jsonl", [{"a": 1}, {"b": "ä"}])
    >>> print(path.read_text(encoding="utf-8"), end="")
    {"a": 1}
    {"b": "ä"}
    """
    with written_whole(path) as file:
        for line in lines:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return Path(path)
