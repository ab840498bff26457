"""`circlet move`: the index in another store, which then answers as the first one did."""

import json
from typing import Any


def test_a_moved_index_answers_the_same_bytes(command: Any, picture: Any, tmp_path: Any) -> None:
    folder = picture("red.jpg", "red").parent
    for name in ("green", "blue", "black"):
        picture(f"{name}.jpg", name)
    (folder / "bad.jpg").write_bytes(b"no picture")
    command("index", folder)
    copy = tmp_path / "copy"
    told = command("move", "--to", copy).stdout
    assert told.startswith(
        f"{copy}: 4 pictures with 8 vectors, 0 marks and 1 unreadable files, the same as in "
    )
    assert "(4 written now, checksum " in told
    again = json.loads(command("move", "--from", command.home, "--to", copy, "--json").stdout)
    assert (again["pictures"], again["written"], again["to"]) == (4, 0, str(copy))
    assert again["checksum"] in told
    asked = ("search", "something red", "--all", "--json")
    first = command(*asked).stdout
    (command.home / "index").rename(command.home / "old")
    command("move", "--from", copy, "--to", command.home / "index")
    assert command(*asked).stdout == first
    assert command("verify").stdout.endswith(": whole\n")


def test_what_cannot_be_meant_is_one_sentence_and_code_2(command: Any, picture: Any, tmp_path: Any) -> None:
    folder = picture("red.jpg", "red").parent
    command("index", folder)
    same = command("move", "--to", command.home, code=2).stderr
    assert same == f"circlet: {command.home}/index: the same store twice; name another one in --to\n"
    lost = command("move", "--from", tmp_path / "nowhere", "--to", tmp_path / "copy", code=2).stderr
    assert lost.startswith("circlet: ")
    assert str(tmp_path / "nowhere") in lost
    assert lost.count("\n") == 1
    assert not (tmp_path / "copy").exists()
    engine = command("move", "--to", "nowhere://host/name", code=2).stderr
    assert "no store is reached by nowhere://" in engine
    (tmp_path / "file").touch()
    blocked = command("move", "--to", tmp_path / "file", code=2).stderr
    assert blocked.startswith("circlet: ")
    assert blocked.count("\n") == 1
