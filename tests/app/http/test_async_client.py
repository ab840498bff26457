"""The client that awaits, against a server in a process of its own."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.app.awaiting import awaited

from circlet.app.http import client as waiting
from circlet.asyncio import Client, RemoteSession
from circlet.core import PictureError, ServiceError, UsageError


def test_a_talk_of_three_turns_is_the_waiting_clients(site: Any, homes: tuple[Path, Path]) -> None:
    apple = homes[0] / "food/red-apple.png"

    async def talk() -> RemoteSession:
        async with Client(site.address) as client:
            first = await client.search(apple, "green", top=5)
            then = await first.pick(first.results[1]["key"], "yellow")
            last = await then.like(first.results[2]["key"])
            assert (await (await last.undo()).undo()).answer["turns"] == first.answer["turns"]
            again = await client.session(first.session)
            assert again.answer["turns"] == first.answer["turns"]
            assert (await client.thumbnail(first.results[0]["key"]))[8:12] == b"WEBP"
            return last

    with waiting.Client(site.address) as client:
        first = client.search(apple, "green", top=5)
        last = first.pick(first.results[1]["key"], "yellow").like(first.results[2]["key"])
    assert awaited(talk()).results == last.results


def test_several_searches_run_side_by_side(site: Any) -> None:
    async def many() -> list[RemoteSession]:
        async with Client(site.address) as client:
            return list(await asyncio.gather(*(client.search(word, top=3) for word in ("a dog", "a car"))))

    dog, car = awaited(many())
    assert [turn["text"] for turn in (dog.answer["turns"][0], car.answer["turns"][0])] == ["a dog", "a car"]
    assert len(dog.results) == len(car.results) == 3


def test_errors_are_circlets_own(site: Any, tmp_path: Path) -> None:
    def fails(*asked: Any, address: str = site.address, **options: Any) -> None:
        async def search() -> None:
            async with Client(address) as client:
                await client.search(*asked, **options)

        awaited(search())

    with pytest.raises(UsageError, match="unknown method 'sun'"):
        fails("a dog", method="sun")
    with pytest.raises(PictureError, match="No such file"):
        fails(tmp_path / "none.png")
    with pytest.raises(ServiceError, match="is circlet serve running"):
        fails("a dog", address="http://127.0.0.1:9")
