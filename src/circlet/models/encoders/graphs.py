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
        self._weights.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def add(self, operator: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:
        """One node; `output` names it where the name matters outside."""
        from onnx import helper

        name = output or f"n{len(self._nodes)}"
        self._nodes.append(helper.make_node(operator, inputs, [name], **attributes))
        return name

    def save(self, path: Path, outputs: Sequence[str]) -> None:
        """Write the model with these outputs (float32, free shape)."""
        from onnx import TensorProto, helper, save

        results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
        graph = helper.make_graph(self._nodes, self.name, self._inputs, results, self._weights)
        opset = [helper.make_opsetid("", OPSET)]
        save(helper.make_model(graph, opset_imports=opset, ir_version=IR_VERSION), str(path), "protobuf")
