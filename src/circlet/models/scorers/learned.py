"""Clauses checked by a trained network, over the encoder whose vectors it learned from."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from circlet.core import Encoder, MismatchError, Pictures, Query, WeightsError
from circlet.language import Edit
from circlet.models.learned.folder import CONFIG, WEIGHTS, read_tensors
from circlet.models.scorers.clauses import Checks, Clause, ClauseScorer, clauses_of
from circlet.models.scorers.network import ClauseNetwork, Pair, Sizes

KIND = "clauses"
FORMAT = 1
# Candidates that go through the network at once: bounds memory, not results.
_BLOCK = 512


def written(edit: Edit, thing: str = "") -> str:
    """An edit in the one form that the network reads, whatever the wording; `thing` is what was kept before.

    >>> written(Edit("count", "boats", "3")), written(Edit("move", "", "facing left"), "snakes")
    ('count: boats > 3', 'move: snakes > facing left')
    """
    if not (edit.what or edit.to):
        return f"{edit.kind}: {edit.text}"
    return f"{edit.kind}: {edit.what or thing} > {edit.to}"


def written_all(edits: Sequence[Edit]) -> list[str]:
    """Every edit that asks for something, written; "same dog but white" asks of the dog."""
    found, thing = [], ""
    for edit in edits:
        if edit.kind == "keep":
            thing = edit.what
        else:
            found.append(written(edit, thing))
    return found


def same(lines: Sequence[str]) -> str:
    """What asks whether all else stays, beside these."""
    return f"same: {'; '.join(lines)}"


class LearnedClauses(ClauseScorer):
    """The clauses of a query by a network that was trained on scenes with their truth."""

    def __init__(self, network: ClauseNetwork, encoder: Encoder, *, name: str) -> None:
        self.network, self.encoder, self.name = network.eval(), encoder, name

    def __repr__(self) -> str:
        return f"load_method({self.name!r}, {self.encoder!r})"

    def check(self, query: Query, ids: Sequence[str], pictures: Pictures) -> Checks:
        """Every clause of the query in every candidate; one that changes the picture needs the picture."""
        clauses = _one_each(clauses_of(query))
        found = np.full((len(clauses), len(ids)), np.nan, np.float32)
        picture = next((clause.what for clause in clauses if clause.kind == "subject"), None)
        if len(ids) and clauses and picture is not None:
            shown = torch.from_numpy(np.ascontiguousarray(pictures.vectors_of([picture]), np.float32))
            vectors = torch.from_numpy(np.ascontiguousarray(pictures.vectors_of(list(ids)), np.float32))
            found[:] = probabilities(self.network, _lines(clauses), shown, vectors)
        return Checks(clauses, found)


def _one_each(clauses: Sequence[Clause]) -> tuple[Clause, ...]:
    """One clause for each edit: the network hears "a cat instead of the dog" as one. All count alike."""
    kept: dict[object, Clause] = {}
    for clause in clauses:
        kept.setdefault(clause.edit or clause, clause)
    return tuple(kept.values())


def _lines(clauses: Sequence[Clause]) -> list[str]:
    """What the network reads for each clause."""
    edits = [clause.edit or Edit("remove", clause.what) for clause in clauses if clause.kind != "subject"]
    lines = written_all(edits)
    rest = iter(lines)
    return [same(lines) if clause.kind == "subject" else next(rest) for clause in clauses]


def probabilities(
    network: ClauseNetwork, lines: Sequence[str], reference: torch.Tensor, candidates: torch.Tensor
) -> np.ndarray[Any, Any]:
    """The probability of each line in each candidate, (lines, candidates), seen from one reference."""
    with torch.inference_mode():
        asked = network.clauses(lines)[None]
        shown = _one(network.pictures(reference))
        parts = [
            network(asked, shown, _one(network.pictures(candidates[at : at + _BLOCK])))[0].sigmoid().numpy()
            for at in range(0, len(candidates), _BLOCK)
        ]
        return np.concatenate(parts, axis=1)


def _one(pictures: Pair) -> Pair:
    """Pictures as those of one question."""
    return pictures[0][None], pictures[1][None]


def is_clauses(folder: Path) -> bool:
    """Whether a folder holds a trained clause scorer."""
    try:
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(config, dict) and config.get("circlet_kind") == KIND


def load_clauses(folder: Path, encoder: Encoder) -> LearnedClauses:
    """The clause scorer of a checkpoint, over the encoder it was trained with and no other."""
    config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    if config["encoder"] != encoder.fingerprint:
        raise MismatchError(
            f"{folder} was trained on vectors of {config['encoder']}, not of {encoder.fingerprint}: "
            "name that encoder, or train again with this one"
        )
    network = ClauseNetwork(Sizes(**config["sizes"]))
    weights, _ = read_tensors(folder / WEIGHTS)
    try:
        network.load_state_dict(weights)
    except RuntimeError as error:
        told = str(error).splitlines()[0]
        raise WeightsError(f"{folder / WEIGHTS} does not fit {CONFIG}: {told}") from error
    return LearnedClauses(network, encoder, name=str(folder))
