"""Pictures that lie elsewhere: objects of an S3 bucket and files of a web server, read within limits."""

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit, urlunsplit

from circlet.core import PictureError, UnreadableError, UsageError
from circlet.core.extras import needed
from circlet.images.addresses import SCHEMES, address_of
from circlet.images.files import shown
from circlet.images.moments import file_of

# The most bytes that are read of one object: all of it is in memory while it is decoded.
MOST_BYTES = 256_000_000
# Seconds for a connection, and for one object from end to end.
_CONNECT, _WHOLE = 10, 120
_ATTEMPTS = 3
_PIECE = 1 << 20
_SECOND = 1_000_000_000


class State(NamedTuple):
    """What tells whether a picture changed: its size, and its time with what else its server says."""

    size: int
    mtime_ns: int


def checked(address: str) -> str:
    """The address, if a picture can be kept under it; else an error of one sentence.

    >>> checked("https://me:secret@example.org/a.jpg")
    Traceback (most recent call last):
        ...
    circlet.core.errors.UsageError: https://example.org/a.jpg: an address with a name or a password in \
it is not kept: leave them out
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in SCHEMES or not parts.netloc:
        raise UsageError(f"{shown(address)}: no address of a picture: name s3://bucket/key or a https:// one")
    if "@" in parts.netloc:
        bare = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
        raise UsageError(
            f"{shown(bare)}: an address with a name or a password in it is not kept: leave them out"
        )
    folded = Path(address)
    if os.fspath(folded) != address.replace("://", ":/", 1) or ".." in folded.parts:
        raise UsageError(f"{shown(address)}: an address with empty or dotted parts cannot be kept")
    return address


def fetch(address: str, *, most: int = MOST_BYTES) -> bytes:
    """All bytes of the object at this address, if they are no more than `most`.

    fetch("s3://bucket/beach.jpg")
    """
    with _explained(address):
        if address.startswith("s3:"):
            bucket, key = _parts(address)
            found = _client().get_object(Bucket=bucket, Key=key)
            size, answer = found["ContentLength"], found["Body"]
        else:
            answer = _asked(address)
            size = int(answer.headers.get("Content-Length") or 0)
        with closing(answer):
            return _bounded(size, iter(lambda: answer.read(_PIECE), b""), most)


def _bounded(size: int, pieces: Iterator[bytes], most: int) -> bytes:
    """What comes, until it is too much or takes too long: a server may say less than it sends."""
    data, until = bytearray(), time.monotonic() + _WHOLE
    for piece in pieces if size <= most else ():
        data += piece
        if len(data) > most:
            break
        if time.monotonic() > until:
            raise UnreadableError(f"not all of it came within {_WHOLE} seconds: try again later")
    if max(size, len(data)) > most:
        raise PictureError(f"over the limit of {most // 1_000_000} MB: make a smaller copy of it")
    if len(data) < size:
        raise UnreadableError(f"only {len(data):,} of {size:,} bytes came: try again")
    return bytes(data)


def state_at(address: str) -> State:
    """Size and time of the object at this address; one that is gone raises `FileNotFoundError`."""
    with _explained(address, gone=True):
        if address.startswith("s3:"):
            bucket, key = _parts(address)
            found = _client().head_object(Bucket=bucket, Key=key)
            return _state(found["ContentLength"], found["LastModified"], found["ETag"])
        with _asked(address, "HEAD") as answer:
            from email.utils import parsedate_to_datetime

            said = answer.headers.get("Last-Modified")
            when = parsedate_to_datetime(said) if said else datetime.fromtimestamp(0, UTC)
            size = int(answer.headers.get("Content-Length") or 0)
            return _state(size, when, answer.headers.get("ETag") or "")


def state_of(id: str) -> State:
    """Size and time of a picture as it is now, wherever it lies; raises `OSError` where that cannot be told.

    >>> state_of(__file__).size > 1000
    True
    """
    if address := address_of(id):
        return state_at(address)
    found = file_of(id).stat()
    return State(found.st_size, found.st_mtime_ns)


def _state(size: int, when: datetime, tag: str) -> State:
    """The state that a server tells of an object: its tag stands for the fractions of a second.

    Stores keep time in seconds, and an object may be replaced within one: then its tag is another.
    """
    number = int.from_bytes(hashlib.blake2b(tag.encode(), digest_size=8).digest(), "big")
    return State(size, int(when.timestamp()) * _SECOND + number % _SECOND)


def objects(address: str) -> Iterator[tuple[str, State]]:
    """Every object under `s3://bucket/prefix`, page by page: its address, and its state."""
    with _explained(address):
        bucket, prefix = _parts(address)
        asked = {"Bucket": bucket, "Prefix": f"{prefix.rstrip('/')}/" if prefix else ""}
        pages = iter(_client().get_paginator("list_objects_v2").paginate(**asked))
    while True:
        with _explained(address):
            page = next(pages, None)
        if page is None:
            return
        for found in page.get("Contents", ()):
            state = _state(found["Size"], found["LastModified"], found["ETag"])
            yield f"s3://{bucket}/{found['Key']}", state


def _parts(address: str) -> tuple[str, str]:
    bucket, _, key = address.removeprefix("s3://").partition("/")
    return bucket, key


@cache
def _client() -> Any:
    """What asks S3, by what the environment and ~/.aws say of endpoint, region and rights."""
    import boto3
    from botocore.config import Config

    config = Config(
        connect_timeout=_CONNECT,
        read_timeout=_WHOLE,
        retries={"mode": "standard", "max_attempts": _ATTEMPTS},
        max_pool_connections=32,
    )
    return boto3.session.Session().client("s3", config=config)


def _asked(address: str, method: str = "GET") -> Any:
    """The answer of a web server, which may send us on to another one, but not to a file."""
    import urllib.request

    parts = urlsplit(address)
    there = urlunsplit(
        parts._replace(path=quote(parts.path, safe="/%"), query=quote(parts.query, safe="=&%"))
    )
    request = urllib.request.Request(there, method=method, headers={"User-Agent": "circlet"})
    return urllib.request.urlopen(request, timeout=_CONNECT)


@contextmanager
def _explained(address: str, *, gone: bool = False) -> Iterator[None]:
    """Every failure inside in one line that names the object; with `gone`, one that is not there as such."""
    name = shown(address)
    if address.startswith("s3:"):
        needed("boto3")
    try:
        yield
    except PictureError as error:
        raise type(error)(f"{name}: {error}") from None
    except Exception as error:
        reason = _reason(error)
        if gone and reason is _GONE:
            raise FileNotFoundError(f"{name}: {reason}") from None
        raise UnreadableError(f"{name}: {reason}") from None


_GONE = "no such object: it was moved or deleted"
_REFUSED = "permission denied: give this account the right to read it"


def _reason(error: Exception) -> str:
    told = getattr(error, "response", {})
    # An answer of a web server, or one of S3.
    code = getattr(error, "code", None) or told.get("ResponseMetadata", {}).get("HTTPStatusCode")
    if told.get("Error", {}).get("Code") == "NoSuchBucket":
        return "no such bucket: check its name"
    if code in (401, 403):
        return _REFUSED
    if code in (404, 410):
        return _GONE
    if code is not None:
        return f"its server answered {code}: try again later"
    if type(error).__name__ == "NoCredentialsError":
        return (
            "no rights to ask with: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile in ~/.aws"
        )
    return f"its server did not answer ({type(error).__name__}): try again later"
