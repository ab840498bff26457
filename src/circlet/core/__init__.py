"""The ten words that every room speaks; numpy only."""

from circlet.core.benchmark import Benchmark
from circlet.core.contributions import Contributions, Label
from circlet.core.errors import (
    BusyError,
    CircletError,
    DataError,
    MismatchError,
    PictureError,
    ServiceError,
    StoreError,
    UnreadableError,
    UsageError,
    WeightsError,
)
from circlet.core.gallery import Beside, Gallery, Lookup, missing, same_space
from circlet.core.methods import Composer, Cut, Encoder, Fuse, Method, Rerank, Scorer
from circlet.core.ranking import Ranking
from circlet.core.run import Key, Run
from circlet.core.turns import Query, Turn
from circlet.core.vectors import Vectors, best, blocks, ranks, unit

__all__ = [
    "Benchmark",
    "Beside",
    "BusyError",
    "CircletError",
    "Composer",
    "Contributions",
    "Cut",
    "DataError",
    "Encoder",
    "Fuse",
    "Gallery",
    "Key",
    "Label",
    "Lookup",
    "Method",
    "MismatchError",
    "PictureError",
    "Query",
    "Ranking",
    "Rerank",
    "Run",
    "Scorer",
    "ServiceError",
    "StoreError",
    "Turn",
    "UnreadableError",
    "UsageError",
    "Vectors",
    "WeightsError",
    "best",
    "blocks",
    "missing",
    "ranks",
    "same_space",
    "unit",
]
