"""What `fit` needs to know of anything that can be learned."""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

Rows = NDArray[np.int64]
Learning = TypeVar("Learning", bound=nn.Module, covariant=True)


class Task(Protocol[Learning]):
    """A network and what it learns from: an order of batches, and the loss of each.

    The rows of a batch number whatever the task is made of: triplets of picture, words and picture;
    pictures alone; sets of which one is meant; pairs of a query and a candidate. A task is on one
    device with its network, and all chance in it comes from the generator that it is given.
    """

    @property
    def network(self) -> Learning: ...

    def prepare(self, chance: np.random.Generator) -> None:
        """Let the network see a sample of the data before the first step."""
        ...

    def order(self, epoch: int) -> Sequence[Rows]:
        """The batches of an epoch, the same whenever they are asked for."""
        ...

    def loss(self, rows: Rows, chance: np.random.Generator) -> Tensor:
        """The loss of one batch."""
        ...


@runtime_checkable
class Changing(Protocol):
    """A task that changes as the network learns: what it is made of is kept beside the weights."""

    def begin(self, epoch: int) -> None:
        """Before an epoch's first step."""
        ...

    def state(self) -> dict[str, Tensor]:
        """What a training that goes on must know of it."""
        ...

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Go on from there."""
        ...
