"""Muon: what its steps are like, what takes them, and that it learns and goes on as it was."""

from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from circlet.train.fit import StepReport, fit
from circlet.train.muon import Muon, evened
from circlet.train.recipe import Recipe


def test_singular_values_are_brought_near_one_and_their_directions_stay() -> None:
    torch.manual_seed(0)
    for shape in ((12, 40), (40, 12), (9, 9)):
        left, sizes, right = torch.linalg.svd(torch.randn(shape), full_matrices=False)
        even = evened(left @ torch.diag(sizes / (1 + torch.arange(len(sizes)))) @ right)
        assert even.shape == shape
        assert torch.linalg.svdvals(even).min() > 0.5
        assert torch.linalg.svdvals(even).max() < 1.3
        # By the same directions it is nearly diagonal.
        inner = left.T @ even @ right.T
        assert (inner - torch.diag(inner.diag())).abs().max() < 0.05


class _Small(nn.Module):
    """A convolution, a norm, a table and a linear layer: which of three stripes is bright."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Conv2d(1, 6, 3, 3)
        self.norm = nn.BatchNorm2d(6)
        self.table = nn.Parameter(torch.zeros(6, 4))
        self.out = nn.Linear(24, 3)

    def forward(self, x: Tensor) -> Tensor:
        seen = torch.relu(self.norm(self.look(x)))[:, :, 0]
        return self.out(torch.cat([seen, self.table.expand(len(x), -1, -1)[..., :1]], -1).flatten(1))


class _Stripes:
    """The task: 240 pictures of 9 × 9, one third of which is brighter than the noise."""

    def __init__(self, recipe: Recipe) -> None:
        torch.manual_seed(recipe.seed)
        chance = np.random.default_rng(0)
        self.network, self.recipe = _Small(), recipe
        self.which = torch.from_numpy(chance.integers(0, 3, 240))
        pictures = chance.normal(size=(240, 1, 9, 3, 3)) + 2.5 * np.eye(3)[self.which][:, None, None, :, None]
        self.pictures = torch.from_numpy(pictures.reshape(240, 1, 9, 9).astype(np.float32))

    def prepare(self, chance: np.random.Generator) -> None:
        """Nothing has to be seen before."""

    def order(self, epoch: int) -> list[np.ndarray]:
        rows = np.random.default_rng([self.recipe.seed, epoch]).permutation(180)
        return np.array_split(rows, 9)

    def loss(self, rows: np.ndarray, chance: np.random.Generator) -> Tensor:
        at = torch.from_numpy(rows)
        return functional.cross_entropy(self.network(self.pictures[at]), self.which[at])

    def right(self, network: nn.Module) -> float:
        with torch.no_grad():
            return float((network.eval()(self.pictures[180:]).argmax(1) == self.which[180:]).float().mean())


def test_layers_take_even_steps_and_all_else_takes_those_of_adamw() -> None:
    network = _Small()
    matrices, rest = Muon(network, rate=1e-2, decay=0.0).param_groups
    assert {id(part) for part in matrices["params"]} == {id(network.look.weight), id(network.out.weight)}
    named = {id(part): name for name, part in network.named_parameters()}
    assert [named[id(part)] for part in rest["params"]] == [
        "table", "look.bias", "norm.weight", "norm.bias", "out.bias",
    ]  # fmt: skip


def test_the_rest_moves_as_by_adamw() -> None:
    torch.manual_seed(0)
    one, two = nn.LayerNorm(5), nn.LayerNorm(5)
    steps = Muon(one, rate=1e-2, decay=0.1), torch.optim.AdamW(two.parameters(), lr=1e-2, weight_decay=0.1)
    for _ in range(5):
        x, y = torch.randn(8, 5), torch.randn(8, 5)
        for network, optimizer in zip((one, two), steps, strict=True):
            optimizer.zero_grad()
            (network(x) - y).square().mean().backward()
            optimizer.step()
    assert torch.allclose(one.weight, two.weight, atol=1e-6)
    assert torch.allclose(one.bias, two.bias, atol=1e-6)


def test_it_learns_and_a_training_that_ended_early_goes_on_to_the_same_weights(tmp_path: Path) -> None:
    recipe = Recipe(optimizer="muon", rate=1e-2, epochs=6, batch=20)
    whole = _Stripes(recipe)
    before = whole.right(whole.network)
    done = fit(whole, recipe, validate=whole.right, folder=tmp_path / "whole")
    assert done.best > 0.85 > before

    class Stopped(Exception):
        """The training is broken off."""

    def stop(report: StepReport) -> None:
        if report.step == 30:
            raise Stopped

    broken = _Stripes(recipe)
    try:
        fit(broken, recipe, validate=broken.right, folder=tmp_path / "broken", progress=stop)
        raise AssertionError("it was to be broken off")
    except Stopped:
        pass
    again = _Stripes(recipe)
    fit(again, recipe, validate=again.right, folder=tmp_path / "broken")
    for name, part in whole.network.state_dict().items():
        assert torch.equal(part, again.network.state_dict()[name]), name
