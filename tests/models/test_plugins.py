"""Methods, scorers and encoders of one's own: the documentation's examples, by the real command."""

import re
import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import pytest
from tests.worlds import World

from circlet.core import UsageError
from circlet.models import load_encoder, load_method, plugins

DOCS = Path(__file__).parents[2] / "docs" / "extending.md"
BLOCKS = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the documentation's `mine.py`: all its examples in one file."""
    (tmp_path / "mine.py").write_text("\n".join(BLOCKS[:-1]), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    return tmp_path


def test_a_method_of_twelve_lines_is_evaluated(command: Any, world: World, here: Path) -> None:
    bench = f"tableaux:cir:{world.root}:val"
    text = command("eval", "--method", "mine:Sharp", "--bench", bench, cwd=here).stdout
    assert "mine:Sharp" in text
    assert "0x" not in text
    cut = command(
        "eval", "--method", "mine:Sharp % 100 >> text", "--bench", bench, "--no-baselines", "--json", cwd=here
    )
    assert '"mine:Sharp % 100 >> text"' in cut.stdout


def test_the_example_in_the_documentation_holds(here: Path) -> None:
    names: dict[str, Any] = {}
    for block in BLOCKS:
        exec(block, names)  # the last block asserts


def test_an_index_is_made_and_searched_with_them(command: Any, here: Path, picture: Any) -> None:
    folder = picture("dark.png", (10, 10, 10)).parent
    picture("bright.png", (240, 240, 240), seed=1)
    picture("grey.png", (120, 120, 120), seed=2)
    command("index", folder, "--encoder", "mine:Grey", cwd=here)
    hits = command("search", "dark", "--encoder", "mine:Grey", "--all", cwd=here).stdout.splitlines()
    assert [Path(line.split()[2]).stem for line in hits] == ["dark", "grey", "bright"]
    lines = "dark\nlike 2\n"
    told = command("session", "--method", "image % 3 >> mine:Bright", feed=lines, cwd=here).stdout
    assert [Path(line.split()[2]).stem for line in told.splitlines()][:3] == ["bright", "grey", "dark"]
    towards = command("search", "bright", "--method", "mine:Towards", "--all", cwd=here).stdout
    assert Path(towards.splitlines()[0].split()[2]).stem == "bright"


def test_what_cannot_be_loaded_is_one_sentence(command: Any, here: Path, picture: Any) -> None:
    command("index", picture("a.png").parent)
    for name, told in (
        ("nowhere:Thing", "No module named 'nowhere'; install that package"),
        ("mine:Gone", "check the name behind the colon"),
        ("mine:np", "it must be a circlet.core Method or Scorer"),
        ("mine:Bright", "scores candidates and finds none itself: write 'edits % 100 >> mine:Bright'"),
        ("mine:Bright % 3", "is a scorer and stands behind >> only"),
    ):
        assert told in command("search", "red", "--method", name, code=2, cwd=here).stderr


def test_an_installed_package_announces_names(here: Path, monkeypatch: pytest.MonkeyPatch, toy: Any) -> None:
    announced = EntryPoints(
        [
            EntryPoint("towards", "mine:Towards", "circlet.methods"),
            EntryPoint("grey", "mine:Grey", "circlet.encoders"),
            EntryPoint("lost", "nowhere:Thing", "circlet.methods"),
        ]
    )
    sys.path.insert(0, str(here))
    monkeypatch.setattr(plugins, "_entry_points", lambda group: announced.select(group=group))
    assert repr(load_method("towards % 5", toy)) == "Towards() % 5"
    assert load_encoder("grey").fingerprint == "grey:1"
    with pytest.raises(UsageError, match=r"pick one of .*lost, towards"):
        load_method("toward", toy)
    with pytest.raises(UsageError, match=r"the plug-in lost cannot be loaded"):
        load_method("lost", toy)
    with pytest.raises(UsageError, match=r"pick builtin, builtin:int8, fine, .*grey"):
        load_encoder("gray")
