"""The heads as ONNX graphs: searching with them needs no torch."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from circlet.models.encoders.graphs import Graph
from circlet.models.encoders.sentences import DIM
from circlet.models.joint.heads import HEADS, Heads, Sizes
from circlet.models.joint.reading import MOST_PHRASES

Weights = Mapping[str, np.ndarray[Any, Any]]
_EPSILON = 1e-5
_SHORTEST = 1e-12


def write_heads(heads: Heads, pictures: Path, words: Path) -> None:
    """Write both graphs: vectors to "learned", and what was read of texts to "learned"."""
    held = {name: part.detach().cpu().numpy() for name, part in heads.state_dict().items()}
    _pictures(held, heads.sizes, pictures)
    _words(held, heads.sizes, words)


def _pictures(weights: Weights, sizes: Sizes, path: Path) -> None:
    graph = Graph("pictures")
    vectors = graph.input("vectors", np.float32, ["n", sizes.vector])
    inner = graph.add("Gelu", graph.linear(vectors, *_standard(weights, "picture.inner")))
    row = graph.linear(inner, weights["picture.outer.weight"], weights["picture.outer.bias"])
    if sizes.places:
        edges = (graph.weight(np.array([edge])) for edge in (sizes.whole, sizes.vector, 1))
        shape = graph.weight(np.array([0, sizes.places, sizes.channels]))
        tokens = graph.add("Reshape", graph.add("Slice", vectors, *edges), shape)
        tokens = graph.linear(tokens, *_standard(weights, "picture.place"))
        tokens = graph.add("Add", tokens, graph.weight(weights["picture.places"]))
        none = graph.weight(np.float32(0))
        for layer in range(sizes.blocks):
            tokens = _block(graph, weights, f"picture.blocks.{layer}", tokens, sizes.width, none)
        columns = weights["picture.columns"]
        tokens = graph.add("MatMul", graph.weight(columns), _norm(graph, weights, "picture.norm", tokens))
        added = graph.add("Reshape", tokens, graph.weight(np.array([0, len(columns) * sizes.width])))
        added = graph.add("Gelu", _linear(graph, weights, "picture.added", added))
        row = graph.add("Add", row, _linear(graph, weights, "picture.out", added))
    _unit(graph, row)
    graph.save(path, ["learned"])


def _standard(weights: Weights, name: str) -> tuple[Any, Any]:
    """The weight and bias of a `Standard` layer, its mean and spread folded in."""
    matrix = weights[f"{name}.weight"] / weights[f"{name}.spread"]
    return matrix, weights[f"{name}.bias"] - matrix @ weights[f"{name}.centre"]


def _linear(graph: Graph, weights: Weights, name: str, x: str) -> str:
    return graph.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])


def _norm(graph: Graph, weights: Weights, name: str, x: str) -> str:
    return graph.normal(x, weights[f"{name}.weight"], weights[f"{name}.bias"], _EPSILON)


def _block(graph: Graph, weights: Weights, name: str, x: str, width: int, bias: str) -> str:
    """One `Block`."""
    normed = _norm(graph, weights, f"{name}.first", x)
    parts = [_linear(graph, weights, f"{name}.{part}", normed) for part in ("query", "key", "value")]
    gathered = graph.attend(*parts, heads=HEADS, width=width, bias=bias)
    x = graph.add("Add", x, _linear(graph, weights, f"{name}.out", gathered))
    second = _norm(graph, weights, f"{name}.second", x)
    inner = graph.add("Gelu", _linear(graph, weights, f"{name}.inner", second))
    return graph.add("Add", x, _linear(graph, weights, f"{name}.outer", inner))


def _words(weights: Weights, sizes: Sizes, path: Path) -> None:
    graph = Graph("words")
    pieces = graph.input("pieces", np.float32, ["n", "t", DIM])
    piece_mask = graph.input("piece_mask", np.float32, ["n", "t"])

    def placed(x: str, mask: str, start: int, stop: int) -> str:
        """The tokens with the row of each place added."""
        count = graph.add("Gather", graph.add("Shape", mask), graph.weight(np.array([1])))
        rows = graph.weight(weights["words.places"][start:stop])
        zero = graph.weight(np.array([0]))
        return graph.add("Add", x, graph.add("Slice", rows, zero, count, zero))

    x = graph.linear(pieces, *_standard(weights, "words.piece"))
    x, mask = placed(x, piece_mask, MOST_PHRASES, len(weights["words.places"])), piece_mask
    if sizes.meanings:
        phrases = graph.input("phrases", np.float32, ["n", "p", DIM])
        phrase_mask = graph.input("phrase_mask", np.float32, ["n", "p"])
        said = graph.linear(phrases, *_standard(weights, "words.phrase"))
        x = graph.add("Concat", placed(said, phrase_mask, 0, MOST_PHRASES), x, axis=1)
        mask = graph.add("Concat", phrase_mask, mask, axis=1)
    bias = graph.unheard(mask)
    for layer in range(sizes.layers):
        x = _block(graph, weights, f"words.blocks.{layer}", x, sizes.width, bias)
    mean = graph.mean(_norm(graph, weights, "words.norm", x), mask)
    _unit(graph, _linear(graph, weights, "words.out", mean))
    graph.save(path, ["learned"])


def _unit(graph: Graph, x: str) -> str:
    """Rows at length one."""
    length = graph.add("ReduceL2", x, graph.weight(np.array([-1])), keepdims=1)
    return graph.add(
        "Div", x, graph.add("Max", length, graph.weight(np.float32(_SHORTEST))), output="learned"
    )
