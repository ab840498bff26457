"""The documentation: the site builds with no dead link, and what stands in a block works."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from PIL import Image

from circlet.app.cli.main import cli
from tests.command import Command

ROOT = Path(__file__).parents[1]
PAGES = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")})
# Run by tests of their own: beside a server, beside the tableaux world.
ELSEWHERE = {"docs/api.md", "docs/extending.md"}


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a page in one language; "" is a block that names none."""
    found: list[tuple[str, list[str]]] = []
    inside = False
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            inside = not inside
            if inside:
                found.append((line[3:].strip(), []))
        elif inside:
            found[-1][1].append(line)
    return ["\n".join([*lines, ""]) for named, lines in found if named == language]


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory, at_home: Callable[[Path], Command]) -> Command:
    """Somebody with pictures at home, all of them indexed, and one beside them."""
    place = tmp_path_factory.mktemp("person")
    command = at_home(place / "circlet")
    (place / "Pictures").mkdir()
    for number, colour in enumerate(("red", "green", "blue", "white", "black", "orange", "purple", "grey")):
        picture = Image.new("RGB", (160, 120), colour)
        picture.paste(Image.new("RGB", (40, 30 + 5 * number), "yellow"), (10 * number, 20))
        picture.save(place / "Pictures" / f"{colour}.jpg")
    Image.new("RGB", (160, 120), "khaki").save(place / "beach.jpg")
    (place / "bin").mkdir()
    circlet = place / "bin" / "circlet"
    # One colour is no dog: that nothing matches (exit code 1) is an answer here.
    lines = f'#!/bin/sh\n{shlex.quote(sys.executable)} -m circlet "$@" || test $? = 1\n'
    circlet.write_text(lines, encoding="utf-8")
    circlet.chmod(0o755)
    command("index", place / "Pictures")
    return command


def run(person: Command, *call: str) -> None:
    """A call in this person's folder, as this person; one that fails shows what it said."""
    place = person.home.parent
    path = f"{place / 'bin'}:{os.environ['PATH']}"
    environment = {**person.environment, "HOME": str(place), "PATH": path}
    done = subprocess.run(call, cwd=place, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks(page, "python") and name(page) not in ELSEWHERE], ids=name
)
def test_a_pages_python_runs_from_its_first_line_to_its_last(page: Path, person: Command) -> None:
    run(person, sys.executable, "-c", "\n".join(blocks(page, "python")))


@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks(page, "sh") and name(page) not in ELSEWHERE], ids=name
)
def test_a_pages_shell_lines_work(page: Path, person: Command) -> None:
    run(person, "bash", "-euo", "pipefail", "-c", "\n".join(blocks(page, "sh")))


def lines() -> Iterator[tuple[str, str]]:
    """Every line of the documentation that calls circlet, with the page that it stands on."""
    for page in PAGES:
        indented = re.findall(r"^    .*$", page.read_text(encoding="utf-8"), re.MULTILINE)
        text = "\n".join([*blocks(page, ""), *blocks(page, "sh"), *indented]).replace("\\\n", " ")
        for line in re.findall(r"^ *(?:\$ )?(circlet [a-z].*)$", text, re.MULTILINE):
            for part in re.split(r" \| ", re.sub(r"\s#.*", "", line)):
                yield name(page), part


def unknown(line: str) -> list[str]:
    """The words of a command line that the command does not know as commands or options."""
    words = shlex.split(line)[1:]
    command: click.Command = cli
    while isinstance(command, click.Group) and words:
        if command.name == "studio" and words[0].endswith(".toml"):
            words = ["serve", *words]  # which may be left out before a project's file
        try:
            _, below, words = command.resolve_command(click.Context(command), words)
        except click.UsageError:
            return words[:1]
        assert below is not None
        command = below
    known = {name for param in command.params for name in (*param.opts, *param.secondary_opts)} | {"--help"}
    return [word for word in words if re.match(r"--?[a-z]", word) and word.split("=")[0] not in known]


def test_every_command_and_option_that_is_shown_exists() -> None:
    shown = list(lines())
    assert len(shown) > 60
    assert not [(page, line, odd) for page, line in shown if (odd := unknown(line))]
    assert unknown("circlet serach dog") == ["serach"]
    assert unknown("circlet search dog --tpo 5") == ["--tpo"]


def test_what_is_installed_has_its_reason_and_every_extra_its_line() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    installing = (ROOT / "docs/installing.md").read_text(encoding="utf-8")
    told = " ".join(re.findall(r"^\| ([a-z0-9, -]+) \| [0-9]+\.[0-9] \|", installing, re.MULTILINE))
    base = [re.split(r"[><=;]", one)[0] for one in project["dependencies"]]
    assert sorted(told.replace(",", "").split()) == sorted(base)
    start = (ROOT / "docs/quickstart.md").read_text(encoding="utf-8")
    listed = re.findall(
        r"`([a-z0-9]+)`", " ".join(re.findall(r"^\| (`[a-z0-9`, ]+) \|", start, re.MULTILINE))
    )
    assert {*listed, "dev", "docs"} == set(project["optional-dependencies"])


def test_links_of_the_pages_beside_the_site_lead_somewhere() -> None:
    for page in ROOT.glob("*.md"):
        text = page.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)|srcset=\"([^\"]+)|src=\"([^\"]+)", text):
            link = "".join(target)
            assert link.startswith("https://") or (page.parent / link).exists(), f"{page.name}: {link}"


def test_the_site_builds_and_no_link_in_it_is_dead(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    reference = (tmp_path / "site/reference/dialogue.html").read_text(encoding="utf-8")
    assert "circlet.dialogue.session.Session.strike" in reference
    assert "circlet eval" in (tmp_path / "site/reference/commands.html").read_text(encoding="utf-8")
    # Doctests are code there, not quotations.
    assert "&gt;&gt;&gt; " in reference or 'class="gp">&gt;&gt;&gt;' in reference
    assert "<blockquote>" not in reference
