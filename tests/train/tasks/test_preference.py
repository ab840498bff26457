"""Preference: the paper's loss, the negatives that it names, and the same end after a stop."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from circlet.core import Benchmark, UsageError
from circlet.models.features import Features
from circlet.models.learned.network import Network, build
from circlet.train.batches import TripletBatches
from circlet.train.fit import StepReport, fit
from circlet.train.losses import bradley_terry
from circlet.train.recipe import Recipe
from circlet.train.tasks.preference import PreferenceTask
from circlet.train.tasks.triplets import Triplets

RECIPE = Recipe(epochs=12, batch=8, rate=1e-3)


def network_for(supply: TripletBatches, language: Any) -> Network:
    torch.manual_seed(0)
    return build("concat", supply.shape(8), language)


def scores_of(task: PreferenceTask) -> tuple[Tensor, Tensor]:
    """Every query's score of every known picture, and of its own target."""
    task.network.eval()
    rows = np.arange(len(task.supply.triplets))
    with torch.no_grad():
        asked = task.supply.asked_of(task.network, rows, np.random.default_rng(0))
        scores = task.network(asked) @ task.network.candidates(task.supply.vectors[task.known]).T
    own = torch.from_numpy(np.searchsorted(task.known, task.supply.triplets.targets))
    return scores, scores[torch.arange(len(rows)), own]


def test_the_loss_is_the_negative_logarithm_of_the_preference() -> None:
    better, worse, scale = torch.tensor([0.9, 0.2]), torch.tensor([0.4, 0.5]), torch.tensor(3.0)
    by_hand = [-math.log(1 / (1 + math.exp(-9 * (p - n)))) for p, n in ((0.9, 0.4), (0.2, 0.5))]
    assert float(bradley_terry(better, worse, scale)) == pytest.approx(np.mean(by_hand), rel=1e-5)


def test_self_paced_negatives_are_the_best_below_the_target(supply: TripletBatches, language: Any) -> None:
    task = PreferenceTask(network_for(supply, language), supply, RECIPE, first=5)
    task.begin(0)
    assert not len(task.pool), "the first epochs draw from all"
    task.begin(2)
    scores, own = scores_of(task)
    for row, pool in enumerate(task.pool):
        below = {
            int(task.known[column]) for column in range(len(task.known)) if scores[row, column] < own[row]
        }
        if not below:
            continue
        columns = {int(id): column for column, id in enumerate(task.known)}
        ranked = sorted(below, key=lambda id: -float(scores[row, columns[id]]))
        assert set(pool) == set(ranked[:5])


def test_top_negatives_are_the_best_of_all_but_the_target(supply: TripletBatches, language: Any) -> None:
    task = PreferenceTask(network_for(supply, language), supply, RECIPE, negatives="top", first=5)
    task.begin(2)
    scores, own = scores_of(task)
    beaten = 0
    for row, pool in enumerate(task.pool):
        target = task.supply.triplets.targets[row]
        order = task.known[np.argsort(-scores[row].numpy(), kind="stable")]
        assert set(pool) == set([id for id in order if id != target][:5])
        beaten += int((scores[row] > own[row]).any())
    assert beaten, "an untrained network puts something above a target"


def test_negatives_are_defined_at_intervals_and_halve(supply: TripletBatches, language: Any) -> None:
    task = PreferenceTask(network_for(supply, language), supply, RECIPE, defined=4, first=8)
    sizes = []
    for epoch in range(12):
        task.begin(epoch)
        sizes.append(task.pool.shape[1])
    # Every three epochs (twelve by n_def), not every epochs by n_neg, as algorithm 1 prints.
    assert sizes == [0, 0, 0, 8, 8, 8, 4, 4, 4, 2, 2, 2]


def test_any_picture_but_the_target_is_a_negative_of_all(supply: TripletBatches, language: Any) -> None:
    task = PreferenceTask(network_for(supply, language), supply, RECIPE, negatives="all")
    chance, rows = np.random.default_rng(0), np.arange(len(supply.triplets))
    targets = supply.triplets.targets
    drawn = np.array([task._drawn(rows, targets, chance) for _ in range(200)])
    assert not (drawn == targets).any()
    assert set(drawn.ravel()) == set(task.known)


def test_what_somebody_found_worse_is_the_negative(world: tuple[Benchmark, Features], language: Any) -> None:
    bench, features = world
    worse = {case.id: ("0", "1") if case.target not in ("0", "1") else ("2",) for case in bench.cases}
    told = replace(
        bench, cases=tuple(replace(case, subset=(), negatives=worse[case.id]) for case in bench.cases)
    )
    triplets = Triplets.of(told, features.ids)
    task = PreferenceTask(
        network_for(TripletBatches(triplets, features, language), language),
        TripletBatches(triplets, features, language),
        RECIPE,
        given=True,
    )
    rows = np.arange(len(triplets))
    for _ in range(20):
        drawn = task._drawn(rows, triplets.targets, np.random.default_rng(_))
        for row, id in enumerate(drawn):
            case = told.cases[row]
            assert features.ids[id] in set(case.negatives) - set(case.query.pictures)


class Stopped(Exception):
    pass


def test_a_training_that_was_stopped_ends_with_the_same_weights(
    tmp_path: Path, supply: TripletBatches, language: Any
) -> None:
    weights = {}
    for name, stop in (("unbroken", 0), ("stopped", 16)):
        network = network_for(supply, language)

        def told(report: StepReport, stop: int = stop) -> None:
            if stop and report.step == stop:
                raise Stopped

        def go(network: Network = network, name: str = name, told: Any = told) -> None:
            task = PreferenceTask(network, supply, RECIPE, defined=3, first=4)
            fit(task, RECIPE, validate=lambda n: n.scale.item(), folder=tmp_path / name, progress=told)

        if stop:
            with pytest.raises(Stopped):
                go()
            network = network_for(supply, language)
            task = PreferenceTask(network, supply, RECIPE, defined=3, first=4)
            fit(task, RECIPE, validate=lambda n: n.scale.item(), folder=tmp_path / name)
        else:
            go()
        weights[name] = network.state_dict()
    for part, value in weights["unbroken"].items():
        assert torch.equal(value, weights["stopped"][part]), part


def test_unknown_negatives_are_named_with_the_known_ones(supply: TripletBatches, language: Any) -> None:
    with pytest.raises(UsageError, match="pick one of self-paced, top, all"):
        PreferenceTask(network_for(supply, language), supply, RECIPE, negatives="hard")  # type: ignore[arg-type]
