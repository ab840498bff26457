"""The same moves give the same ranking at the terminal, on the page and through the API."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from circlet.testing import ScriptedMove, ScriptedUser

TOP = 10


def at_the_terminal(command: Any, folder: Path, script: tuple[ScriptedMove, ...]) -> list[list[str]]:
    """What `circlet session` shows after each line, by the real command through a pipe."""
    lines = "\n".join(move.line for move in script)
    told = command("session", "--in", folder, "--top", TOP, "--no-pictures", feed=lines).stdout
    pages: list[list[str]] = []
    for line in told.splitlines():
        hit = re.match(rf" +(\d+)  -?[\d.]+  {re.escape(str(folder))}/(.+?\.png)", line)
        if line.startswith("on branch") and "goes back to" not in line:
            pages.append(pages[-1])
        elif hit and hit[1] == "1":
            pages.append([hit[2]])
        elif hit:
            pages[-1].append(hit[2])
    return pages


def through_the_api(client: TestClient, script: tuple[ScriptedMove, ...]) -> Iterator[list[str]]:
    word, hits = "new", []
    for move in script:
        body: dict[str, Any] = {"move": move.name, "text": move.text, "turn": move.turn, "path": move.path}
        if move.ranks:
            body["picture"] = hits[move.ranks[0] - 1]["key"]
        answer = client.post(f"/api/v1/sessions/{word}/moves", json={**body, "top": TOP}).json()
        word, hits = answer["session"], answer["results"]
        yield [hit["place"] for hit in hits]


def on_the_page(client: TestClient, script: tuple[ScriptedMove, ...]) -> Iterator[list[str]]:
    """By the page's own forms: its hidden fields go with every button."""
    page = client.get("/").text
    for move in script:
        form = page[page.index('<form id="act"') :]
        params = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form))
        keys = re.findall(r'class="pick" name="pick" value="([^"]+)"', form)
        if move.name == "pick":
            params["pick"] = keys[move.ranks[0] - 1]
        elif move.name in ("like", "dislike"):
            params[move.name] = keys[move.ranks[0] - 1]
        else:
            params |= {
                "say": {"text": move.text},
                "undo": {"undo": "1"},
                "back": {"back": str(move.turn)},
                "branch": {"branch": move.path},
                "switch": {"switch": move.path},
                "strike": {"strike": move.text},
                "turn": {"turn": move.text},
                "edit": {"edit": move.text, "step": str(move.turn)},
                "drop": {"drop": str(move.turn)},
                "also": {"also": "0"},
                "instead": {"instead": "0"},
            }[move.name]
        page = client.get("/act", params=params, follow_redirects=True).text
        if move.name == "pick" and move.text:
            s = re.search(r'name="s" value="([^"]+)"', page)
            assert s is not None
            page = client.get("/act", params={"s": s[1], "text": move.text}, follow_redirects=True).text
        yield re.findall(r'class="file" title="([^"]+)"', page)[:TOP]


@pytest.mark.parametrize("seed", range(20))
def test_twenty_sessions_are_the_same_everywhere(
    inside: TestClient, homes: tuple[Path, Path], at_home: Any, seed: int
) -> None:
    folder, home = homes
    script = ScriptedUser.at_random(seed, length=7).script
    shown = at_the_terminal(at_home(home), folder, script)
    assert len(shown) == len(script)
    assert list(through_the_api(inside, script)) == shown
    assert list(on_the_page(inside, script)) == shown
    assert len({tuple(page) for page in shown}) > 1, "the moves did something"
