"""Pictures and words to vectors: the built-in encoders, and checkpoints from a hub or a folder."""
