"""The one training loop: batches of a task, its loss, a step; validated, saved and resumed exactly."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from circlet.core import UsageError
from circlet.models.learned.folder import read_tensors, write_tensors
from circlet.train.muon import Muon
from circlet.train.recipe import Recipe
from circlet.train.tasks.task import Changing, Task

RESUME = "resume.safetensors"
_LONGEST_GRADIENT = 1.0

Trained = TypeVar("Trained", bound=nn.Module)


class StepReport(NamedTuple):
    """Where a training stands: told after every step, with a score where it was validated."""

    step: int
    steps: int
    epoch: int
    loss: float
    score: float | None


class Epoch(NamedTuple):
    """One epoch's mean loss and, where there was a validation, its score."""

    epoch: int
    loss: float
    score: float | None


class Fitted(NamedTuple):
    """What a training came to: the best score, its epoch, and every epoch on the way."""

    best: float
    epoch: int
    history: tuple[Epoch, ...]


def fit(
    task: Task[Trained],
    recipe: Recipe,
    *,
    validate: Callable[[Trained], float],
    keep: Callable[[Trained, Fitted], None] | None = None,
    folder: Path | None = None,
    about: Mapping[str, Any] | None = None,
    progress: Callable[[StepReport], None] | None = None,
) -> Fitted:
    """Train the task's network, and leave it with the weights that validated best.

    `keep` is called with every better network. With a `folder` the state is written there after
    each epoch, and a training that was killed goes on from it to the very same weights: all chance
    (order, wordings, negatives, dropout) is a function of the seed and the step. `about` says
    what else must be the same for that, such as the model's name and the data.
    """
    network = task.network
    run = _Run(task, recipe, {**(about or {}), **asdict(recipe)})
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        run.resume(folder / RESUME)
    if run.epoch == 0:
        run.look()
    while run.epoch < recipe.epochs and not run.tired:
        loss = run.one_epoch(progress)
        score = None
        if run.epoch % recipe.every == 0 or run.epoch == recipe.epochs:
            network.eval()
            score = validate(network)
            if progress:
                progress(StepReport(run.step, run.steps, run.epoch, loss, score))
        better = run.note(loss, score)
        if better and keep is not None:
            keep(network, run.fitted)
        if folder is not None:
            run.save(folder / RESUME)
    network.load_state_dict(run.best_weights)
    network.eval()
    return run.fitted


class _Run(Generic[Trained]):
    """Weights, optimiser and history of a training under way."""

    def __init__(self, task: Task[Trained], recipe: Recipe, about: Mapping[str, Any]) -> None:
        self.task, self.network, self.recipe = task, task.network, recipe
        self.about = json.dumps(about, sort_keys=True)
        self.device = next(self.network.parameters()).device
        self.optimizer = _optimizer(self.network, recipe)
        self.epoch = self.step = 0
        self.history: list[Epoch] = []
        self.best_weights = _copy(self.network)
        self.steps = len(task.order(0)) * recipe.epochs

    @property
    def scored(self) -> list[Epoch]:
        return [epoch for epoch in self.history if epoch.score is not None]

    @property
    def fitted(self) -> Fitted:
        best = max(self.scored, key=lambda epoch: epoch.score or 0.0)
        return Fitted(best.score or 0.0, best.epoch, tuple(self.history))

    @property
    def tired(self) -> bool:
        if not (self.recipe.patience and self.scored):
            return False
        return sum(epoch.epoch > self.fitted.epoch for epoch in self.scored) >= self.recipe.patience

    def look(self) -> None:
        """Let the network see a sample of the training set before the first step."""
        with torch.no_grad():
            self.task.prepare(np.random.default_rng([self.recipe.seed, 0, 0]))
        self.best_weights = _copy(self.network)

    def _rate(self) -> float:
        done = (self.step + 0.5) / self.steps
        return self.recipe.rate * min(1.0, done / max(self.recipe.warm, 1e-9)) * (1 - done)

    def one_epoch(self, progress: Callable[[StepReport], None] | None) -> float:
        """One pass over the data; the mean loss."""
        if isinstance(self.task, Changing):
            self.task.begin(self.epoch)
        self.network.train()
        losses = []
        for rows in self.task.order(self.epoch):
            # Chance is a function of seed and step, so a resumed run draws what it would have drawn.
            chance = np.random.default_rng([self.recipe.seed, 1, self.step])
            torch.manual_seed(int(chance.integers(2**62)))
            for group in self.optimizer.param_groups:
                group["lr"] = self._rate()
            loss = self.task.loss(rows, chance)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(self.network.parameters(), _LONGEST_GRADIENT)
            self.optimizer.step()
            losses.append(float(loss.detach()))
            self.step += 1
            if progress:
                progress(StepReport(self.step, self.steps, self.epoch + 1, losses[-1], None))
        self.epoch += 1
        return float(np.mean(losses))

    def note(self, loss: float, score: float | None) -> bool:
        """Write the epoch down; whether it is the best so far."""
        before = max((epoch.score or 0.0 for epoch in self.scored), default=-np.inf)
        self.history.append(Epoch(self.epoch, loss, score))
        better = score is not None and score > before
        if better:
            self.best_weights = _copy(self.network)
        return better

    def save(self, path: Path) -> None:
        """Write everything that the next step depends on, in one file."""
        tensors = {f"network.{name}": part for name, part in self.network.state_dict().items()}
        tensors |= {f"best.{name}": part for name, part in self.best_weights.items()}
        for number, held in self.optimizer.state_dict()["state"].items():
            tensors |= {f"optimizer.{number}.{name}": part for name, part in held.items() if part is not None}
        if isinstance(self.task, Changing):
            tensors |= {f"task.{name}": part for name, part in self.task.state().items()}
        note = {"about": self.about, "step": str(self.step), "history": json.dumps(self.history)}
        write_tensors(path, tensors, note)

    def resume(self, path: Path) -> None:
        """Go on from a saved state, if there is one and it is of this very training."""
        if not path.exists():
            return
        tensors, note = read_tensors(path)
        if note.get("about") != self.about:
            raise UsageError(
                f"{path.parent} holds an unfinished training with other settings: "
                f"{_difference(note.get('about', '{}'), self.about)}; repeat those, or name another folder"
            )
        parts: dict[str, dict[str, Tensor]] = {"network": {}, "best": {}, "optimizer": {}, "task": {}}
        for name, part in tensors.items():
            kind, rest = name.split(".", 1)
            parts[kind][rest] = part
        self.network.load_state_dict(parts["network"])
        self.best_weights = {name: part.to(self.device) for name, part in parts["best"].items()}
        state: dict[int, dict[str, Tensor]] = {}
        for name, part in parts["optimizer"].items():
            number, key = name.split(".", 1)
            state.setdefault(int(number), {})[key] = part
        groups = self.optimizer.state_dict()["param_groups"]
        self.optimizer.load_state_dict({"state": state, "param_groups": groups})
        if isinstance(self.task, Changing):
            self.task.restore(parts["task"])
        self.step = int(note["step"])
        self.history = [Epoch(*epoch) for epoch in json.loads(note["history"])]
        self.epoch = len(self.history)


def _optimizer(network: nn.Module, recipe: Recipe) -> torch.optim.Optimizer:
    learning = [part for part in network.parameters() if part.requires_grad]
    # Fused, a step reads and writes each weight once instead of once for every term of its formula.
    if recipe.optimizer == "adamw":
        return torch.optim.AdamW(learning, lr=recipe.rate, weight_decay=recipe.decay, fused=True)
    if recipe.optimizer == "sgd":
        return torch.optim.SGD(learning, lr=recipe.rate, momentum=0.9, weight_decay=recipe.decay, fused=True)
    if recipe.optimizer == "muon":
        return Muon(network, rate=recipe.rate, decay=recipe.decay)
    raise UsageError(f"unknown optimizer {recipe.optimizer!r}: pick adamw, muon or sgd")


def _copy(network: nn.Module) -> dict[str, Tensor]:
    return {name: part.detach().clone() for name, part in network.state_dict().items()}


def _difference(before: str, now: str) -> str:
    old, new = json.loads(before), json.loads(now)
    return ", ".join(
        f"{key} {old.get(key)} (now {new.get(key)})"
        for key in sorted({*old, *new})
        if old.get(key) != new.get(key)
    )
