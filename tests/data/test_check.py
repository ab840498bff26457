"""What `data check` finds in a folder: datasets, sessions, blank texts, the broken beside the rest."""

import json
from pathlib import Path
from typing import Any

from circlet.data.check import benchmarks_under, check
from tests.command import Command
from tests.data.shared import real


def save(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
    return path


def session(id: str, *texts: str) -> dict[str, Any]:
    turns = [
        {"turn": n, "reference_image_id": "a", "relative_caption": text} for n, text in enumerate(texts, 1)
    ]
    return {
        "session_id": id, "subset": "cirr_val", "ground_truth_ids": ["b"], "num_turns": len(turns),
        "turns": turns,
    }  # fmt: skip


def cirr(root: Path, *captions: str) -> None:
    members = [f"dev-{n}" for n in range(6)]
    save(root / "image_splits/split.rc2.val.json", {name: f"./dev/{name}.png" for name in members})
    records = [
        {"pairid": n, "reference": "dev-0", "target_hard": "dev-1", "target_soft": {"dev-1": 1.0},
         "caption": caption, "img_set": {"id": 1, "members": members}}
        for n, caption in enumerate(captions)
    ]  # fmt: skip
    save(root / "captions/cap.rc2.val.json", records)


def test_folders_of_sessions_are_found(tmp_path: Path) -> None:
    turn = [0, ["is red", "is long"], "B1"]
    circled = save(tmp_path / "circled" / "sessions.json", [session("s", "x", "y")])
    multi = save(tmp_path / "multi" / "dress.val.json", [{"target": [0, "B2"], "reference": [turn, turn]}])
    lines = tmp_path / "circled" / "more.jsonl"
    lines.write_text(json.dumps(session("t", "x")) + "\n")
    save(tmp_path / "circled" / "other.json", {"reference": "no list", "target": "x"})
    (tmp_path / "circled" / "broken.json").write_text("[{")
    names = benchmarks_under(tmp_path)
    assert names == [f"circled:{lines}", f"circled:{circled}", f"multiturn:{multi}"]
    assert [check(name).counts.get("turns") for name in names] == [None, 2, 2]


def test_blank_texts_are_told(tmp_path: Path) -> None:
    cirr(tmp_path, "a dog", " ", "")
    assert "2 queries have a blank text: 1, 2" in check(f"cirr:{tmp_path}").findings
    save(tmp_path / "s.json", [session("s", "x", "\n"), session("t", "x")])
    assert "1 query has a blank text: s" in check(f"circled:{tmp_path / 's.json'}").findings


def test_blank_texts_of_the_real_files_are_told() -> None:
    assert "1 query has a blank text: 27098" in check(f"cirr:{real('cirr')}:test1").findings
    told = check(f"fashioniq:{real('fashioniq')}").findings
    assert "3 queries have a blank text: shirt-1928, toptee-676, toptee-1076" in told


def test_a_broken_dataset_says_nothing_of_the_others(command: Command, tmp_path: Path) -> None:
    cirr(tmp_path / "all" / "good", "a dog")
    cirr(tmp_path / "all" / "bad", "a dog")
    (tmp_path / "all" / "bad" / "captions/cap.rc2.val.json").write_text("[{")
    done = command("data", "check", tmp_path / "all", tmp_path / "nowhere", code=2)
    assert "1 queries" in done.stdout
    assert "0 of 6 pictures are there; 6 are missing, the first of them dev-0" in done.stdout
    assert "cap.rc2.val.json: neither a JSON list nor JSON lines" in done.stderr
    assert "no benchmark is named" in done.stderr
    told = json.loads(command("data", "check", tmp_path / "all", "--json", code=1).stdout)
    assert [("error" in one, one["name"].split("/")[-1]) for one in told] == [
        (False, "good:val"),
        (True, "bad:val"),
    ]
