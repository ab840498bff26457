"""The tableaux world: scenes drawn from OpenMoji art, whose truth is known."""

from circlet.data.tableaux.draw.render import encoded, render
from circlet.data.tableaux.world.kinds import Kind, kind, kinds
from circlet.data.tableaux.world.scene import Scene, Thing
from circlet.data.tableaux.world.settings import Setting, setting, settings

__all__ = ["Kind", "Scene", "Setting", "Thing", "encoded", "kind", "kinds", "render", "setting", "settings"]
