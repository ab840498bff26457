"""Milvus's kinds of index beside each other, by what they find and how long they take.

    python benchmarks/milvus_indices.py                        # 300,000 vectors, a quarter of an hour
    python benchmarks/milvus_indices.py --rows 50000 --kinds IVF_FLAT

It fills a collection of a real server with the first of the million vectors that `milvus_store.py` searches,
as many as Milvus keeps in one part, and indexes them by one kind after the other. For each way to search it
prints the recall of the exact ten best, for a picture and for the mean of two, and the time of one search;
then, between two pictures, the same where half of the pictures pass by date, and one in 200 by folder.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from milvus_store import KINDS, settle
from pymilvus import DataType, MilvusClient
from search import entry, like_pictures

from circlet.core import Vectors, unit
from circlet.index.values import seconds
from circlet.testing import MilvusServer

TABLE, BATCH, ALL = "trial", 5_000, 1_000_000
# What is built, and how it is searched.
TRIED: dict[str, tuple[dict[str, int], list[dict[str, int]]]] = {
    "HNSW": ({"M": 16, "efConstruction": 128}, [{"ef": 64}, {"ef": 256}]),
    "IVF_FLAT": ({"nlist": 1024}, [{"nprobe": lists} for lists in (32, 64, 128, 192, 256)]),
    "IVF_SQ8": ({"nlist": 1024}, [{"nprobe": lists} for lists in (64, 128, 256)]),
    "SCANN": (
        {"nlist": 1024},
        [
            {"nprobe": lists, "reorder_k": many}
            for lists, many in ((64, 260), (128, 520), (128, 4_000), (128, 8_000), (256, 8_000))
        ],
    ),
}


def main() -> None:
    """Fill, then index and search by each kind."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=300_000)
    parser.add_argument("--dim", type=int, default=384)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--kinds", nargs="+", choices=TRIED, default=list(TRIED))
    asked = parser.parse_args()
    vectors = like_pictures(ALL, asked.dim)[: asked.rows]
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        MilvusServer(Path(folder)) as server,
    ):
        client = MilvusClient(uri=server.address.replace("milvus", "http", 1))
        fill(client, vectors)
        for kind in asked.kinds:
            params, searches = TRIED[kind]
            print(f"{kind} {params}", flush=True)
            build(client, kind, params)
            for way in searches:
                print(f"  {way}: {measured(client, vectors, way, asked.queries)}", flush=True)


def fill(client: MilvusClient, vectors: Vectors) -> None:
    """Paths, moments and vectors, by the pictures' numbers."""
    schema = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("key", DataType.INT64, is_primary=True)
    schema.add_field("path", DataType.VARCHAR, max_length=4096)
    schema.add_field("moment", DataType.INT64)
    schema.add_field("vector", DataType.FLOAT_VECTOR, dim=vectors.shape[1])
    client.create_collection(TABLE, schema=schema)
    for start in range(0, len(vectors), BATCH):
        rows = []
        for at, vector in enumerate(vectors[start : start + BATCH], start):
            one = entry(at)
            assert one.taken
            rows.append({"key": at, "path": one.path, "moment": seconds(one.taken), "vector": vector})
        client.insert(TABLE, rows)


def build(client: MilvusClient, kind: str, params: dict[str, int]) -> None:
    """Index all by this kind in place of the last."""
    client.release_collection(TABLE)
    if client.list_indexes(TABLE):
        client.drop_index(TABLE, "vector")
    indexes = client.prepare_index_params()
    indexes.add_index("vector", index_type=kind, metric_type="IP", params=params)
    client.create_index(TABLE, indexes, timeout=3_600)
    client.load_collection(TABLE)
    settle(client, TABLE)


def measured(client: MilvusClient, vectors: Vectors, way: dict[str, int], count: int) -> str:
    """What is found and how fast, with and without filters."""
    one, two = np.random.default_rng(1).integers(len(vectors), size=(2, count))
    between = unit(vectors[one] + vectors[two])
    said = []
    for name, queries in (("a picture", vectors[one]), ("the mean of two", between)):
        said.append(f"{name} {found(client, vectors, queries, way)}")
    for name, kind in list(KINDS.items())[1:]:
        passing = np.flatnonzero(kind.passes(np.arange(len(vectors))))
        said.append(f"{name} {found(client, vectors, between, way, kind.said, passing)}")
    return "; ".join(said)


def found(
    client: MilvusClient,
    vectors: Vectors,
    queries: Vectors,
    way: dict[str, int],
    said: str = "",
    passing: Sequence[int] | Any = slice(None),
) -> str:
    """The recall of the ten best, and the median time of a search."""
    numbers = np.arange(len(vectors))[passing]
    times, hits = [], 0
    for query in queries:
        true = set(numbers[np.argpartition(-(vectors[passing] @ query), 10)[:10]].tolist())
        began = time.perf_counter()
        [near] = client.search(
            TABLE,
            data=[query],
            anns_field="vector",
            limit=26,
            filter=said,
            output_fields=["key", "path"],
            search_params={"metric_type": "IP", "params": way},
            consistency_level="Bounded",
        )
        times.append(time.perf_counter() - began)
        hits += len(true & {hit["key"] for hit in near[:10]})
    return f"{hits / (10 * len(queries)):.4f} in {1000 * statistics.median(times):.1f} ms"


if __name__ == "__main__":
    main()
