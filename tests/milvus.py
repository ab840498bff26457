"""A real Milvus server for the tests of one process, and a store in it that each test finds empty."""

from collections.abc import Iterator

import pytest

from circlet.index import open_store
from circlet.testing import milvus_server, why_no_server


@pytest.fixture(scope="session")
def milvus() -> Iterator[str]:
    """The address of a server, before a store's name."""
    if reason := why_no_server():
        pytest.skip(reason)
    with milvus_server() as server:
        yield server.address


def emptied(place: str) -> None:
    """Drop every row of a store and keep its collections, which take seconds to be made."""
    with open_store(place, write=True) as store:
        store.forget_root("/")
        link, catalogue = store._link, store._table
        for space in store._spaces().values():
            for page in link.pages(space.table, "key", "", ["key"]):
                link.delete(space.table, "key", [row["key"] for row in page])
        for page in link.pages(catalogue, "path", "", ["path"]):
            link.delete(catalogue, "path", [row["path"] for row in page])


@pytest.fixture
def milvus_place(milvus: str) -> Iterator[str]:
    """The address of a store that is empty when a test begins."""
    yield f"{milvus}/tests"
    emptied(f"{milvus}/tests")
