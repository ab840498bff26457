"""Hugging Face datasets as others made them: rows of pictures and words, under whatever names.

`hf:FOLDER[:split]` reads what `datasets` reads from a folder (parquet, what `save_to_disk` wrote, JSON, CSV,
folders of pictures), or one parquet file. Rows with a reference, words and a target are composed queries,
rows with a picture and words are searches by words. `columns.roles` says which column is which.
"""

import hashlib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from circlet.core import Benchmark, DataError, Progress, Query, Turn, UsageError, cases_of
from circlet.core.files import replacing
from circlet.core.home import room
from circlet.data.columns import Roles, pictures_in, roles, texts_in, without_decoding
from circlet.images.formats import HEAD, sniff
from circlet.images.gathering import Gathered, fetched

_ALIKE = (("val", "validation", "valid", "dev", "eval"), ("test", "testing"), ("train", "training"))
_OPTIONS = ("config", "reference", "text", "target")
_AT_ONCE = 8


@dataclass
class Unpacked:
    """Pictures of cells as files: what came as bytes is written, addresses are fetched once, paths stay."""

    base: Path
    home: Path
    copy: bool = False
    files: dict[str, Path] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def id_of(self, held: bytes | str) -> str:
        """The picture's id: its path, its address or its bytes' hash; the same bytes are one picture."""
        if isinstance(held, bytes):
            return self._kept(held)
        if held.startswith(("http://", "https://")):
            if held not in self.files:
                self.missing.setdefault(held, "")
            return held
        file = self.base / held
        if not file.is_file():
            self.missing[held] = f"no such file in {self.base}"
        elif not self.copy:
            self.files[held] = file
        elif file.resolve().is_relative_to(self.base.resolve()):
            path = self.home / file.resolve().relative_to(self.base.resolve())
            self.files[held] = self._write(path, file.read_bytes())
        else:
            self.missing[held] = "it would lie outside of the folder"
        return held

    def fetch(self, progress: Progress | None = None) -> None:
        """Fetch what has only an address so far."""
        wanted = [id for id in self.missing if id.startswith(("http://", "https://"))]
        with ThreadPoolExecutor(_AT_ONCE) as threads:
            came = threads.map(lambda address: fetched(address, self.home), wanted)
            for number, (address, what) in enumerate(zip(wanted, came, strict=True), start=1):
                if isinstance(what, str):
                    self.missing[address] = what
                else:
                    self.files[address] = self._write(*what)
                    del self.missing[address]
                if progress:
                    progress(number, len(wanted))

    def _kept(self, held: bytes) -> str:
        mark = hashlib.sha256(held).hexdigest()[:16]
        if mark not in self.files:
            kind = sniff(held[:HEAD])
            if kind is None:
                self.missing[mark] = "its bytes are no picture"
                return mark
            self.files[mark] = self._write(self.home / f"{mark}.{kind.lower()}", held)
        return mark

    def _write(self, path: Path, held: bytes) -> Path:
        if not path.is_file() or path.stat().st_size != len(held):
            path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(path) as half:
                half.write_bytes(held)
        return path


def read_foreign(source: Path, split: str, options: Mapping[str, str]) -> Benchmark:
    """A split of somebody's dataset as a benchmark; options name its columns and its configuration."""
    if unknown := [name for name in options if name not in _OPTIONS]:
        raise UsageError(f"{source}: no option {unknown[0]}; there are {', '.join(_OPTIONS)}")
    split, table = _split(_tables(source, options.get("config", "")), split, source)
    chosen = roles(table.features, table[0], options, str(source))
    place = hashlib.sha256(f"{source.resolve()}:{split}".encode()).hexdigest()[:12]
    pictures = Unpacked(_base(source), room("cache") / "pictures" / place)
    queries: dict[str, Query] = {}
    truths: dict[str, dict[str, None]] = {}
    for turn, targets in _turns(table, chosen, pictures):
        # The same search in several rows is one query with several truths: a class has many pictures.
        id = hashlib.sha256(f"{turn.picture}\n{turn.text}".encode()).hexdigest()[:12]
        queries.setdefault(id, Query(id, (turn,)))
        truths.setdefault(id, {}).update(dict.fromkeys(targets))
    if not queries:
        raise DataError(f"{source}: no row of {split} has both words and a picture they lead to")
    pictures.fetch()
    known = tuple(dict.fromkeys([*pictures.files, *pictures.missing]))
    return Benchmark(
        name=source.stem,
        split=split,
        cases=cases_of(
            tuple(queries.values()),
            truths={id: tuple(found) for id, found in truths.items()},
            exclusions={id: (q.last.picture,) for id, q in queries.items() if q.last.picture},
        ),
        galleries={"": known},
        protocol={"gallery": "the split's pictures", "texts": "each a query"}
        | ({"reference": "removed"} if chosen.reference else {}),
        measures=("Recall(of='any') @ 1", "Recall(of='any') @ 5", "Recall(of='any') @ 10", "MAP @ 10"),
        images=pictures.files,
    )


def gather_rows(source: Path, into: Path, *, column: str = "", progress: Progress | None = None) -> Gathered:
    """The pictures of a dataset as files under `into`, a folder a split, their rows' words beside them.

    Where the words tell a change from one picture to another, they describe no picture and are left out.
    """
    done = Gathered()
    for split, table in _tables(source, "").items():
        asked = {"target": column} if column else {}
        chosen = roles(table.features, table[0], asked, str(source), words=False)
        home = into / split
        before = set(home.rglob("*"))
        pictures, said = Unpacked(_base(source), home, copy=True), dict[str, list[str]]()
        for number, row in enumerate(table, start=1):
            texts = [] if chosen.reference else _said(row, chosen, table.features)
            for id in [pictures.id_of(held) for held in pictures_in(row[chosen.target])]:
                said.setdefault(id, []).extend(texts)
            for held in pictures_in(row[chosen.reference]) if chosen.reference else ():
                pictures.id_of(held)
            if progress:
                progress(number, len(table))
        pictures.fetch(progress)
        for id, file in pictures.files.items():
            done.new, done.there = done.new + (file not in before), done.there + (file in before)
            if said.get(id):
                done.keep(file.with_suffix(".txt"), "\n".join(dict.fromkeys(said[id])).encode())
        done.failed += pictures.missing.items()
    return done


def _turns(table: Any, chosen: Roles, pictures: Unpacked) -> Iterator[tuple[Turn, list[str]]]:
    """Each text of each row as a turn, with the pictures it leads to."""
    for row in table:
        targets = [pictures.id_of(held) for held in pictures_in(row[chosen.target])]
        start = next(pictures_in(row[chosen.reference]), None) if chosen.reference else None
        picture = pictures.id_of(start) if start is not None else None
        for text in _said(row, chosen, table.features) if targets else ():
            yield Turn(picture=picture, text=text), targets


def _said(row: Mapping[str, Any], chosen: Roles, features: Any) -> list[str]:
    return [text for name in chosen.texts for text in texts_in(row[name], features[name])]


def _base(source: Path) -> Path:
    """Where a dataset's paths begin."""
    return source if source.is_dir() else source.parent


def _tables(source: Path, config: str) -> dict[str, Any]:
    """The dataset's splits by name, their pictures as they lie; empty ones are left out."""
    import datasets

    datasets.disable_progress_bars()
    keeping = {"cache_dir": str(room("cache") / "datasets")}
    if not source.exists():
        raise UsageError(
            f"{source}: no such dataset; name the folder of one, or a parquet file, or write it with "
            "`circlet data convert`"
        )
    try:
        if source.is_file():
            made = datasets.load_dataset("parquet", data_files=str(source), **keeping)
        elif (source / "dataset_dict.json").is_file() or (source / "state.json").is_file():
            made = datasets.load_from_disk(str(source))
        else:
            names = datasets.get_dataset_config_names(str(source))
            if len(names) > 1 and config not in names:
                raise UsageError(
                    f"{source}: which part? There are {', '.join(names)}; say it as ?config=NAME"
                )
            made = datasets.load_dataset(str(source), config or None, **keeping)
    except (OSError, ValueError, datasets.exceptions.DatasetsError) as error:
        raise DataError(
            f"{source}: `datasets` cannot read it ({str(error).splitlines()[0]}); name a folder that it "
            "reads, or a parquet file"
        ) from error
    splits = made if isinstance(made, dict) else {str(made.split or "all"): made}
    return {str(name): one.cast(without_decoding(one.features)) for name, one in splits.items() if len(one)}


def _split(tables: Mapping[str, Any], asked: str, source: Path) -> tuple[str, Any]:
    """The split that was asked for, also by another usual name; val, or the only one, where nothing was."""
    alike = next((names for names in _ALIKE if (asked or "val") in names), ())
    for name in (asked, *alike):
        if name in tables:
            return name, tables[name]
    if len(tables) == 1 and not asked:
        return next(iter(tables.items()))
    listed = ", ".join(tables) or "nothing with rows"
    raise UsageError(f"{source}: no split {asked or 'val'}; there is {listed}: say it as hf:{source}:SPLIT")
