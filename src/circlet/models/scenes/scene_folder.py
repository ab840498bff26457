"""A trained scene reader as a folder: the weights of its four networks, and what they know."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from circlet.core import Encoder, WeightsError
from circlet.core.files import parse_json
from circlet.models.frames.eye import EyeSizes, FrameEye
from circlet.models.learned.folder import CONFIG, peek, read_networks, write_networks
from circlet.models.scenes.listening import Listener
from circlet.models.scenes.scene_clauses import SceneClauses
from circlet.models.scenes.scene_hearing import SceneHearing
from circlet.models.scenes.sights import Seeable
from circlet.models.scenes.splitting import Splitting
from circlet.models.scenes.trust import Trust
from circlet.models.scenes.viewer import Viewer, ViewerSizes

KIND = "scenes"
FORMAT = 6


def write_scenes(folder: Path, eye: FrameEye, viewer: Viewer, listener: Listener) -> dict[str, Any]:
    """Write the networks' weights; what the configuration has to say of them."""
    networks = {"eye": eye, "viewer": viewer, "hearing": listener.hearing, "splitting": listener.splitting}
    write_networks(folder, networks)
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
    viewer, hearing, splitting = (
        Viewer(ViewerSizes(**config["viewer"]), eye.sizes),
        SceneHearing(),
        Splitting(),
    )
    read_networks(folder, {"eye": eye, "viewer": viewer, "hearing": hearing, "splitting": splitting})
    trust, listener = Trust.of(**config["trust"]), Listener(hearing, splitting, Seeable(**config["known"]))
    return SceneClauses(eye, viewer, listener, trust, encoder, name=str(folder))
