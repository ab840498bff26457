"""The built-in encoder in eight bits (`builtin:int8`) beside itself in float: how fast, and how right.

    python benchmarks/eight_bits.py STAMPS              # compare, with cut-out photographs (see held_in.py)
    python benchmarks/eight_bits.py STAMPS --write      # find the ranges anew, and keep them in the package

It prints the processor time of both on the same prepared pictures, taken in turns, the cosine of their
vectors, and the lines of benchmarks/right.py for the cut-outs of STAMPS: words to pictures, and a picture
changed by words. The ranges come from drawings that are in no gallery here: the least and the largest value
of what each layer gives, from the end of the network's second block on. What comes before stays in float.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import onnx
from held_in import art, photographs, shown
from right import changed, found, opened, report

from circlet.core import Vectors
from circlet.models import load_encoder
from circlet.models.artefacts import session
from circlet.models.encoders import convnet
from circlet.models.encoders.builtin import Builtin
from circlet.models.encoders.classes import classes
from circlet.models.encoders.eight import RANGES
from circlet.models.encoders.torchfile import read_tensors

ENCODERS = ("builtin", "builtin:int8")
GALLERY, CALIBRATE = 1000, 192
FIRST = "_blocks.1._project_conv"
BATCH = 32
ROUNDS = 9


def prepared(encoder: Builtin, files: Sequence[Path]) -> Any:
    """The pictures as the network wants them."""
    return np.stack([encoder.prepare(one) for one in opened(files)])


def seen(pictures: Any) -> dict[str, tuple[float, float]]:
    """The least and the largest value of each layer's outcome over these pictures, from `FIRST` on."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "float.onnx"
        convnet.build(read_tensors(convnet.weights_file()), path, {})
        model = onnx.load(path)
        names = [name for node in model.graph.node for name in node.output if name[0] == "_"]
        names = [*names[names.index(FIRST) :], "map"]
        kind = onnx.TensorProto.FLOAT
        model.graph.output.extend(onnx.helper.make_tensor_value_info(name, kind, None) for name in names[:-1])
        onnx.save(model, path)
        network = session(path)
    ends = []
    for at in range(0, len(pictures), BATCH):
        outcomes = network.run(names, {"pixels": pictures[at : at + BATCH]})
        ends.append([(one.min(), one.max()) for one in outcomes])
    low, high = np.min(ends, axis=0)[:, 0], np.max(ends, axis=0)[:, 1]
    return {name: (low[at], high[at]) for at, name in enumerate(names)}


def write(ranges: dict[str, tuple[float, float]]) -> None:
    """Keep the ranges where the encoder reads them."""
    rows = (f"{name}\t{low:.3f}\t{high:.3f}\n" for name, (low, high) in ranges.items())
    RANGES.write_text("".join(rows), encoding="utf-8")


def vectors(encoder: Builtin, pictures: Any) -> Vectors:
    """The prepared pictures as the encoder places them."""
    parts = [encoder.encode_prepared(pictures[at : at + BATCH]) for at in range(0, len(pictures), BATCH)]
    return np.concatenate(parts)


def compared(encoders: Sequence[Builtin], pictures: Any) -> float:
    """How many times as much processor time the first takes as the second."""
    took: list[list[float]] = [[] for _ in encoders]
    for _ in range(ROUNDS):
        for encoder, times in zip(encoders, took, strict=True):
            began = time.process_time()
            encoder.encode_prepared(pictures[:BATCH])
            times.append(time.process_time() - began)
    one, two = map(statistics.median, took)
    return one / two


def compare(files: Sequence[Path], drawings: Sequence[tuple[str, Path]]) -> None:
    """Print what each encoder finds of the cut-outs, among them and the drawings."""
    encoders = [load_encoder(name) for name in ENCODERS]
    pictures = prepared(encoders[0], [*files, *(file for _, file in drawings)])
    placed = [vectors(encoder, pictures) for encoder in encoders]
    cosines = (placed[0] * placed[1]).sum(axis=1)
    print(f"{compared(encoders, pictures):.2f} × as fast in processor time")
    for kind, some in (("cut-outs", cosines[: len(files)]), ("drawings", cosines[len(files) :])):
        print(f"cosine of {kind} {some.mean():.4f}, of one in twenty below {np.percentile(some, 5):.4f}")
    classed = {name.lower() for one in classes() for name in one.names}
    names = [shown(file) for file in files]
    labels = [*names, *(name for name, _ in drawings)]
    for kind, asked in (("any", set(names)), ("a class", set(names) & classed)):
        for encoder, rows in zip(encoders, placed, strict=True):
            ranks = found(encoder, sorted(asked), labels, rows)
            report(f"{len(files)} cut-outs among {len(rows)}, {kind} name ({encoder.name})", ranks)
    for encoder, rows in zip(encoders, placed, strict=True):
        changed(encoder, sorted(set(names) & classed), labels, rows, f"cut-out ({encoder.name})")


def main() -> None:
    """Compare, or write the ranges."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("stamps", type=Path)
    parser.add_argument("--write", action="store_true", help="find the ranges anew")
    asked = parser.parse_args()
    files = list(photographs(asked.stamps).values())
    some = Random(0).sample(sorted(art().items()), GALLERY - len(files) + CALIBRATE)
    if asked.write:
        write(seen(prepared(load_encoder("builtin"), [file for _, file in some[-CALIBRATE:]])))
    else:
        compare(files, some[:-CALIBRATE])


if __name__ == "__main__":
    main()
