"""Files are read with errors that say what to do, and written whole or not at all."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from circlet.core import DataError, UsageError
from circlet.core.files import (
    parse_json,
    read_text,
    replacing,
    unread,
    write_lines,
    write_text,
    written_whole,
)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_mark_before_utf_8_is_no_part_of_the_text(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbf\xc3\xa4")
    assert read_text(tmp_path / "a", "") == "ä"


def test_a_file_that_is_not_there_was_named_wrongly(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a: No such file or directory; name another"):
        read_text(tmp_path / "a", "name another")
    with pytest.raises(UsageError, match="Is a directory; name another"):
        read_text(tmp_path, "name another")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no device without end on this system")
def test_a_device_without_end_is_not_begun() -> None:
    with pytest.raises(UsageError, match="/dev/zero: a device, not a file; name another"):
        read_text("/dev/zero", "name another")


@pytest.mark.parametrize(
    ("text", "said"),
    [("[" * 100_000, "nested too deeply"), ("[1%s]" % ("0" * 5000), "5001 digits"), ("[1", "delimiter")],
)
def test_json_that_cannot_be_read_is_one_kind_of_error(text: str, said: str) -> None:
    with pytest.raises(json.JSONDecodeError, match=said):
        parse_json(text)


def test_a_file_that_is_no_text_is_bad_data(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xff\xfe")
    with pytest.raises(DataError, match="a: not text in UTF-8; save it again"):
        read_text(tmp_path / "a", "save it again")


def test_a_file_that_the_system_keeps_back_is_no_fault_of_its_name() -> None:
    error = unread("a", PermissionError(13, "Permission denied"), "ask its owner")
    assert isinstance(error, DataError)
    assert str(error) == "a: Permission denied; ask its owner"


def test_text_is_written_in_utf_8_with_plain_line_ends(tmp_path: Path) -> None:
    with written_whole(tmp_path / "new" / "folder" / "a.txt") as file:
        file.write("ä\n")
    assert (tmp_path / "new" / "folder" / "a.txt").read_bytes() == b"\xc3\xa4\n"
    assert names(tmp_path / "new" / "folder") == ["a.txt"]


def test_text_is_utf_8_where_the_machine_speaks_something_else(tmp_path: Path) -> None:
    script = f"from circlet.core.files import write_text; write_text({str(tmp_path / 'a')!r}, '\\xe4')"
    ascii_only = {**os.environ, "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    subprocess.run([sys.executable, "-c", script], env=ascii_only, check=True)
    assert (tmp_path / "a").read_bytes() == b"\xc3\xa4"


def test_bytes_are_written_as_they_are(tmp_path: Path) -> None:
    with written_whole(tmp_path / "a", "wb") as file:
        file.write(b"\xff\r\n\x00")
    assert (tmp_path / "a").read_bytes() == b"\xff\r\n\x00"
    assert names(tmp_path) == ["a"]


def test_the_old_file_is_there_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = write_text(tmp_path / "a", "old")
    with written_whole(path) as file:
        file.write("new")
        file.flush()
        assert path.read_text() == "old"
    assert path.read_text() == "new"


@pytest.mark.parametrize(("mode", "half"), [("w", "new"), ("wb", b"new")])
def test_a_failure_in_the_middle_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, mode: str, half: str | bytes
) -> None:
    path = write_text(tmp_path / "a", "old")

    def stopped() -> None:
        with written_whole(path, mode) as file:
            file.write(half)
            file.flush()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert path.read_text() == "old"
    assert names(tmp_path) == ["a"]


def test_a_failure_in_the_middle_of_a_first_file_leaves_none(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="not JSON serializable"):
        write_lines(tmp_path / "a", [{"a": 1}, {"b": object()}])
    assert names(tmp_path) == []


def test_a_folder_in_the_way_is_named_and_kept(tmp_path: Path) -> None:
    write_text(tmp_path / "a" / "inside", "kept")
    with pytest.raises(UsageError, match=r"a: cannot be written there \(Is a directory\); name another file"):
        write_text(tmp_path / "a", "new")
    assert (tmp_path / "a" / "inside").read_text() == "kept"
    assert names(tmp_path) == ["a"]


def test_a_file_where_a_folder_should_be_is_kept(tmp_path: Path) -> None:
    write_text(tmp_path / "a", "kept")
    with pytest.raises(UsageError, match=r"b: cannot be written there \(.+\); name another file"):
        write_text(tmp_path / "a" / "b", "new")
    assert (tmp_path / "a").read_text() == "kept"


def test_a_device_is_written_to_straight() -> None:
    # A terminal of the test's own: if this ever fails, no device of the machine is harmed.
    screen, terminal = os.openpty()
    device = Path(os.ttyname(terminal))
    write_text(device, "hello")
    assert os.read(screen, 100) == b"hello"
    assert device.is_char_device()
    os.close(terminal)
    os.close(screen)


def test_a_full_disk_leaves_the_old_file_and_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_text(tmp_path / "a", "old")

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(
        UsageError, match=r"a: cannot be written there \(No space left on device\); name another"
    ):
        write_text(path, "new")
    assert path.read_text() == "old"
    assert names(tmp_path) == ["a"]


def test_a_pipe_gets_the_text_and_stays_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_text(tmp_path / "pipe", "hello")
    assert os.read(reader, 100) == b"hello"
    os.close(reader)
    assert (tmp_path / "pipe").is_fifo()
    assert names(tmp_path) == ["pipe"]


def test_a_link_still_leads_to_the_file_that_was_written(tmp_path: Path) -> None:
    end = write_text(tmp_path / "far" / "end", "old")
    (tmp_path / "link").symlink_to(end)
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert end.read_text() == "new"
    assert (names(tmp_path), names(tmp_path / "far")) == (["far", "link"], ["end"])


def test_of_two_writers_the_last_to_finish_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with written_whole(path) as first:
        first.write("the first ")
        with written_whole(path) as second:
            second.write("second")
            first.write("and longer ")
        assert path.read_text() == "second"
        first.write("text")
    assert path.read_text() == "the first and longer text"
    assert names(tmp_path) == ["a"]


def test_many_writers_at_once_do_not_mix(tmp_path: Path) -> None:
    texts = [letter * 100_000 for letter in "abcdefgh"]
    with ThreadPoolExecutor(len(texts)) as pool:
        paths = list(pool.map(lambda text: write_text(tmp_path / "a", text), texts))
    assert set(paths) == {tmp_path / "a"}
    assert (tmp_path / "a").read_text() in texts
    assert names(tmp_path) == ["a"]


def test_a_library_writes_beside_the_file_that_it_replaces(tmp_path: Path) -> None:
    path = write_text(tmp_path / "a.npy", "old")
    with replacing(path) as half:
        half.write_bytes(b"new")
        assert half.parent == tmp_path, "a move inside one folder is all or nothing"
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert names(tmp_path) == ["a.npy"]


def test_one_object_a_line(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", ({"id": id} for id in ("ä", "b")))
    assert path.read_bytes() == '{"id": "ä"}\n{"id": "b"}\n'.encode()


def test_an_error_about_another_file_is_not_blamed_on_the_one_being_written(tmp_path: Path) -> None:
    def lines():
        yield {"a": (tmp_path / "nope.json").read_text()}

    with pytest.raises(FileNotFoundError, match=r"nope\.json"):
        write_lines(tmp_path / "out.jsonl", lines())
    assert list(tmp_path.iterdir()) == []


def test_half_a_letter_is_one_line_and_the_old_file_stays(tmp_path: Path) -> None:
    path = write_text(tmp_path / "names.csv", "old")
    with pytest.raises(DataError, match=r"names\.csv: not written, because …a \\udce4 b… is no valid text"):
        write_text(path, "a \udce4 b")
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]
