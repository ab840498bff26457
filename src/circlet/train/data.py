"""From what a person names to a workshop: data, features (made once), encoder, language."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from circlet.app.cli.terminal import Bar
from circlet.core import Benchmark, UsageError
from circlet.core.home import home

if TYPE_CHECKING:
    from circlet.models import PictureEncoder
    from circlet.train.setup import Workshop

_OWN = ("triplets.jsonl", "triplets.csv", "triplets.tsv")


def own_file(data: str) -> Path | None:
    """The file of a person's own triplets that `data` means: itself, or in the folder it names."""
    path = Path(data).expanduser()
    if path.is_dir():
        files = [path / name for name in _OWN if (path / name).is_file()]
        if not files:
            raise UsageError(f"{path} has no file of triplets: put one of {', '.join(_OWN)} there")
        return files[0]
    if path.suffix.lower() in {".csv", ".tsv"}:
        return path
    if path.suffix.lower() == ".jsonl" and path.is_file():
        # A circlet benchmark file says so in its first line; anything else is a list of triplets.
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            return None if '"circlet"' in file.readline() else path
    return None


def load_split(data: str, split: str, pictures: Path | None = None) -> Benchmark:
    """One split of what `--data` names: a benchmark's name without its split, or one's own triplets."""
    from circlet.data import load_benchmark
    from circlet.data.readers.triplets import read_triplets

    own = own_file(data)
    if own is not None:
        return read_triplets(own, split, pictures)
    name, mark, options = data.partition("?")
    return load_benchmark(f"{name}:{split}{mark}{options}")


def open_workshop(
    train: Benchmark,
    validation: Benchmark,
    *,
    encoder: "PictureEncoder",
    language: Path | None = None,
    layers: int = 0,
    tokens: bool = False,
    also: tuple[Benchmark, ...] = (),
    quiet: bool = False,
) -> "Workshop":
    """A workshop for these benchmarks; `also` are further ones whose features it should have."""
    from circlet.images import open_picture
    from circlet.models.encoders.sentences import Sentences
    from circlet.train.features import cached
    from circlet.train.setup import Workshop, pictures_of

    with Bar("encoding", "pictures", quiet=quiet) as bar:
        features = cached(
            pictures_of(train, validation, *also),
            encoder,
            partial(open_picture, side=encoder.size),
            folder=home() / "features",
            tokens=tokens,
            progress=bar,
        )
    return Workshop(train, validation, features, encoder, language or Sentences().folder, layers=layers)
