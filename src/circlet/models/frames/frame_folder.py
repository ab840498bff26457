"""A trained frame reader as a folder: the weights of its three networks, and what they were trained on."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from circlet.core import Encoder, WeightsError
from circlet.core.files import parse_json
from circlet.models.frames.eye import EyeSizes, FrameEye
from circlet.models.frames.frame_hearing import FrameHearing
from circlet.models.frames.frame_reader import FrameReader, Known
from circlet.models.frames.gauges import Gauges, GaugeSizes
from circlet.models.learned.folder import CONFIG, peek, read_networks, write_networks

KIND = "frames"
FORMAT = 8


def write_frames(folder: Path, eye: FrameEye, gauges: Gauges, hearing: FrameHearing) -> dict[str, Any]:
    """Write the networks' weights; what the configuration has to say of them."""
    write_networks(folder, {"eye": eye, "gauges": gauges, "hearing": hearing})
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
    hearing = FrameHearing()
    read_networks(folder, {"eye": eye, "gauges": gauges, "hearing": hearing})
    return FrameReader(eye, gauges, hearing, Known(**config["known"]), encoder, name=str(folder))
