"""Opening pictures safely: formats, orientation, thumbnails, hashes, folders."""

from circlet.images.folders import FoundFile, SkippedFile, walk
from circlet.images.hashing import content_hash
from circlet.images.opening import Probe, open_picture, probe, thumbnail

__all__ = ["FoundFile", "Probe", "SkippedFile", "content_hash", "open_picture", "probe", "thumbnail", "walk"]
