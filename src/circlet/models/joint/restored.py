"""The heads of a trained encoder as a network that can learn on, read out of its ONNX graphs."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch

from circlet.core.errors import WeightsError
from circlet.core.vectors import Vectors
from circlet.models.joint.encoder import PICTURES, WORDS, read_config
from circlet.models.joint.heads import Heads, Sizes
from circlet.models.joint.reading import MOST_PHRASES

_LINEAR = ("weight", "bias")


def restored(folder: Path) -> Heads:
    """The heads of an encoder that `circlet train encoder` wrote: `restored(Path("tableaux-encoder"))`.

    The graphs hold no mean and spread apart from the weights, and not how sharply rows were compared in
    training: that begins anew.
    """
    config = read_config(folder)
    if config is None:
        raise WeightsError(f"{folder} holds no trained encoder: make one with `circlet train encoder`")
    heads = Heads(Sizes(**config["training"]["sizes"]))
    held = heads.state_dict()
    for name in held:
        if name.endswith((".centre", ".spread")):
            held[name] = torch.full_like(held[name], float(name.endswith("spread")))
    for file, names in ((PICTURES, _of_pictures(heads.sizes)), (WORDS, _of_words(heads.sizes))):
        _fill(held, list(names), _arrays(folder / file), folder / file)
    heads.load_state_dict(held)
    return heads.eval()


def _fill(held: dict[str, torch.Tensor], names: list[str], arrays: list[Vectors], path: Path) -> None:
    """Put a file's arrays where they belong; what is written in two parts is put together."""
    parts: dict[str, list[torch.Tensor]] = {}
    if len(names) != len(arrays):
        raise _strange(path)
    for name, array in zip(names, arrays, strict=True):
        matrix = array.T if name.endswith(".weight") and array.ndim == 2 else array
        parts.setdefault(name, []).append(torch.from_numpy(np.array(matrix)))
    for name, several in parts.items():
        # Phrases stand before pieces, and are written after them.
        made = torch.cat(several[::-1])
        if name == "words.places" and len(several) == 1:
            made = torch.cat([held[name][:MOST_PHRASES], made])
        if held[name].shape != made.shape:
            raise _strange(path)
        held[name] = made


def _strange(path: Path) -> WeightsError:
    return WeightsError(f"{path} does not fit its configuration: train or copy the encoder again")


def _arrays(path: Path) -> list[Vectors]:
    """The weights of a graph in the order in which they were written, without its plain numbers."""
    from onnx import load, numpy_helper

    try:
        held = [numpy_helper.to_array(one) for one in load(str(path)).graph.initializer]
    except Exception as error:  # whatever a damaged file makes its reader raise, the cure is the same
        raise WeightsError(f"{path} is damaged: train or copy the encoder again") from error
    return [array for array in held if array.dtype == np.float32 and array.size > 1]


def _linear(*layers: str) -> Iterator[str]:
    return (f"{layer}.{part}" for layer in layers for part in _LINEAR)


def _block(name: str) -> Iterator[str]:
    parts = ("first", "query", "key", "value", "out", "second", "inner", "outer")
    return _linear(*(f"{name}.{part}" for part in parts))


def _of_pictures(sizes: Sizes) -> Iterator[str]:
    """What `export` writes of the head for pictures, in its order."""
    yield from _linear("picture.inner", "picture.outer")
    if sizes.places:
        yield from (*_linear("picture.place"), "picture.places")
        for layer in range(sizes.blocks):
            yield from _block(f"picture.blocks.{layer}")
        yield "picture.columns"
        yield from _linear("picture.norm", "picture.added", "picture.out")


def _of_words(sizes: Sizes) -> Iterator[str]:
    """What `export` writes of the head for words, in its order."""
    yield from (*_linear("words.piece"), "words.places")
    if sizes.meanings:
        yield from (*_linear("words.phrase"), "words.places")
    for layer in range(sizes.layers):
        yield from _block(f"words.blocks.{layer}")
    yield from _linear("words.norm", "words.out")
