"""The slow, obvious counterpart: sort everything, look where the truth stands."""

import math

import numpy as np

from circlet.core import Benchmark, Composer, Gallery, Pictures, Query, Turn, Vectors

FINGERPRINT = "toy:1"


class Given(Composer):
    """A composer whose queries carry their own vector: the text is a row number of a table."""

    fingerprint = FINGERPRINT

    def __init__(self, rows: Vectors) -> None:
        self.rows = rows

    def turns(self, turns: list[Turn], pictures: Pictures) -> Vectors:  # type: ignore[override]
        return self.rows[[int(turn.text) for turn in turns]]


def pessimistic_order(ids: list[str], scores: dict[str, float], good: dict[str, float]) -> list[str]:
    """Best first; among equals those that do not count, then the least worth."""
    return sorted(ids, key=lambda id: (-scores[id], good.get(id, -math.inf)))


def candidates(bench: Benchmark, query: Query, within: tuple[str, ...]) -> list[str]:
    return [id for id in within if id not in bench.case(query.id).exclude]


def average_precision(order: list[str], truths: set[str], k: int, over: str) -> float:
    found, total = 0, 0.0
    for place, id in enumerate(order[:k], start=1):
        if id in truths:
            found += 1
            total += found / place
    return total / (min(len(truths), k) if over == "min" else len(truths))


def ndcg(order: list[str], grades: dict[str, float], k: int) -> float:
    def worth(gains: list[float]) -> float:
        return sum(gain / math.log2(place + 1) for place, gain in enumerate(gains[:k], start=1))

    ideal = worth(sorted((max(grade, 0) for grade in grades.values()), reverse=True))
    return worth([max(grades.get(id, 0), 0) for id in order]) / ideal if ideal else 0.0


def gallery(amount: int, dim: int = 3, seed: int = 0) -> Gallery:
    rows = np.random.default_rng(seed).integers(-2, 3, (amount, dim)).astype(np.float32)
    return Gallery([f"p{i}" for i in range(amount)], rows, FINGERPRINT)
