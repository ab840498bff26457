"""The page's ways once more, over an index in a Milvus server: the tests are those of the page itself."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.app.conftest import Site
from tests.app.web import test_browsing as browsing
from tests.app.web import test_search_page as searching
from tests.milvus import emptied

test_three_turns_by_mouse = searching.test_three_turns_by_mouse
test_why_tells_which_clauses_hold_and_that_they_set_the_order = (
    searching.test_why_tells_which_clauses_hold_and_that_they_set_the_order
)
test_upload_by_drop_and_by_file = searching.test_upload_by_drop_and_by_file
test_back_reload_and_shared_link_keep_the_session = (
    searching.test_back_reload_and_shared_link_keep_the_session
)
test_endless_scroll_keeps_the_place = searching.test_endless_scroll_keeps_the_place
test_weights_filters_and_folded_copies = searching.test_weights_filters_and_folded_copies
test_one_looks_by_date_and_by_folder_before_searching = (
    browsing.test_one_looks_by_date_and_by_folder_before_searching
)
test_filters_on_the_start_page_have_real_counts = browsing.test_filters_on_the_start_page_have_real_counts
shaped = browsing.shaped


def over(milvus: str, command: Any, folder: Path, name: str) -> Iterator[Site]:
    """A site over a folder whose index is in the server."""
    place = f"{milvus}/{name}"
    command("index", folder, "--store", place)
    served = Site(command, folder, "--store", place).start()
    yield served
    served.stop()
    emptied(place)


@pytest.fixture(scope="module")
def site(homes: tuple[Path, Path], at_home: Any, milvus: str) -> Iterator[Site]:
    yield from over(milvus, at_home(homes[1]), homes[0], "page")


@pytest.fixture(scope="module")
def shaped_site(shaped: tuple[Path, Path], at_home: Any, milvus: str) -> Iterator[Site]:
    yield from over(milvus, at_home(shaped[1]), shaped[0], "shapes")


@pytest.fixture
def looked(visit: Any, shaped_site: Site) -> Any:
    return lambda path="/", **options: visit(path, address=shaped_site.address, **options)


def test_the_page_searches_in_the_server(site: Site, milvus: str, homes: tuple[Path, Path]) -> None:
    told = site.command("info", "--store", f"{milvus}/page").stdout
    assert f"store     {milvus}/page" in told
    assert f"folder    {homes[0]}" in told
