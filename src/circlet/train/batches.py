"""Batches for a network, by index: everything slow (pictures, word pieces) was done before."""

from dataclasses import replace
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from circlet.core import Encoder
from circlet.models.features import Features
from circlet.models.learned.network import Network, QueryBatch, Shape
from circlet.models.learned.words import Language, padded
from circlet.models.phrases import Phrases, as_clauses
from circlet.train.tasks.task import Rows
from circlet.train.tasks.triplets import Triplets


class TripletBatches:
    """Triplets and features, ready to be asked for.

    `encoder` is needed only for the models that compose with the encoder's own vectors of the words;
    it is asked for those of a batch when that batch comes, and should remember them for the next epoch.
    """

    def __init__(
        self, triplets: Triplets, features: Features, language: Language, *, encoder: Encoder | None = None
    ) -> None:
        self.triplets = triplets
        self.features = features
        self.vectors = torch.from_numpy(np.ascontiguousarray(features.vectors, np.float32))
        self.encoder = encoder
        self._words = triplets.words()
        place = {text: row for row, text in enumerate(self._words)}
        self._texts = [[place[text] for text in several] for several in triplets.texts]
        self._pieces = language.pieces(self._words)
        longest = [max(len(self._pieces[text]) for text in several) for several in self._texts]
        self.lengths = np.asarray(longest, np.int64)

    @cached_property
    def _phrases(self) -> Phrases:
        assert self.encoder is not None
        return Phrases(self.encoder)

    def shape(self, width: int) -> Shape:
        """The sizes that a network over these features needs."""
        tokens, channels = (0, 0) if self.features.tokens is None else self.features.tokens.shape[1:]
        return Shape(dim=self.vectors.shape[1], tokens=tokens, channels=channels, width=width)

    def asked_of(self, network: Network, rows: Rows, chance: np.random.Generator) -> QueryBatch:
        """These queries as a batch with all that this network reads."""
        return self.asked(
            rows, chance, tokens=network.spatial, sentences=network.speaks, clauses=network.hears
        )

    def asked(
        self,
        rows: Rows,
        chance: np.random.Generator,
        *,
        tokens: bool = False,
        sentences: bool = False,
        clauses: bool = False,
    ) -> QueryBatch:
        """These queries as a batch, each in one of its wordings, with what else the network reads."""
        texts = [several[chance.integers(len(several))] for several in (self._texts[row] for row in rows)]
        pictures = self.triplets.references[rows]
        words, mask = padded(self._pieces[text] for text in texts)
        seen: Tensor | None = None
        if tokens:
            assert self.features.tokens is not None
            seen = torch.from_numpy(self.features.tokens[pictures].astype(np.float32))
        spoken: Tensor | None = None
        if sentences:
            assert self.encoder is not None
            spoken = torch.from_numpy(self.encoder.texts([self._words[text] for text in texts]))
        asked = QueryBatch(self.vectors[pictures], words, mask, seen, spoken)
        if not clauses:
            return asked
        heard = as_clauses([self._words[text] for text in texts], self._phrases)
        return replace(asked, kinds=torch.from_numpy(heard.kinds), phrases=torch.from_numpy(heard.rows))
