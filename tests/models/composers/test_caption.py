"""Caption-then-merge, built in and with a chat server: a real one on 127.0.0.1, small and scripted."""

import base64
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from circlet.core import Query, ServiceError, Turn, UsageError
from circlet.models import load_method
from circlet.models.chat import Chat
from circlet.models.features import Features
from circlet.testing import FakeChatServer


def answer(content: str | list[dict]) -> str:
    """Sees the colour of a picture, and merges by joining."""
    if isinstance(content, str):
        description, change = content.split("Description: ")[1].split("\nChange: ")
        return f"{description} {change}"
    encoded = content[1]["image_url"]["url"].removeprefix("data:image/jpeg;base64,")
    red, _, blue = Image.open(io.BytesIO(base64.b64decode(encoded))).resize((1, 1)).getpixel((0, 0))
    return "a dog, red" if red > blue else "a dog, blue"


@pytest.fixture
def server() -> Iterator[FakeChatServer]:
    with FakeChatServer(answer) as server:
        yield server


@pytest.fixture
def pictures(toy, tmp_path: Path) -> Features:
    """Two real files, red and blue, among pictures that are only named."""
    files = {}
    for colour in ("red", "blue"):
        files[f"dog {colour}"] = tmp_path / f"{colour}.png"
        Image.new("RGB", (600, 400), colour).save(files[f"dog {colour}"])
    shown = [*files, "dog red night", "dog blue night", "cat"]
    return Features(shown, toy.images(shown), toy.fingerprint, files=files)


def test_a_server_describes_and_merges(toy, pictures: Features, server: FakeChatServer) -> None:
    method = load_method("caption", toy, server=server.url, model="see", key="secret")
    queries = [Query(id, (Turn(picture=id, text="at night"),)) for id in pictures.ids[:2]]
    first = [ranking.ids[0] for ranking in method.rank(queries, pictures)]
    assert first == ["dog red night", "dog blue night"]
    assert len(server.asked) == 4
    assert {body["model"] for body in server.asked} == {"see"}
    assert set(server.keys) == {"Bearer secret"}
    method.rank(queries, pictures)
    assert len(server.asked) == 4, "a picture is described once, a change merged once"


def test_the_environment_names_a_server(toy, pictures, server: FakeChatServer, monkeypatch) -> None:
    monkeypatch.setenv("CIRCLET_LLM_URL", server.url)
    monkeypatch.setenv("CIRCLET_LLM_MODEL", "see")
    method = load_method("caption", toy)
    method.rank([Query("q", (Turn(picture=pictures.ids[0], text="at night"),))], pictures)
    assert [body["model"] for body in server.asked] == ["see", "see"]
    assert server.keys == [None, None]
    monkeypatch.delenv("CIRCLET_LLM_MODEL")
    with pytest.raises(UsageError, match=r"which model of .*CIRCLET_LLM_MODEL"):
        load_method("caption", toy)


def test_a_busy_server_is_asked_again(server: FakeChatServer) -> None:
    server.troubles = [(503, b""), (429, b"")]
    assert Chat(server.url, "see").ask("Description: a\nChange: b") == "a b"
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("troubles", "message"),
    [
        (
            [(401, b'{"error": {"message": "bad\\nkey"}}')],
            "completions: 401 Unauthorized: bad key$",
        ),
        ([(400, b'{"error": "no such model"}')], "400 Bad Request: no such model"),
        ([(500, b"")] * 3, "500 Internal Server Error$"),
        ([(200, b"<html>")] * 3, "not JSON: is this a chat server"),
        ([(200, b'{"choices": []}')] * 3, "not a chat completion"),
        ([(200, b'{"choices": [{"message": {"content": " "}}]}')] * 3, "answered with nothing"),
    ],
)
def test_a_server_in_trouble_is_one_clear_line(server: FakeChatServer, troubles: list, message: str) -> None:
    server.troubles = troubles
    with pytest.raises(ServiceError, match=message):
        Chat(server.url, "see", pause=0).ask("Description: a\nChange: b")
    assert not server.troubles, "it is asked as often as was said, and no more"


def test_an_answer_that_makes_no_sense_is_asked_for_again_and_paid_for_once(server: FakeChatServer) -> None:
    server.troubles = [(200, b"<html>"), (200, b'{"choices": 3}')]
    chat = Chat(server.url, "see", pause=0)
    assert chat.ask("Description: a\nChange: b") == "a b"
    assert len(server.asked) == 3
    assert str(chat.bill).startswith("1 call, ")


def test_no_server_at_all_is_one_clear_line(server: FakeChatServer) -> None:
    gone = FakeChatServer(answer)
    gone.server_close()
    with pytest.raises(ServiceError, match=r"no answer .*is the server running\?"):
        Chat(gone.url, "see", tries=2, pause=0).ask("hello")
    with pytest.raises(UsageError, match="begins with http"):
        Chat("localhost", "see")


def test_the_key_stays_out_of_sight() -> None:
    assert "secret" not in repr(Chat("http://x", "m", "secret"))


def test_built_in_merging_needs_no_server(toy, album) -> None:
    method = load_method(
        "caption", toy, describe=lambda ids, pictures: [" with ".join(id.split()) for id in ids]
    )
    turn = Turn(picture="beach people", text="at night, remove the people")
    assert method.rank([Query("q", (turn,))], album)[0].ids[0] == "beach night"


def test_where_the_change_leaves_nothing_the_picture_loses_it(toy, album) -> None:
    method = load_method("caption", toy, describe=lambda ids, pictures: ["people"] * len(ids))
    turn = Turn(picture="beach people", text="no people")
    assert method.rank([Query("q", (turn,))], album)[0].ids[0] == "beach"


def test_one_half_alone_is_that_half(toy, album) -> None:
    method = load_method("caption", toy)
    asked = [Query("p", (Turn(picture="dog red"),)), Query("t", (Turn(text="city night"),))]
    assert [ranking.ids[0] for ranking in method.rank(asked, album)] == ["dog red", "city night"]
