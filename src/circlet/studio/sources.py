"""Items and pictures from the files that builders write: CIRR's, ImageCoDe's, the aspects', JSON lines."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from circlet.build.aspects.cases import read_cases
from circlet.core import DataError, Key, UsageError
from circlet.data import load_benchmark
from circlet.data.annotations import need, read_json, read_records
from circlet.data.readers.imagecode import FILES, SET_SIZE, is_static, set_pictures
from circlet.evaluate import read_run
from circlet.studio.items import Item
from circlet.studio.project import Project
from circlet.studio.tasks.describe import finding
from circlet.studio.tasks.modify import followers

ENDINGS = {".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".heic", ".avif", ".svg"}


@dataclass(frozen=True)
class Source:
    """What a project asks about: its items, and the files of its pictures by id.

    `told` are the texts that the files brought along, by the pair or the picture they are of.
    """

    items: tuple[Item, ...]
    pictures: Mapping[str, Path]
    told: Mapping[str, str]


def read_source(project: Project) -> Source:
    """Everything that the project's files say; a picture that is missing is an error that names it."""
    source = _READERS[project.kind](project)
    known = tuple(_known(project)) if project.known else ()
    items = (*source.items, *known)
    if not items:
        raise DataError(f"{project.root}: there is nothing in it to ask about; build it first")
    asked = {id for item in items for id in _ids(item.shown)}
    if unknown := sorted(asked - set(source.pictures)):
        raise DataError(f"{project.root}: {unknown[0]} is in no list of pictures; build it again")
    if gone := sorted(id for id in asked if not source.pictures[id].is_file()):
        first = source.pictures[gone[0]]
        raise DataError(
            f"{first}: {len(gone)} of {len(asked)} pictures are not there; say pictures = FOLDER in "
            f"{project.path.name}"
        )
    return Source(items, source.pictures, source.told)


def _ids(shown: Mapping[str, Any]) -> Iterator[str]:
    yield from (shown[name] for name in ("reference", "target", "negative") if shown.get(name))
    for name in ("others", "candidates", "pictures", "set1", "set2"):
        yield from shown.get(name, ())


def _known(project: Project) -> Iterator[Item]:
    """Items with known answers: JSON lines of a task, what it shows, and its truth."""
    path = project.folder / project.known
    for number, record in enumerate(read_records(path)):
        task, shown, truth = need(record, path, number, "task", "shown", "truth")
        if task not in project.tasks:
            raise UsageError(f"{path}, record {number + 1}: {task!r} is no task of {project.kind}")
        yield Item(id=f"known:{number}", task=task, shown=shown, truth=truth, known=True)


def cirr_splits(root: Path) -> list[str]:
    """The splits whose captions are in a folder of CIRR's layout."""
    files = sorted((root / "captions").glob("cap.rc2.*.json"))
    return [file.name.removeprefix("cap.rc2.").removesuffix(".json") for file in files]


def pair_records(root: Path) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every pair of a folder of CIRR's layout: its split, its name in the studio, its record."""
    splits = cirr_splits(root)
    if not splits:
        raise UsageError(f"{root}: no captions/cap.rc2.….json in it; make it with `circlet build pairs`")
    for split in splits:
        for record in read_records(root / "captions" / f"cap.rc2.{split}.json"):
            name = str(record["pairid"])
            yield split, name if len(splits) == 1 else f"{split}-{name}", record


def _cirr(project: Project) -> Source:
    items: list[Item] = []
    told: dict[str, str] = {}
    for split, pair, record in pair_records(project.root):
        reference, target = record["reference"], record["target_hard"]
        others = [name for name in record["img_set"]["members"] if name not in (reference, target)]
        shown = {"pair": pair, "reference": reference, "target": target, "others": others}
        asked = Item(
            id=f"modify:{pair}", task="modify", shown=shown, split=split, wanted=project.wanted("modify")
        )
        if record["caption"].strip():
            # Somebody began elsewhere: the sentence is there, and what follows from it is asked.
            told[pair] = record["caption"]
            items += followers(asked, record["caption"], project)
        elif asked.wanted:
            items.append(asked)
    files: dict[str, Path] = {}
    for split in cirr_splits(project.root):
        listed = read_json(project.root / "image_splits" / f"split.rc2.{split}.json")
        files |= {id: project.gallery / name for id, name in listed.items()}
    return Source(tuple(items), files, told)


def _tens(project: Project) -> Source:
    items: list[Item] = []
    files: dict[str, Path] = {}
    told: dict[str, str] = {}
    for split, file in FILES.items():
        path = project.root / file
        if not path.is_file():
            continue
        for name, described in read_json(path).items():
            ten = [f"{name}/{place}" for place in range(SET_SIZE)]
            there = set_pictures(project.gallery, path.parent, name)
            if isinstance(there, str):
                raise DataError(f"{there}: a set has {SET_SIZE} pictures; fetch it again")
            files |= dict(zip(ten, there, strict=True))
            texts = _targets(described, name, project)
            shuffled = project.order == "shuffled" or (project.order == "auto" and is_static(name))
            order = "shuffled" if shuffled else "time"
            for place, text in texts.items():
                shown = {"set": name, "pictures": ten, "place": place, "order": order}
                id = f"describe:{split}/{name}/{place}"
                asked = Item(
                    id=id, task="describe", shown=shown, split=split, wanted=project.wanted("describe")
                )
                if text.strip():
                    told[f"{name}/{place}"] = text
                    items += finding(asked, text, project)
                elif asked.wanted:
                    items.append(asked)
    if not files:
        raise UsageError(f"{project.root}: none of {', '.join(FILES.values())} is in it; put one there")
    return Source(tuple(items), files, told)


def _targets(described: Any, name: str, project: Project) -> dict[int, str]:
    """The places that are to be described and what is said of them; three by chance where none is named."""
    if isinstance(described, dict) and described:
        return {int(place): str(text) for place, text in described.items()}
    places = random.Random(f"targets {project.seed} {name}").sample(range(SET_SIZE), 3)
    return dict.fromkeys(sorted(places), "")


def _compare(project: Project) -> Source:
    if project.runs:
        records, files = _of_runs(project)
    else:
        records = read_records(project.root)
        files = _Named(project.gallery)
    items = []
    for number, record in enumerate(records):
        reference, text, sets = need(record, project.root, number, "reference", "text", "sets")
        one, two = ([str(id) for id in each["images"]] for each in sets)
        shown = {
            "query": str(record.get("id", number)),
            "reference": reference,
            "text": text,
            "set1": one,
            "set2": two,
            "methods": [str(each.get("method", "")) for each in sets],
            "results": project.results,
            "attention": project.attention,
        }
        if "target" in record:
            shown["hidden"] = record["target"]
        id = f"compare:{shown['query']}"
        items.append(Item(id=id, task="compare", shown=shown, wanted=project.wanted("compare")))
    return Source(tuple(items), files, {})


def _of_runs(project: Project) -> tuple[list[dict[str, Any]], Mapping[str, Path]]:
    """The best results of two saved runs, for queries drawn by chance; a pair of runs for each."""
    benchmark = load_benchmark(project.source)
    runs = {Path(name).stem: read_run(project.folder / name, benchmark) for name in project.runs}
    if len(runs) < 2:
        raise UsageError(f"{project.path}: two runs at least are compared; name their files in runs")
    chance = random.Random(f"compare {project.seed}")
    cases = list(benchmark.cases)
    chance.shuffle(cases)
    records = []
    for case in cases[: project.most or None]:
        two = chance.sample(sorted(runs), 2)
        sets = []
        for name in two:
            ranking = runs[name].rankings.get(Key(case.id))
            if ranking is None:
                raise DataError(f"{name}: no ranking of query {case.id}; save the run again")
            best = [id for id in ranking.ids if id not in case.exclude]
            sets.append({"images": best[: project.top], "method": name})
        last = case.query.last
        record = {"id": case.id, "reference": last.picture, "text": last.text, "sets": sets}
        records.append(record | ({"target": case.target} if case.target else {}))
    return records, benchmark.images


def _verify(project: Project) -> Source:
    path = project.root / "aspects.jsonl" if project.root.is_dir() else project.root
    items = []
    files: dict[str, Path] = {}
    for case in read_cases(path):
        if case.status != "unverified":
            continue
        shown = {
            "case": case.id,
            "reference": case.reference,
            "target": case.target,
            "negative": case.hard_negative,
            "text": case.instruction,
            "aspect": str(case.aspect),
        }
        files |= {name: path.parent / name for name in case.pictures}
        wanted = project.wanted("verify")
        items.append(Item(id=f"verify:{case.id}", task="verify", shown=shown, wanted=wanted))
    return Source(tuple(items), files, {})


def _study(project: Project) -> Source:
    files = _Named(project.gallery)
    if project.root.is_file():
        records = read_records(project.root)
    else:
        names = sorted(files)
        most = project.most or 10
        drawn = random.Random(f"study {project.seed}").sample(names, min(most, len(names)))
        records = [{"target": name} for name in drawn]
    items = []
    for number, record in enumerate(map(_of_session, records)):
        (target,) = need(record, project.root, number, "target")
        shown = {"target": files.named(target), "rounds": project.rounds}
        if record.get("reference"):
            shown |= {"reference": files.named(record["reference"]), "text": record.get("text", "")}
        id = f"study:{record.get('id', number)}"
        items.append(Item(id=id, task="study", shown=shown, wanted=project.wanted("study")))
    return Source(tuple(items), files, {})


def _of_session(record: dict[str, Any]) -> dict[str, Any]:
    """A session in CIRCLED's form as a target to be found, from the session's first turn on."""
    if "ground_truth_ids" not in record:
        return record
    first = record["turns"][0]
    return {
        "id": record["session_id"],
        "target": str(record["ground_truth_ids"][0]),
        "reference": str(first["reference_image_id"]),
        "text": first["relative_caption"],
    }


class _Named(Mapping[str, Path]):
    """The pictures of a folder by their path from there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        there = sorted(folder.rglob("*")) if folder.is_dir() else []
        found = (path for path in there if path.suffix.lower() in ENDINGS)
        self.names: Sequence[str] = [path.relative_to(folder).as_posix() for path in found]
        self._known = frozenset(self.names)
        self._stems = {Path(name).stem: name for name in self.names}

    def named(self, id: str) -> str:
        """The picture's path, for whoever leaves its folder and ending out."""
        return id if id in self._known else self._stems.get(Path(id).stem, id)

    def __getitem__(self, id: str) -> Path:
        if id not in self._known:
            raise KeyError(id)
        return self.folder / id

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


_READERS = {"cirr": _cirr, "tens": _tens, "compare": _compare, "verify": _verify, "study": _study}
