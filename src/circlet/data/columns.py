"""Which column of somebody's dataset is what: pictures, words, and the picture that is meant.

Nobody agrees on names, so a column's type is asked first (a picture, bytes, texts, a class), then its name,
and whatever is unclear is an error that lists the columns there are and the option that decides.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from circlet.core import UsageError
from circlet.images.formats import SUFFIXES

REFERENCES = (
    "reference", "reference_image", "reference_img", "ref_image", "source", "source_image", "input",
    "input_image", "query_image", "query_img", "original_image", "candidate", "image", "img", "picture",
)  # fmt: skip
TARGETS = (
    "target", "target_image", "target_img", "target_hard", "edited_image", "edited", "output_image", "output",
    "positive", "positive_image", "positives", "targets",
)  # fmt: skip
PICTURES = (
    "image", "img", "picture", "photo", "jpg", "png", "webp", "file_name", "filename", "image_path", "path",
    "url",
)  # fmt: skip
TEXTS = (
    "text", "caption", "captions", "relative_caption", "modification_text", "modification", "instruction",
    "edit", "edit_prompt", "query_text", "query", "prompt", "sentences", "sentence", "description", "title",
    "alt_text", "name", "class", "label", "labels", "fine_label",
)  # fmt: skip
_ASKED = ("text", "target", "reference")
# Where a caption is a record of its own, as Karpathy's splits have it.
_SAID = ("raw", "text", "caption", "sentence", "value")


@dataclass(frozen=True)
class Roles:
    """The columns that are read: the words, the picture they lead to, and the one they start from, if any."""

    texts: tuple[str, ...]
    target: str
    reference: str = ""


def roles(
    features: Any, first: Mapping[str, Any], options: Mapping[str, str], where: str, *, words: bool = True
) -> Roles:
    """What is what, by the options, else by type and name; without `words` there need be none."""
    seeing = [name for name in features if _is_picture(features[name], first.get(name), name)]
    saying = [name for name in features if name not in seeing and _is_text(features[name])]
    asked = {name: _columns(options.get(name, ""), features, where) for name in _ASKED}
    texts = asked["text"] or _numbered(saying, _named(saying, TEXTS) or _only(saying))
    target = asked["target"] or _some(_named(list(features), TARGETS) if len(seeing) != 1 else "")
    reference = asked["reference"]
    if target and not reference:
        # Where pictures are told by ids, so is the one to start from.
        like = seeing if target[0] in seeing else features
        reference = _some(_named([name for name in like if name not in (*target, *texts)], REFERENCES))
    if not target:
        target = _some(_only(seeing) or ("" if reference else _named(seeing, PICTURES)))
    lacking = [name for name, found in (("text", texts or not words), ("target", target)) if not found]
    if lacking:
        listed = ", ".join(f"{name} ({_type(features[name])})" for name in features)
        remedy = "&".join(f"{name}=COLUMN" for name in ("reference", *lacking))
        raise UsageError(
            f"{where}: which column is the {' and which the '.join(lacking)}? There are {listed}; say it as "
            f"?{remedy} (reference is the picture a query starts from, if there is one)"
        )
    return Roles(texts, target[0], reference[0] if reference else "")


def without_decoding(feature: Any) -> Any:
    """The same type, its pictures as they lie: a record of bytes and path."""
    import datasets

    if isinstance(feature, datasets.Image):
        return datasets.Image(decode=False)
    if isinstance(feature, datasets.List | datasets.LargeList):
        return type(feature)(without_decoding(feature.feature))
    if isinstance(feature, datasets.Features):
        return datasets.Features({name: without_decoding(one) for name, one in feature.items()})
    return feature


def pictures_in(value: Any) -> Iterator[bytes | str]:
    """The pictures of a cell: bytes, or the path or address where it lies; several where it has several.

    >>> list(pictures_in([{"bytes": None, "path": "a.jpg"}, b"...", "http://b"]))
    ['a.jpg', b'...', 'http://b']
    """
    if isinstance(value, Mapping):
        held = value.get("bytes") or value.get("path") or value.get("url")
        yield from pictures_in(held)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from pictures_in(one)
    elif isinstance(value, bytes | str) and value:
        yield value.strip() if isinstance(value, str) else value


def texts_in(value: Any, feature: Any = None) -> Iterator[str]:
    """The texts of a cell: one, several, records of them, or the name of its class.

    >>> list(texts_in(["a dog ", {"raw": "two dogs", "tokens": ["two", "dogs"]}]))
    ['a dog', 'two dogs']
    """
    inner = getattr(feature, "feature", feature)
    if isinstance(value, Mapping):
        yield from texts_in(next((value[name] for name in _SAID if name in value), None))
    elif isinstance(value, list | tuple):
        for one in value:
            yield from texts_in(one, inner)
    elif isinstance(value, int) and hasattr(inner, "int2str"):
        # Minus one is "nobody knows": test sets have it.
        if value >= 0:
            yield inner.int2str(value).replace("_", " ")
    elif isinstance(value, str) and value.strip():
        yield " ".join(value.split())


def _is_picture(feature: Any, value: Any, name: str) -> bool:
    """Whether the column holds pictures: by its type, or, of texts, by what the first one looks like."""
    import datasets

    inner = feature
    while isinstance(inner, datasets.List | datasets.LargeList):
        inner = inner.feature
    if isinstance(inner, datasets.Image):
        return True
    if isinstance(inner, Mapping):
        return "bytes" in inner
    dtype = str(getattr(inner, "dtype", ""))
    if "binary" in dtype:
        return True
    if "string" not in dtype:
        return False
    looks = [one for one in pictures_in(value) if isinstance(one, str)]
    if looks and PurePosixPath(looks[0].partition("?")[0]).suffix.lower() in SUFFIXES:
        return True
    # The address of a page is no picture's.
    return bool(looks) and looks[0].startswith(("http://", "https://")) and "page" not in name


def _is_text(feature: Any) -> bool:
    import datasets

    inner = getattr(feature, "feature", feature)
    if isinstance(inner, Mapping):
        return any(name in inner for name in _SAID)
    return isinstance(inner, datasets.ClassLabel) or "string" in str(getattr(inner, "dtype", ""))


def _columns(asked: str, features: Any, where: str) -> tuple[str, ...]:
    """The columns that an option names, which must be there."""
    names = tuple(name.strip() for name in asked.split(",") if name.strip())
    for name in names:
        if name not in features:
            raise UsageError(f"{where}: no column {name!r}; there are {', '.join(features)}")
    return names


def _named(columns: Sequence[str], known: Sequence[str]) -> str:
    """The first known name that one of the columns has, numbered or not."""
    plain = {re.sub(r"[ _-]?\d+$", "", name.lower()).replace("-", "_"): name for name in reversed(columns)}
    return next((plain[name] for name in known if name in plain), "")


def _numbered(columns: Sequence[str], chosen: str) -> tuple[str, ...]:
    """The column, and those that differ from it by their number only: caption_0, caption_1, …"""
    stem = re.sub(r"\d+$", "", chosen)
    if stem == chosen:
        return _some(chosen)
    return tuple(name for name in columns if re.fullmatch(re.escape(stem) + r"\d+", name))


def _only(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else ""


def _some(name: str) -> tuple[str, ...]:
    return (name,) if name else ()


def _type(feature: Any) -> str:
    """A column's type in a word."""
    inner = getattr(feature, "feature", None)
    if inner is not None:
        return f"several of {_type(inner)}"
    return str(getattr(feature, "dtype", "")) if type(feature).__name__ == "Value" else type(feature).__name__
