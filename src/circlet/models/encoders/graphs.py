"""A small writer of ONNX graphs: nodes named in order, weights as initialisers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

OPSET = 20
IR_VERSION = 10


class Graph:
    """Collects nodes and weights; every call of `add` returns the name of the node's output."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._nodes: list[Any] = []
        self._weights: list[Any] = []
        self._inputs: list[Any] = []

    def input(self, name: str, kind: type[np.generic], shape: Sequence[int | str]) -> str:
        """An input of the graph; a word in the shape is a free dimension."""
        from onnx import helper

        element = helper.np_dtype_to_tensor_dtype(np.dtype(kind))
        self._inputs.append(helper.make_tensor_value_info(name, element, list(shape)))
        return name

    def weight(self, values: Any) -> str:
        """A constant of the graph."""
        from onnx import numpy_helper

        name = f"w{len(self._weights)}"
        self._weights.append(numpy_helper.from_array(np.asarray(values, order="C"), name))
        return name

    def add(self, operator: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:
        """One node; `output` names it where the name matters outside."""
        from onnx import helper

        name = output or f"n{len(self._nodes)}"
        self._nodes.append(helper.make_node(operator, inputs, [name], **attributes))
        return name

    def linear(self, x: str, weight: Any, bias: Any) -> str:
        """A linear layer with a weight of (out, in), as torch keeps it."""
        product = self.add("MatMul", x, self.weight(np.asarray(weight).T))
        return self.add("Add", product, self.weight(np.asarray(bias)))

    def normal(self, x: str, weight: Any, bias: Any, epsilon: float) -> str:
        """A layer norm over the last dimension."""
        scale, shift = self.weight(np.asarray(weight)), self.weight(np.asarray(bias))
        return self.add("LayerNormalization", x, scale, shift, axis=-1, epsilon=epsilon)

    def attend(self, query: str, key: str, value: str, *, heads: int, width: int, bias: str) -> str:
        """What the queries (n, t, width) gather from the values; `bias` is added to every score."""
        apart = self.weight(np.array([0, 0, heads, width // heads]))

        def split(x: str, order: list[int]) -> str:
            return self.add("Transpose", self.add("Reshape", x, apart), perm=order)

        shrink = self.weight(np.float32((width // heads) ** -0.5))
        scores = self.add("MatMul", split(query, [0, 2, 1, 3]), split(key, [0, 2, 3, 1]))
        scores = self.add("Add", self.add("Mul", scores, shrink), bias)
        mixed = self.add("MatMul", self.add("Softmax", scores, axis=-1), split(value, [0, 2, 1, 3]))
        together = self.weight(np.array([0, 0, width]))
        return self.add("Reshape", self.add("Transpose", mixed, perm=[0, 2, 1, 3]), together)

    def unheard(self, mask: str) -> str:
        """From a mask (n, t) of ones and zeros the bias that gives padding a share of nothing."""
        padding = self.add("Sub", mask, self.weight(np.float32(1)))
        low = self.add("Mul", padding, self.weight(np.float32(1e9)))
        return self.add("Unsqueeze", low, self.weight(np.array([1, 2])))

    def mean(self, x: str, mask: str, output: str | None = None) -> str:
        """The mean of (n, t, width) over what the mask (n, t) holds."""
        weighted = self.add("Mul", x, self.add("Unsqueeze", mask, self.weight(np.array([-1]))))
        one = self.weight(np.array([1]))
        total = self.add("ReduceSum", weighted, one, keepdims=0)
        return self.add("Div", total, self.add("ReduceSum", mask, one, keepdims=1), output=output)

    def save(self, path: Path, outputs: Sequence[str]) -> None:
        """Write the model with these outputs (float32, free shape); what leads to none is left out."""
        from onnx import TensorProto, helper, save

        wanted = set(outputs)
        nodes: list[Any] = []
        for node in reversed(self._nodes):
            if wanted.intersection(node.output):
                wanted.update(node.input)
                nodes.insert(0, node)
        weights = [weight for weight in self._weights if weight.name in wanted]
        results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
        graph = helper.make_graph(nodes, self.name, self._inputs, results, weights)
        opset = [helper.make_opsetid("", OPSET)]
        save(helper.make_model(graph, opset_imports=opset, ir_version=IR_VERSION), str(path), "protobuf")
