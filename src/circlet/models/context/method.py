"""A context model as a method: it ranks a few pictures, each given all the others."""

from collections.abc import Sequence

import numpy as np
import torch

from circlet.core import Encoder, Gallery, Method, Pictures, Query, Vectors
from circlet.core.vectors import same_space
from circlet.models.context.networks import Asked, Comparing
from circlet.models.few import only_a_few
from circlet.models.joint.reading import read


class Contextual(Method):
    """Which of a few is meant by the words: `Contextual(network, encoder).scores(queries, ten)`.

    The gallery is the set, in its order; whether that is the order of time, it says itself (`in_time`).
    Several turns are one description.
    """

    def __init__(self, network: Comparing, encoder: Encoder, *, name: str = "") -> None:
        self.network, self.encoder = network.eval(), encoder
        self.name = name

    def __repr__(self) -> str:
        return f"Contextual({self.name or type(self.network).__name__})"

    def scores(
        self, queries: Sequence[Query], gallery: Gallery, *, pictures: Pictures | None = None
    ) -> Vectors:
        same_space(self.encoder.fingerprint, gallery.fingerprint)
        only_a_few(self, gallery, self.name)
        if not len(gallery):
            return np.zeros((len(queries), 0), np.float32)
        asked = Asked(
            torch.from_numpy(np.array(gallery.vectors, np.float32))[None],
            torch.tensor([gallery.in_time]),
            read([query.together.last.text for query in queries], meanings=self.network.heads.sizes.meanings),
            torch.zeros(len(queries), dtype=torch.long),
        )
        with torch.inference_mode():
            scores: Vectors = self.network(asked).numpy()
        return scores
