"""Files for the servers of CIRR, CIRCO and ImageCoDe: written, read as runs, checked before sending."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from circlet.core import Benchmark, Case, DataError, Key, Ranking, Run, UsageError
from circlet.core.files import parse_json, written_whole
from circlet.evaluate.files.places import lint_places, place_lists, read_places

CIRR_VERSION = "rc2"
# The numbers of COCO's unlabelled pictures, which CIRCO searches, have six digits at most.
_COCO_END = 1_000_000


@dataclass(frozen=True)
class Server:
    """What a server accepts: how many candidates a query, of which kind, in how large a file.

    With `places` the file has, for each set of pictures, the place of the one picked for each query;
    with `apart` a query's own picture is never an answer, whatever the protocol keeps elsewhere.
    """

    name: str
    metric: str
    depth: int
    split: str
    subset: bool = False
    apart: bool = False
    numbers: bool = False
    places: bool = False
    largest: int = 5_000_000


SERVERS = {
    ("cirr", "recall"): Server("cirr", "recall", 50, "test1", apart=True),
    ("cirr", "recall_subset"): Server("cirr", "recall_subset", 3, "test1", subset=True, apart=True),
    ("circo", ""): Server("circo", "", 50, "test", numbers=True),
    ("imagecode", ""): Server("imagecode", "", 1, "test", subset=True, places=True),
}


def server_of(benchmark: Benchmark, metric: str = "") -> Server:
    """The server that takes this benchmark's submissions.

    >>> server_of(Benchmark(name="cirr", split="test1", cases=(), galleries={})).depth
    50
    """
    fitting = [server for (name, _), server in SERVERS.items() if name == benchmark.name]
    if not fitting:
        raise UsageError(f"{benchmark.name} has no test server: only cirr, circo and imagecode have one")
    if benchmark.split != fitting[0].split:
        raise UsageError(
            f"the server of {benchmark.name} takes the split {fitting[0].split}, not {benchmark.split}: name "
            f"{benchmark.name}:ROOT:{fitting[0].split}"
        )
    for server in fitting:
        if server.metric == metric or (not metric and server is fitting[0]):
            return server
    offers = ", ".join(server.metric for server in fitting if server.metric) or "no metric"
    raise UsageError(f"the server of {benchmark.name} knows {offers}, not {metric!r}")


def write_submission(run: Run, benchmark: Benchmark, path: Path | str, *, metric: str = "") -> Path:
    """Write a run as the server wants it; a run that the server would refuse is refused here first."""
    server = server_of(benchmark, metric)
    lists: dict[str, Any] = place_lists(run, benchmark) if server.places else {}
    for query in () if server.places else benchmark.queries:
        ids = _candidates(run, benchmark, query.id, server)[: server.depth]
        lists[query.id] = [_number(id) for id in ids] if server.numbers else list(ids)
    head = {"version": CIRR_VERSION, "metric": server.metric} if server.metric else {}
    text = json.dumps(head | lists)
    if problems := lint_submission(text, benchmark):
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise DataError(f"the {server.name} server would refuse this run: {problems[0]}{more}")
    with written_whole(path) as file:
        file.write(text)
    return Path(path)


def _candidates(run: Run, benchmark: Benchmark, query: str, server: Server) -> Sequence[str]:
    key = Key(query)
    whole, apart = run.rankings.get(key), run.subsets.get(key)
    if not server.subset:
        gone = _gone(benchmark.case(query), server)
        return [id for id in whole.ids if id not in gone] if whole else []
    if apart is not None:
        return apart.ids
    members = benchmark.case(query).members
    return [id for id in whole.ids if id in members] if whole else []


def _gone(case: Case, server: Server) -> tuple[str, ...]:
    """What must not be among the candidates of a query."""
    return (*case.exclude, *(case.query.pictures if server.apart else ()))


def _number(id: str) -> int | str:
    return int(id) if id.isdecimal() else id


def read_submission(path: Path, text: str, benchmark: Benchmark | None = None) -> Run:
    """A submission file as a run; the order is the ranking, so the place stands in for a score.

    ImageCoDe's names sets and places, which only its benchmark can tell from CIRCO's ids.
    """
    document, twice = _parse(text)
    if document is None:
        raise DataError(f"{path}: not a JSON object, so neither a run nor a submission")
    if twice:
        raise DataError(f"{path}: query {twice[0]} is ranked twice; keep one of the two")
    if benchmark is not None and benchmark.name == "imagecode":
        return read_places(path, document, benchmark)
    version, metric = document.pop("version", None), document.pop("metric", None)
    if (metric, version) != (None, None):
        if version != CIRR_VERSION:
            raise DataError(f"{path}: version {version!r} of CIRR; this reads {CIRR_VERSION!r}")
        if ("cirr", str(metric)) not in SERVERS:
            raise DataError(f"{path}: metric is {metric!r}, neither 'recall' nor 'recall_subset'")
    rankings = {}
    for query, ids in document.items():
        if not isinstance(ids, list) or not all(type(id) in (str, int) for id in ids):
            raise DataError(f"{path}: the ranking of query {query} is not a list of ids")
        rankings[Key(query)] = Ranking([str(id) for id in ids], [float(-place) for place in range(len(ids))])
    subset = metric == "recall_subset"
    return Run(method="submission", rankings={} if subset else rankings, subsets=rankings if subset else {})


def _parse(text: str) -> tuple[dict[str, Any] | None, list[str]]:
    """A JSON object, and the names that stand in it twice, which JSON readers drop in silence."""
    twice: list[str] = []

    def noticing(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        twice.extend(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        return dict(pairs)

    try:
        document = parse_json(text, object_pairs_hook=noticing)
    except json.JSONDecodeError:
        return None, []
    return (document, twice) if isinstance(document, dict) else (None, [])


def lint_submission(text: str, benchmark: Benchmark) -> list[str]:
    """Why the server would refuse this file, one reason a line; an empty list if it would not.

    >>> from circlet.core import Query, cases_of
    >>> test = Benchmark(name="circo", split="test", cases=cases_of([Query("0")]), galleries={})
    >>> lint_submission('{"0": [1, 1], "7": []}', test)
    ['query 7 is not in circo test', 'query 0 has 2 candidates, not 50', 'query 0 ranks 1 twice']
    """
    if text.startswith("\ufeff"):
        return ["it begins with a byte order mark, which is no JSON: save it as UTF-8 without one"]
    document, twice = _parse(text)
    if document is None:
        return ["not a JSON object"]
    problems = [f"query {name} is there twice" for name in twice]
    metric = str(document.pop("metric", "")) if benchmark.name == "cirr" else ""
    server = server_of(benchmark)
    if benchmark.name == "cirr":
        version = document.pop("version", None)
        if version != CIRR_VERSION:
            problems.append(f"version is {version!r}, not {CIRR_VERSION!r}")
        if ("cirr", metric) in SERVERS:
            server = SERVERS["cirr", metric]
        else:
            problems.append(f"metric is {metric!r}, neither 'recall' nor 'recall_subset'")
    if len(text.encode()) > server.largest:
        problems.append(f"the file has {len(text.encode()):,} bytes, more than {server.largest:,}")
    if server.places:
        return [*problems, *lint_places(document, benchmark)]
    known = {query.id for query in benchmark.queries}
    absent = [query.id for query in benchmark.queries if query.id not in document]
    if absent:
        problems.append(
            f"{len(absent)} of {len(known)} queries are missing, the first missing one is {absent[0]}"
        )
    where = f"{benchmark.name} {benchmark.split}"
    problems += [f"query {query} is not in {where}" for query in document if query not in known]
    gallery = frozenset(id for ids in benchmark.galleries.values() for id in ids)
    for query, ids in document.items():
        if query in known:
            case = benchmark.case(query)
            allowed = frozenset(case.subset) if server.subset else gallery
            problems += _of_query(query, ids, server, allowed, _gone(case, server))
    return problems


def unchecked(benchmark: Benchmark) -> str:
    """What `lint_submission` could not look at, in words; nothing where it looked at everything."""
    if benchmark.galleries or benchmark.has_subsets:
        return ""
    return f"whether its ids exist: the list of {benchmark.name}'s pictures is not there"


def _of_query(
    query: str, ids: Any, server: Server, allowed: frozenset[str], gone: Sequence[str]
) -> Iterator[str]:
    kind: type = int if server.numbers else str
    wanted = "whole numbers" if server.numbers else "names"
    if not isinstance(ids, list) or any(isinstance(id, bool) or not isinstance(id, kind) for id in ids):
        yield f"query {query} is not a list of {wanted}"
        return
    if len(ids) != server.depth:
        yield f"query {query} has {len(ids)} candidates, not {server.depth}"
    if twice := [id for id, times in Counter(ids).items() if times > 1]:
        yield f"query {query} ranks {twice[0]} twice"
    if own := [id for id in ids if str(id) in gone]:
        yield f"query {query} ranks {own[0]}, its own reference"
    if server.numbers and (wrong := [id for id in ids if not 0 < id < _COCO_END]):
        yield f"query {query} ranks {wrong[0]}, which no picture of COCO is called"
    if allowed and (strange := [id for id in ids if str(id) not in allowed and str(id) not in gone]):
        where = "subset" if server.subset else "gallery"
        yield f"query {query} ranks {strange[0]}, which is not in its {where}"
