"""`circlet index` on real folders: what is new, changed, renamed, gone, broken or in the way."""

import ctypes
import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

from circlet.index.embedded.embedded import Embedded


def known(command: Any) -> dict[str, Any]:
    return json.loads(command("info", "--json").stdout)


def test_only_what_is_new_or_changed_is_read_again(command: Any, picture: Any) -> None:
    red, blue = picture("red.jpg", "red"), picture("sub/blue.png", "blue")
    folder = red.parent
    assert command("index", folder).stdout == f"{folder}: 2 added\n"
    assert command("index", folder).stdout == f"{folder}: 2 unchanged\n"
    os.utime(blue, (1, 1))
    assert command("index", folder).stdout == f"{folder}: 2 unchanged\n"
    picture("red.jpg", "green")
    picture("new.webp", "yellow")
    assert command("index", folder).stdout == f"{folder}: 1 added, 1 updated, 1 unchanged\n"
    red.unlink()
    assert command("index").stdout == f"{folder}: 1 forgotten, 2 unchanged\n"
    assert command("verify").stdout == f"{command.home / 'index'}: whole\n"


def test_a_renamed_picture_keeps_its_vector_and_a_copy_of_it_gets_the_same(
    command: Any, picture: Any
) -> None:
    old = picture("holiday/beach.jpg", "blue")
    folder = old.parents[1]
    command("index", folder)
    new = folder / "2024" / "strand.jpg"
    new.parent.mkdir()
    shutil.copy(old, folder / "2024" / "copy.jpg")
    old.rename(new)
    assert command("index", folder).stdout == f"{folder}: 1 added, 1 moved\n"
    with Embedded.open(command.home / "index") as store:
        assert sorted(dict(store.walk(str(folder)))) == [str(folder / "2024" / "copy.jpg"), str(new)]
        for space in store.counts().spaces:
            rows = store.space(space).vectors_of([str(new), str(folder / "2024" / "copy.jpg")])
            assert (rows[0] == rows[1]).all()


def test_every_kind_of_broken_file_is_one_line_and_work_goes_on(command: Any, picture: Any) -> None:
    good = picture("good.jpg", "red")
    folder = good.parent
    names = ["日本語.png", "Ünïcödé.jpg", "русский.jpg", "עברית.png", "हिन्दी.jpg", "👩‍🚀.png", "a b'c\"d.jpg"]
    for number, name in enumerate(names):
        picture(name, "green", seed=number + 1)
    whole = good.read_bytes()
    (folder / "cut.jpg").write_bytes(whole[: len(whole) // 2])
    (folder / "empty.png").touch()
    (folder / "words.gif").write_text("dear diary")
    (folder / "noise.webp").write_bytes(b"RIFF\x10\0\0\0WEBP" + b"\xff" * 64)
    Image.new("1", (20_000, 20_000)).save(folder / "huge.png")
    frames = [Image.new("RGB", (64, 64), colour) for colour in ("red", "blue")]
    frames[0].save(folder / "moving.gif", save_all=True, append_images=frames[1:])
    shutil.copy(good, folder / "really-a-jpeg.png")
    shutil.copy(good, folder / "raw.cr2")
    os.mkfifo(folder / "pipe.jpg")
    (folder / "loop").symlink_to(folder)
    (folder / "nowhere.jpg").symlink_to(folder / "gone.jpg")
    (folder / os.fsdecode(b"bytes-\xff.jpg")).write_bytes(whole)
    done = command("index", folder, timeout=120)
    lines = sorted(line.split(": ", 1)[-1] for line in done.stderr.splitlines())
    reasons = {Path(path).name: reason for path, reason in _skipped(done.stderr)}
    assert set(reasons) == {
        "cut.jpg", "empty.png", "words.gif", "noise.webp", "huge.png", "raw.cr2", "pipe.jpg", "loop",
        "nowhere.jpg", "bytes-�.jpg",
    }, lines  # fmt: skip
    assert "cut short" in reasons["cut.jpg"]
    assert "no bytes" in reasons["empty.png"]
    assert "20000 × 20000" in reasons["huge.png"]
    assert "pipe" in reasons["pipe.jpg"]
    assert done.stdout == f"{folder}: {len(names) + 3} added, 10 skipped\n"
    again = command("index", folder)
    assert again.stdout == f"{folder}: {len(names) + 3} unchanged, 10 skipped\n"
    listed = command("info", "--broken").stdout
    assert {Path(line.split(": ")[0]).name for line in listed.splitlines()} == set(reasons)
    (folder / "empty.png").unlink()
    (folder / "cut.jpg").write_bytes(whole + b"mended")
    assert "1 added" in command("index", folder).stdout
    listed = command("info", "--broken").stdout
    assert "cut.jpg" not in listed
    assert "empty.png" not in listed


def _skipped(said: str) -> list[tuple[str, str]]:
    lines = [line.removeprefix("skipped ") for line in said.splitlines() if line.startswith("skipped ")]
    return [(path, reason) for path, _, reason in (line.partition(": ") for line in lines)]


def test_a_vanished_folder_says_so_and_forgets_nothing(command: Any, picture: Any) -> None:
    folder = picture("a/red.jpg").parent
    command("index", folder)
    folder.rename(folder.with_name("b"))
    said = command("index", code=2).stderr
    assert f"{folder}: is not there" in said
    folder.mkdir()
    said = command("index", code=1).stderr
    assert "not one picture is left of 1, so nothing was forgotten" in said
    assert known(command)["pictures"] == 1
    assert "1 picture forgotten" in command("forget", folder).stdout
    assert known(command)["pictures"] == 0


def test_a_vanished_folder_holds_up_no_other(command: Any, picture: Any) -> None:
    gone, there = picture("a/red.jpg").parent, picture("b/blue.jpg", "blue").parent
    command("index", gone, there)
    gone.rename(gone.with_name("c"))
    picture("b/green.jpg", "green")
    done = command("index", code=2)
    assert f"{gone}: is not there" in done.stderr
    assert done.stdout == f"{there}: 1 added, 1 unchanged\n"


def test_interrupting_keeps_what_is_done(command: Any, picture: Any) -> None:
    for number in range(160):
        folder = picture(f"{number}.jpg", "red", (900, 700), seed=number).parent
    run = command.start("index", folder)
    _wait_for_pictures(command, run)
    run.send_signal(signal.SIGINT)
    _, said = run.communicate(timeout=60)
    assert run.returncode == 130, said
    assert "what is done is kept" in said
    done = known(command)["pictures"]
    assert 0 < done < 160
    assert command("verify").stdout.endswith(": whole\n")
    assert command("index", folder).stdout == f"{folder}: {160 - done} added, {done} unchanged\n"


def test_a_kill_at_any_moment_loses_no_finished_batch(command: Any, picture: Any) -> None:
    for number in range(160):
        folder = picture(f"{number}.jpg", "blue", (900, 700), seed=number).parent
    before = 0
    for pause in (0.0, 0.35):
        run = command.start("index", folder)
        _wait_for_pictures(command, run, more_than=before)
        time.sleep(pause)
        run.kill()
        run.communicate()
        assert command("verify").stdout.endswith(": whole\n")
        after = known(command)["pictures"]
        assert after > before
        before = after
    assert command("index", folder).stdout == f"{folder}: {160 - before} added, {before} unchanged\n"


def _wait_for_pictures(command: Any, run: "subprocess.Popen[str]", more_than: int = 0) -> None:
    """Until the index holds a finished batch more, while it is being written."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        assert run.poll() is None, run.communicate()
        if (command.home / "index" / "catalogue.sqlite").exists():
            try:
                with Embedded.open(command.home / "index") as store:
                    if store.counts().pictures > more_than:
                        return
            except Exception:
                pass
        time.sleep(0.02)
    raise AssertionError("no batch was finished in a minute")


def test_two_writers_exclude_each_other(command: Any, picture: Any) -> None:
    folder = picture("red.jpg").parent
    command("index", folder)
    with Embedded.open(command.home / "index", write=True):
        said = command("index", folder, code=1).stderr
        assert f"process {os.getpid()} is writing" in said
        assert command("search", "red", "--all").stdout.count("red.jpg") == 1


@pytest.mark.parametrize(("version", "says"), [(99, "newer circlet"), (0, "not circlet's")])
def test_an_index_of_another_version_is_a_message(
    command: Any, picture: Any, version: int, says: str
) -> None:
    folder = picture("red.jpg").parent
    command("index", folder)
    with sqlite3.connect(command.home / "index" / "catalogue.sqlite") as db:
        db.execute(f"PRAGMA user_version = {version}")
    assert says in command("index", folder, code=1).stderr
    command("search", "red", code=1)


def test_a_full_disk_is_one_line_and_keeps_what_was_there(command: Any, picture: Any) -> None:
    folder = picture("red.jpg").parent
    command("index", folder)
    for number in range(40):
        picture(f"{number}.jpg", "green", seed=number)
    most = sum(file.stat().st_size for file in (command.home / "index").iterdir())

    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most // 4, most // 4))

    said = command("index", folder, code=1, preexec_fn=full).stderr
    assert "full" in said
    assert len(said.splitlines()) == 1
    assert known(command)["pictures"] == 1
    assert "40 added" in command("index", folder).stdout


def _obey_permissions() -> None:
    """Before the command starts: root gives up the right to pass by permissions (nobody else has it)."""
    if os.geteuid() == 0:
        kernel, drop = ctypes.CDLL(None, use_errno=True), 24  # PR_CAPBSET_DROP
        for right in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            if kernel.prctl(drop, right, 0, 0, 0):
                raise OSError(ctypes.get_errno(), "prctl")


def test_a_picture_that_may_not_be_read_is_named(command: Any, picture: Any) -> None:
    locked = picture("locked.jpg")
    picture("open.jpg", "blue")
    locked.chmod(0)
    done = command("index", locked.parent, preexec_fn=_obey_permissions)
    assert _skipped(done.stderr) == [(str(locked), "permission denied: make it readable for you")]
    assert done.stdout == f"{locked.parent}: 1 added, 1 skipped\n"
    # Opening it up changes neither its size nor its time, and is what the message asked for.
    locked.chmod(0o600)
    done = command("index", locked.parent, preexec_fn=_obey_permissions)
    assert done.stdout == f"{locked.parent}: 1 added, 1 unchanged\n"
    assert done.stderr == ""


def test_a_read_only_home_is_searched_but_not_written(command: Any, picture: Any) -> None:
    folder = picture("red.jpg").parent
    command("index", folder)
    places = [command.home, command.home / "index", *(command.home / "index").iterdir()]
    for place in places:
        place.chmod(0o555 if place.is_dir() else 0o444)
    try:
        said = command("index", folder, code=1, preexec_fn=_obey_permissions).stderr
        assert "read-only for you" in said
        assert "CIRCLET_HOME" in said
        found = command("search", "red", "--all", preexec_fn=_obey_permissions).stdout
        assert "red.jpg" in found
    finally:
        for place in places:
            place.chmod(0o755)


def test_people_and_text_are_looked_for_after_the_vectors(
    command: Any, picture: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("skimage", reason="circlet[people] is not installed")
    from skimage import data

    folder = picture("plain.png", "blue").parent
    Image.fromarray(data.astronaut()).save(folder / "astronaut.png")
    sign = Image.new("RGB", (640, 360), (20, 60, 160))
    ImageDraw.Draw(sign).text((70, 130), "NO PARKING", fill="white", font=ImageFont.load_default(70))
    sign.save(folder / "sign.png")
    assert command("index", folder).stdout == f"{folder}: 3 added\n"
    monkeypatch.setenv("CIRCLET_LOOK", "people,text")
    assert command("index", "--no-look").stdout == f"{folder}: 3 unchanged\n"
    looked = ["counting people: 3 pictures looked at", "reading text: 3 pictures looked at"]
    assert command("index").stdout.splitlines() == [f"{folder}: 3 unchanged", *looked]
    assert command("index").stdout.splitlines() == [f"{folder}: 3 unchanged"]
    assert known(command)["looked"] == {"counting people": 3, "reading text": 3}

    said = command("search", "a portrait", "--why", "--no-pictures").stdout.splitlines()
    assert said[0].endswith("astronaut.png")
    assert "portrait ✓" in said[1]
    answer = json.loads(command("search", '"no parking"', "--json").stdout)
    assert answer["results"][0]["path"] == str(folder / "sign.png")
    assert answer["results"][0]["checks"][0]["clause"] == "says “no parking”"
    assert (
        answer["results"][0]["checks"][0]["probability"]
        > 0.5
        > answer["results"][1]["checks"][0]["probability"]
    )
    assert answer["notes"] == []
