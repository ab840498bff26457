"""A torch checkpoint read without torch: tensors and nothing else.

Checkpoints written before torch 1.6 are a row of pickles and then the numbers of each storage. The
pickle may name an ordered dictionary, tensors and the kinds of their storages; whatever else it
names is refused before it could run.
"""

import pickle
from collections import OrderedDict
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from circlet.core.errors import WeightsError

Array = np.ndarray[Any, Any]
_MAGIC = 0x1950A86A20F9469CFC6C
_KINDS = {"FloatStorage": "<f4", "HalfStorage": "<f2", "DoubleStorage": "<f8", "LongStorage": "<i8"}


def read_tensors(path: Path) -> dict[str, Array]:
    """The tensors of a checkpoint by name, as arrays of their own.

    >>> from circlet.models.encoders.convnet import weights_file
    >>> read_tensors(weights_file())["_fc.weight"].shape
    (1000, 1280)
    """
    try:
        with path.open("rb") as file:
            magic, *_ = (_Tensors(file).load() for _ in range(3))
            if magic != _MAGIC:
                raise pickle.UnpicklingError("it does not begin as such a file does")
            reader = _Tensors(file)
            tensors = reader.load()
            for key in _Tensors(file).load():
                storage = reader.storages[key]
                count = int.from_bytes(file.read(8), "little")
                whole = file.read(storage.nbytes)
                if count != len(storage) or len(whole) != storage.nbytes:
                    raise pickle.UnpicklingError("it is cut short")
                storage[:] = np.frombuffer(whole, storage.dtype)
        return {name: array.copy() for name, array in tensors.items()}
    except Exception as error:  # whatever a damaged file makes the reader raise, the cure is the same
        raise WeightsError(
            f"{path} is no readable checkpoint ({error}): install its package again"
        ) from error


class _Tensors(pickle.Unpickler):
    """Reads one pickle; its storages are there, and filled later."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__(file)
        self.storages: dict[str, Array] = {}

    def find_class(self, module: str, name: str) -> Any:
        """What a pickle may name: four things, none of which runs anything of the file's."""
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return _tensor
        if module == "torch" and name in _KINDS:
            return _KINDS[name]
        raise pickle.UnpicklingError(f"it names {module}.{name}, and only tensors are read")

    def persistent_load(self, pid: Any) -> Array:
        """The storage of this description: kind, key and length; views of another are not met here."""
        _, kind, key, _, length, view = pid
        if view is not None:
            raise pickle.UnpicklingError("it shares storages in a way that is not read")
        return self.storages.setdefault(key, np.zeros(length, kind))


def _tensor(storage: Array, offset: int, shape: tuple[int, ...], strides: tuple[int, ...], *_: Any) -> Array:
    step = storage.itemsize
    last = offset + sum((side - 1) * stride for side, stride in zip(shape, strides, strict=True))
    if offset < 0 or min(strides, default=0) < 0 or (0 not in shape and last >= len(storage)):
        raise pickle.UnpicklingError("a tensor reaches beyond its storage")
    return np.lib.stride_tricks.as_strided(storage[offset:], shape, [stride * step for stride in strides])
