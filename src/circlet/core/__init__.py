"""The words that every room speaks; numpy only."""

from circlet.core.benchmark import Benchmark
from circlet.core.case import Case, JudgedSet, Judgement, Tagger, cases_of
from circlet.core.contributions import Contributions, Label, LabelKind
from circlet.core.encoders import Encoder, JointEncoder, PictureEncoder, Prepared, Progress
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
from circlet.core.filters import ORIENTATIONS, Filters, Orientation
from circlet.core.gallery import Exclude, Flags, Gallery, Rows, Searchable
from circlet.core.methods import Composer, Method, RankOptions, Scorer
from circlet.core.pictures import Beside, Pictures, beside, missing
from circlet.core.pipelines import Cut, Fuse, MethodScorer, Rerank
from circlet.core.ranking import Ranking
from circlet.core.run import Key, Run
from circlet.core.turns import Query, Turn
from circlet.core.vectors import Vectors, best, blocks, ranks, same_space, unit

__all__ = [
    "ORIENTATIONS",
    "Benchmark",
    "Beside",
    "BusyError",
    "Case",
    "CircletError",
    "Composer",
    "Contributions",
    "Cut",
    "DataError",
    "Encoder",
    "Exclude",
    "Filters",
    "Flags",
    "Fuse",
    "Gallery",
    "JointEncoder",
    "JudgedSet",
    "Judgement",
    "Key",
    "Label",
    "LabelKind",
    "Method",
    "MethodScorer",
    "MismatchError",
    "Orientation",
    "PictureEncoder",
    "PictureError",
    "Pictures",
    "Prepared",
    "Progress",
    "Query",
    "RankOptions",
    "Ranking",
    "Rerank",
    "Rows",
    "Run",
    "Scorer",
    "Searchable",
    "ServiceError",
    "StoreError",
    "Tagger",
    "Turn",
    "UnreadableError",
    "UsageError",
    "Vectors",
    "WeightsError",
    "beside",
    "best",
    "blocks",
    "cases_of",
    "missing",
    "ranks",
    "same_space",
    "unit",
]
