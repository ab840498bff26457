"""A reranker of sentence-transformers behind `>>`: a tiny Qwen3-VL that says yes or no."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from tests.models.tiny import embedder, pictures, reranker

from circlet.core import Gallery, Query, Turn, UsageError
from circlet.models import load_encoder, load_method
from circlet.models.scorers.reranker import Reranker


class Album(Gallery):
    """Three pictures that open."""

    def open(self, id: str, side: int | None = None) -> Image.Image:
        return pictures()["abc".index(id)]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any, Path]:
    folder = tmp_path_factory.mktemp("rerank")
    embedder(folder / "embedder")
    return load_encoder(f"st:{folder / 'embedder' / 'st'}"), reranker(folder / "reranker"), folder


def album(encoder: Any) -> Album:
    return Album(["a", "b", "c"], encoder.images(pictures()), encoder.fingerprint)


def test_candidates_stand_in_the_models_order(models: tuple[Any, Any, Path]) -> None:
    encoder, model, folder = models
    method = load_method(f"joint % 3 >> st-rerank:{folder / 'reranker' / 'st'}", encoder)
    query = Query("q", (Turn(picture="a", text="two red dog"),))
    (ranking,) = method.rank([query], album(encoder))
    one, other, third = pictures()
    plain = model.predict(
        [({"image": one, "text": "two red dog"}, {"image": it}) for it in (one, other, third)]
    )
    assert list(ranking.ids) == ["abc"[at] for at in np.argsort(-plain)]
    np.testing.assert_allclose(ranking.scores, np.sort(plain)[::-1], atol=1e-5)


def test_every_turn_that_stands_and_the_instruction_are_read(models: tuple[Any, Any, Path]) -> None:
    encoder, model, folder = models
    name = f"st-rerank:{folder / 'reranker' / 'st'}?instruction=find a cat"
    method = load_method(f"joint % 3 >> '{name}'", encoder)
    query = Query("q") + Turn(picture="a", text="a dog") + Turn(picture="b", text="at night")
    (ranking,) = method.rank([query], album(encoder))
    mixed = {"image": pictures()[:2], "text": "a dog\nat night"}
    plain = model.predict([(mixed, {"image": it}) for it in pictures()], prompt="find a cat")
    np.testing.assert_allclose(ranking.scores, np.sort(plain)[::-1], atol=1e-5)
    one = Query("q") + Turn(picture="b", text="at night")
    (other,) = method.rank([one], album(encoder))
    assert np.abs(np.asarray(other.scores) - np.asarray(ranking.scores)).max() > 1e-4


def test_batches_give_the_same_scores(models: tuple[Any, Any, Path]) -> None:
    encoder, _, folder = models
    scorer = Reranker(encoder, str(folder / "reranker" / "st"))
    query = Query("q", (Turn(text="two cat"),))
    (together,) = scorer.score([query], [["a", "b", "c"]], album(encoder))
    scorer.batch = 1
    (apart,) = scorer.score([query], [["a", "b", "c"]], album(encoder))
    np.testing.assert_allclose(together, apart, atol=1e-5)
    assert scorer.score([query], [[]], album(encoder))[0].shape == (0,)


def test_it_scores_and_finds_nothing_by_itself(models: tuple[Any, Any, Path]) -> None:
    encoder, _, folder = models
    with pytest.raises(UsageError, match="scores candidates and finds none itself"):
        load_method(f"st-rerank:{folder / 'reranker' / 'st'}", encoder)
