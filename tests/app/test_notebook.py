"""The example notebook in a real kernel, what values show there, and the bar that fills."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from circlet.app.bars import NotebookBar, bar
from circlet.app.cli.terminal import Bar
from tests.command import Command

NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebooks" / "tour.ipynb"


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory, at_home: Callable[[Path], Command]) -> Any:
    """The notebook after its last cell; a cell that fails fails here, with its traceback."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    book = nbformat.read(NOTEBOOK, 4)
    folder = tmp_path_factory.mktemp("notebook")
    with pytest.MonkeyPatch.context() as patched:
        for name, value in at_home(folder / "home").environment.items():
            patched.setenv(name, value)
        patched.setenv("TMPDIR", str(folder))
        client = nbclient.NotebookClient(book, timeout=600, kernel_name="python3", resources={})
        return client.execute()


def shown(ran: Any, source: str) -> str:
    """The HTML of the first cell whose source has this in it."""
    cell = next(cell for cell in ran.cells if cell.cell_type == "code" and source in cell.source)
    pages = [one.data["text/html"] for one in cell.outputs if "text/html" in one.get("data", {})]
    assert pages, f"{source}: nothing was shown"
    return str(pages[-1])


def test_results_are_a_contact_sheet_with_the_turns_above_it(ran: Any) -> None:
    page = shown(ran, '"at night", top=6')
    assert page.index("at night") < page.index("<figure")
    assert page.count("<figure") == 6
    # The reference in its turn, then the same car on the same beach at night.
    assert re.findall(r'<img alt="([^"]+)"', page)[:2] == ["1-car-beach-day.jpg", "1-car-beach-night.jpg"]
    assert all(len(source) <= 16_000 for source in re.findall(r'src="(data:[^"]+)"', page))


def test_checks_sessions_cases_and_tables_show_themselves(ran: Any) -> None:
    assert re.search(r"at night ✓ 0\.\d\d", shown(ran, "results.checked"))
    assert "more like this" in shown(ran, "session.like(1)")
    cases = shown(ran, "benchmark.only")
    assert cases.count("target<br>") == 2
    assert cases.count("data:image/jpeg") == 4
    assert "<b" not in shown(ran, "ResultTable(rows)")
    assert "font-weight:700" in shown(ran, "ResultTable(rows)")
    assert "p (Holm)" in shown(ran, "compare({")


def test_the_bar_ends_full(ran: Any) -> None:
    page = shown(ran, "pictures.index(bar)")
    assert "48 of 48 pictures" in page
    assert "width:100.0%" in page


def test_the_notebook_is_kept_without_what_it_showed() -> None:
    assert '"outputs": []' in NOTEBOOK.read_text(encoding="utf-8")
    assert "data:image" not in NOTEBOOK.read_text(encoding="utf-8")


def test_outside_a_notebook_the_bar_is_the_terminals() -> None:
    assert isinstance(bar("reading"), Bar)


def test_a_bar_says_how_much_is_done_before_the_whole_is_known() -> None:
    page = NotebookBar("reading <now>", "pictures").html(7, None)
    assert "reading &lt;now&gt;: 7 pictures" in page
    assert "width:0.0%" in page
