"""Clauses checked by a trained network, over the encoder whose vectors it learned from."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from circlet.core import Encoder, MismatchError, Pictures, Query, Vectors, WeightsError
from circlet.core.files import parse_json
from circlet.language import Edit
from circlet.models.learned.folder import CONFIG, WEIGHTS, peek, read_tensors
from circlet.models.phrases import CLAUSES, SUBJECT, Phrases, Reading, readings, staying
from circlet.models.scorers.clause_network import ClauseNetwork, Sizes
from circlet.models.scorers.clauses import Checks, Clause, ClauseScorer, clauses_of, stressed

KIND = "clauses"
FORMAT = 1
# What "all else stays" counts beside a clause; like `own`, chosen on aspects of the val split. Both are less
# beside several clauses: a picture that changes less than was asked is always more like the one it was.
_STAYS = 3.0
# Candidates that go through the network at once: bounds memory, not results.
_BLOCK = 512


class LearnedClauses(ClauseScorer):
    """The clauses of a query by a network that was trained on scenes with their truth."""

    own = 0.2

    def __init__(self, network: ClauseNetwork, encoder: Encoder, *, name: str) -> None:
        self.network, self.encoder, self.name = network.eval(), encoder, name

    def __repr__(self) -> str:
        return f"load_method({self.name!r}, {self.encoder!r})"

    def own_beside(self, clauses: int) -> float:
        """As much less as more is asked."""
        return self.own / max(1, clauses)

    def check(self, query: Query, ids: Sequence[str], pictures: Pictures) -> Checks:
        """Every clause of the query in every candidate; without a picture to compare with, none."""
        clauses = one_each(query)
        found = np.full((len(clauses), len(ids)), np.nan, np.float32)
        picture = next((clause.what for clause in clauses if clause.kind == SUBJECT), None)
        if len(ids) and len(clauses) > 1 and picture is not None:
            read = readings(asked_of(clauses))
            found[:] = probabilities(
                self.network,
                [staying(read), *read],
                Phrases(self.encoder),
                pictures.vectors_of([picture]),
                pictures.vectors_of(list(ids)),
            )
        return Checks(clauses, found)


def one_each(query: Query) -> tuple[Clause, ...]:
    """The subject first, then one clause for each edit: "a cat instead of the dog" is one here."""
    kept: dict[object, Clause] = {}
    for clause in clauses_of(query):
        kept.setdefault(clause.edit or clause, clause)
    stays = _STAYS / max(1, len(kept) - 1)
    plain = (replace(clause, weight=stays if clause.kind == SUBJECT else 1.0) for clause in kept.values())
    return tuple(stressed(clause, query) for clause in plain)


def asked_of(clauses: Sequence[Clause]) -> list[Edit]:
    """The edit of every clause but the subject."""
    return [clause.edit or Edit("remove", clause.what) for clause in clauses if clause.kind != SUBJECT]


def probabilities(
    network: ClauseNetwork, read: Sequence[Reading], phrases: Phrases, reference: Vectors, candidates: Vectors
) -> Vectors:
    """The probability of each clause in each candidate, (clauses, candidates), seen from one reference."""
    kinds = torch.tensor([[CLAUSES.index(one.kind) for one in read]])
    rows = torch.from_numpy(phrases.rows(read))[None]
    shown = torch.from_numpy(np.array(reference, np.float32))
    with torch.inference_mode():
        parts = [
            network(
                kinds, rows, shown, torch.from_numpy(np.array(candidates[at : at + _BLOCK], np.float32))[None]
            )
            for at in range(0, len(candidates), _BLOCK)
        ]
        found: Vectors = torch.cat(parts, dim=2)[0].sigmoid().numpy()
        return found


def is_clauses(folder: Path) -> bool:
    """Whether a folder holds a trained clause scorer."""
    return peek(folder).get("circlet_kind") == KIND


def load_clauses(folder: Path, encoder: Encoder) -> LearnedClauses:
    """The clause scorer of a checkpoint, over the encoder it was trained with and no other."""
    config = parse_json((folder / CONFIG).read_text(encoding="utf-8"))
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
