"""Does the encoder find the thing? Words to pictures, and a picture changed by words.

    python benchmarks/right.py                          # simulated photographs and OpenMoji art
    python benchmarks/right.py --stamps STAMPS          # and cut-out photographs (see held_in.py)
    python benchmarks/right.py --photos FOLDER          # and your own, in a folder for each class
    python benchmarks/right.py --stamps STAMPS --float  # each line also by MiniLM's float weights

Three kinds of pictures, from the least to the most telling:

- simulated: what the network might say of 1,000 photographs, one a class: the residuals that it
  really has on pictures, plus as much of the class as gives the top-1 accuracy it is published with
  (75 in 100 on ImageNet). No photograph is involved: this shows what the bridge from words to classes
  loses, and nothing about photographs unlike ImageNet's;
- stamps and art: real pictures, cut out or drawn, with the names their makers gave them. Few of
  the names are ImageNet classes; the figures say how far words reach beyond the classes;
- photos: FOLDER/NAME/*.jpg where NAME is a WordNet id or a class name, such as a part of the
  ImageNet validation set; 1,000 pictures are drawn with a fixed seed.

"A but a B" asks the default composer with a picture of A and the text "but a B". The picture's half
is shown by how much nearer the first ten are to the reference than those found by the text alone.
"""

import argparse
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from random import Random

import numpy as np
from held_in import art, photographs, shown
from PIL import Image

from circlet.core import Gallery, Query, Turn, unit
from circlet.images import open_picture
from circlet.models import load_encoder, load_method
from circlet.models.encoders import convnet
from circlet.models.encoders.builtin import Builtin
from circlet.models.encoders.classes import classes
from circlet.models.encoders.sentences import Sentences
from circlet.models.encoders.torchfile import read_tensors
from circlet.models.learned.words import minilm

ACCURACY = 0.75
SEEDS = (0, 1, 2)


class FloatSentences(Sentences):
    """MiniLM with the weights that it was published with; the extra `train` brings them."""

    @cached_property
    def file(self) -> Path:
        return minilm() / "model.safetensors"

    def weights(self) -> dict[str, np.ndarray]:
        from safetensors.numpy import load_file

        return load_file(self.file)


def opened(files: Sequence[Path]) -> list[Image.Image]:
    """The pictures, at the size that encoders want."""
    return [open_picture(file, side=256) for file in files]


def understand(encoder: Builtin, pictures: Sequence[Image.Image]) -> list[np.ndarray]:
    """The network's logits, pooled features and thumbnails of pictures."""
    network = convnet.load()
    parts = [
        network.run(
            ["logits", "features", "thumb"],
            {"pixels": np.stack([encoder.prepare(one) for one in pictures[at : at + 32]])},
        )
        for at in range(0, len(pictures), 32)
    ]
    return [np.concatenate(outputs) for outputs in zip(*parts, strict=True)]


class Simulated:
    """Photographs as the network might see them, one for each class."""

    def __init__(self, encoder: Builtin, features: np.ndarray) -> None:
        state = read_tensors(convnet.weights_file())
        self.encoder = encoder
        self.matrix, self.bias = state["_fc.weight"], state["_fc.bias"]
        self.middle = features.mean(axis=0)
        self.residuals = features - self.middle
        low, high = 1.0, 30.0
        for _ in range(8):
            self.signal = (low + high) / 2
            low, high = (low, self.signal) if self.accuracy(0, 1) > ACCURACY else (self.signal, high)

    def outputs(self, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """Logits and features of a thousand photographs, the first of class 0 and so on."""
        random = np.random.default_rng(seed)
        mixing = random.normal(size=(1000, len(self.residuals))) / np.sqrt(len(self.residuals))
        other = mixing @ self.residuals
        own = self.matrix - self.matrix.mean(axis=0)
        scale = (other @ own.T).std() * np.exp(random.normal(np.log(self.signal), 0.3, size=(1000, 1)))
        features = self.middle + other + scale * own / (own**2).sum(axis=1, keepdims=True)
        return (features @ self.matrix.T + self.bias).astype(np.float32), features.astype(np.float32)

    def accuracy(self, seed: int, top: int) -> float:
        """How often the right class is among the network's first `top`."""
        logits, _ = self.outputs(seed)
        return float(np.mean((logits >= np.diag(logits)[:, None]).sum(axis=1) <= top))

    def vectors(self, seed: int) -> np.ndarray:
        """The photographs as the encoder would place them, all of one grey."""
        grey = np.full((1000, 3, convnet.THUMB, convnet.THUMB), 128, np.float32)
        return self.encoder.join(*self.outputs(seed), grey)


def report(name: str, ranks: np.ndarray) -> None:
    """One line of a table: how many in a hundred are found among the first 1, 5 and 10."""
    shares = "  ".join(f"top {k}: {np.mean(ranks <= k):6.1%}" for k in (1, 5, 10))
    print(f"{name:54} {shares}  of {len(ranks)}", flush=True)


def found(encoder: Builtin, names: Sequence[str], labels: Sequence[str], vectors: np.ndarray) -> np.ndarray:
    """The rank of the best picture with the label that each name asks for."""
    scores = encoder.texts(names) @ vectors.T
    own = np.array(names)[:, None] == np.array(labels)
    return (scores >= np.where(own, scores, -np.inf).max(axis=1, keepdims=True)).sum(axis=1)


def changed(
    encoder: Builtin, names: Sequence[str], labels: Sequence[str], vectors: np.ndarray, kind: str
) -> None:
    """Print how often "A, but a B" finds a B, and what the picture of A brings."""
    ids = [str(number) for number in range(len(labels))]
    gallery = Gallery(ids, vectors, encoder.fingerprint)
    random = Random(1)
    pairs = [(random.randrange(len(ids)), name) for name in names]
    pairs = [(row, name) for row, name in pairs if labels[row] != name]
    queries = [
        Query(str(i), (Turn(picture=ids[row], text=f"but a {name}"),)) for i, (row, name) in enumerate(pairs)
    ]
    rankings = load_method("default", encoder).rank(
        queries, gallery, top=10, exclude=[{ids[row]} for row, _ in pairs]
    )
    hits = [
        any(labels[int(id)] == name for id in r.ids) for r, (_, name) in zip(rankings, pairs, strict=True)
    ]
    by_words = (encoder.texts([f"a {name}" for _, name in pairs]) @ vectors.T).argsort(axis=1)[:, -10:]
    near = [
        (np.mean(vectors[[int(id) for id in r.ids]] @ vectors[row]), np.mean(vectors[words] @ vectors[row]))
        for r, words, (row, _) in zip(rankings, by_words, pairs, strict=True)
    ]
    likeness, without = np.mean(near, axis=0)
    print(f"{f'  {kind} of A, but a B: a B among the first ten':54} {np.mean(hits):6.1%} of {len(hits)}")
    print(f"{'  their likeness to A (by the text alone)':54} {likeness:.2f} ({without:.2f})", flush=True)


def labelled(folder: Path) -> tuple[list[Path], list[str]]:
    """A thousand pictures from folders named by class, and the first name of the class of each."""
    known = {key.lower(): one.names[0] for one in classes() for key in (one.id, *one.names)}
    folders = {
        place: known.get(place.name.replace("_", " ").lower()) for place in folder.iterdir() if place.is_dir()
    }
    if strange := sorted(place.name for place, name in folders.items() if name is None):
        raise SystemExit(f"{', '.join(strange[:5])}: no class of ImageNet has this name or WordNet id")
    files = sorted((file, name) for place, name in folders.items() for file in place.iterdir() if name)
    chosen = Random(0).sample(files, min(1000, len(files)))
    return [file for file, _ in chosen], [name for _, name in chosen]


def main() -> None:
    """Print what is found of each kind of picture."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--stamps", type=Path)
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--art", type=int, default=1000, help="how many drawings")
    parser.add_argument("--float", action="store_true", help="the words' weights before eight bits, too")
    asked = parser.parse_args()
    encoder = load_encoder("builtin")
    assert isinstance(encoder, Builtin)
    encoders = {"": encoder}
    if asked.float:
        encoders = {" (8 bits)": encoder, " (float)": Builtin()}
        encoders[" (float)"]._sentences = FloatSentences()
    drawn = dict(Random(0).sample(sorted(art().items()), asked.art))
    said = understand(encoder, opened(list(drawn.values())))
    drawings = encoder.join(*said)
    for words, one in encoders.items():
        report(f"{len(drawn)} drawings by their name{words}", found(one, [*drawn], [*drawn], drawings))
    if asked.stamps:
        files = list(photographs(asked.stamps).values())
        names = [shown(file) for file in files]
        gallery = np.concatenate([encoder.images(opened(files)), drawings[: 1000 - len(files)]])
        labels = [*names, *drawn][: len(gallery)]
        classed = {name.lower() for one in classes() for name in one.names}
        for kind, some in (("any", set(names)), ("a class", set(names) & classed)):
            for words, one in encoders.items():
                ranks = found(one, sorted(some), labels, gallery)
                report(f"{len(files)} cut-outs among {len(gallery)}, {kind} name{words}", ranks)
        for words, one in encoders.items():
            changed(one, sorted(set(names) & classed), labels, gallery, f"cut-out{words}")
    if asked.photos:
        photos, labels = labelled(asked.photos)
        gallery = encoder.images(opened(photos))
        for words, one in encoders.items():
            ranks = found(one, sorted(set(labels)), labels, gallery)
            report(f"{len(photos)} photographs by class name{words}", ranks)
            changed(one, sorted(set(labels)), labels, gallery, f"photo{words}")
    simulated = Simulated(encoder, said[1])
    top = [np.mean([simulated.accuracy(seed, k) for seed in SEEDS]) for k in (1, 5)]
    print(f"simulated photographs: the network itself is right in {top[0]:.1%}, top 5 {top[1]:.1%}")
    wordings = {
        "first name": [one.names[0] for one in classes()],
        "last name": [one.names[-1] for one in classes()],
        "a photo of a …": [f"a photo of a {one.names[0]}" for one in classes()],
    }
    photographed = [simulated.vectors(seed) for seed in SEEDS]
    for wording, names in wordings.items():
        for words, one in encoders.items():
            scores = [one.texts(names) @ vectors.T for vectors in photographed]
            ranks = np.concatenate([(s >= np.diag(s)[:, None]).sum(axis=1) for s in scores])
            report(f"1,000 simulated, {wording}{words}", ranks)
    for words, one in encoders.items():
        first = wordings["first name"]
        changed(one, first, first, unit(photographed[0]), f"simulated{words}")


if __name__ == "__main__":
    main()
