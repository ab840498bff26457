"""`circlet verify` on an index that a disk has damaged: told, repaired, made again."""

import json
from typing import Any


def test_damage_is_told_repaired_and_made_again(command: Any, picture: Any) -> None:
    folder = picture("red.jpg", "red").parent
    picture("blue.jpg", "blue")
    command("index", folder)
    files = (command.home / "index").glob("vectors-*.f32")
    vectors = max(files, key=lambda file: file.stat().st_size)
    data = bytearray(vectors.read_bytes())
    data[3] ^= 1
    vectors.write_bytes(data)
    told = command("verify", code=1).stdout
    assert told == f"{vectors.name}: vectors 0 to 1 changed on the disk: {REMEDY}\n"
    dropped, whole = command("verify", "--repair").stdout.splitlines()
    assert dropped == f"dropped, run circlet index: {vectors.name}: vectors 0 to 1 changed on the disk"
    assert whole == f"{command.home / 'index'}: whole"
    assert command("index", folder).stdout == f"{folder}: 2 added\n"
    found = json.loads(command("search", "red", "--json", "--all").stdout)["results"]
    assert len(found) == 2


REMEDY = "`circlet verify --repair` drops them, `circlet index` makes them again"
