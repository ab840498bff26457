"""Universal embedders: models of sentence-transformers that read pictures, words and both in one pass."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from circlet.core import Prepared
from circlet.core.errors import UsageError
from circlet.core.vectors import Vectors, unit
from circlet.models.devices import device, fitting, in_batches, joined, precision
from circlet.models.encoders.base import BaseEncoder
from circlet.models.encoders.sentence_models import (
    fingerprint_of,
    load_sentence_model,
    mixture,
    model_folder,
)
from circlet.models.spelling import options_in, whole

RECIPE = "1"  # part of the fingerprint: change it when vectors of the same model change
# Models that take pictures of any size get them so large; more is slower and seldom better.
_SIDE = 672
_LARGEST_SIDE = 2048


class Universal(BaseEncoder):
    """`st:NAME`, a hub name or a folder; `?dim=256` keeps the first 256 numbers of each vector.

    Pictures are read as documents and words as queries, each with the prompt that the model has for
    them. No code of a checkpoint is run.
    """

    batch = 16

    def __init__(self, name: str) -> None:
        self.name = name
        plain, given = options_in(name.removeprefix("st:"), ("dim",))
        self._place = plain
        self._dim = whole(given["dim"], "dim") if "dim" in given else None

    @cached_property
    def folder(self) -> Path:
        """Where the model lies."""
        return model_folder(self._place)

    @cached_property
    def fingerprint(self) -> str:
        """Names the space: a hash of the model's files, and how many numbers are kept."""
        cut = "" if self._dim is None else str(self._dim)
        return f"st-{RECIPE}-{fingerprint_of(self.folder, RECIPE, cut)}"

    @cached_property
    def _model(self) -> Any:
        from sentence_transformers import SentenceTransformer

        place = device()
        model = load_sentence_model(SentenceTransformer, self.folder, place, precision(place))
        if not model.supports("image"):
            raise UsageError(f"{self._place} reads no pictures: name a model that does, such as a CLIP")
        full = model.get_embedding_dimension()
        if self._dim is not None and full is not None and self._dim > full:
            raise UsageError(f"{self._place} has {full} numbers a vector: --dim keeps at most so many")
        return model

    @property
    def _many(self) -> int:
        return fitting(self._model, self.batch)

    @cached_property
    def dim(self) -> int:
        """Length of a vector."""
        known = self._model.get_embedding_dimension()
        # Some towers do not say how wide they are; a word tells.
        return self._dim or (known if known is not None else self.texts(["a"]).shape[1])

    @cached_property
    def size(self) -> int:
        """The short edge that a picture should have at least."""
        wanted = getattr(getattr(self._model.processor, "image_processor", None), "size", None)
        sides = [side for side in dict(wanted or {}).values() if isinstance(side, int)]
        # Where pictures keep their shape the numbers count pixels, not the length of an edge.
        return min(sides) if sides and max(sides) <= _LARGEST_SIDE else _SIDE

    @property
    def reads_both(self) -> bool:
        """Whether a picture and words can be read in one pass."""
        return bool(self._model.supports("message") or self._model.supports(("image", "text")))

    def prepare(self, picture: Image.Image) -> Prepared:
        """The picture itself, in an array of one: the model's own processor takes many at once."""
        held: np.ndarray[Any, Any] = np.empty((), object)
        held[()] = picture.convert("RGB")
        return held

    def encode_prepared(self, pictures: Prepared) -> Vectors:
        return self._encoded(self._model.encode_document, [{"image": one} for one in pictures])

    def texts(self, words: Sequence[str]) -> Vectors:
        """Unit rows for texts, each as a query."""
        # In a dictionary a text is a text, also one that names a file or an address.
        return self._encoded(self._model.encode_query, [{"text": text} for text in words])

    def together(self, parts: Sequence[Sequence[str | Image.Image]], *, instruction: str = "") -> Vectors:
        """Unit rows for queries of pictures and words, each query read in one pass, in its order."""
        if not self.reads_both:
            raise UsageError(
                f"{self._place} reads a picture or words, never both in one pass: take --method default"
            )
        chats = self._model.supports("message")
        asked = [_conversation(query) if chats else mixture(query) for query in parts]
        return self._encoded(self._model.encode_query, asked, prompt=instruction or None)

    def tokens_prepared(self, pictures: Prepared) -> Vectors:
        """The whole vector as the only token: such a model does not say what is where."""
        return self.encode_prepared(pictures)[:, None]

    def _encoded(self, encode: Any, inputs: Sequence[Any], **options: Any) -> Vectors:
        def run(some: Sequence[Any]) -> Vectors:
            made = encode(
                list(some),
                batch_size=len(some),
                show_progress_bar=False,
                convert_to_tensor=True,
                truncate_dim=self._dim,
                **options,
            )
            return unit(made.float().cpu().numpy())

        parts = in_batches(run, inputs, self._many)
        return joined(parts, 0 if parts else self.dim)


def _conversation(query: Sequence[str | Image.Image]) -> list[dict[str, Any]]:
    """One message, its pictures and words in their order."""
    content = [{"type": kind, kind: part} for part in query for kind in (_kind(part),)]
    return [{"role": "user", "content": content}]


def _kind(part: str | Image.Image) -> str:
    return "text" if isinstance(part, str) else "image"
