"""Sessions of several turns: CIRCLED's public files, and those of Multi-turn FashionIQ."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from circlet.core import Benchmark, DataError, Query, Turn, UsageError, cases_of
from circlet.data.annotations import choose, need, read_records, revision
from circlet.data.readers.fashioniq import both, join

Load = Callable[[str], Benchmark]
OPTIONS = {"auc": ("intervals", "turns")}


def read_circled(path: Path, subset: str, asked: Mapping[str, str], load: Load) -> Benchmark:
    """A CIRCLED file; `subset` keeps one of its subsets (`cirr_val`).

    The file lists no gallery. `gallery=NAME` takes that of another benchmark (`gallery=cirr:ROOT:val`),
    `gallery=named` the pictures that the file names; without either only saved runs can be measured.
    """
    sessions = _Sessions()
    records = read_records(path)
    for number, record in enumerate(records):
        id, group, truths, turns = need(
            record, path, number, "session_id", "subset", "ground_truth_ids", "turns"
        )
        if subset and group != subset:
            continue
        if len(turns) != record.get("num_turns", len(turns)) or not turns:
            raise DataError(
                f"{path}, record {number + 1}: session {id} says {record.get('num_turns', 'no')} turns and "
                f"has {len(turns)}; fetch the file again"
            )
        history, more = [], []
        for turn in sorted(turns, key=lambda turn: turn.get("turn", 0)):
            reference, caption = need(turn, path, number, "reference_image_id", "relative_caption")
            history.append(Turn(picture=str(reference), text=caption))
            more.append({name: value for name, value in turn.items() if name not in _TURN})
        rest = {name: value for name, value in record.items() if name not in _CIRCLED} | {"turns": more}
        sessions.add(path, str(id), group, history, [str(truth) for truth in truths], rest)
    if subset and not sessions.queries:
        there = sorted({str(record["subset"]) for record in records})
        raise UsageError(f"{path}: no session of the subset {subset!r}; there is {', '.join(there)}")
    return sessions.benchmark("circled", subset or "all", path, asked, load)


# Fields that the benchmark holds in a place of their own.
_CIRCLED = ("session_id", "subset", "turns")
_TURN = ("reference_image_id", "relative_caption")


def read_multiturn(path: Path, split: str, asked: Mapping[str, str], load: Load) -> Benchmark:
    """A Multi-turn FashionIQ file: a target, and references with two captions each.

    The category is the first part of the file's name (`dress.val.json`). Galleries as for CIRCLED.
    """
    sessions = _Sessions()
    category = path.name.split(".")[0]
    for number, record in enumerate(read_records(path)):
        target, references = need(record, path, number, "target", "reference")
        history = [Turn(picture=str(id), text=join(*both(text, path, number))) for _, text, id in references]
        sessions.add(path, f"{category}-{number}", category, history, [str(target[1])], dict(record))
    return sessions.benchmark("multiturn", split or "val", path, asked, load)


@dataclass
class _Sessions:
    """Sessions read so far."""

    queries: list[Query] = field(default_factory=list)
    truths: dict[str, tuple[str, ...]] = field(default_factory=dict)
    groups: dict[str, str] = field(default_factory=dict)
    notes: dict[str, dict[str, Any]] = field(default_factory=dict)

    def add(
        self, path: Path, id: str, group: str, turns: list[Turn], truths: list[str], rest: dict[str, Any]
    ) -> None:
        """Take one session in."""
        if id in self.groups:
            raise DataError(f"{path}: session {id} is there twice; keep one of the two")
        self.queries.append(Query(id, tuple(turns)))
        self.truths[id] = tuple(truths)
        self.groups[id] = group
        self.notes[id] = rest

    def benchmark(self, name: str, split: str, path: Path, asked: Mapping[str, str], load: Load) -> Benchmark:
        """The benchmark of these sessions, with the galleries that were asked for."""
        asked = dict(asked)
        which = asked.pop("gallery", "unlisted")
        protocol = choose(name, asked, OPTIONS)
        called, galleries, images = self._galleries(which, load)
        if galleries:
            protocol["gallery"] = called
            self._rename({id for ids in galleries.values() for id in ids})
        return Benchmark(
            name=name,
            split=split,
            cases=cases_of(self.queries, truths=self.truths, groups=self.groups, notes=self.notes),
            galleries=galleries,
            protocol=protocol,
            measures=self._measures(protocol["auc"]),
            revision=revision([path]),
            images=images,
        )

    def _rename(self, known: set[str]) -> None:
        """Call pictures as the gallery does: COCO's go by twelve digits in files, by a number in CIRCO."""

        def name(id: str | None) -> str | None:
            short = str(int(id)) if id and id.isdecimal() else id
            return short if id not in known and short in known else id

        self.truths = {query: tuple(str(name(id)) for id in ids) for query, ids in self.truths.items()}
        self.queries = [
            replace(query, turns=tuple(replace(turn, picture=name(turn.picture)) for turn in query.turns))
            for query in self.queries
        ]

    def _galleries(
        self, which: str, load: Load
    ) -> tuple[str, dict[str, tuple[str, ...]], Mapping[str, Path]]:
        """What the galleries are called wherever they lie, the galleries, and their pictures."""
        groups = list(dict.fromkeys(self.groups.values()))
        if which == "unlisted":
            return which, {}, {}
        if which == "named":
            named: dict[str, dict[str, None]] = {group: {} for group in groups}
            for query in self.queries:
                named[self.groups[query.id]] |= dict.fromkeys((*query.pictures, *self.truths[query.id]))
            return which, {group: tuple(ids) for group, ids in named.items()}, {}
        other = load(which)
        galleries = {}
        for group in groups:
            fitting = [ids for home, ids in other.galleries.items() if home in ("", group) or home in group]
            if not fitting:
                raise UsageError(
                    f"gallery={which} has no gallery for the subset {group}: it has "
                    f"{', '.join(other.galleries) or 'none'}; pick one subset, or another gallery"
                )
            galleries[group] = fitting[0]
        return f"{other.name} {other.split}", galleries, other.images

    def _measures(self, over: str) -> tuple[str, ...]:
        longest = max((len(query.turns) for query in self.queries), default=1)
        area = "AUC" if over == "intervals" else "AUC(over='turns')"
        groups = list(dict.fromkeys(self.groups.values()))
        apart = [f"Within({group!r}, FinalRecall @ 10)" for group in groups] if len(groups) > 1 else []
        hits = [f"Hits(turn={turn}) @ 10" for turn in range(1, longest + 1)]
        return (*hits, "FinalRecall @ 10", f"{area} @ 10", *apart)
