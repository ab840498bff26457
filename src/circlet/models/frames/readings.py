"""What can be read off masks and pixels without learning: sizes, middles, edges; light and sharpness."""

import torch
from torch import Tensor
from torch.nn import functional

# What is read off a mask: size, middle, spread, peak, other things around, what lies at each edge.
READ = 11


def read(mask: Tensor, other: Tensor) -> Tensor:
    """What is read off masks (things, pictures, cells, cells), given what else fills the places: see `READ`.

    >>> corner = torch.zeros(1, 1, 4, 4)
    >>> corner[..., 0, 3] = 1
    >>> [round(at, 1) for at in read(corner, torch.zeros_like(corner))[0, 0, 1:3].tolist()]
    [0.9, 0.1]
    """
    cells = mask.shape[-1]
    at = (torch.arange(cells, dtype=mask.dtype) + 0.5) / cells
    mass = mask.sum((2, 3)) + 0.02
    columns, rows = mask.sum(2), mask.sum(3)
    x, y = (columns * at).sum(-1) / mass, (rows * at).sum(-1) / mass
    wide = ((columns * (at - x[..., None]) ** 2).sum(-1) / mass).sqrt()
    high = ((rows * (at - y[..., None]) ** 2).sum(-1) / mass).sqrt()
    edges = torch.stack([columns[..., 0], columns[..., -1], rows[..., 0], rows[..., -1]], -1) / 3
    around = functional.max_pool2d(mask, 3, 1, 1)
    touching = (around * other).sum((2, 3)) / mass.clamp_min(0.5).sqrt()
    told = torch.stack([mass.sqrt() / 6, x, y, wide * 4, high * 4, mask.amax((2, 3)), touching], -1)
    return torch.cat([told, edges], -1)


def turned(told: Tensor) -> Tensor:
    """What `read` says of the same masks with left and right exchanged.

    >>> mask = torch.rand(1, 1, 6, 6)
    >>> mirrored = read(mask.flip(-1), mask.flip(-1) * 0)
    >>> torch.allclose(turned(read(mask, mask * 0)), mirrored, atol=1e-2)
    True
    """
    size, across, *rest, left, right, top, bottom = told.unbind(-1)
    # Where there is no mask the middle is nowhere, and stays there.
    across = torch.where(across > 0, 1 - across, across)
    return torch.stack([size, across, *rest, right, left, top, bottom], -1)


def lights(both: Tensor) -> Tensor:
    """How light and how sharp pictures are, (pictures, 12): of colours, and how they differ from a median."""
    picture = both[:, :3] + 0.5
    grey = picture.mean(1)
    across, down = grey.diff(dim=-1).abs(), grey.diff(dim=-2).abs()
    second = grey.diff(dim=-1).diff(dim=-1).abs()
    sharp = torch.stack(
        [
            across.mean((1, 2)),
            down.mean((1, 2)),
            second.mean((1, 2)),
            across.flatten(1).topk(100).values.mean(1),
        ],
        1,
    )
    apart = both[:, 3:].abs().mean((2, 3)).mean(1, keepdim=True)
    ratio = sharp[:, :1] / (second.mean((1, 2))[:, None] + 1e-3)
    return torch.cat([picture.mean((2, 3)), picture.std((2, 3)), sharp * 5, apart, ratio], 1)
