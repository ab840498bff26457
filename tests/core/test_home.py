"""One folder for everything, moved by one variable."""

from pathlib import Path

import pytest

from circlet.core.home import home


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
