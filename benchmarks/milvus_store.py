"""A Milvus store against pymilvus called directly, in a real server of its own, as ratios within one run.

    python benchmarks/milvus_store.py                    # 1,000,000 × 384: half an hour, 8 GB of disk
    python benchmarks/milvus_store.py --rows 50000       # two minutes

It fills a store with seeded vectors that lie in clusters, as pictures do, and beside it, block by block in
turn, two collections as somebody would who calls pymilvus: one with the same rows as the store's own two
collections, inserted, and one with path and vector alone; what it takes to make the collections counts for
all. Then the server indexes. It prints the rates; the recall of the exact ten best, for a picture and for the
mean of two, with filters and without; and the time of a search beside the same search asked by pymilvus,
which reads as many lists. The targets are those of the project: recall .99, latency within 1.2 of pymilvus's,
ingest at 0.8 of it.
"""

import argparse
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pymilvus import DataType, MilvusClient
from search import entry, like_pictures

from circlet.core import Vectors, unit
from circlet.index import Filters, open_store
from circlet.index.milvus.milvus_store import MilvusStore
from circlet.index.milvus.tables import (
    LOOKED_UP,
    PROBES,
    SEARCHED,
    catalogue_schema,
    picture_row,
    probes,
    space_schema,
    vector_row,
)
from circlet.testing import MilvusServer

SPACE, BATCH, BLOCK = "bench:1", 2_000, 10_000
ALBUM = "/home/someone/Pictures/album 007"


class Kind(NamedTuple):
    """A kind of search: what is said to circlet and to Milvus, and which of the pictures' numbers pass."""

    filters: Filters | None
    said: str
    share: float
    passes: Callable[[NDArray[np.int64]], NDArray[np.bool_]]


KINDS = {
    "of all": Kind(None, "", 1.0, lambda number: number >= 0),
    "of half, by date": Kind(
        Filters(after=datetime(2021, 1, 1)), "moment >= 1609459200", 1 / 2, lambda number: number % 6 >= 3
    ),
    "of one in 200, by folder": Kind(
        Filters(folder=ALBUM),
        f'path >= "{ALBUM}/" and path < "{ALBUM}0"',
        1 / 200,
        lambda number: number % 200 == 7,
    ),
}


def main() -> None:
    """Fill, index, measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--dim", type=int, default=384)
    parser.add_argument("--beside", type=int, default=50_000, help="Rows of each direct collection.")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--folder", type=Path, help="Where the server keeps its data; a temporary one else.")
    asked = parser.parse_args()
    folder = asked.folder or Path(tempfile.mkdtemp(prefix="circlet-milvus-bench-"))
    try:
        with MilvusServer(folder / "server") as server:
            measured(asked, server)
            size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
            print(f"the server's folder takes {size / 1e9:.1f} GB")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def measured(asked: argparse.Namespace, server: MilvusServer) -> None:
    """All of it in one server."""
    vectors = like_pictures(asked.rows, asked.dim)
    client = MilvusClient(uri=server.address.replace("milvus", "http", 1))
    with open_store(f"{server.address}/bench", write=True) as store:
        assert isinstance(store, MilvusStore)
        store.add_root("/home/someone/Pictures")
        fill(store, client, vectors, asked.beside)
        table = store.space_of(SPACE).table
        settle(client, table)
        recall(store, vectors, asked.queries)
        latency(store, client, table, vectors, asked.rounds)


def fill(store: MilvusStore, client: MilvusClient, vectors: Vectors, beside: int) -> None:
    """Everything into the store; in turn with its first blocks, the same by pymilvus."""
    times: dict[str, float] = {"store": 0.0} | prepare(client, vectors.shape[1])
    firsts = 0.0
    began = time.perf_counter()
    for start in range(0, len(vectors), BLOCK):
        block = vectors[start : start + BLOCK]
        took = timed(lambda: add(store, block, start))  # noqa: B023 (called at once)
        times["store"] += took
        if start < beside:
            firsts += took
            times["same rows"] += timed(lambda: same_rows(client, block, start))  # noqa: B023
            times["path and vector"] += timed(lambda: bare_rows(client, block, start))  # noqa: B023
        if start % 100_000 == 0:
            print(f"  {start + len(block):,} in {time.perf_counter() - began:.0f} s", flush=True)
    for name in ("same_catalogue", "same_vectors", "bare"):
        client.drop_collection(name)
    count = min(beside, len(vectors))
    print(f"{len(vectors):,} × {vectors.shape[1]} at {len(vectors) / times['store']:,.0f} a second")
    for name in ("same rows", "path and vector"):
        ratio = times[name] / firsts
        print(f"ingest beside pymilvus, {name:16} {ratio:5.2f} of {count / times[name]:,.0f} a second")


def prepare(client: MilvusClient, dim: int) -> dict[str, float]:
    """The collections that pymilvus fills, and how long they took to be made."""
    bare = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)
    bare.add_field("key", DataType.INT64, is_primary=True)
    bare.add_field("path", DataType.VARCHAR, max_length=4096)
    bare.add_field("vector", DataType.FLOAT_VECTOR, dim=dim)

    def make(name: str, schema: Any, kind: Mapping[str, Any]) -> float:
        indexes = client.prepare_index_params()
        indexes.add_index("vector", metric_type="IP", **kind)
        return timed(lambda: client.create_collection(name, schema=schema, index_params=indexes))

    same = make("same_catalogue", catalogue_schema(), LOOKED_UP)
    same += make("same_vectors", space_schema(dim), SEARCHED)
    return {"same rows": same, "path and vector": make("bare", bare, SEARCHED)}


def batches(block: Vectors, start: int) -> list[tuple[list[Any], Vectors]]:
    """The entries and vectors of a block, a batch at a time."""
    cut = range(0, len(block), BATCH)
    return [
        ([entry(start + at + i) for i in range(len(block[at : at + BATCH]))], block[at : at + BATCH])
        for at in cut
    ]


def add(store: MilvusStore, block: Vectors, start: int) -> None:
    """As circlet does."""
    for entries, part in batches(block, start):
        store.add(entries, part, SPACE)


def same_rows(client: MilvusClient, block: Vectors, start: int) -> None:
    """All that circlet writes, by plain inserts."""
    for entries, part in batches(block, start):
        rows = [picture_row(one, "/home/someone/Pictures", {}) for one in entries]
        client.insert("same_catalogue", rows)
        client.insert("same_vectors", [vector_row(row, part[i], start + i) for i, row in enumerate(rows)])


def bare_rows(client: MilvusClient, block: Vectors, start: int) -> None:
    """The least that somebody would write."""
    for entries, part in batches(block, start):
        rows = [{"key": i, "path": one.path, "vector": part[i]} for i, one in enumerate(entries)]
        client.insert("bare", [{**row, "key": start + row["key"]} for row in rows])


def settle(client: MilvusClient, table: str) -> None:
    """Have everything sealed and indexed, and wait for it."""
    began = time.perf_counter()
    client.flush(table)
    last = -1
    while True:
        with suppress(Exception):
            told = client.describe_index(table, "vector")
            pending = told["pending_index_rows"]
            if pending == 0 and told["indexed_rows"] >= told["total_rows"]:
                break
            if pending != last:
                print(f"  {pending:,} rows to index after {time.perf_counter() - began:.0f} s", flush=True)
                last = pending
        time.sleep(5)
    client.refresh_load(table)
    print(f"sealed and indexed in {time.perf_counter() - began:.0f} s")


def recall(store: MilvusStore, vectors: Vectors, count: int) -> None:
    """How many of the exact ten best are found, and how it grows with how many lists are read."""
    random = np.random.default_rng(1)
    one, two = random.integers(len(vectors), size=(2, count))
    asked = {"a picture": vectors[one], "the mean of two": unit(vectors[one] + vectors[two])}
    table = store.space_of(SPACE).table
    for name, queries in asked.items():
        scores = queries @ vectors.T
        for kind, way in KINDS.items():
            there = np.flatnonzero(way.passes(np.arange(len(vectors))))
            best = [
                {entry(int(there[at])).path for at in np.argpartition(-row[there], 10)[:10]} for row in scores
            ]
            found = store.space(SPACE).search(queries, top=10, filters=way.filters)
            hits, worst = 0, 0.0
            for row, true, ranking in zip(scores, best, found, strict=True):
                hits += len(true & set(ranking.ids))
                exact = np.array([row[int(path[-11:-4])] for path in ranking.ids])
                worst = max(worst, float(np.abs(exact - ranking.scores).max()))
            print(
                f"recall@10 {kind:25} for {name:16} {hits / (10 * count):.4f}   (target .99); "
                f"scores off by {worst:.1e} at most",
                flush=True,
            )
            if way.filters is not None:
                continue
            for lists in (64, 128, 192, 256):
                near = store._link.search(table, queries, 10, "", ["path"], lists)
                hits = sum(
                    len(true & {hit["path"] for hit in some}) for true, some in zip(best, near, strict=True)
                )
                print(f"  {lists:3} lists read (circlet: {PROBES})  {hits / (10 * count):.4f}", flush=True)


def latency(store: MilvusStore, client: MilvusClient, table: str, vectors: Vectors, rounds: int) -> None:
    """A search of the store beside the same asked directly, in turn, a new query each time."""
    random = np.random.default_rng(2)
    queries = unit(vectors[random.integers(len(vectors), size=rounds)] + 0.01)
    space = store.space(SPACE)

    def direct(query: Vectors, way: Kind) -> object:
        return client.search(
            table,
            data=[query],
            limit=10,
            filter=way.said,
            output_fields=["path"],
            search_params={"metric_type": "IP", "params": {"nprobe": probes(10, way.share)}},
            consistency_level="Bounded",
        )

    for name, way in KINDS.items():
        pairs = [
            (
                timed(lambda: space.search(query[None], top=10, filters=way.filters)),  # noqa: B023
                timed(lambda: direct(query, way)),  # noqa: B023
            )
            for query in queries
        ]
        mine, direct_one = (statistics.median(column) for column in zip(*pairs, strict=True))
        print(
            f"ten best {name:26} {1000 * mine:6.1f} ms, {mine / direct_one:4.2f} × pymilvus's "
            f"{1000 * direct_one:.1f} ms   (target 1.2)"
        )


def timed(run: Callable[[], object]) -> float:
    """Seconds that it takes."""
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
