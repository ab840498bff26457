"""Multimodal rerankers: a cross-encoder of sentence-transformers reads the query beside each candidate."""

from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from circlet.core import Encoder, Pictures, Query, Scorer, UsageError, Vectors
from circlet.core.turns import begins
from circlet.models.composers.one_pass import parts_of
from circlet.models.devices import device, fitting, in_batches, precision
from circlet.models.encoders.sentence_models import load_sentence_model, mixture, model_folder

# Such models take pictures of any size; the query's and the candidate's share one pass.
_SIDE = 448


class Reranker(Scorer):
    """`st-rerank:NAME`, a hub name or a folder; `instruction` tells the model what makes a match.

    All turns that still stand are read, pictures first. Scores are the model's own, more is better.
    """

    batch = 8

    def __init__(self, encoder: Encoder, name: str, *, instruction: str = "") -> None:
        self.encoder, self.name, self.instruction = encoder, name, instruction

    def __repr__(self) -> str:
        said = f", instruction={self.instruction!r}" if self.instruction else ""
        return f"Reranker({self.encoder!r}, {self.name!r}{said})"

    @cached_property
    def folder(self) -> Path:
        """Where the model lies."""
        return model_folder(self.name)

    @cached_property
    def _model(self) -> Any:
        from sentence_transformers import CrossEncoder

        place = device()
        model = load_sentence_model(CrossEncoder, self.folder, place, precision(place))
        if not model.supports("image"):
            raise UsageError(f"{self.name} reads no pictures: name a reranker that does")
        return model

    def score(
        self, queries: Sequence[Query], candidates: Sequence[Sequence[str]], pictures: Pictures
    ) -> list[Vectors]:
        scores = []
        for query, ids in zip(queries, candidates, strict=True):
            asked = self._asked(query, pictures)
            parts = in_batches(partial(self._pairs, asked, pictures), ids, self._many)
            scores.append(np.concatenate(parts) if parts else np.zeros(0, np.float32))
        return scores

    @property
    def _many(self) -> int:
        return fitting(self._model, self.batch)

    def _asked(self, query: Query, pictures: Pictures) -> dict[str, Any]:
        """The query as one mixture: its pictures, and its words as one text."""
        parts = parts_of(query.turns[begins(query.turns) :])
        return mixture([pictures.open(what, _SIDE) if kind == "picture" else what for kind, what in parts])

    def _pairs(self, asked: dict[str, Any], pictures: Pictures, ids: Sequence[str]) -> Vectors:
        pairs = [(asked, {"image": pictures.open(id, _SIDE)}) for id in ids]
        made = self._model.predict(
            pairs, batch_size=len(pairs), show_progress_bar=False, prompt=self.instruction or None
        )
        return np.asarray(made, np.float32).reshape(len(pairs))
