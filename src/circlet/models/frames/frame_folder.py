"""A trained frame reader as a folder: the weights of its two networks, and what they were trained on."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from circlet.core import Encoder, WeightsError
from circlet.core.files import parse_json
from circlet.models.frames.eye import EyeSizes, FrameEye
from circlet.models.frames.frame_reader import FrameReader, Known
from circlet.models.frames.gauges import Gauges, GaugeSizes
from circlet.models.learned.folder import CONFIG, WEIGHTS, peek, read_tensors, write_tensors

KIND = "frames"
FORMAT = 6


def write_weights(folder: Path, eye: FrameEye, gauges: Gauges) -> dict[str, Any]:
    """Write both networks' weights; what the configuration has to say of them."""
    tensors = {f"eye.{name}": part for name, part in eye.state_dict().items()}
    tensors |= {f"gauges.{name}": part for name, part in gauges.state_dict().items()}
    write_tensors(folder / WEIGHTS, tensors)
    return {"circlet_kind": KIND, "format": FORMAT, "eye": asdict(eye.sizes), "gauges": asdict(gauges.sizes)}


def is_frames(folder: Path) -> bool:
    """Whether a folder holds a trained frame reader."""
    return peek(folder).get("circlet_kind") == KIND


def load_frames(folder: Path, encoder: Encoder) -> FrameReader:
    """The frame reader of a folder; the encoder only helps where facts leave several pictures."""
    config = parse_json((folder / CONFIG).read_text(encoding="utf-8"))
    if config.get("format") != FORMAT:
        raise WeightsError(f"{folder} is not a frame reader of format {FORMAT}: train it again")
    eye, gauges = FrameEye(EyeSizes(**config["eye"])), Gauges(GaugeSizes(**config["gauges"]))
    tensors, _ = read_tensors(folder / WEIGHTS)
    try:
        for name, network in (("eye.", eye), ("gauges.", gauges)):
            network.load_state_dict(
                {key.removeprefix(name): part for key, part in tensors.items() if key.startswith(name)}
            )
    except RuntimeError as error:
        told = str(error).splitlines()[0]
        raise WeightsError(f"{folder / WEIGHTS} does not fit {CONFIG}: {told}") from error
    return FrameReader(eye, gauges, Known(**config["known"]), encoder, name=str(folder))
