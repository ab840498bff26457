"""Pictures from elsewhere into a folder that can be indexed: webdataset shards, and tables of addresses."""

import csv
import hashlib
import tarfile
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from circlet.core import DataError, Progress, UsageError
from circlet.core.files import replacing
from circlet.images.formats import HEAD, SUFFIXES, sniff

# Words beside a picture, which `circlet train encoder` reads, come along.
_BESIDE = (".txt",)
COLUMNS = ("url", "address", "image_url", "image", "link")
# The largest file that is fetched, how long one may take, and how many are asked for at once.
LARGEST = 50_000_000
_PATIENCE = 20
_AT_ONCE = 8


@dataclass
class Gathered:
    """What came of it: how many pictures are new, how many were there, and what failed with the reason."""

    new: int = 0
    there: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)

    def __str__(self) -> str:
        failed = f", {len(self.failed):,} failed" if self.failed else ""
        return f"{self.new:,} pictures new, {self.there:,} there already{failed}"

    def keep(self, path: Path, content: bytes) -> None:
        """Write a file unless it is there."""
        if path.is_file() and path.stat().st_size == len(content):
            self.there += path.suffix not in _BESIDE
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as half:
            half.write_bytes(content)
        self.new += path.suffix not in _BESIDE


def unpack(shards: Sequence[Path], into: Path, *, progress: Progress | None = None) -> Gathered:
    """The pictures of webdataset shards (tar files), and the texts beside them, as files under `into`.

    A shard's pictures lie in a folder of its name. Whatever leads out of it is refused.
    """
    done = Gathered()
    for number, shard in enumerate(shards, start=1):
        home = into / shard.name.split(".")[0]
        try:
            for name, content in _members(shard):
                parts = PurePosixPath(name).parts
                if name.startswith("/") or ".." in parts:
                    done.failed.append((f"{shard}: {name}", "it would lie outside of the folder"))
                else:
                    done.keep(home.joinpath(*parts), content)
        except (tarfile.TarError, EOFError, OSError) as error:
            raise DataError(
                f"{shard}: cannot be read as a shard ({error}); is it a whole tar file?"
            ) from None
        if progress:
            progress(number, len(shards))
    return done


def _members(shard: Path) -> Iterator[tuple[str, bytes]]:
    """Names and bytes of what is a picture, or words beside one, in the order of the shard."""
    with tarfile.open(shard, "r|*") as tar:
        for member in tar:
            suffix = PurePosixPath(member.name).suffix.lower()
            if member.isfile() and suffix in (*SUFFIXES, *_BESIDE):
                held = tar.extractfile(member)
                if held is not None:
                    yield member.name, held.read()


def fetch(table: Path, into: Path, *, column: str = "", progress: Progress | None = None) -> Gathered:
    """The pictures that a table (CSV or TSV) has the addresses of, as files under `into`.

    A file is named by its address, so that a second run fetches what is missing. What is no picture, too
    large, or does not answer is listed with the reason.
    """
    addresses = list(dict.fromkeys(_addresses(table, column)))
    done = Gathered()
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        found = threads.map(lambda address: fetched(address, into), addresses)
        for number, (address, came) in enumerate(zip(addresses, found, strict=True), start=1):
            if isinstance(came, str):
                done.failed.append((address, came))
            else:
                done.keep(*came)
            if progress:
                progress(number, len(addresses))
    return done


def _addresses(table: Path, column: str) -> Iterator[str]:
    try:
        with table.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file, delimiter="\t" if table.suffix == ".tsv" else ",")
            names = rows.fieldnames or ()
            chosen = column or next((name for name in COLUMNS if name in names), "")
            if chosen not in names:
                raise UsageError(
                    f"{table}: no column {column or ' or '.join(COLUMNS)}; it has {', '.join(names)}; "
                    "say which with --column"
                )
            yield from (row[chosen].strip() for row in rows if (row[chosen] or "").strip())
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{table}: cannot be read ({error}); name a CSV or TSV file") from None


def fetched(address: str, into: Path) -> tuple[Path, bytes] | str:
    """Where a picture goes, and its bytes; or why there is none."""
    stem = hashlib.sha256(address.encode()).hexdigest()[:16]
    for path in into.glob(f"{stem}.*"):
        return path, path.read_bytes()
    if not address.startswith(("http://", "https://")):
        return "it is no http address"
    try:
        asked = urllib.request.Request(address, headers={"User-Agent": "circlet"})
        with urllib.request.urlopen(asked, timeout=_PATIENCE) as answer:
            content = answer.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        return f"it does not answer ({error})"
    if len(content) > LARGEST:
        return f"it is larger than {LARGEST // 1_000_000} MB"
    kind = sniff(content[:HEAD])
    return "it is no picture" if kind is None else (into / f"{stem}.{kind.lower()}", content)


def gather(source: Path, into: Path, *, column: str = "", progress: Progress | None = None) -> Gathered:
    """Whatever this source is, by its name's ending: a shard, or a table of addresses."""
    by_ending: dict[str, Callable[[], Gathered]] = {
        **dict.fromkeys((".tar", ".tgz", ".gz"), lambda: unpack([source], into, progress=progress)),
        **dict.fromkeys((".csv", ".tsv"), lambda: fetch(source, into, column=column, progress=progress)),
    }
    if source.suffix not in by_ending:
        raise UsageError(
            f"{source}: name webdataset shards (.tar), a table of addresses (.csv, .tsv), or a Hugging Face "
            "dataset (a folder, or .parquet)"
        )
    if not source.is_file():
        raise UsageError(f"{source}: no such file")
    return by_ending[source.suffix]()
