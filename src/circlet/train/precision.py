"""Half precision, where the processor multiplies it natively."""

from functools import cache

import torch


@cache
def _native() -> bool:
    """Whether this processor multiplies bfloat16 itself; elsewhere it is emulated, and slower."""
    known: dict[str, object] = getattr(torch.cpu, "get_capabilities", dict)()
    return bool(known.get("avx512_bf16") or known.get("amx_bf16"))


def light() -> torch.dtype:
    """What numbers are where their last digits count little: `weights.to(light())`."""
    return torch.bfloat16 if _native() else torch.float32


def lighter() -> torch.autocast:
    """Products and convolutions in bfloat16 where that is faster: `with lighter(): maps = network(x)`.

    Weights and losses stay as they are. Twice the speed; the last digits differ from machine to machine.
    """
    return torch.autocast("cpu", torch.bfloat16, enabled=_native())
