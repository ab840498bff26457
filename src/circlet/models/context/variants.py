"""The variants of a context model by name; no torch, so that help can list them."""

# name: one line for lists and help
VARIANTS = {
    "bi-encoder": "the encoder, trained against pictures from anywhere",
    "context-batch": "the encoder, trained against the pictures of the same set",
    "context-module": "the same, frozen, and a transformer over all pictures of a set",
    "temporal": "the same, which knows the order of time in films",
    "differences": "the encoder, told how a picture differs from its set and, in films, its neighbours",
    "single-stream": "one transformer over words and places, trained against pictures from anywhere",
    "single-stream-batch": "the same, trained against the pictures of the same set",
    "blind": "words and the place in the set, no pictures: what the order gives away",
    "wordless": "pictures and no words: what targets have in common",
}
# Those that stand on an encoder which learns no more.
MODULES = frozenset({"context-module", "temporal"})
