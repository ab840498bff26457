"""`circlet mcp` in a process of its own, talked to by the official client."""

import base64
import io
import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.app.awaiting import awaited
from tests.command import Command, Picture

COLOURS = ("red", "green", "blue", "black", "white", "orange")


@pytest.fixture
def folder(picture: Picture, command: Command) -> Path:
    """Six indexed pictures of one colour each, and one beside the folder."""
    for number, colour in enumerate(COLOURS):
        folder = picture(f"album/{colour}.jpg", colour, seed=number).parent
    picture("outside.jpg", "pink")
    command("index", folder)
    return folder


def talked(command: Command, folder: Path, talk: Callable[[Any], Awaitable[None]], *options: str) -> None:
    """A talk with the real command over its standard input and output."""
    mcp = pytest.importorskip("mcp")
    call = ["-m", "circlet", "mcp", str(folder), *options]
    server = mcp.StdioServerParameters(command=sys.executable, args=call, env=command.environment)

    async def session() -> None:
        async with mcp.Client(server) as client:
            await talk(client)

    awaited(session())


def text(answer: Any) -> str:
    return "\n".join(one.text for one in answer.content if one.type == "text")


def pictures(answer: Any) -> list[Image.Image]:
    files = [base64.b64decode(one.data) for one in answer.content if one.type == "image"]
    return [Image.open(io.BytesIO(file)) for file in files]


def test_an_assistant_searches_refines_looks_and_asks_why(command: Command, folder: Path) -> None:
    async def talk(client: Any) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {"search", "refine", "show", "explain"}
        found = await client.call_tool("search", {"picture": "red.jpg", "words": "in blue", "top": 3})
        assert not found.is_error, text(found)
        assert text(found).splitlines()[1].startswith("1. blue.jpg (")
        shown = pictures(found)
        assert len(shown) == 3
        red, _, blue = shown[0].resize((1, 1)).getpixel((0, 0))
        assert blue > 200 > 60 > red
        # Where the pictures lie on the machine is not told.
        assert str(folder) not in text(found)
        larger = pictures(await client.call_tool("show", {"number": 1}))
        assert [one.size for one in larger] == [(320, 240)]
        why = text(await client.call_tool("explain", {"number": 1}))
        assert "in blue: holds" in why
        further = await client.call_tool("refine", {"dislike": [1], "words": "green"})
        assert "dislike blue.jpg" in text(further)
        assert "blue.jpg (" not in text(further)
        back = await client.call_tool("refine", {"undo": True})
        assert text(back).count("→") == text(further).count("→") - 1

    talked(command, folder, talk)


def test_what_cannot_be_done_is_one_sentence_and_the_talk_goes_on(command: Command, folder: Path) -> None:
    async def talk(client: Any) -> None:
        async def refused(tool: str, **given: Any) -> str:
            answer = await client.call_tool(tool, given)
            assert answer.is_error
            assert not pictures(answer)
            return text(answer)

        assert "search first" in await refused("show", number=1)
        for outside in ("../outside.jpg", str(folder.parent / "outside.jpg"), "/etc/passwd"):
            assert "no indexed picture has this path" in await refused("search", picture=outside)
        assert "an empty turn" in await refused("search")
        found = await client.call_tool("search", {"words": "red", "top": 2})
        assert "no result 9: there are 2" in await refused("show", number=9)
        assert "nothing was asked" in await refused("refine")
        again = await client.call_tool("refine", {"like": [1]})
        assert text(again).splitlines()[0].startswith(text(found).splitlines()[0])

    talked(command, folder, talk)


def test_how_likely_a_result_answers_is_said(command: Command, folder: Path) -> None:
    async def talk(client: Any) -> None:
        found = text(await client.call_tool("search", {"words": "blue", "top": 2}))
        assert re.match(r"1\. blue\.jpg \(0\.\d{3}, relevance \d\d %\)", found.splitlines()[1])
        worse = text(await client.call_tool("refine", {"words": "a dog"}))
        assert re.match(
            r"nothing matches \(the best result has a relevance of \d %, and ", worse.splitlines()[1]
        )

    talked(command, folder, talk, "--rerank", "circlet.testing:ToyScorer")
    assert "no scorer 'sun'" in command("mcp", folder, "--rerank", "sun", code=2).stderr


def test_nothing_indexed_is_said_before_anything_is_started(command: Command) -> None:
    pytest.importorskip("mcp")
    assert "run circlet index FOLDER first" in command("mcp", code=2).stderr
