"""A learned network as a composer: what search, evaluation and sessions call."""

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np
import torch

from circlet.core import Composer, Encoder, Gallery, Pictures, Scorer, Turn, Vectors, unit
from circlet.models.learned.network import Network, QueryBatch
from circlet.models.learned.words import Language, padded
from circlet.models.phrases import Phrases, as_clauses

# Queries and gallery rows that go through the network at once; bounds memory, not results.
BLOCK = 256
GALLERY_BLOCK = 65_536
# So few pictures are candidates of a search, and so many of them are remembered.
FEW = 1000
REMEMBERED = 20_000


def words_of(turn: Turn) -> str:
    """What a turn says, as one sentence for a model that reads words.

    >>> words_of(Turn(text="at night", without=("people",)))
    'at night, without people'
    """
    stressed = [phrase for phrase, weight in turn.emphasis if weight > 1]
    unwanted = [f"without {thing}" for thing in turn.without]
    return ", ".join(part for part in (turn.text.strip(), *stressed, *unwanted) if part)


class Learned(Composer):
    """A trained network over the encoder it was trained with.

    A turn without a picture uses the words' own vector in the picture's place: the encoder's space
    holds both. A turn's `balance` pulls the answer from the trained composition (one half) towards
    the picture alone (one) or the words alone (zero). Models that read spatial tokens ask for them
    where the pictures are. `odds` are what its scores stand for where it scores another's candidates.
    """

    def __init__(
        self,
        network: Network,
        language: Language,
        encoder: Encoder,
        *,
        name: str,
        odds: tuple[float, float] | None = None,
    ) -> None:
        self.network = network.eval()
        self.language = language
        self.encoder = encoder
        self.name, self.odds = name, odds
        self.fingerprint = encoder.fingerprint
        self.projects = network.projects
        self._projected: WeakKeyDictionary[Gallery, Gallery] = WeakKeyDictionary()
        self._rows: dict[bytes, Vectors] = {}

    def __repr__(self) -> str:
        return f"load_method({self.name!r}, {self.encoder!r})"

    def as_scorer(self) -> Scorer:
        """With what its scores stand for, where that was fitted (`circlet train relevance`)."""
        from circlet.models.scorers.relevance import relevance_of

        return super().as_scorer() if self.odds is None else relevance_of(self, self.odds)

    @property
    def _device(self) -> torch.device:
        return next(self.network.parameters()).device

    def project(self, gallery: Gallery) -> Gallery:
        """The gallery in the learned space: one matrix product, kept for as long as the gallery lives."""
        if not self.network.projects:
            return gallery
        if gallery not in self._projected:
            rows = self._remembered(gallery.vectors) if len(gallery) <= FEW else self._placed(gallery.vectors)
            self._projected[gallery] = Gallery(gallery.ids, rows, gallery.fingerprint)
        return self._projected[gallery]

    def _placed(self, vectors: Vectors) -> Vectors:
        """Pictures' vectors in the learned space."""
        rows = np.empty((len(vectors), self.network.shape.width), np.float32)
        with torch.inference_mode():
            for start in range(0, len(vectors), GALLERY_BLOCK):
                part = np.ascontiguousarray(vectors[start : start + GALLERY_BLOCK], np.float32)
                placed = self.network.candidates(torch.from_numpy(part).to(self._device))
                rows[start : start + len(part)] = placed.cpu().numpy()
        return rows

    def _remembered(self, vectors: Vectors) -> Vectors:
        """The same for a few candidates, of which one search after the other asks for many again."""
        keys = [np.ascontiguousarray(row).tobytes() for row in vectors]
        found = {key: row for key in keys if (row := self._rows.get(key)) is not None}
        if new := [at for at, key in enumerate(keys) if key not in found]:
            found |= zip([keys[at] for at in new], self._placed(vectors[new]), strict=True)
            if len(self._rows) > REMEMBERED:
                self._rows = {}
            self._rows |= found
        return np.array([found[key] for key in keys], np.float32).reshape(-1, self.network.shape.width)

    def turns(self, turns: Sequence[Turn], pictures: Pictures) -> Vectors:
        parts = [self._some(turns[start : start + BLOCK], pictures) for start in range(0, len(turns), BLOCK)]
        return np.concatenate(parts) if parts else np.empty((0, self.network.shape.width), np.float32)

    def share(self, turn: Turn) -> float | None:
        return 0.5 if turn.balance is None else turn.balance

    def _some(self, turns: Sequence[Turn], pictures: Pictures) -> Vectors:
        seen = [row for row, turn in enumerate(turns) if turn.picture]
        texts = [words_of(turn) for turn in turns]
        needs_words = (
            self.network.speaks or len(seen) < len(turns) or any(t.balance is not None for t in turns)
        )
        sentences = (
            self.encoder.texts(texts) if needs_words else np.zeros((len(turns), self.encoder.dim), np.float32)
        )
        vectors = np.array(sentences, np.float32)
        if seen:
            vectors[seen] = pictures.vectors_of([turns[row].picture or "" for row in seen])
        tokens = self._tokens(turns, seen, pictures) if self.network.spatial else None
        words, mask = padded(self.language.pieces(texts))
        clauses = as_clauses(texts, Phrases(self.encoder)) if self.network.hears else (None, None)

        def asked(vectors: Vectors) -> QueryBatch:
            parts = (
                None if rows is None else torch.from_numpy(rows) for rows in (tokens, sentences, *clauses)
            )
            return QueryBatch(torch.from_numpy(vectors), words, mask, *parts).to(self._device)

        with torch.inference_mode():
            composed = np.array(self.network(asked(vectors)).cpu().numpy(), np.float32)
            tilted = [row for row, turn in enumerate(turns) if turn.balance not in (None, 0.5)]
            if tilted:
                alone = self.network.candidates(torch.from_numpy(vectors).to(self._device)).cpu().numpy()
                spoken = self.network(asked(np.array(sentences, np.float32))).cpu().numpy()
                for row in tilted:
                    tilt = 2 * (turns[row].balance or 0.0) - 1
                    pull = alone[row] if tilt > 0 else spoken[row]
                    composed[row] = (1 - abs(tilt)) * composed[row] + abs(tilt) * pull
                composed = unit(composed)
        # A turn that only likes or dislikes says nothing here: feedback speaks for it.
        composed[[not (turn.picture or words) for turn, words in zip(turns, texts, strict=True)]] = 0
        return composed

    def _tokens(self, turns: Sequence[Turn], seen: Sequence[int], pictures: Pictures) -> Vectors:
        shape = self.network.shape
        tokens = np.zeros((len(turns), shape.tokens, shape.channels), np.float32)
        ids = [turns[row].picture or "" for row in seen]
        if ids:
            tokens[list(seen)] = pictures.tokens_of(ids)
        return tokens
