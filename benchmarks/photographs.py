"""Photograph-like JPEG files, made locally: the detail of a real picture without anybody's picture.

    python benchmarks/photographs.py FOLDER 500 --size 1600x1200

Used by the other benchmarks. Noise whose strength falls with frequency, as in photographs, is laid
over gradients; at quality 85 a file of 1600 × 1200 pixels takes about 400 kB, as a camera's does.
"""

import argparse
from pathlib import Path

import numpy as np
from PIL import Image


def photograph(seed: int, size: tuple[int, int]) -> Image.Image:
    """One picture; the same seed gives the same pixels."""
    random = np.random.default_rng(seed)
    wide, tall = size
    across = np.fft.rfftfreq(wide)[None, :]
    down = np.fft.fftfreq(tall)[:, None]
    falling = 1 / np.maximum(np.hypot(across, down), 1 / max(size)) ** 1.25
    planes = []
    for _ in range(3):
        phases = np.exp(2j * np.pi * random.random(falling.shape))
        planes.append(np.fft.irfft2(falling * phases, s=(tall, wide)))
    light = np.stack(planes, axis=-1)
    light = 0.6 * light.mean(axis=-1, keepdims=True) + 0.4 * light
    light = (light - light.mean()) / light.std()
    return Image.fromarray((128 + 48 * light).clip(0, 255).astype(np.uint8))


def folder_of(folder: Path, count: int, size: tuple[int, int] = (1600, 1200)) -> Path:
    """A folder with this many photographs; those that are there already stay.

    A few are computed and the rest are crops and mirrors of them: making pixels is slow, and a
    decoder does not care.
    """
    folder.mkdir(parents=True, exist_ok=True)
    wide, tall = size
    seeds = [photograph(seed, (wide + 64, tall + 64)) for seed in range(8)] if count else []
    for number in range(count):
        path = folder / f"{number // 1000:03}" / f"photo-{number:06}.jpg"
        if path.exists():
            continue
        path.parent.mkdir(exist_ok=True)
        random = np.random.default_rng(number)
        left, top = random.integers(0, 64, 2).tolist()
        picture = seeds[number % len(seeds)].crop((left, top, left + wide, top + tall))
        if number // len(seeds) % 2:
            picture = picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        picture.save(path, quality=85)
    return folder


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("count", type=int)
    parser.add_argument("--size", default="1600x1200")
    asked = parser.parse_args()
    folder_of(asked.folder, asked.count, tuple(map(int, asked.size.split("x"))))
