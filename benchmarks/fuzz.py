"""Spoilt files for every reader and spoilt requests for every address: no traceback, no answer of 500.

    python benchmarks/fuzz.py [--minutes 30 | --rounds 200] [--seed 0] [--only WORD]

Each round takes a sound file or request, spoils it in one to three places (a value that cannot be
meant, a field gone, bytes turned or cut off) and gives it to its reader. It may be read or refused in
circlet's own words; anything else is printed with the seed that repeats it, and the exit code is 1.
"""

import argparse
import base64
import io
import json
import random
import sys
import tempfile
import time
import traceback
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
from PIL import Image
from starlette.testclient import TestClient

from circlet.app.http import api
from circlet.app.http.metrics import Metrics
from circlet.app.http.server import create_app
from circlet.app.web import routes as pages
from circlet.build.aspects.cases import read_cases
from circlet.build.cirr_files import read_subsets
from circlet.collection import Collection
from circlet.core import CircletError
from circlet.data import load_benchmark
from circlet.data.captions import read_captions
from circlet.dialogue import Session
from circlet.evaluate import measure, read_run
from circlet.evaluate.files.npz import read_features
from circlet.evaluate.files.results import read_results
from circlet.images import open_picture, probe

Reader = Callable[[Path], object]
# Spelled as JSON: some of them are values that Python's own writer would refuse.
_WORDS = """null true false 0 -1 5 1e999 -1e999 NaN 1e15 [] {} [[]] [5] [null] {"a":5} "" "x" "\\ud800"
"\\u0000" "\\u202e\\u001b[31m" "../../etc/passwd" "9999-12-31" "/dev/zero" """
NASTY = _WORDS.split()
NASTY += [
    "1" + "0" * 30,
    "1" + "0" * 400,
    "9" * 5000,
    "[" * 100_000,
    '{"a":' * 5_000,
    '"' + "x" * 20_000 + '"',
]


def main() -> int:
    """Fuzz until the rounds or the minutes are over."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--rounds", type=int, help="this many for each reader, instead of minutes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="only readers and addresses whose name holds this")
    asked = parser.parse_args()
    faults: dict[str, str] = {}
    end = time.monotonic() + asked.minutes * 60
    with tempfile.TemporaryDirectory() as place:
        tries = {**readers(Path(place)), **addresses(Path(place))}
        tries = {name: one for name, one in tries.items() if asked.only in name}
        done = 0
        while done < asked.rounds if asked.rounds else time.monotonic() < end:
            for name, one in tries.items():
                seed = f"{name} {asked.seed} {done}"
                try:
                    one(random.Random(seed))
                except CircletError:
                    pass
                except Exception as error:
                    where = traceback.extract_tb(error.__traceback__)[-1]
                    fault = f"{type(error).__name__} at {Path(where.filename).name}:{where.lineno}"
                    faults.setdefault(f"{name}: {fault}", f"{error!s:.200} (seed {seed!r})")
            done += 1
    for fault, what in faults.items():
        print(f"{fault}: {what}")
    print(f"{done} rounds for each of {len(tries)} readers and addresses, {len(faults)} faults")
    return 1 if faults else 0


# Spoiling


def spoilt(sound: bytes, dice: random.Random) -> bytes:
    """The same bytes, wrong in one to three places."""
    for _ in range(dice.randint(1, 3)):
        try:
            lines = sound.decode().split("\n")
            at = dice.randrange(len(lines))
            lines[at] = _spoilt_json(lines[at], dice) if dice.random() < 0.85 else _turned(lines[at], dice)
            sound = "\n".join(lines).encode("utf-8", "surrogatepass")
        except (ValueError, RecursionError):
            sound = _turned(sound.decode("latin-1"), dice).encode("latin-1", "replace")
    return sound


def _spoilt_json(text: str, dice: random.Random) -> str:
    value = json.loads(text)
    mark = "@spoil@"
    places: list[tuple[Any, Any]] = []

    def walk(node: Any) -> None:
        for key in list(node if isinstance(node, dict) else range(len(node))):
            places.append((node, key))
            if isinstance(node[key], dict | list):
                walk(node[key])

    if isinstance(value, dict | list):
        walk(value)
    if not places:
        return dice.choice(NASTY)
    node, key = dice.choice(places)
    if isinstance(node, dict) and dice.random() < 0.2:
        if dice.random() < 0.5:
            del node[key]
            return json.dumps(value)
        node[dice.choice(["", "x", "circlet"])] = node[key]
    node[key] = mark
    return json.dumps(value).replace(f'"{mark}"', dice.choice(NASTY))


def _turned(text: str, dice: random.Random) -> str:
    """Letters changed, doubled or cut off."""
    at = dice.randrange(len(text) + 1)
    way = dice.randrange(4)
    if way == 0:
        return text[:at]
    if way == 1:
        return text[:at] + chr(dice.randrange(256)) + text[at + 1 :]
    if way == 2:
        return text[:at] + text[at : at + 40] * dice.randrange(1, 50) + text[at:]
    return text[:at] + dice.choice([" ", "\t", "\0", "\r", "\xff", ",", '"', "-", "1e400"]) + text[at:]


# Files


def readers(folder: Path) -> dict[str, Callable[[random.Random], object]]:
    """Every reader of files by name, with a sound file to begin with."""
    bench = folder / "bench.jsonl"
    bench.write_bytes(_lines(*BENCHMARK))

    def measured(path: Path) -> object:
        benchmark = load_benchmark(str(bench))
        return measure(read_run(path, benchmark), benchmark)

    def benchmark(name: str) -> Reader:
        return lambda path: load_benchmark(name.format(path=path, root=path.parents[1])).header()

    def opened(path: Path) -> object:
        data = path.read_bytes()
        probe(data)
        return open_picture(data, side=64)

    files: dict[str, tuple[str, bytes, Reader]] = {
        "run": ("r.jsonl", _lines(*RUN), measured),
        "trec": ("r.trec", b"q1 Q0 b 1 0.5 toy\nq1 Q0 a 2 0.25 toy\n", measured),
        "cirr submission": ("r.json", json.dumps(SUBMISSION).encode(), measured),
        "circo submission": ("c.json", b'{"q1": [1, 2, 3]}', read_run),
        "arrays": ("r.npz", _npz(query_ids=["q1"], ranked_ids=[["b", "a"]], scores=[[0.5, 0.25]]), measured),
        "features": ("f.npz", _npz(**FEATURES), read_features),
        "result": ("r.json", json.dumps(RESULT).encode(), read_results),
        "benchmark": (
            "b.jsonl",
            _lines(*BENCHMARK),
            lambda path: measure(read_run(folder / "toy-run.jsonl"), load_benchmark(str(path))),
        ),
        "session": ("s.json", json.dumps(SESSION).encode(), Session.load),
        "subsets": ("s.json", b'[{"id": 0, "members": ["a", "b", "c", "d", "e", "f"]}]', read_subsets),
        "aspect cases": ("a.jsonl", _lines(CASE), read_cases),
        "aspects": ("a.jsonl", _lines(CASE), benchmark("aspects:{path}")),
        "circled": ("s.json", json.dumps(CIRCLED).encode(), benchmark("circled:{path}?gallery=named")),
        "multiturn": ("d.val.json", json.dumps(MULTITURN).encode(), benchmark("multiturn:{path}")),
        "human": ("h.json", json.dumps(HUMAN).encode(), benchmark("human:{path}")),
        "circo": ("annotations/val.json", json.dumps(CIRCO).encode(), benchmark("circo:{root}")),
        "imagecode": ("x/valid_data.json", b'{"set": {"3": "a dog"}}', benchmark("imagecode:{path.parent}")),
        "cirr": ("captions/cap.rc2.val.json", json.dumps(CIRR).encode(), benchmark("cirr:{root}")),
        "triplets": ("t.jsonl", _lines(TRIPLET), benchmark("triplets:{path}:train")),
        "table": (
            "t.csv",
            b"reference,text,target,split\na.png,red,b.png,val\n",
            benchmark("triplets:{path}"),
        ),
        "captions": ("c.csv", b"picture,text\na.png,red\n", read_captions),
        **{f"picture {kind}": (f"p.{kind}", _picture(kind), opened) for kind in KINDS},
        "drawing": ("p.svg", DRAWING, opened),
    }
    (folder / "toy-run.jsonl").write_bytes(_lines(*RUN))

    def tried(name: str, file: str, sound: bytes, reader: Reader) -> Callable[[random.Random], object]:
        path = folder / name / file
        path.parent.mkdir(parents=True)
        for other in ("a.png", "b.png"):
            (path.parent / other).write_bytes(_picture("png"))
        if name == "cirr":
            lists = path.parents[1] / "image_splits/split.rc2.val.json"
            lists.parent.mkdir()
            lists.write_text('{"a": "./a.png", "b": "./b.png"}', encoding="utf-8")
        path.write_bytes(sound)
        # What is sound must be read: a fault here is one of this file.
        reader(path)

        def once(dice: random.Random) -> object:
            path.write_bytes(spoilt(sound, dice))
            return reader(path)

        return once

    return {name: tried(name, *about) for name, about in files.items()}


RUN = (
    {"circlet": "run", "version": 1, "method": "toy", "seed": 0},
    {"query": "q1", "turn": 1, "wording": 0, "ids": ["b", "a"], "scores": [0.5, 0.25]},
)
SUBMISSION = {"version": "rc2", "metric": "recall", "q1": ["b", "a"]}
RESULT = {
    "rows": [{"method": "m", "protocol": "toy val", "measures": {"MRR": 5.0}, "queries": 1, "seed": 0}],
    "baselines": [],
}
BENCHMARK = (
    {"circlet": "benchmark", "version": 1, "name": "toy", "split": "val", "protocol": {"a": "b"},
     "measures": ["Recall @ 1", "MRR"], "revision": "r", "extra": {}},
    {"gallery": "", "ids": ["a", "b", "c"]},
    {"picture": "a", "file": "a.png"},
    {"query": "q1", "turns": [{"picture": "a", "text": "red", "emphasis": [["red", 2]], "balance": 0.5}],
     "truths": ["b"], "exclude": ["a"], "subset": ["b", "c"], "grades": {"b": 1}, "notes": {}, "group": ""},
)  # fmt: skip
SESSION = {
    "circlet": "session", "version": 1, "current": "main", "about": {"folder": "/x"},
    "branches": {"main": [{"text": "red", "emphasis": [["red", 2]], "liked": ["a"], "balance": 0.5}]},
}  # fmt: skip
CASE = {
    "id": "1", "aspect": "negation", "status": "unverified", "reference": "a.png", "target": "b.png",
    "hard_negative": "c.png", "instruction": "red", "reference_caption": "x", "target_caption": "y",
    "hard_negative_caption": "z", "source": "a", "maker": "m",
}  # fmt: skip
CIRCLED = [
    {"session_id": "a", "subset": "cirr_val", "ground_truth_ids": ["t"], "num_turns": 1,
     "turns": [{"turn": 1, "reference_image_id": "r", "relative_caption": "red"}]},
]  # fmt: skip
MULTITURN = [{"target": [0, "t"], "reference": [[0, ["is red", "is long"], "r"]]}]
HUMAN = [
    {"reference": "a", "text": "red", "preferred": 1, "sets": [{"images": [one], "score": 1} for one in "bc"]}
]
CIRCO = [
    {"id": 3, "reference_img_id": 1, "relative_caption": "is red", "shared_concept": "a", "target_img_id": 2,
     "gt_img_ids": [2, 5], "semantic_aspects": ["a"]},
]  # fmt: skip
CIRR = [
    {"pairid": 1, "reference": "a", "target_hard": "b", "target_soft": {"b": 1.0}, "caption": "red",
     "img_set": {"id": 0, "members": ["a", "b"], "reference_rank": 0, "target_rank": 1}},
]  # fmt: skip
TRIPLET = {"reference": "a.png", "text": "red", "target": "b.png", "split": "train"}
FEATURES = {
    "image_ids": ["a", "b"], "image_vectors": np.eye(2), "query_ids": ["q1"], "query_vectors": [[3.0, 4.0]],
}  # fmt: skip
KINDS = ("png", "jpeg", "gif", "tiff", "bmp", "webp", "avif")
DRAWING = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><rect width="9" height="9"/></svg>'


def _lines(*values: Any) -> bytes:
    return "".join(json.dumps(value) + "\n" for value in values).encode()


def _npz(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez(file, **{name: np.asarray(value) for name, value in arrays.items()})
    return file.getvalue()


def _picture(kind: str) -> bytes:
    file = io.BytesIO()
    Image.linear_gradient("L").resize((40, 30)).convert("RGB").save(file, kind)
    return file.getvalue()


# Addresses


def addresses(folder: Path) -> dict[str, Callable[[random.Random], object]]:
    """Every address of the server by name."""
    album = folder / "album"
    album.mkdir()
    for colour in ("red", "green", "blue"):
        Image.new("RGB", (60, 40), colour).save(album / f"{colour}.png")
    collection = Collection.open(album, home=folder / "home")
    collection.index()
    app = create_app(collection)
    client = TestClient(
        app, base_url="http://127.0.0.1:8000", follow_redirects=False, raise_server_exceptions=False
    )
    word = client.post("/api/v1/sessions", json={"turns": [{"text": "red"}]}).json()["session"]
    key = client.get("/api/v1/pictures").json()[0]["key"]
    known = {"session": word, "key": key, "id": "1", "s": word, "path": "main.js"}

    def sound(answer: Any) -> None:
        assert answer.status_code < 500, f"{answer.status_code} {answer.request.url!s:.300}"

    def asked(path: str, method: str) -> Callable[[random.Random], None]:
        def once(dice: random.Random) -> None:
            where = path
            for name, value in known.items():
                where = where.replace(f"{{{name}}}", value if dice.random() < 0.7 else _way(name, dice))
            names = dice.sample(PARAMS, dice.randint(0, 4))
            params = {name: _odd(dice) for name in names}
            if dice.random() < 0.5:
                params["s"] = dice.choice([word, _link(dice)])
            headers = {dice.choice(HEADERS): _odd(dice)} if dice.random() < 0.3 else {}
            body: dict[str, Any] = {}
            if method == "POST":
                body = _body(dice)
            try:
                query = "&".join(f"{name}={quote(value, '%[]&=+')}" for name, value in params.items())
                request = client.build_request(method, f"{where}?{query}", **body)
                for name, value in headers.items():
                    request.headers[name] = value.encode("ascii", "replace").decode().replace("\n", "")
            except Exception:
                return  # what cannot even be sent
            sound(client.send(request))

        return once

    library, metrics = app.state.library, Metrics()
    routes = [*api.routes(library, metrics).routes, *pages.routes(library).routes]
    spots = {(route.path, method) for route in routes for method in getattr(route, "methods", None) or ()}
    spots |= {("/static/{path}", "GET"), ("/api/v1/openapi.json", "GET"), ("/{path}", "POST")}
    made = {f"{m} {path}": asked(path, m) for path, m in sorted(spots) if m in ("GET", "POST")}
    # Looking for pictures again and again would try the indexer and nothing else.
    return {
        name: one for name, one in made.items() if name not in ("POST /api/v1/jobs", "POST /status/index")
    }


PARAMS = [
    "s", "text", "start", "shown", "open", "opened", "view", "why", "pick", "like", "dislike", "more", "less",
    "strike", "turn", "undo", "back", "branch", "switch", "balance", "balance_was", "seen", "method",
    "history", "folder", "after", "before", "min_size", "max_size", "orientation", "fold", "a", "b", "side",
    "top", "token",
]  # fmt: skip
HEADERS = [
    "origin", "host", "cookie", "authorization", "content-length", "content-type", "x-circlet", "range",
    "sec-fetch-site", "if-none-match",
]  # fmt: skip
ODD = [
    "", "x", "red", "9" * 5000, "-1", "0", "1", "nan", "inf", "1e400", "9999-12-31", "0001-01-01", "yes",
    "2024-02-30", "http://[::1", "[::1", "a@b", "%ff%fe", "%00", "%ED%A0%80", "..%2f..%2fetc", "/etc/passwd",
    "a,b,,", "image % 100 >> text", "((((", "text + ", "multipart/form-data", "application/json", "gzip;q=",
    "a" * 300,
]  # fmt: skip
MOVE = {"move": "say", "text": "red", "without": ["a"], "balance": 0.5, "turn": 1, "path": "main", "top": 3,
        "options": {"method": "default", "min_size": 10, "after": "2024-01-01", "fold": True}}  # fmt: skip
SEARCH = {"turns": [{"text": "red", "without": ["a"], "emphasis": [["red", 2]], "balance": 0.5}], "top": 3,
          "start": 0, "options": {"orientation": "square", "before": "2024-12-31"}}  # fmt: skip
COMPARE = {"turns": [{"text": "red"}], "methods": ["text", "default"]}


def _odd(dice: random.Random) -> str:
    text = dice.choice(ODD)
    return _turned(text, dice) if dice.random() < 0.3 else text


def _way(name: str, dice: random.Random) -> str:
    return _link(dice) if name == "session" and dice.random() < 0.8 else quote(_odd(dice), "%")


def _link(dice: random.Random) -> str:
    """A session's word that packs something else than a session."""
    turn = {"t": "red", "w": ["a"], "e": [["red", 2]], "b": 0.5, "l": ["AAAAAAAAAAA"], "p": None}
    raw = spoilt(json.dumps(["main", {"main": [turn]}]).encode(), dice)
    return base64.urlsafe_b64encode(zlib.compress(raw)).decode().rstrip("=")


def _body(dice: random.Random) -> dict[str, Any]:
    way = dice.randrange(4)
    if way == 0:
        return {"data": {name: _odd(dice) for name in dice.sample([*PARAMS, "turns", "id"], 3)}}
    if way == 1:
        data = spoilt(_picture(dice.choice(KINDS)), dice)
        return {"files": {"picture": (_odd(dice)[:50] or "a", data)}, "data": {"text": _odd(dice)}}
    sound = json.dumps(dice.choice([MOVE, SEARCH, COMPARE])).encode()
    return {"content": spoilt(sound, dice), "headers": {"content-type": "application/json"}}


if __name__ == "__main__":
    sys.exit(main())
