"""What models of context are held against, by hand; and the page that says which claims hold."""

from typing import Any

import numpy as np
import pytest

from circlet.core import Benchmark, Case, Query, Turn
from circlet.experiments.contexts import Hits, distances, method_hits
from circlet.experiments.contexts_page import LABELS, check, page, summary
from circlet.models.features import Features
from circlet.testing import ToyEncoder

TEN = tuple("abcd")


def frames() -> Benchmark:
    cases = tuple(
        Case(
            query=Query(str(n), (Turn(text="word " * (n + 1)),)),
            truths=(TEN[n],),
            subset=TEN,
            aspects=("video" if n < 2 else "static", *(("negation",) if n == 0 else ())),
        )
        for n in range(4)
    )
    return Benchmark(name="toy", split="test", cases=cases, galleries={})


def known(video: tuple[float, float], static: tuple[float, float]) -> list[Hits]:
    return [np.array([*video, *static])]


def numbers(**rows: list[Hits]) -> dict[str, Any]:
    every = {way: known((0, 0), (0, 1)) for way in LABELS}
    return summary(
        frames(),
        {**every, **{name.replace("_", "-"): row for name, row in rows.items()}},
        np.array([0.4, 0.4, 0.5, 0.5]),
    )


def test_accuracies_are_told_by_source_and_by_phenomenon() -> None:
    told = numbers(temporal=known((1, 0), (1, 1)))
    assert told["rows"]["temporal"] == {"all": [75.0], "video": [50.0], "static": [100.0]}
    assert told["phenomena"]["temporal"] == {"negation": 100.0}
    assert told["counts"]["negation"] == 1
    assert told["distance"]["static"] / told["distance"]["video"] == pytest.approx(1.25)
    # Found are those of few words, and of distant pictures.
    assert told["pearson"]["temporal"]["distance"] > 0
    assert numbers(temporal=known((1, 1), (0, 0)))["pearson"]["temporal"]["words"] < 0


def test_a_claim_holds_or_not_by_the_numbers() -> None:
    good = numbers(
        zero_shot=[np.array([0.15, 0.15, 0.5, 0.5])],
        bi_encoder=[np.array([0.2, 0.2, 0.55, 0.55])],
        context_batch=[np.array([0.3, 0.3, 0.6, 0.6])],
        temporal=[np.array([0.35, 0.35, 0.7, 0.7])],
        reader=known((1, 1), (1, 1)),
        oracle=known((1, 1), (1, 1)),
    )
    held = {claim.claim.split(",")[0]: "does not" not in claim.holds for claim in check(good)}
    assert held["words and place without pixels reach at most 15 on video"]
    assert held["static pictures lie 1.05 to 1.3 times as far apart as frames (paper: 1.13)"]
    assert held["zero-shot < fine-tuned < +ContextBatch < +TemporalEmbeddings"]
    assert held["the frame reader finds twice as many frames as +TemporalEmbeddings"]
    bad = numbers(blind=known((1, 0), (0, 0)), oracle=known((1, 1), (1, 1)))
    lost = {claim.claim.split(",")[0]: "does not" in claim.holds for claim in check(bad)}
    assert lost["words and place without pixels reach at most 15 on video"]
    assert lost["zero-shot < fine-tuned < +ContextBatch < +TemporalEmbeddings"]
    assert lost["the frame reader finds .8 of what the true graphs give"]


def test_the_page_has_a_line_for_every_row_and_claim() -> None:
    told = numbers()
    text = page(told, ["a toy"])
    for label, _ in LABELS.values():
        assert text.count(f"| {label} |") == 3
    for claim in check(told):
        assert claim.claim in text


def test_a_method_is_asked_set_by_set_and_told_whether_it_is_a_film() -> None:
    asked: list[bool] = []

    class First:
        def scores(self, queries: Any, gallery: Any, *, pictures: Any = None) -> Any:
            asked.append(gallery.in_time)
            return np.tile(-np.arange(len(gallery.ids)), (len(queries), 1))

    features = Features(TEN, np.eye(4, dtype=np.float32), ToyEncoder().fingerprint)
    assert method_hits(First(), frames(), features).tolist() == [1, 0, 0, 0]  # type: ignore[arg-type]
    assert asked == [True, False]
    assert distances(frames(), features) == pytest.approx(np.full(4, np.sqrt(2)))
