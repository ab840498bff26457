"""Benchmarks by name: `cirr:ROOT:val?reference=kept`, `tableaux:cir:ROOT`, or a circlet JSONL file."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from urllib.parse import parse_qsl

from circlet.core import Benchmark, DataError, UsageError
from circlet.core.extras import needed
from circlet.core.files import gathering
from circlet.data.annotations import pictures_under
from circlet.data.jsonl import read_benchmark
from circlet.data.readers.aspects import read_aspects
from circlet.data.readers.circo import read_circo
from circlet.data.readers.cirr import read_cirr
from circlet.data.readers.dialogues import read_dialogues
from circlet.data.readers.fashioniq import read_fashioniq
from circlet.data.readers.human import read_human
from circlet.data.readers.imagecode import read_imagecode
from circlet.data.readers.sessions import read_circled, read_multiturn
from circlet.data.readers.triplets import own_file, read_own, read_triplets
from circlet.data.tags import with_listed, with_rules

FORMS = (
    "cirr:ROOT[:split], fashioniq:ROOT[:split], circo:ROOT[:split], imagecode:ROOT[:split], "
    "dialogues:ROOT[:split], circled:FILE[:subset], multiturn:FILE, aspects:FILE, human:FILE, "
    "triplets:FILE[:split], hf:FOLDER[:split], tableaux:KIND:ROOT[:split] or a circlet .jsonl file"
)
Reader = Callable[[Path, str, Mapping[str, str]], Benchmark]


def _read_hf(root: Path, split: str, options: Mapping[str, str]) -> Benchmark:
    needed("datasets")
    from circlet.data.hf import read_datasets

    return read_datasets(root, split, options)


_READERS: dict[str, Reader] = {
    "cirr": read_cirr,
    "fashioniq": read_fashioniq,
    "circo": read_circo,
    "dialogues": read_dialogues,
    "imagecode": read_imagecode,
    "aspects": read_aspects,
    "hf": _read_hf,
    "human": read_human,
    "triplets": read_own,
}
_SESSIONS = {"circled": read_circled, "multiturn": read_multiturn}


@dataclass(frozen=True)
class Name:
    """A benchmark's name, taken apart.

    >>> parse_name("cirr:data/cirr:val?reference=kept")
    Name(scheme='cirr', root='data/cirr', split='val', options={'reference': 'kept'})
    >>> parse_name("tableaux:cir:world")
    Name(scheme='tableaux', root='cir:world', split='', options={})
    """

    scheme: str
    root: str
    split: str = ""
    options: Mapping[str, str] = field(default_factory=dict)


def parse_name(name: str) -> Name:
    """The parts of `SCHEME:ROOT[:split][?option=value&…]`; a plain path has no scheme."""
    name, _, asked = name.partition("?")
    options = dict(parse_qsl(asked, keep_blank_values=True))
    # One letter before a colon is a drive, not a scheme. The root of tableaux has a kind before it.
    match = re.fullmatch(r"(tableaux):(\w+:.+?)(?::(\w+))?", name)
    match = match or re.fullmatch(r"(?:([a-z]\w+):)?(.+?)(?::(\w+))?", name)
    if not match or (not match[1] and match[3]):
        return Name("", name, "", options)
    return Name(match[1] or "", match[2], match[3] or "", options)


def load_benchmark(name: str, *, protocol: Mapping[str, str] | None = None) -> Benchmark:
    """The benchmark of this name, under its default protocol or the options given.

    Options stand after a question mark (`cirr:data/cirr:val?reference=kept&target=soft`) or in
    `protocol`; what they are is in docs/evaluation.md, and they are printed with every result.
    `images=FOLDER` says where the pictures lie, for benchmarks that do not; `aspects=FILE` lists the
    queries that show an aspect, which the tagger tells where nobody else does; `outside=miss` counts
    truths outside the gallery as never found.
    """
    asked = parse_name(name)
    options = {**asked.options, **(protocol or {})}
    if listed := options.pop("aspects", ""):
        return with_listed(load_benchmark(name.partition("?")[0], protocol=options), Path(listed))
    # Where the pictures lie is no matter of protocol, and every benchmark may be told.
    if folder := options.pop("images", ""):
        return _with_pictures(load_benchmark(name.partition("?")[0], protocol=options), Path(folder))
    if outside := options.pop("outside", ""):
        if outside != "miss":
            raise UsageError(f"outside={outside}: write outside=miss, or leave it out")
        rest = load_benchmark(name.partition("?")[0], protocol=options)
        return replace(rest, protocol={**rest.protocol, "outside": outside})
    root = Path(asked.root)
    if asked.scheme in _READERS or asked.scheme in _SESSIONS:
        try:
            with gathering():
                return _ready(_sound(asked, _read(asked, root, options)))
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            cause = f"{type(error).__name__}: {error}"
            raise DataError(
                f"{asked.root}: there is something in it that {asked.scheme} does not have ({cause}); "
                f"is it {asked.scheme}'s, and whole?"
            ) from error
    if options:
        raise UsageError(
            f"{name}: a circlet file says its own protocol and takes no options ({', '.join(options)}); "
            "convert it again with them"
        )
    if asked.scheme == "tableaux":
        kind, _, folder = asked.root.partition(":")
        if not folder:
            raise UsageError(f"{name}: tableaux of which folder? Write tableaux:{kind}:FOLDER[:split]")
        return _ready(read_benchmark(_tableaux(kind, Path(folder), asked.split or "val")))
    if not asked.scheme and Path(asked.root).suffix == ".jsonl":
        return _ready(read_benchmark(asked.root))
    raise UsageError(f"no benchmark is named {name!r}: give {FORMS}")


def _ready(benchmark: Benchmark) -> Benchmark:
    """The benchmark with what its files do not say: aspects by rule, and how its pictures are shown."""
    return with_rules(replace(benchmark, address=_address))


def load_split(data: str, split: str, pictures: Path | None = None) -> Benchmark:
    """One split of what `data` names: a benchmark's name without its split, or one's own triplets."""
    own = own_file(data)
    if own is not None:
        return read_triplets(own, split, pictures)
    name, mark, options = data.partition("?")
    return load_benchmark(f"{name}:{split}{mark}{options}")


def _sound(asked: Name, benchmark: Benchmark) -> Benchmark:
    """The benchmark, if its ids are told once each and its words are words; whoever wrote it may err."""
    seen: set[str] = set()
    for case in benchmark.cases:
        query = case.query
        if query.id in seen:
            raise DataError(f"{asked.root}: query {query.id} is there twice; keep one of the two")
        seen.add(query.id)
        for turn in query.turns:
            texts = (turn.text, turn.picture or "", *case.truths)
            if odd := [one for one in texts if not isinstance(one, str)]:
                raise DataError(
                    f"{asked.root}: query {query.id} says {odd[0]!r} where a text or a name stands; "
                    "correct it there"
                )
    return benchmark


def _with_pictures(benchmark: Benchmark, folder: Path) -> Benchmark:
    """The benchmark with its pictures looked for in a folder, by their names without ending."""
    if not folder.is_dir():
        raise UsageError(f"images={folder}: no such folder")
    there = pictures_under(folder)
    images = {
        id: there[stem] for id in benchmark.pictures for stem in (id, PurePath(id).stem) if stem in there
    }
    return replace(benchmark, images={**benchmark.images, **images})


def _read(asked: Name, root: Path, options: Mapping[str, str]) -> Benchmark:
    if asked.scheme in _SESSIONS:
        return _SESSIONS[asked.scheme](root, asked.split, options, load_benchmark)
    # Annotation files have no default split of their own; datasets are measured on val.
    split = asked.split or ("" if asked.scheme in ("aspects", "hf", "human") else "val")
    return _READERS[asked.scheme](root, split, options)


def _tableaux(kind: str, root: Path, split: str) -> Path:
    """The file of one kind of tableaux benchmark: `ROOT/KIND.SPLIT.jsonl`."""
    path = root / f"{kind}.{split}.jsonl"
    if not path.is_file():
        there = sorted(file.name for file in root.glob("*.*.jsonl") if not file.name.startswith("scenes."))
        listed = f"there is {', '.join(there)}" if there else "make it with `circlet data make tableaux`"
        raise UsageError(f"{path}: no such tableaux benchmark; {listed}")
    return path


def _address(path: Path) -> str:
    """A picture for a page; what opens pictures is loaded when one is looked at."""
    from circlet.images.inline import file_address

    return file_address(path)
