"""The learned composers by name, with the loss and the optimiser that paper 000 trains each of them by."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from circlet.core import UsageError


@dataclass(frozen=True, kw_only=True)
class Spec:
    """Where a network lives, how it is built, and which loss and optimiser its paper gives it.

    What `circlet train` uses unless told otherwise is in `Recipe`, and the same for all.
    """

    module: str
    network: str
    line: str
    options: Mapping[str, Any] = field(default_factory=dict)
    loss: str = "soft-triplet"
    optimizer: str = "sgd"
    spatial: bool = False
    """Reads spatial tokens besides the whole vector."""
    pairs: bool = False
    """Trained on pictures alone: triplets serve only to validate it."""

    def rate(self, optimizer: str) -> float:
        """The learning rate to start from: a pretrained transformer takes smaller steps."""
        if optimizer == "sgd":
            return 0.1
        return 4e-4 if self.module == "cirplant" else 1e-3


def _maaf(line: str, **options: Any) -> Spec:
    return Spec(
        module="maaf", network="Maaf", line=line, options=options, loss="batch-classification", spatial=True
    )


MODELS: dict[str, Spec] = {
    "cirplant": Spec(
        module="cirplant",
        network="Cirplant",
        line="the picture as one more token of a pretrained transformer",
        optimizer="adamw",
    ),
    "tirg": Spec(module="tirg", network="Tirg", line="gate and residual on the whole vector"),
    "tirg-lastconv": Spec(
        module="tirg", network="TirgLastConv", line="gate and residual on the spatial tokens", spatial=True
    ),
    "maaf": _maaf("attention over tokens of picture and words, pooled by resolution"),
    "maaf-it": _maaf("MAAF that pools the picture's tokens only", pool_words=False),
    "maaf-rp": _maaf("MAAF with plain average pooling", by_resolution=False),
    "maaf-bert": _maaf("MAAF with pretrained word representations", bert=True),
    "concat": Spec(module="concat", network="Concat", line="both vectors through a two-layer perceptron"),
    "mrn": Spec(module="mrn", network="Mrn", line="stacked products with a residual"),
    "film": Spec(module="film", network="Film", line="words scale and shift the feature map", spatial=True),
    "relationship": Spec(
        module="relationship",
        network="Relationship",
        line="all pairs of spatial tokens, given the words",
        spatial=True,
    ),
    "val": Spec(
        module="val",
        network="Val",
        line="self- and joint attention at several levels",
        spatial=True,
        loss="batch-classification",
    ),
    "combiner": Spec(
        module="combiner",
        network="Combiner",
        line="gated fusion in the encoder's own space",
        loss="infonce",
        optimizer="adamw",
    ),
    "magiclens": Spec(
        module="magiclens",
        network="MagicLens",
        line="two towers, one for instructions that say nothing; attention pooling",
        loss="infonce",
        optimizer="adamw",
    ),
    "qformer": Spec(
        module="qformer",
        network="QFormer",
        line="two towers of one Q-Former: learned questions to picture and words",
        loss="infonce",
        optimizer="adamw",
    ),
    "pic2word": Spec(
        module="pic2word",
        network="Pic2Word",
        line="the picture as a word, trained without triplets",
        loss="infonce",
        optimizer="adamw",
        pairs=True,
    ),
    "image-only": Spec(module="single", network="ImageAlone", line="baseline: the picture alone"),
    "text-only": Spec(module="single", network="TextAlone", line="baseline: the words alone"),
    "random-image": Spec(
        module="single", network="RandomImage", line="baseline: the words with a picture drawn at random"
    ),
}


def spec_of(name: str) -> Spec:
    """The spec of this model.

    >>> spec_of("tirg").network
    'Tirg'
    """
    try:
        return MODELS[name]
    except KeyError:
        raise UsageError(f"unknown model {name!r}: pick one of {', '.join(MODELS)}") from None
