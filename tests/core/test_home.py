"""One folder for everything, moved by one variable."""

import os
from pathlib import Path

import pytest

from circlet.core.home import home, keep_private, room


def test_home_is_where_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CIRCLET_HOME", "/srv/circlet")
    assert home() == Path("/srv/circlet")


def test_a_tilde_is_the_home_of_the_person(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/anna")
    monkeypatch.setenv("CIRCLET_HOME", "~/pictures")
    assert home() == Path("/home/anna/pictures")


@pytest.mark.parametrize("said", [None, ""])
def test_home_is_hidden_in_the_home_of_the_person_otherwise(
    monkeypatch: pytest.MonkeyPatch, said: str | None
) -> None:
    monkeypatch.setenv("HOME", "/home/anna")
    if said is None:
        monkeypatch.delenv("CIRCLET_HOME", raising=False)
    else:
        monkeypatch.setenv("CIRCLET_HOME", said)
    assert home() == Path("/home/anna/.circlet")


def test_asking_for_home_makes_no_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CIRCLET_HOME", str(tmp_path / "later"))
    assert not home().exists()


@pytest.mark.skipif(os.name != "posix", reason="who may read a folder is said otherwise there")
def test_home_is_its_owners_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CIRCLET_HOME", str(tmp_path / "deep" / "home"))
    assert room("models") == tmp_path / "deep" / "home" / "models"
    assert home().stat().st_mode & 0o777 == 0o700
    # One from before is shut, too; what belongs to everybody stays open.
    for mode, after in ((0o755, 0o700), (0o1777, 0o1777)):
        home().chmod(mode)
        keep_private(home())
        assert home().stat().st_mode & 0o7777 == after


def test_a_home_that_cannot_be_made_is_told_by_whoever_writes(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    keep_private(tmp_path / "file" / "home")
    assert (tmp_path / "file").read_bytes() == b""
