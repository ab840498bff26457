"""The loop learns, stops when it should, and a killed training ends with the same weights."""

import os
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.optim.optimizer import register_optimizer_step_pre_hook

from circlet.core import Benchmark, UsageError
from circlet.models.features import Features
from circlet.models.learned import MODELS
from circlet.models.learned.network import Network, build
from circlet.train.batches import TripletBatches
from circlet.train.fit import RESUME, Fitted, StepReport, fit
from circlet.train.recipe import Recipe
from circlet.train.tasks.composing import PictureTask, TripletTask


def train(network: Network, supply: TripletBatches, recipe: Recipe, **options: Any) -> Fitted:
    """Train on triplets, or with `pairs` on pictures alone."""
    kind = PictureTask if options.pop("pairs", False) else TripletTask
    return fit(kind(network, supply, recipe), recipe, **options)


def top_one(supply: TripletBatches) -> Any:
    """The share of queries whose target is the nearest picture that is not the reference."""
    import numpy as np

    def score(network: Network) -> float:
        rows = np.arange(len(supply.triplets))
        with torch.inference_mode():
            asked = supply.asked(rows, np.random.default_rng(0), tokens=network.spatial)
            scores = network(asked) @ network.candidates(supply.vectors).T
            scores[torch.from_numpy(rows), torch.from_numpy(supply.triplets.references)] = -2
            return float((scores.argmax(dim=1).numpy() == supply.triplets.targets).mean())

    return score


def network_for(name: str, supply: TripletBatches, language: Any, seed: int = 0) -> Network:
    torch.manual_seed(seed)
    return build(name, supply.shape(16), language)


@pytest.mark.parametrize("name", ["cirplant", "tirg", "maaf", "concat"])
@pytest.mark.parametrize("loss", ["soft-triplet", "batch-classification"])
def test_a_small_world_is_learned(name: str, loss: str, supply: TripletBatches, language: Any) -> None:
    network = network_for(name, supply, language)
    recipe = Recipe(epochs=60, batch=12, rate=1e-2, every=10, loss=loss, negatives=2)
    done = train(network, supply, recipe, validate=top_one(supply))
    assert done.best > 0.8
    assert top_one(supply)(network) == done.best, "the best weights are the ones that stay"
    assert done.history[-1].loss < 0.7 * done.history[0].loss


def test_sgd_learns_too(supply: TripletBatches, language: Any) -> None:
    network = network_for("concat", supply, language)
    recipe = Recipe(epochs=80, batch=12, rate=0.2, optimizer="sgd", every=20, decay=0, negatives=2)
    assert train(network, supply, recipe, validate=top_one(supply)).best > 0.8


def test_a_network_learns_from_pictures_with_parts_hidden(supply: TripletBatches, language: Any) -> None:
    def trained(hidden: float) -> tuple[float, dict[str, torch.Tensor]]:
        network = network_for("concat", supply, language)
        recipe = Recipe(epochs=60, batch=12, rate=1e-2, every=10, negatives=2, hidden=hidden)
        return train(network, supply, recipe, validate=top_one(supply)).best, network.state_dict()

    (_, weights), (hidden, other), (_, same) = trained(0), trained(0.1), trained(0.1)
    assert hidden > 0.6
    assert not torch.equal(weights["image.weight"], other["image.weight"])
    assert torch.equal(other["image.weight"], same["image.weight"]), "what is hidden follows the seed"
    with pytest.raises(UsageError, match="share"):
        Recipe(hidden=1)


def test_the_rate_rises_and_then_falls_in_a_line(supply: TripletBatches, language: Any) -> None:
    rates: list[float] = []
    hook = register_optimizer_step_pre_hook(
        lambda optimizer, *_: rates.append(optimizer.param_groups[0]["lr"])
    )
    recipe = Recipe(epochs=5, batch=4, rate=1e-2, warm=0.2)
    train(network_for("concat", supply, language), supply, recipe, validate=lambda _: 0.5)
    hook.remove()
    top = rates.index(max(rates))
    assert top == pytest.approx(0.2 * len(rates), abs=1)
    assert rates[: top + 1] == sorted(rates[: top + 1])
    fall = [before - after for before, after in pairwise(rates[top + 1 :])]
    assert fall == pytest.approx([1e-2 / len(rates)] * len(fall))
    assert rates[-1] < 1e-2 / len(rates)
    with pytest.raises(UsageError, match="warm must be a share"):
        Recipe(warm=-1)


def test_any_pictures_can_be_negatives_too(supply: TripletBatches, language: Any) -> None:
    network = network_for("concat", supply, language)
    shown: list[int] = []
    network.image.register_forward_hook(lambda _layer, given, _out: shown.append(len(given[0])))
    everyone = len(set(supply.triplets.references.tolist()))
    for others, least, most in ((0, 1, 4), (6, 6, 10), (10**6, everyone, everyone + 4)):
        shown.clear()
        train(network, supply, Recipe(epochs=1, batch=4, negatives=0, others=others), validate=lambda _: 0.5)
        candidates = shown[::2]  # of each step; between them are the queries' own pictures
        assert all(least <= count <= most for count in candidates), candidates


def test_only_the_first_queries_are_trained_on(supply: TripletBatches, language: Any) -> None:
    told: list[StepReport] = []
    recipe = Recipe(epochs=1, batch=4, queries=8)
    train(
        network_for("concat", supply, language), supply, recipe, validate=lambda _: 0.5, progress=told.append
    )
    assert told[-1].steps == 2


def test_pictures_alone_teach_pic2word(
    world: tuple[Benchmark, Features], supply: TripletBatches, language: Any
) -> None:
    class Texts:
        def texts(self, words: list[str]) -> Any:
            import numpy as np

            return np.random.default_rng(0).normal(size=(len(words), 6)).astype(np.float32)

    told = TripletBatches(supply.triplets, supply.features, language, encoder=Texts())
    network = network_for("pic2word", told, language)
    recipe = Recipe(epochs=40, batch=8, rate=3e-2, loss="infonce", every=40)
    done = train(network, told, recipe, validate=lambda _: 1.0, pairs=MODELS["pic2word"].pairs)
    assert done.history[-1].loss < 0.85 * done.history[0].loss


def test_training_stops_when_validation_no_longer_improves(supply: TripletBatches, language: Any) -> None:
    scores = iter([0.1, 0.3, 0.2, 0.3, 0.9])
    recipe = Recipe(epochs=5, batch=12, patience=2)
    kept = []
    done = train(
        network_for("concat", supply, language),
        supply,
        recipe,
        validate=lambda _: next(scores),
        keep=lambda _, fitted: kept.append(fitted.best),
    )
    assert (done.best, done.epoch, len(done.history)) == (0.3, 2, 4)
    assert kept == [0.1, 0.3]


def test_the_rate_falls_in_a_line_and_every_step_is_told(supply: TripletBatches, language: Any) -> None:
    told: list[StepReport] = []
    recipe = Recipe(epochs=2, batch=12, every=2)
    train(
        network_for("concat", supply, language), supply, recipe, validate=lambda _: 0.5, progress=told.append
    )
    assert [report.step for report in told] == [1, 2, 3, 4, 4]
    assert [report.score for report in told] == [None, None, None, None, 0.5]
    assert told[-1].steps == 4


KILLED = """
import os, signal, sys, torch
from pathlib import Path
sys.path.insert(0, sys.argv[3])
import conftest
from circlet.models.learned.network import build
from circlet.models.learned.words import Language
from circlet.train.fit import fit
from circlet.train.recipe import Recipe
from circlet.train.tasks.composing import TripletTask
from circlet.train.batches import TripletBatches
from circlet.train.tasks.triplets import Triplets

torch.set_num_threads(1)
bench, features = conftest.made()
triplets = Triplets.of(bench, features.ids)
language = Language.load(Path(sys.argv[1])).learning(triplets.words())
torch.manual_seed(0)
supply = TripletBatches(triplets, features, language)
network = build("cirplant", supply.shape(16), language)

def die(report):
    if report.step == 8:
        os.kill(os.getpid(), signal.SIGKILL)

recipe = Recipe(epochs=5, batch=8, negatives=1, rate=1e-3)
fit(TripletTask(network, supply, recipe), recipe, validate=lambda n: n.scale.item(),
    folder=Path(sys.argv[2]), progress=die)
"""


def test_a_killed_training_resumes_to_the_same_weights(
    tmp_path: Path, world: tuple[Benchmark, Features], language_folder: Path
) -> None:
    from circlet.models.learned.words import Language
    from circlet.train.tasks.triplets import Triplets

    bench, features = world
    here = Path(__file__).parent
    command = [sys.executable, "-c", KILLED, str(language_folder), str(tmp_path / "killed"), str(here)]
    path = os.pathsep.join(map(str, sys.path))
    ended = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, check=False, capture_output=True)
    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()
    assert (tmp_path / "killed" / RESUME).exists()
    triplets = Triplets.of(bench, features.ids)
    language = Language.load(language_folder).learning(triplets.words())
    supply = TripletBatches(triplets, features, language)
    recipe = Recipe(epochs=5, batch=8, negatives=1, rate=1e-3)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    steps: dict[str, list[int]] = {"killed": [], "unbroken": []}
    weights = {}
    try:
        for name, told in steps.items():
            network = network_for("cirplant", supply, language, seed=0)
            train(
                network,
                supply,
                recipe,
                validate=lambda n: n.scale.item(),
                folder=tmp_path / name,
                progress=lambda report, told=told: told.append(report.step),
            )
            weights[name] = network.state_dict()
    finally:
        torch.set_num_threads(threads)
    assert steps["killed"][0] == 7, "it went on after the two epochs that were saved"
    assert steps["unbroken"][0] == 1
    for name, part in weights["unbroken"].items():
        assert torch.equal(part, weights["killed"][name]), name


def test_an_unfinished_training_with_other_settings_is_not_continued(
    tmp_path: Path, supply: TripletBatches, language: Any
) -> None:
    network = network_for("concat", supply, language)
    train(network, supply, Recipe(epochs=1), validate=lambda _: 0.0, folder=tmp_path)
    with pytest.raises(UsageError, match=r"other settings: rate 0.0001 \(now 0.5\); repeat those, or name"):
        train(network, supply, Recipe(epochs=1, rate=0.5), validate=lambda _: 0.0, folder=tmp_path)


def test_settings_that_cannot_be_meant_are_refused() -> None:
    with pytest.raises(UsageError, match="batch of one has no negatives"):
        Recipe(batch=1)
    with pytest.raises(UsageError, match="epochs must be more than zero, not 0"):
        Recipe(epochs=0)
