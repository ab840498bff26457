"""A trained scene reader as a folder: the weights of its three networks, and what they know."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from circlet.core import Encoder, WeightsError
from circlet.core.files import parse_json
from circlet.models.frames.eye import EyeSizes, FrameEye
from circlet.models.learned.folder import CONFIG, peek, read_networks, write_networks
from circlet.models.scenes.needs import Hearing
from circlet.models.scenes.scene_clauses import SceneClauses
from circlet.models.scenes.sights import Seeable
from circlet.models.scenes.trust import Trust
from circlet.models.scenes.viewer import Viewer, ViewerSizes

KIND = "scenes"
FORMAT = 5


def write_scenes(folder: Path, eye: FrameEye, viewer: Viewer, hearing: Hearing) -> dict[str, Any]:
    """Write the networks' weights; what the configuration has to say of them."""
    write_networks(folder, {"eye": eye, "viewer": viewer, "hearing": hearing})
    return {"circlet_kind": KIND, "format": FORMAT, "eye": asdict(eye.sizes), "viewer": asdict(viewer.sizes)}


def is_scenes(folder: Path) -> bool:
    """Whether a folder holds a trained scene reader."""
    return peek(folder).get("circlet_kind") == KIND


def load_scenes(folder: Path, encoder: Encoder) -> SceneClauses:
    """The clauses of a scene reader's folder; pictures are read from their files, with any encoder."""
    config = parse_json((folder / CONFIG).read_text(encoding="utf-8"))
    if config.get("format") != FORMAT:
        raise WeightsError(f"{folder} is not a scene reader of format {FORMAT}: train it again")
    eye = FrameEye(EyeSizes(**config["eye"]))
    viewer, hearing = Viewer(ViewerSizes(**config["viewer"]), eye.sizes), Hearing()
    read_networks(folder, {"eye": eye, "viewer": viewer, "hearing": hearing})
    trust = Trust.of(**config["trust"])
    return SceneClauses(eye, viewer, hearing, trust, Seeable(**config["known"]), encoder, name=str(folder))
