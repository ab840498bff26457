"""A chat server that says what it is told to say, asked by the client that asks real ones."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image

from circlet.core import ServiceError
from circlet.models import chat
from circlet.models.chat import Chat
from circlet.testing import FakeChatServer
from circlet.testing.chat_server import Content


def loud(content: Content) -> str:
    """The text of the message in capitals, and how many pictures came with it."""
    if isinstance(content, str):
        return content.upper()
    [text, *pictures] = content
    return f"{text['text'].upper()} {len(pictures)}"


@pytest.fixture
def server() -> Iterator[FakeChatServer]:
    with FakeChatServer(loud) as server:
        yield server


def test_it_answers_with_what_the_function_makes_of_the_message(server: FakeChatServer) -> None:
    assert Chat(server.url, "see").ask("hello") == "HELLO"
    assert Chat(server.url, "see").ask("look", Image.new("RGB", (4, 4))) == "LOOK 1"


def test_it_keeps_what_it_was_asked(server: FakeChatServer) -> None:
    Chat(server.url, "see").ask("one")
    Chat(server.url, "other").ask("two")
    assert [(body["model"], body["messages"][0]["content"]) for body in server.asked] == [
        ("see", "one"), ("other", "two"),
    ]  # fmt: skip


def test_it_keeps_the_key_of_every_question(server: FakeChatServer) -> None:
    Chat(server.url, "see", "secret").ask("one")
    Chat(server.url, "see").ask("two")
    assert server.keys == ["Bearer secret", None]


def test_its_troubles_come_in_their_order_before_the_right_answer(
    server: FakeChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr(chat.time, "sleep", waits.append)
    server.troubles = [(503, b""), (429, b"")]
    assert Chat(server.url, "see").ask("hello") == "HELLO"
    assert (len(server.asked), server.troubles) == (3, [])
    assert waits == [0, 0], "it asks nobody to wait"


def test_its_trouble_is_told_in_its_own_words(server: FakeChatServer) -> None:
    server.troubles = [(400, b'{"error": "no such model"}')]
    with pytest.raises(ServiceError, match="400 Bad Request: no such model"):
        Chat(server.url, "see").ask("hello")
    assert Chat(server.url, "see").ask("hello") == "HELLO", "the trouble is over"


def test_it_speaks_at_one_address_only(server: FakeChatServer) -> None:
    with pytest.raises(ServiceError, match="v1/elsewhere/chat/completions: 404"):
        Chat(f"{server.url}/elsewhere", "see").ask("hello")


def test_many_may_ask_at_once(server: FakeChatServer) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(Chat(server.url, "see").ask, "abcdefgh"))
    assert answers == list("ABCDEFGH")
    assert len(server.asked) == 8


def test_two_servers_do_not_hear_each_other(server: FakeChatServer) -> None:
    with FakeChatServer(lambda content: "a dog") as second:
        assert Chat(second.url, "see").ask("hello") == "a dog"
    assert (len(server.asked), len(second.asked)) == (0, 1)


def test_it_is_gone_when_the_block_ends() -> None:
    with FakeChatServer(loud) as server:
        assert Chat(server.url, "see").ask("hello") == "HELLO"
    with pytest.raises(ServiceError, match="no answer"):
        Chat(server.url, "see", tries=1).ask("hello")
