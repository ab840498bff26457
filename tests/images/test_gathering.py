"""Shards of the real webdataset package, and tables of addresses from a server of our own."""

import io
import tarfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from PIL import Image

from circlet.core import DataError, UsageError
from circlet.images.gathering import fetch, gather, unpack


def drawn(colour: str) -> bytes:
    held = io.BytesIO()
    Image.new("RGB", (16, 12), colour).save(held, "PNG")
    return held.getvalue()


def test_shards_of_webdataset_become_folders_with_their_words(tmp_path: Path) -> None:
    webdataset = pytest.importorskip("webdataset")
    with webdataset.ShardWriter(str(tmp_path / "some-%03d.tar"), maxcount=2) as shards:
        for number, colour in enumerate(("red", "green", "blue")):
            shards.write(
                {"__key__": f"{number:04}", "png": drawn(colour), "txt": f"a {colour} thing", "cls": 3}
            )
    files = sorted(tmp_path.glob("*.tar"))
    assert len(files) == 2
    done = unpack(files, tmp_path / "out")
    assert (done.new, done.there, done.failed) == (3, 0, [])
    assert (tmp_path / "out/some-000/0001.png").read_bytes() == drawn("green")
    assert (tmp_path / "out/some-001/0002.txt").read_text() == "a blue thing"
    assert not list((tmp_path / "out").rglob("*.cls"))
    assert str(unpack(files, tmp_path / "out")) == "0 pictures new, 3 there already"


def test_nothing_leads_out_of_the_folder_and_no_link_is_followed(tmp_path: Path) -> None:
    shard = tmp_path / "bad.tar"
    with tarfile.open(shard, "w") as tar:
        for name in ("../outside.png", "/absolute.png", "fine/inside.png"):
            member = tarfile.TarInfo(name)
            member.size = len(drawn("red"))
            tar.addfile(member, io.BytesIO(drawn("red")))
        link = tarfile.TarInfo("link.png")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(link)
    done = gather(shard, tmp_path / "deep" / "out")
    assert [file.name for file in tmp_path.rglob("*.png")] == ["inside.png"]
    assert [reason for _, reason in done.failed] == ["it would lie outside of the folder"] * 2


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A server of a folder with two pictures and a page."""
    site = tmp_path / "site"
    site.mkdir()
    for name, content in (
        ("red.png", drawn("red")),
        ("blue", drawn("blue")),
        ("page.html", b"<p>no picture"),
    ):
        (site / name).write_bytes(content)

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *about: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_table_of_addresses_is_fetched_once_and_failures_are_named(tmp_path: Path, address: str) -> None:
    table = tmp_path / "products.csv"
    rows = ["red.png", "blue", "red.png", "page.html", "gone.png"]
    lines = [f"{number},{address}/{name}" for number, name in enumerate(rows)]
    table.write_text("\n".join(["id,url", *lines, "9,file:///etc/passwd", "10,"]) + "\n")
    told: list[tuple[int, int | None]] = []
    done = fetch(table, tmp_path / "out", progress=lambda done, total: told.append((done, total)))
    assert (done.new, done.there, told[-1]) == (2, 0, (5, 5))
    reasons = {what.rpartition("/")[2]: reason for what, reason in done.failed}
    assert reasons.keys() == {"page.html", "gone.png", "passwd"}
    assert (reasons["page.html"], reasons["passwd"]) == ("it is no picture", "it is no http address")
    assert "404" in reasons["gone.png"]
    kept = sorted(file.read_bytes() for file in (tmp_path / "out").iterdir())
    assert kept == sorted([drawn("red"), drawn("blue")])
    assert (fetch(table, tmp_path / "out").new, fetch(table, tmp_path / "out").there) == (0, 2)


def test_what_is_no_source_is_said(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("name,price\na,3\n")
    with pytest.raises(UsageError, match=r"no column url or address .*it has name, price; say which"):
        gather(tmp_path / "table.csv", tmp_path)
    with pytest.raises(UsageError, match="no such file"):
        gather(tmp_path / "none.tar", tmp_path)
    with pytest.raises(UsageError, match="name webdataset shards"):
        gather(tmp_path / "pictures.zip", tmp_path)
    (tmp_path / "torn.tar").write_bytes(b"no tar at all")
    with pytest.raises(DataError, match="cannot be read as a shard"):
        gather(tmp_path / "torn.tar", tmp_path)
