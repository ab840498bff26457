"""Pictures with words of their own: captions, titles, tags, alt texts, from wherever people keep them.

    picture,caption
    beach.jpg,"two people on a beach, at sunset"

A CSV, TSV or JSONL file (any of the columns in `TEXTS`, several captions in several lines or columns),
a folder with such a file in it, a `.txt` beside each picture, or descriptions inside the files (IPTC, XMP).
A column `split` may say train, val or test; without it one picture in ten is kept for val.
"""

import difflib
import hashlib
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from circlet.core import DataError, PictureError, Progress, UsageError
from circlet.core.files import read_text
from circlet.data.tables import SPLITS, found_pictures, records
from circlet.images.descriptions import descriptions
from circlet.language import phrases
from circlet.language.variations import variation

NAMES = tuple(f"captions.{suffix}" for suffix in ("jsonl", "csv", "tsv"))
PICTURES = ("picture", "image", "file", "filename", "file_name", "path", "filepath", "photo")
TEXTS = (
    "caption", "captions", "text", "title", "description", "alt", "alt_text", "name", "tags", "keywords",
    "category", "label",
)  # fmt: skip
_SIDECARS = (".txt", ".caption")


class Saying(NamedTuple):
    """A text about a picture: the facts it states, and a text that differs from it in one fact."""

    text: str
    facts: frozenset[str]
    wrong: str | None


class Captions(Protocol):
    """Pictures of one split and what can be said of them; a saying is true where all its facts are."""

    @property
    def name(self) -> str:
        """What they are, for whoever asks what a model was trained on."""
        ...

    @property
    def files(self) -> Mapping[str, Path]:
        """The pictures by id."""
        ...

    @property
    def families(self) -> Sequence[Sequence[str]]:
        """Pictures that are to be told apart and so are learned from together, as far as that is known."""
        ...

    def facts(self, id: str) -> frozenset[str]:
        """Everything that is known to be true of a picture."""
        ...

    def whole(self, id: str) -> Saying:
        """The picture's caption, as it is searched for in a validation."""
        ...

    def say(self, id: str, chance: random.Random) -> Saying:
        """Something about a picture, in whole or in part."""
        ...


@dataclass(frozen=True)
class OwnCaptions:
    """Somebody's own pictures and texts; the facts of a text are its phrases.

    >>> shop = OwnCaptions("shop", {"a": Path("a.jpg")}, {"a": ("two red mugs, on a table",)})
    >>> sorted(shop.facts("a"))
    ['on a table', 'two red mugs']
    >>> shop.say("a", random.Random(3)).text
    'two red mugs'
    """

    name: str
    files: Mapping[str, Path]
    texts: Mapping[str, tuple[str, ...]]
    # How often a text is said as it stands; else some of its phrases are.
    WHOLE = 0.5
    # Which pictures resemble each other nobody has said: it shows in their vectors.
    families: Sequence[Sequence[str]] = ()

    def facts(self, id: str) -> frozenset[str]:
        """The phrases of all texts of a picture."""
        return frozenset(fact for text in self.texts[id] for fact in _facts(phrases(text)))

    def whole(self, id: str) -> Saying:
        """The picture's first text."""
        text = self.texts[id][0]
        return Saying(text, _facts(phrases(text)), None)

    def say(self, id: str, chance: random.Random) -> Saying:
        """One of the picture's texts, whole or some of its phrases."""
        text = chance.choice(self.texts[id])
        parts = phrases(text)
        if len(parts) > 1 and chance.random() > self.WHOLE:
            parts = tuple(part for part in parts if chance.random() < 0.5) or (chance.choice(parts),)
            text = ", ".join(parts)
        return Saying(text, _facts(parts), variation(text, chance))


def _facts(parts: Sequence[str]) -> frozenset[str]:
    return frozenset(" ".join(part.lower().split()) for part in parts)


class CaptionProblem(NamedTuple):
    """A line or a file that was passed over, and why."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


class CaptionedPicture(NamedTuple):
    """One picture with its texts."""

    id: str
    file: Path
    texts: tuple[str, ...]
    split: str


def read_captions(
    source: Path, pictures: Path | None = None, *, progress: Progress | None = None
) -> tuple[list[CaptionedPicture], list[CaptionProblem]]:
    """Every picture with words in a file or folder, and what was passed over.

    >>> read_captions(Path("no-such-folder"))
    Traceback (most recent call last):
    circlet.core.errors.UsageError: no-such-folder: no such file or folder of pictures with captions
    """
    if not source.exists():
        raise UsageError(f"{source}: no such file or folder of pictures with captions")
    table = source if source.is_file() else next((source / n for n in NAMES if (source / n).is_file()), None)
    known = found_pictures(pictures or (source if source.is_dir() else source.parent))
    found: dict[str, list[str]] = {}
    problems: list[CaptionProblem] = []
    splits: dict[str, str] = {}
    for id, text, split in _of_table(table, known, problems) if table else _beside(known, problems, progress):
        found.setdefault(id, []).append(text)
        if split:
            splits[id] = split
    return [
        CaptionedPicture(id, known[id], tuple(dict.fromkeys(texts)), splits.get(id) or split_of(id))
        for id, texts in found.items()
    ], problems


def own_captions(found: Sequence[CaptionedPicture], name: str, split: str, limit: int = 0) -> OwnCaptions:
    """One split of what was found, a random part where it has more than the limit.

    An error says what to do where there is nothing.
    """
    chosen = [one for one in found if one.split == split]
    if limit and len(chosen) > limit:
        chosen = random.Random(0).sample(chosen, limit)
    if not chosen:
        raise DataError(
            f"{name}: none of the {len(found)} pictures with words is in the split {split}; "
            "there must be more, or a column `split` that says train and val"
        )
    return OwnCaptions(name, {one.id: one.file for one in chosen}, {one.id: one.texts for one in chosen})


def split_of(id: str) -> str:
    """The split of a picture that no column decides: one in ten is for val.

    >>> split_of("beach.jpg"), split_of("dog.jpg")
    ('train', 'val')
    """
    return "val" if hashlib.sha256(id.encode()).digest()[0] % 10 == 0 else "train"


Said = Iterator[tuple[str, str, str]]


def _of_table(path: Path, known: Mapping[str, Path], problems: list[CaptionProblem]) -> Said:
    stems: dict[str, str] = {}
    for name in known:
        stems.setdefault(Path(name).stem, name)
    for line, record in records(path):
        where = f"{path.name} line {line}"
        if isinstance(record, str):
            problems.append(CaptionProblem(where, record))
            continue
        named = {str(key).strip().lower(): value for key, value in record.items()}
        picture = next((str(named[key]).strip() for key in PICTURES if named.get(key)), "")
        texts = [text for key in TEXTS if key in named for text in _texts(named[key], key)]
        if not picture or not texts:
            lacks, columns = ("picture", PICTURES) if not picture else ("text", TEXTS)
            problems.append(CaptionProblem(where, f"no {lacks}; name the column one of {', '.join(columns)}"))
            continue
        id = picture if picture in known else stems.get(Path(picture).stem, "")
        if not id:
            near = difflib.get_close_matches(picture, known, n=1) if len(problems) < 20 else []
            hint = f"; is it {near[0]!r}?" if near else ""
            problems.append(CaptionProblem(where, f"{picture!r} is no picture of the folder{hint}"))
            continue
        split = str(named.get("split") or "").strip().lower()
        if split and split not in SPLITS:
            problems.append(CaptionProblem(where, f"split is {split!r}, not one of {', '.join(SPLITS)}"))
            continue
        yield from ((id, text, split) for text in texts)


def _texts(value: Any, column: str) -> list[str]:
    """The texts of one field; tags are one text together."""
    several = [str(one).strip() for one in value] if isinstance(value, list) else [str(value or "").strip()]
    several = [one for one in several if one]
    return [", ".join(several)] if column in ("tags", "keywords") and several else several


def _beside(known: Mapping[str, Path], problems: list[CaptionProblem], progress: Progress | None) -> Said:
    """The texts in files beside the pictures, or in the pictures themselves."""
    for done, (id, path) in enumerate(known.items(), start=1):
        try:
            yield from ((id, text, "") for text in _sidecar(path) or descriptions(path))
        except (PictureError, DataError, UsageError) as error:
            problems.append(CaptionProblem(id, str(error)))
        if progress:
            progress(done, len(known))


def _sidecar(path: Path) -> list[str]:
    for suffix in _SIDECARS:
        for beside in (path.with_suffix(suffix), path.with_name(path.name + suffix)):
            if beside.is_file():
                text = read_text(beside, "save it as UTF-8")
                return [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    return []
