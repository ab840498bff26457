"""Training an encoder: it learns, it can be killed, and it says how well captions find pictures."""

from pathlib import Path

import numpy as np
import pytest

from circlet.core import UsageError, unit
from circlet.data.captions import OwnCaptions
from circlet.models import load_encoder
from circlet.train.encoder import CaptionSet, recipe_for, train_encoder
from circlet.train.fit import StepReport

THINGS = ("zorp", "blick", "fendle", "quast")


@pytest.fixture(scope="module")
def sets() -> tuple[CaptionSet, CaptionSet]:
    """Vectors that show one of four made-up things each, with a caption that names it."""
    base = load_encoder("builtin")
    chance = np.random.default_rng(0)
    middles = chance.normal(size=(4, base.dim))

    def some(split: str, count: int) -> CaptionSet:
        ids = {f"{split}{number}": Path(f"{number}.jpg") for number in range(count)}
        texts = {id: (f"a {THINGS[row % 4]}, on a table",) for row, id in enumerate(ids)}
        noise = chance.normal(size=(count, base.dim)) * 2
        vectors = unit((middles[np.arange(count) % 4] + noise).astype(np.float32))
        return CaptionSet(OwnCaptions(split, ids, texts), vectors)

    return some("train", 80), some("val", 40)


def test_captions_find_pictures_and_a_killed_training_comes_to_the_same(
    sets: tuple[CaptionSet, CaptionSet], tmp_path: Path
) -> None:
    base, recipe = load_encoder("builtin"), recipe_for(80, epochs=6, every=1, patience=0)

    def stop(report: StepReport) -> None:
        if report.epoch == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_encoder(*sets, base, tmp_path / "killed", recipe, progress=stop)
    with pytest.raises(UsageError, match=r"unfinished training with other settings: .*seed 0 .now 1"):
        train_encoder(*sets, base, tmp_path / "killed", recipe_for(80, epochs=6, every=1, patience=0, seed=1))
    again = train_encoder(*sets, base, tmp_path / "killed", recipe)
    whole = train_encoder(*sets, base, tmp_path / "whole", recipe)
    assert again.fitted == whole.fitted
    for name in ("words.onnx", "pictures.onnx", "base.npy", "taught.npy"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert whole.after.precision > whole.before.precision + 30
    with pytest.raises(UsageError, match="already holds a finished encoder"):
        train_encoder(*sets, base, tmp_path / "whole", recipe)


def test_a_score_counts_every_picture_of_which_the_caption_is_true(
    sets: tuple[CaptionSet, CaptionSet],
) -> None:
    here = sets[1]
    labels = np.arange(len(here.captions.files)) % 4
    perfect = here.score(np.eye(4, dtype=np.float32), np.eye(4, dtype=np.float32)[labels])
    assert perfect == (100, 100, 100, 100)
    worst = here.score(-np.eye(4, dtype=np.float32), np.eye(4, dtype=np.float32)[labels])
    assert worst == (0, 0, 0, 0)
