"""circlet finds pictures by a picture and words: "like this, but at night"."""

__version__ = "0.1.0"
