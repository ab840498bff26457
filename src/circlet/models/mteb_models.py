"""Both ways between circlet and mteb: a method as a model of its tasks, a model of it as an encoder."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from PIL import Image

from circlet.core import Beside, Encoder, Gallery, Prepared, Query, Turn, UsageError
from circlet.core.vectors import Vectors, unit
from circlet.models.artefacts import combined
from circlet.models.devices import device, joined
from circlet.models.encoders.base import BaseEncoder
from circlet.models.encoders.load import load_encoder
from circlet.models.methods import load_method

# A query's picture has a name of its own beside the documents'.
_ASKED = "query: "
# Pictures that are open, and inputs that go through a model, at once.
_AT_ONCE = 64


class CircletModel:
    """A circlet method as a model of mteb: retrieval by the method, every other task by its encoder.

    >>> mteb.evaluate(CircletModel("siglip", method="edits"), tasks)      # doctest: +SKIP
    """

    def __init__(self, encoder: str | Encoder = "builtin", method: str = "default", **options: Any) -> None:
        self.encoder = load_encoder(encoder) if isinstance(encoder, str) else encoder
        self.spelled = method
        self.method = load_method(method, self.encoder, **options)
        self._corpus: _Documents | None = None

    def __repr__(self) -> str:
        return f"CircletModel({self.encoder!r}, method={self.spelled!r})"

    @cached_property
    def mteb_model_meta(self) -> Any:
        """What results are kept under: the method's name, and the encoder's fingerprint as the revision."""
        from mteb.models.model_meta import ModelMeta, ScoringFunction

        return ModelMeta(
            loader=None,
            name=f"circlet/{self.spelled.replace('/', '-')}",
            revision=combined(self.encoder.fingerprint, repr(self.method)),
            release_date=None,
            languages=["eng-Latn"],
            n_parameters=None,
            memory_usage_mb=None,
            max_tokens=None,
            embed_dim=self.encoder.dim,
            license=None,
            open_weights=True,
            public_training_code=None,
            public_training_data=None,
            framework=[],
            similarity_fn_name=ScoringFunction.COSINE,
            use_instructions=False,
            training_datasets=None,
            modalities=["image", "text"],
        )

    # Searching: what mteb's retrieval tasks ask of a model.

    def index(self, corpus: Any, **about: Any) -> None:
        """Encode the documents: pictures, texts, or both."""
        self._corpus = _Documents(corpus, self.encoder)

    def search(
        self,
        queries: Any,
        *,
        top_k: int,
        top_ranked: Mapping[str, Sequence[str]] | None = None,
        **about: Any,
    ) -> dict[str, dict[str, float]]:
        """For each query its best documents with their scores, among those of `top_ranked` if given."""
        if self._corpus is None:
            raise UsageError("nothing is indexed yet: call index with the documents first")
        asked = _Questions(queries, self.encoder)
        known = Beside(asked, self._corpus)
        found = {}
        for query in asked.queries:
            listed = None if top_ranked is None else list(top_ranked[query.id])
            among = self._corpus if listed is None else self._corpus.subset(listed)
            (ranking,) = self.method.rank([query], among, top=top_k, pictures=known)
            found[query.id] = dict(zip(ranking.ids, map(float, ranking.scores), strict=True))
        return found

    # Encoding: what its other tasks ask.

    def encode(self, inputs: Any, **about: Any) -> Vectors:
        """One row per input of mteb's batches."""
        parts = [vectors_of(self.encoder, *_batch(batch)) for batch in inputs]
        return joined(parts, self.encoder.dim)

    def similarity(self, embeddings1: Any, embeddings2: Any) -> Any:
        """Cosines of all with all."""
        return _rows(embeddings1) @ _rows(embeddings2).T

    def similarity_pairwise(self, embeddings1: Any, embeddings2: Any) -> Any:
        """Cosines of each with its own."""
        return (_rows(embeddings1) * _rows(embeddings2)).sum(dim=-1)


class _Rows:
    """The pictures and texts of a dataset of mteb, by row."""

    def __init__(self, rows: Any) -> None:
        self.rows = rows
        columns = rows.column_names
        self.ids = [str(id) for id in rows["id"]]
        self.has_pictures = "image" in columns
        # Queries are said in conversations and with titles elsewhere: a picture's words are its text.
        self.texts = [str(text or "") for text in rows["text"]] if "text" in columns else [""] * len(self.ids)

    def picture(self, row: int) -> Image.Image | None:
        """The picture of a row, upright RGB; none where it has none."""
        seen = self.rows[row]["image"] if self.has_pictures else None
        return None if seen is None else seen.convert("RGB")

    def vectors(self, encoder: Encoder, *, words: bool) -> Vectors:
        """A row each, a few at a time, so that few pictures are open at once."""
        parts = []
        for at in range(0, len(self.ids), _AT_ONCE):
            some = range(at, min(at + _AT_ONCE, len(self.ids)))
            said = [self.texts[row] if words else "" for row in some]
            parts.append(vectors_of(encoder, [self.picture(row) for row in some], said))
        return joined(parts, encoder.dim)


class _Opened(Gallery):
    """A gallery whose pictures open from the dataset."""

    def __init__(self, ids: Sequence[str], vectors: Vectors, fingerprint: str, rows: _Rows) -> None:
        super().__init__(ids, vectors, fingerprint)
        self._data = rows
        self._places = {id: row for row, id in enumerate(rows.ids)}

    def open(self, id: str, side: int | None = None) -> Any:
        """The picture itself."""
        picture = self._data.picture(self._places[id.removeprefix(_ASKED)])
        if picture is None:
            raise UsageError(f"{id} is a text: only methods that compare vectors can rank it")
        return picture


class _Documents(_Opened):
    def __init__(self, corpus: Any, encoder: Encoder) -> None:
        rows = _Rows(corpus)
        super().__init__(rows.ids, rows.vectors(encoder, words=True), encoder.fingerprint, rows)


class _Questions(_Opened):
    def __init__(self, queries: Any, encoder: Encoder) -> None:
        rows = _Rows(queries)
        names = [f"{_ASKED}{id}" for id in rows.ids]
        # The words are the method's to hear; a query's vector is its picture's.
        vectors = rows.vectors(encoder, words=False)
        super().__init__(names, vectors, encoder.fingerprint, rows)
        self.queries = [
            Query(id, (Turn(picture=name if vectors[row].any() else None, text=rows.texts[row]),))
            for row, (id, name) in enumerate(zip(rows.ids, names, strict=True))
        ]


def _rows(embeddings: Any) -> Any:
    """Rows as a tensor, one of them as one row."""
    import torch

    rows = torch.as_tensor(embeddings)
    return rows[None] if rows.ndim == 1 else rows


def _batch(batch: Mapping[str, Any]) -> tuple[list[Image.Image | None], list[str]]:
    """The pictures and the texts of one of mteb's batches."""
    pictures, texts = batch.get("image"), batch.get("text")
    count = len(pictures if pictures is not None else texts or ())
    return list(pictures or [None] * count), [str(text or "") for text in texts or [""] * count]


def vectors_of(encoder: Encoder, pictures: Sequence[Image.Image | None], texts: Sequence[str]) -> Vectors:
    """Rows for pictures, texts or both: in one pass where the encoder can, else half-way between them."""
    rows = np.zeros((len(texts), encoder.dim), np.float32)
    both = [row for row, text in enumerate(texts) if text and pictures[row] is not None]
    together = getattr(encoder, "together", None) if getattr(encoder, "reads_both", True) else None
    done = set(both if together else ())
    if both and together:
        rows[both] = together([[pictures[row], texts[row]] for row in both])
    seen = [row for row, one in enumerate(pictures) if one is not None and row not in done]
    said = [row for row, text in enumerate(texts) if text and row not in done]
    if seen:
        rows[seen] += encoder.images([pictures[row] for row in seen])
    if said:
        rows[said] += encoder.texts([texts[row] for row in said])
    return unit(rows)


class MtebEncoder(BaseEncoder):
    """`mteb:NAME`: a model of mteb as an encoder, pictures as its documents and words as its queries.

    A model object of mteb does as well as a name.
    """

    def __init__(self, model: Any) -> None:
        self.name = f"mteb:{model}" if isinstance(model, str) else f"mteb:{model.mteb_model_meta.name}"
        self._given = model

    @cached_property
    def _model(self) -> Any:
        if not isinstance(self._given, str):
            return self._given
        import mteb

        try:
            return mteb.get_model(self._given, device=device())
        except Exception as error:
            cause = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            raise UsageError(
                f"mteb cannot load {self._given} ({cause}): check the name in mteb.get_model_metas()"
            ) from error

    @cached_property
    def fingerprint(self) -> str:
        """Names the space: the model's name and revision."""
        meta = self._model.mteb_model_meta
        return f"mteb-{combined(str(meta.name), str(meta.revision))}"

    @cached_property
    def dim(self) -> int:
        """Length of a vector, found by encoding a word."""
        return int(self.texts(["a"]).shape[1])

    @property
    def size(self) -> int:
        """The short edge that a picture should have at least."""
        return 448

    def prepare(self, picture: Image.Image) -> Prepared:
        """The picture itself, in an array of one."""
        held: np.ndarray[Any, Any] = np.empty((), object)
        held[()] = picture.convert("RGB")
        return held

    def encode_prepared(self, pictures: Prepared) -> Vectors:
        return self._encoded({"image": list(pictures)}, "document")

    def texts(self, words: Sequence[str]) -> Vectors:
        if not len(words):
            return np.zeros((0, self.dim), np.float32)
        return self._encoded({"text": list(words)}, "query")

    def together(self, parts: Sequence[Sequence[Any]], *, instruction: str = "") -> Vectors:
        """Queries of one picture with words, read as the model reads both; it has its own instruction."""
        pictures = [[one for one in query if not isinstance(one, str)] for query in parts]
        if instruction or any(len(one) > 1 for one in pictures):
            raise UsageError(f"{self.name} reads one picture with words, and no instruction but its own")
        words = ["\n".join(one for one in query if isinstance(one, str)) for query in parts]
        rows = np.zeros((len(parts), self.dim), np.float32)
        both = [row for row, one in enumerate(pictures) if one]
        rest = [row for row, one in enumerate(pictures) if not one]
        if both:
            mixed = {"image": [pictures[row][0] for row in both], "text": [words[row] for row in both]}
            rows[both] = self._encoded(mixed, "query")
        if rest:
            rows[rest] = self.texts([words[row] for row in rest])
        return rows

    def tokens_prepared(self, pictures: Prepared) -> Vectors:
        """The whole vector as the only token: such a model does not say what is where."""
        return self.encode_prepared(pictures)[:, None]

    def _encoded(self, columns: dict[str, list[Any]], role: str) -> Vectors:
        from mteb.types import PromptType

        made = self._model.encode(
            _Batches(columns),
            task_metadata=_task(),
            hf_split="test",
            hf_subset="default",
            prompt_type=PromptType(role),
            show_progress_bar=False,
            batch_size=_AT_ONCE,
        )
        made = made.float().cpu().numpy() if hasattr(made, "cpu") else made
        return unit(np.asarray(made, np.float32))


class _Batches:
    """Columns as mteb's models take them: an iteration of batches that knows its length and what it holds."""

    def __init__(self, columns: dict[str, list[Any]]) -> None:
        from datasets import Dataset

        self.columns = columns
        self.batch_size = _AT_ONCE
        self.collate_fn = None
        # Some models ask the dataset what there is to encode.
        self.dataset = Dataset.from_dict({name: [""] * len(values) for name, values in columns.items()})
        self._count = len(next(iter(columns.values())))

    def __len__(self) -> int:
        return -(-self._count // _AT_ONCE)

    def __iter__(self) -> Iterator[dict[str, list[Any]]]:
        for at in range(0, self._count, _AT_ONCE):
            yield {name: values[at : at + _AT_ONCE] for name, values in self.columns.items()}


def _task() -> Any:
    """The task that pictures are encoded for; models choose their prompts by it."""
    from mteb.abstasks.task_metadata import TaskMetadata

    return TaskMetadata(
        name="circlet",
        description="Pictures found by a picture and words.",
        type="Any2AnyRetrieval",
        category="it2i",
        modalities=["image", "text"],
        dataset={"path": "circlet", "revision": "1"},
        eval_splits=["test"],
        eval_langs=["eng-Latn"],
        main_score="ndcg_at_10",
        reference=None,
        date=None,
        domains=None,
        task_subtypes=None,
        license=None,
        annotations_creators=None,
        dialect=None,
        sample_creation=None,
        bibtex_citation=None,
    )
