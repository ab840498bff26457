"""Training steps a second over cached features, against a plain loop that encodes its pictures each step.

    python benchmarks/training.py FOLDER [--model concat] [--steps 12] [--batch 16]

FOLDER holds pictures (any; a tableaux set will do). Both loops take the very same steps of the same
model: the plain one opens the batch's reference and target pictures and runs the encoder on them, as
training scripts of the field do, the other takes their rows from circlet's cache. The ratio of the
two in one run is what counts, and at least 2 is what it should be. The cache's own making is timed apart.
"""

import argparse
import itertools
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np
import torch

from circlet.images import FoundFile, open_picture, walk
from circlet.models import load_encoder
from circlet.models.features import Features, FeatureStore
from circlet.models.learned.network import build
from circlet.models.learned.words import Language, minilm
from circlet.train.batches import TripletBatches
from circlet.train.losses import soft_triplet
from circlet.train.tasks.triplets import Triplets

TEXTS = ("at night", "the same but with two dogs", "remove the chair and make the sky red", "seen from afar")


def triplets(count: int, queries: int) -> Triplets:
    """Queries from each picture to the next one, in turn."""
    rows = np.arange(queries) % count
    texts = tuple((text,) for text in itertools.islice(itertools.cycle(TEXTS), queries))
    near, groups = np.full((queries, 1), -1), np.zeros(queries, np.int64)
    return Triplets(rows, (rows + 1) % count, texts, near, groups)


def main() -> None:
    """Time both loops in turn and print their ratio."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", default="concat")
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--batch", type=int, default=16)
    asked = parser.parse_args()
    found = itertools.islice((item for item in walk(asked.folder) if isinstance(item, FoundFile)), 256)
    images = {str(item.path): item.path for item in found}
    encoder = load_encoder("builtin")
    opened = partial(open_picture, side=encoder.size)
    with tempfile.TemporaryDirectory() as cache:
        began = time.perf_counter()
        features, _ = FeatureStore(Path(cache)).features(images, encoder, tokens=True)
        print(f"features of {len(features)} pictures made once in {time.perf_counter() - began:.1f} s")
        speeds = {
            name: run(asked, features, images if name == "plain" else None, encoder, opened)
            for name in ("cached", "plain", "cached", "plain")
        }
    ratio = speeds["cached"] / speeds["plain"]
    print(
        f"{asked.model}, batch {asked.batch}: " + ", ".join(f"{n} {v:.2f} steps/s" for n, v in speeds.items())
    )
    print(f"ratio {ratio:.1f}")


def run(asked, features: Features, images, encoder, opened) -> float:  # type: ignore[no-untyped-def]
    """Steps a second; with `images` every step opens and encodes its pictures."""
    queries = triplets(len(features), asked.steps * asked.batch)
    language = Language.load(minilm()).learning(queries.words())
    supply = TripletBatches(queries, features, language, encoder=encoder)
    torch.manual_seed(0)
    network = build(asked.model, supply.shape(512), language)
    optimizer = torch.optim.AdamW([part for part in network.parameters() if part.requires_grad], lr=1e-4)
    names = list(features.ids)
    for step in range(-1, asked.steps):
        if step == 0:  # the step before warmed everything up
            began = time.perf_counter()
        rows = np.arange(max(step, 0) * asked.batch, (max(step, 0) + 1) * asked.batch)
        seen = supply.asked(rows, np.random.default_rng(max(step, 0)), tokens=network.spatial)
        targets = supply.vectors[queries.targets[rows]]
        if images is not None:
            pictures = [images[names[row]] for row in (*queries.references[rows], *queries.targets[rows])]
            vectors = torch.from_numpy(encoder.images([opened(path) for path in pictures]))
            seen = type(seen)(vectors[: asked.batch], seen.words, seen.mask, seen.tokens, seen.sentences)
            targets = vectors[asked.batch :]
        wrong = ~torch.eye(asked.batch, dtype=torch.bool)
        loss = soft_triplet(network(seen), network.candidates(targets), wrong, network.scale)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return asked.steps / (time.perf_counter() - began)


if __name__ == "__main__":
    main()
