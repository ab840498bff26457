"""Opening pictures safely: formats, orientation, thumbnails, hashes, folders."""
