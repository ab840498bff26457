"""A frame of a film: a scene, and what the camera does to it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from circlet.data.tableaux.world.scene import Scene


@dataclass(frozen=True, kw_only=True)
class Frame:
    """A scene as a camera caught it: `blur` in tenths of a pixel (of 224), `light` and `fade` in percent.

    Through a frame that fades shines another scene, `into`.

    >>> Frame.from_dict(Frame(scene=Scene(setting="desert", things=()), blur=20).to_dict()).blur
    20
    """

    scene: Scene
    blur: int = 0
    light: int = 100
    fade: int = 0
    into: Scene | None = None

    @property
    def key(self) -> str:
        """A short hash of the scene's graph."""
        return self.scene.key

    def to_dict(self) -> dict[str, Any]:
        """The frame as plain JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Frame":
        """The frame that `to_dict` wrote."""
        into = values.get("into")
        scenes = {
            "scene": Scene.from_dict(values["scene"]),
            "into": Scene.from_dict(into) if into else None,
        }
        return cls(**{**values, **scenes})
