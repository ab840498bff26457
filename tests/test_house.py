"""The rooms of the house and what each may import; docs/architecture.md shows the same table."""

import ast
from pathlib import Path

import pytest

import circlet

SOURCE = Path(circlet.__file__).parent
MAY_IMPORT: dict[str, set[str]] = {
    "core": set(),
    "images": {"core", "index"},
    "index": {"core", "images"},
    "language": {"core"},
    "models": {"core", "images", "index", "language"},
    "data": {"build", "core", "images", "language"},
    "evaluate": {"core"},
    "dialogue": {"core", "language"},
    "build": {"core", "data", "images", "language"},
    "collection": {"core", "dialogue", "images", "index", "language", "models"},
    "train": {"core", "data", "evaluate", "models", "images", "app"},
    "experiments": {"core", "data", "dialogue", "evaluate", "images", "models", "train"},
    "app": {
        "build", "collection", "core", "data", "dialogue", "evaluate", "experiments", "images", "index",
        "language", "models", "train",
    },
}  # fmt: skip


def rooms_imported(file: Path) -> set[str]:
    rooms = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: imports are written in full, not relative"
            names = [node.module or ""]
            if node.module == "circlet":
                names = [f"circlet.{alias.name}" for alias in node.names]
        rooms |= {name.split(".")[1] for name in names if name.startswith("circlet.")}
    return rooms & set(MAY_IMPORT)


@pytest.mark.parametrize("room", sorted(MAY_IMPORT))
def test_a_room_imports_only_what_the_house_allows(room: str) -> None:
    files = sorted((SOURCE / room).rglob("*.py"))
    assert files, f"the room {room} is empty"
    for file in files:
        extra = rooms_imported(file) - MAY_IMPORT[room] - {room}
        assert not extra, f"{file.relative_to(SOURCE)} imports {', '.join(sorted(extra))}"


def test_every_room_is_in_the_table() -> None:
    folders = {path.name for path in SOURCE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == set(MAY_IMPORT)


def test_core_needs_numpy_only() -> None:
    for file in (SOURCE / "core").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom | ast.Import):
                name = node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
                assert (name or "").split(".")[0] not in {"PIL", "torch", "scipy", "onnxruntime"}
