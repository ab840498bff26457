"""Benchmarks as Hugging Face `datasets`: a folder of parquet files, or one that `save_to_disk` wrote.

    OUT/README.md               says which files are which, so that load_dataset(OUT, "queries") works
    OUT/queries/val.parquet     a row a query: its turns, truths, subset, grades, …
    OUT/galleries/val.parquet   a row a gallery: its name and the ids in it
    OUT/pictures/val.parquet    a row a picture: its id, its file's name and its bytes
    OUT/about/val.parquet       one row: the benchmark's name, split, protocol, measures

What a `Benchmark` says is all there, so every reader's benchmark converts to it and back without loss.
Values of free form (grades, notes, judgements) are JSON texts: their columns would not be of one type.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from circlet.core import Benchmark, DataError, UsageError
from circlet.core.files import replacing
from circlet.core.home import room
from circlet.data.foreign import read_foreign
from circlet.data.jsonl import benchmark_from, lines_of

_PARTS = ("queries", "galleries", "pictures", "about")
_LISTS = ("truths", "exclude", "subset", "negatives", "aspects", "wordings")
_FREE = ("grades", "judgement", "notes")
_CARD = """---
configs:
{configs}
---
# {name}
A benchmark of image retrieval by pictures and words, written by circlet.
`circlet eval --bench hf:FOLDER:{split}` measures methods on it.
"""


def write_datasets(benchmark: Benchmark, out: Path, *, on_disk: bool = False) -> Path:
    """Write the benchmark, its pictures' bytes included, for `datasets` to load.

    A folder of parquet files takes further splits of the same benchmark; with `on_disk` it is one that
    `datasets.load_from_disk` reads.
    """
    import datasets

    split = benchmark.split or "all"
    datasets.disable_progress_bars()
    parts = {}
    for name, rows in _rows(benchmark).items():
        columns = _features(name)
        by_column = {column: [row[column] for row in rows] for column in columns}
        parts[name] = datasets.Dataset.from_dict(by_column, features=columns)
    for name, part in parts.items():
        if on_disk:
            part.save_to_disk(str(out / name / split))
        else:
            path = out / name / f"{split}.parquet"
            path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(path) as half:
                part.to_parquet(str(half))
    if not on_disk:
        configs = "\n".join(f"- config_name: {name}\n  data_files:\n{_files(out, name)}" for name in parts)
        card = _CARD.format(configs=configs, name=benchmark.name, split=split)
        (out / "README.md").write_text(card, encoding="utf-8")
    return out


def read_datasets(folder: Path, split: str, options: Mapping[str, str]) -> Benchmark:
    """The benchmark in a folder that `write_datasets` wrote, or in a dataset of anybody's.

    Pictures are unpacked under CIRCLET_HOME.
    """
    if not (folder / "about").is_dir():
        return read_foreign(folder, split, options)
    split = split or "val"
    if options:
        raise UsageError(f"{folder}: it says its own protocol and takes no options ({', '.join(options)})")
    parts = {name: _part(folder, name, split) for name in _PARTS}
    about = json.loads(parts["about"][0]["header"])
    lines: list[dict[str, Any]] = [about]
    lines += [{"gallery": row["name"], "ids": row["ids"]} for row in parts["galleries"]]
    lines += [{"picture": id, "file": str(file)} for id, file in _unpacked(folder, split, parts["pictures"])]
    lines += [_line(row) for row in parts["queries"]]
    return benchmark_from(lines, folder)


def _rows(benchmark: Benchmark) -> dict[str, list[dict[str, Any]]]:
    """What goes into each part."""
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in _PARTS}
    for line in lines_of(benchmark, Path("/")):
        if "circlet" in line:
            rows["about"].append({"header": json.dumps(line)})
        elif "gallery" in line:
            rows["galleries"].append({"name": line["gallery"], "ids": list(line["ids"])})
        elif "picture" in line:
            file = benchmark.images[line["picture"]]
            if not file.is_file():
                raise DataError(f"{file}: no such file; a dataset has its pictures in it")
            seen = {"bytes": file.read_bytes(), "path": file.name}
            rows["pictures"].append({"id": line["picture"], "name": file.name, "image": seen})
        else:
            turns = [json.dumps(turn) for turn in line["turns"]]
            plain = {name: list(line.get(name, ())) for name in _LISTS}
            free = {name: json.dumps(line[name]) if name in line else "" for name in _FREE}
            first = line["turns"][-1] if line["turns"] else {}
            rows["queries"].append(
                {
                    "id": line["query"],
                    "picture": first.get("picture") or "",
                    "text": first.get("text", ""),
                    "turns": turns,
                    "group": line.get("group", ""),
                    **plain,
                    **free,
                }
            )
    return rows


def _line(row: Mapping[str, Any]) -> dict[str, Any]:
    """A query's row as a line of a circlet file; its last turn's picture and text stand in the turns, too."""
    line: dict[str, Any] = {"query": row["id"], "turns": [json.loads(turn) for turn in row["turns"]]}
    line |= {name: list(row[name]) for name in _LISTS if row[name]}
    line |= {name: json.loads(row[name]) for name in _FREE if row[name]}
    return line | ({"group": row["group"]} if row["group"] else {})


def _features(part: str) -> Any:
    """The columns of a part."""
    import datasets

    text, texts = datasets.Value("string"), datasets.List(datasets.Value("string"))
    columns: dict[str, dict[str, Any]] = {
        "about": {"header": text},
        "galleries": {"name": text, "ids": texts},
        "pictures": {"id": text, "name": text, "image": datasets.Image(decode=False)},
        "queries": {
            **dict.fromkeys(("id", "picture", "text"), text),
            "turns": texts,
            "group": text,
            **dict.fromkeys(_LISTS, texts),
            **dict.fromkeys(_FREE, text),
        },
    }
    return datasets.Features(columns[part])


def _files(out: Path, name: str) -> str:
    """The files of a part, as the card lists them."""
    files = sorted((out / name).glob("*.parquet"))
    return "\n".join(f"  - split: {file.stem}\n    path: {name}/{file.name}" for file in files)


def _part(folder: Path, name: str, split: str) -> Any:
    """One part of a split: a parquet file, or a folder of `save_to_disk`."""
    import datasets
    from pyarrow import parquet

    datasets.disable_progress_bars()
    place = folder / name
    file, disk = place / f"{split}.parquet", place / split
    if file.is_file():
        # Its own way refuses a file without rows, and keeps a copy of every other.
        made = datasets.Dataset(parquet.read_table(file))
    elif disk.is_dir():
        # Of a part without rows nothing but its name is on the disk, which its own way cannot read.
        if not any(disk.glob("*.arrow")):
            columns = _features(name)
            return datasets.Dataset.from_dict({column: [] for column in columns}, features=columns)
        made = datasets.load_from_disk(str(disk))
    else:
        there = sorted({one.stem for one in place.glob("*")}) if place.is_dir() else []
        listed = f"there is {', '.join(there)}" if there else "write it with `circlet data convert`"
        raise UsageError(f"{file}: no such split of a dataset that circlet wrote; {listed}")
    return made.cast(_features(name))


def _unpacked(folder: Path, split: str, pictures: Any) -> Iterator[tuple[str, Path]]:
    """Each picture as a file, written the first time it is asked for."""
    source = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:12]
    home = room("cache") / "pictures" / source / split
    home.mkdir(parents=True, exist_ok=True)
    for row in pictures:
        held = row["image"]["bytes"]
        # Two files of one name stay two.
        mark = hashlib.sha256(held).hexdigest()[:8]
        path = home / f"{mark}-{Path(row['name']).name}"
        if not path.is_file() or path.stat().st_size != len(held):
            with replacing(path) as half:
                half.write_bytes(held)
        yield row["id"], path
