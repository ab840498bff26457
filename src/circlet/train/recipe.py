"""How a network is trained, as a value that a checkpoint keeps."""

from dataclasses import dataclass

from circlet.core import UsageError


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How a network is trained: `Recipe(epochs=20, batch=32, rate=1e-4)`.

    The defaults suit every model here. `negatives` of the query's own subset join each batch, where
    the benchmark has subsets, and so do `others`, any pictures of the training queries; `patience`
    validations without a better score end the training (0: never); `every` epochs there is a
    validation. `hidden` is the share of a picture's numbers that each step hides, against learning
    pictures by heart; `queries` takes only the first so many (0: all). The rate rises over the first
    `warm` share of the steps, so that pretrained weights are not thrown about, then falls in a line.
    """

    loss: str = "batch-classification"
    optimizer: str = "adamw"
    rate: float = 1e-4
    warm: float = 0.1
    decay: float = 0.01
    batch: int = 32
    epochs: int = 20
    negatives: int = 5
    others: int = 500
    hidden: float = 0.0
    queries: int = 0
    patience: int = 0
    every: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("batch", "epochs", "every", "rate"):
            if getattr(self, name) <= 0:
                raise UsageError(f"{name} must be more than zero, not {getattr(self, name)}")
        if self.batch < 2:
            raise UsageError("a batch of one has no negatives: use a batch of two or more")
        for name in ("hidden", "warm"):
            if not 0 <= getattr(self, name) < 1:
                raise UsageError(f"{name} must be a share from 0 up to 1, not {getattr(self, name)}")
