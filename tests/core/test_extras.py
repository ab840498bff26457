"""A package that an extra brings, and is not there."""

import tomllib
from pathlib import Path

import pytest

from circlet.core.errors import UsageError
from circlet.core.extras import _BRINGS, needed, remedy


def test_what_is_there_is_no_trouble_and_what_is_not_has_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    needed("numpy", "json")
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    with pytest.raises(UsageError, match=r"this needs torch, .* pip install 'circlet\[train\]'"):
        needed("numpy", "torch")


def test_a_package_of_nobody_is_no_extra() -> None:
    assert remedy(ModuleNotFoundError(name="surely_not_there")) is None
    with pytest.raises(ModuleNotFoundError):
        needed("surely_not_there")


def test_each_extra_is_one_that_can_be_installed() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(_BRINGS) <= set(project["project"]["optional-dependencies"])
