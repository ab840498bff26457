"""The wire to a Milvus server: requests that wait for it to come back, reads that see what was written."""

import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from circlet.core import CircletError, UsageError, Vectors
from circlet.core.extras import needed
from circlet.index.milvus.address import Address
from circlet.index.milvus.expressions import among, both, quoted
from circlet.index.milvus.fields import Row, columns
from circlet.index.milvus.trouble import comes_back, told

if TYPE_CHECKING:
    from pymilvus import MilvusClient

Answer = TypeVar("Answer")
# More than this no query and no search of Milvus gives at once.
MOST = 16_384
# Keys in one expression, and bytes in one request: a server takes 64 MB.
_KEYS, _BYTES = 4_096, 16 << 20
# Seconds for a server to be there at all, and to come back or to answer: who indexes waits longer.
_FIRST, _READER, _WRITER = 10.0, 60.0, 180.0
# So long a read names the moment that it must see; later the server's own bound, some seconds, covers it.
_NAMED = 60.0


@dataclass
class _Floor:
    """The moment of a server that this process must see: what it wrote, and what was there when it came."""

    stamp: int = 0
    at: float = 0.0
    stale: bool = True
    writes: int = 0


class Link:
    """Requests to one server. A read sees all that this process wrote, all that was written before the
    link was made, and what others write a moment later: `Bounded` consistency, and never less.
    """

    _floors: ClassVar[dict[str, _Floor]] = {}
    _guard: ClassVar[Lock] = Lock()

    def __init__(self, address: Address, *, write: bool) -> None:
        needed("pymilvus")
        os.environ.setdefault("GRPC_VERBOSITY", "NONE")
        self.address = address
        self._patience = _WRITER if write else _READER
        self._floor = self._floors.setdefault(address.endpoint, _Floor())
        self._floor.stale = True
        self._client: MilvusClient | None = None
        self._met = False
        # Collections that were seen to be there, and those that are complete.
        self._there: set[str] = set()
        self._made: set[str] = set()
        self._parts: dict[str, frozenset[str]] = {}
        self._schemas: dict[str, Any] = {}

    def close(self) -> None:
        """Hang up."""
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def _connected(self) -> "MilvusClient":
        if self._client is None:
            from pymilvus import MilvusClient

            _hush()
            more = {"server_pem_path": self.address.certificates} if self.address.certificates else {}
            self._client = MilvusClient(
                uri=self.address.uri, token=self.address.token, timeout=_FIRST, **more
            )
            self._met = True
        return self._client

    def _ask(self, request: "Callable[[MilvusClient], Answer]", table: str = "") -> Answer:
        """The answer to a request, which is repeated while the server is lost or not ready."""
        # A server that was never met is an address that was mistyped, more often than one that comes back.
        end, pause = time.monotonic() + (self._patience if self._met else 0), 0.1
        while True:
            try:
                return request(self._connected())
            except CircletError:
                raise
            except UnicodeEncodeError as error:
                name = error.object.encode("utf-8", "backslashreplace").decode()
                raise UsageError(
                    f"{name}: this name is not valid text, so no index can hold it: rename it"
                ) from None
            except Exception as error:
                if time.monotonic() > end or not comes_back(error):
                    raise told(error, str(self.address)) from error
                self._load(table, error)
            time.sleep(pause)
            pause = min(2 * pause, 3.0)

    def _load(self, table: str, error: Exception) -> None:
        """Have a collection taken up that somebody let go of."""
        if table and "not loaded" in str(error).lower():
            try:
                self._connected().load_collection(table, timeout=self._patience)
            except Exception as why:
                if not comes_back(why):
                    raise told(why, str(self.address)) from why

    # Writing

    def stamp(self) -> int:
        """The server's clock, in milliseconds."""
        return self._now() >> 18

    def _now(self) -> int:
        return int(self._ask(lambda client: client._get_connection().alloc_timestamp(timeout=self._patience)))

    @property
    def writes(self) -> int:
        """How often this process wrote to the server."""
        return self._floor.writes

    def written(self) -> None:
        """Whoever reads from now on in this process waits for what was just written."""
        self._floor.writes += 1
        self._floor.stale = True

    def upsert(self, table: str, rows: Sequence[Row], partition: str = "", *, new: bool = False) -> None:
        """Write rows whole, over those of the partition that have their keys; once more changes nothing.

        Rows that are known to be `new` are inserted, so that the server has nothing to clear away. If that
        may have come through or not, they are written over what there is, as all others are.
        """
        if rows and partition and partition not in self.partitions(table):
            self._ask(lambda client: client.create_partition(table, partition, timeout=self._patience))
            self._parts.pop(table)
        for some in _bounded(rows):
            self._ask(_Writing(table, partition, some, self._schema(table), self._patience, new), table)
            self.written()

    def _schema(self, table: str) -> Any:
        """What pymilvus would ask for before each writing; no collection changes its fields."""
        if table not in self._schemas:
            self._schemas[table] = self._ask(
                lambda client: client.describe_collection(table, timeout=self._patience)
            )
        return self._schemas[table]

    def partitions(self, table: str, *, now: bool = False) -> frozenset[str]:
        """The partitions of a collection; who may write alone asks once."""
        if now or table not in self._parts:
            listed = self._ask(lambda client: client.list_partitions(table, timeout=self._patience))
            self._parts[table] = frozenset(listed)
        return self._parts[table]

    def delete(self, table: str, field: str, keys: Sequence[str] | Sequence[int]) -> None:
        """Drop the rows that have these keys."""
        for start in range(0, len(keys), _KEYS):
            said = among(field, keys[start : start + _KEYS])
            self._ask(partial(_delete, table, said, self._patience), table)
            self.written()

    def make(self, table: str, schema: Any, vectors: Mapping[str, Any], numbers: Sequence[str] = ()) -> None:
        """Make what is not there of a collection and its indices, and have it taken up.

        One whose maker was killed is completed, and one that a reader took up before it was done is let go of
        for that.
        """
        if table in self._made:
            return
        wanted = {"vector": {"metric_type": "IP", **vectors}}
        wanted |= {field: {"index_type": "STL_SORT"} for field in numbers}
        patience = self._patience

        def request(client: "MilvusClient") -> None:
            if not client.has_collection(table, timeout=patience):
                client.create_collection(table, schema=schema, consistency_level="Bounded", timeout=patience)
            lacks = [field for field in wanted if not client.list_indexes(table, field_name=field)]
            if lacks:
                client.release_collection(table, timeout=patience)
            for field in lacks:
                indexes = client.prepare_index_params()
                indexes.add_index(field, **wanted[field])
                client.create_index(table, indexes, timeout=patience)
            client.load_collection(table, timeout=patience)

        self._ask(request)
        self._there.add(table)
        self._made.add(table)

    def drop(self, table: str) -> None:
        """Take a collection away."""
        self._there.discard(table)
        self._made.discard(table)
        self._ask(lambda client: client.drop_collection(table, timeout=self._patience))

    # Reading

    def has(self, table: str) -> bool:
        """Whether there is such a collection; one that was seen is not asked for again."""
        if table not in self._there:
            there = self._ask(lambda client: client.has_collection(table, timeout=self._patience))
            if not there:
                return False
            self._there.add(table)
        return True

    def _as_of(self, fresh: bool = True) -> dict[str, Any]:
        floor = self._floor
        if floor.stale and (fresh or not floor.stamp):
            with self._guard:
                # First, so that a write of another thread meanwhile makes it stale again.
                floor.stale = False
                floor.stamp, floor.at = self._now(), time.monotonic()
        if time.monotonic() - floor.at > _NAMED:
            return {"consistency_level": "Bounded"}
        return {"consistency_level": "Customized", "guarantee_timestamp": floor.stamp}

    def query(
        self,
        table: str,
        said: str,
        fields: Sequence[str],
        *,
        limit: int | None = None,
        start: int = 0,
        fresh: bool = True,
    ) -> list[Row]:
        """The rows for which something holds, in the order of their keys.

        Who knows that what this process wrote last is not asked for need not wait for it to be `fresh`.
        """
        more = {} if limit is None else {"limit": limit, "offset": start}
        as_of = self._as_of(fresh)
        return list(
            self._ask(
                lambda client: client.query(
                    table, filter=said, output_fields=list(fields), timeout=self._patience, **as_of, **more
                ),
                table,
            )
        )

    def count(self, table: str, said: str = "") -> int:
        """How many rows there are for which something holds."""
        [row] = self.query(table, said, ["count(*)"])
        return int(row["count(*)"])

    def having(
        self,
        table: str,
        field: str,
        keys: Sequence[str] | Sequence[int],
        fields: Sequence[str],
        *,
        fresh: bool = True,
    ) -> list[Row]:
        """The rows that have these keys."""
        found: list[Row] = []
        size = _KEYS // 4 if "vector" in fields else _KEYS
        for start in range(0, len(keys), size):
            found += self.query(table, among(field, keys[start : start + size]), fields, fresh=fresh)
        return found

    def pages(
        self, table: str, key: str, said: str, fields: Sequence[str], *, size: int = MOST
    ) -> Iterator[list[Row]]:
        """All rows for which something holds, in the order of their keys, some at a time.

        What is changed between two pages is seen as it is when its page comes.
        """
        after = ""
        while rows := self.query(table, both(after, said), [*{key, *fields}], limit=size):
            yield rows
            if len(rows) < size:
                return
            last = rows[-1][key]
            after = f"{key} > {quoted(last) if isinstance(last, str) else last}"

    def stretch(self, table: str, said: str, field: str, start: int, top: int) -> list[Any]:
        """One field of the rows at these places of all for which something holds, by their keys."""
        after = ""
        while start and start + top > MOST:
            step = min(start, MOST)
            rows = self.query(table, both(after, said), ["key"], limit=step)
            if len(rows) < step:
                return []
            start, after = start - step, f"key > {rows[-1]['key']}"
        rows = self.query(table, both(after, said), [field], limit=min(top, MOST), start=start)
        return [row[field] for row in rows]

    def search(
        self,
        table: str,
        vectors: Vectors,
        limit: int,
        said: str,
        fields: Sequence[str],
        probes: int,
        partitions: Sequence[str] = (),
    ) -> list[list[Row]]:
        """The rows nearest to each vector, in some partitions or in all, by reading so many lists."""
        as_of = self._as_of()
        found = self._ask(
            lambda client: client.search(
                table,
                data=list(vectors),
                anns_field="vector",
                limit=limit,
                filter=said,
                output_fields=list(fields),
                partition_names=list(partitions) or None,
                search_params={"metric_type": "IP", "params": {"nprobe": probes}},
                timeout=self._patience,
                **as_of,
            ),
            table,
        )
        return [[{**hit["entity"], "score": hit["distance"]} for hit in hits] for hits in found]


def _hush() -> None:
    """Keep what pymilvus says of every failed request, with tracebacks, off the terminal: see `trouble`."""
    below = [name for name in logging.root.manager.loggerDict if name.startswith("pymilvus.")]
    for name in ("pymilvus", *below):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = name != "pymilvus"
    logging.getLogger("pymilvus").addHandler(logging.NullHandler())


@dataclass
class _Writing:
    """A request to write rows, which may be made again."""

    table: str
    partition: str
    rows: list[Row]
    schema: Any
    timeout: float
    new: bool

    def __call__(self, client: "MilvusClient") -> object:
        wire, made = client._get_connection(), columns(self.rows)
        known = {"schema": self.schema, "timeout": self.timeout}
        new, self.new = self.new, False
        if new:
            # Asked for and waited for apart: pymilvus would repeat an insert by itself, and so double it.
            return wire.batch_insert(self.table, made, self.partition, _async=True, **known).result()
        return wire.upsert(self.table, made, self.partition, **known)


def _delete(table: str, said: str, timeout: float, client: "MilvusClient") -> Any:
    return client.delete(table, filter=said, timeout=timeout)


def _bounded(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """The rows in parts that a server takes in one request."""
    if not rows:
        return
    wide = 4 * len(rows[0]["vector"]) + 2_048
    size = max(1, _BYTES // wide)
    for start in range(0, len(rows), size):
        yield list(rows[start : start + size])
