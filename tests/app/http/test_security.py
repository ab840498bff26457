"""What the server refuses: each danger by name."""

import base64
import io
import os
import socket
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image
from starlette.testclient import TestClient
from tests.app.patience import PATIENCE

from circlet.app.http.config import Limits, ServerConfig
from circlet.app.http.guesses import MOST
from circlet.app.http.keys import written
from circlet.app.http.security import secret
from circlet.app.http.server import create_app
from circlet.collection.collection import Collection
from circlet.core import UsageError
from circlet.index import key_of

TOKEN = "a-token-nobody-guesses"


def png(size: tuple[int, int]) -> io.BytesIO:
    file = io.BytesIO()
    Image.new("RGB", size, "red").save(file, "PNG")
    file.seek(0)
    return file


def upload(client: Any, data: Any, name: str = "a.png") -> httpx.Response:
    return client.post("/api/v1/uploads", files={"picture": (name, data)})  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def locked(homes: tuple[Path, Path]) -> Iterator[TestClient]:
    """The site as other machines see it: with a token."""
    app = create_app(Collection.open(homes[0], home=homes[1]), ServerConfig(host="0.0.0.0", token=TOKEN))
    with TestClient(app, base_url="http://192.168.1.9:8000", follow_redirects=False) as client:
        yield client


# Who may come in


def test_it_binds_to_loopback(site: Any) -> None:
    port = int(site.address.rpartition(":")[2])
    assert site.address.startswith("http://127.0.0.1:")
    own = socket.gethostbyname(socket.gethostname())
    if own.startswith("127."):
        pytest.skip("this machine has no other address to try")
    with socket.socket() as probe:
        probe.settimeout(2)
        assert probe.connect_ex((own, port)) != 0


def test_another_address_demands_a_token() -> None:
    with pytest.raises(UsageError, match="can be reached from other machines"):
        ServerConfig(host="0.0.0.0")
    with pytest.raises(UsageError, match="too easy to guess"):
        ServerConfig(host="0.0.0.0", token="short")


def test_without_the_token_nothing_is_told(locked: TestClient) -> None:
    for path in (
        "/",
        "/status",
        "/api/v1/health",
        "/api/v1/openapi.json",
        "/static/main.js",
        "/?token=wrong-wrong",
    ):
        answer = locked.get(path)
        assert answer.status_code == 401, path
        assert "circlet" in answer.text
        assert len(answer.text) < 200
    assert locked.post("/api/v1/jobs", params={"token": TOKEN}).status_code == 401


def test_the_token_opens_once_by_link_and_then_by_cookie(locked: TestClient) -> None:
    answer = locked.get(f"/?token={TOKEN}&s=")
    assert answer.status_code == 303
    assert TOKEN not in answer.headers["location"]
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert TOKEN not in cookie
    whole = cookie.partition(";")[0]
    assert locked.get("/", headers={"cookie": whole}).status_code == 200
    assert locked.get("/", headers={"cookie": f"{whole[:-1]}x"}).status_code == 401
    locked.cookies.clear()
    assert locked.get("/api/v1/health", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200
    assert locked.get("/api/v1/health", headers={"authorization": "Bearer x"}).status_code == 401


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "",
        "127.0.0.1.evil.example",
        "127.0.0.1:8791.evil.com",
        "evil@127.0.0.1",
        "127.0.0.1/x",
        "[::1",
        "a@b",
    ],
)
def test_a_foreign_host_name_is_refused(inside: TestClient, host: str) -> None:
    assert inside.get("/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1", "[::1]:8000"])
def test_its_own_names_are_known(inside: TestClient, host: str) -> None:
    assert inside.get("/api/v1/health", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site", "origin": "http://127.0.0.1:8000"},
        {"origin": "http://127.0.0.1:9999"},
    ],
)
@pytest.mark.parametrize("path", ["/ask", "/status/index", "/api/v1/uploads", "/api/v1/jobs"])
def test_posts_from_other_sites_are_refused(inside: TestClient, path: str, headers: dict[str, str]) -> None:
    assert inside.post(path, headers=headers).status_code == 403


def test_posts_of_its_own_pages_pass(inside: TestClient) -> None:
    own = {"origin": "http://127.0.0.1:8000", "sec-fetch-site": "same-origin"}
    assert inside.post("/ask", data={"text": "a dog"}, headers=own).status_code == 303


def test_the_policy_stands_on_every_answer(inside: TestClient) -> None:
    for path in (
        "/",
        "/status",
        "/nothing",
        "/api/v1/health",
        "/static/main.js",
        "/api/v1/pictures/AAAAAAAAAAA",
    ):
        headers = inside.get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"], path
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["referrer-policy"] == "same-origin"
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers


def test_two_servers_on_one_machine_keep_their_visitors(homes: tuple[Path, Path]) -> None:
    jar = httpx.Cookies()
    for port in (8000, 8001):
        serving = ServerConfig(host="0.0.0.0", port=port, token=f"{TOKEN}-{port}")
        app = create_app(Collection.open(homes[0], home=homes[1]), serving)
        with TestClient(app, base_url="http://127.0.0.1", follow_redirects=False) as client:
            answer = client.get("/", params={"token": f"{TOKEN}-{port}"})
            name, _, value = answer.headers["set-cookie"].partition(";")[0].partition("=")
            jar.set(name, value)
    assert len(jar) == 2


def test_a_restart_lets_nobody_out(homes: tuple[Path, Path]) -> None:
    kept = secret(homes[1])
    assert secret(homes[1]) == kept
    assert len(kept) == 32
    assert (homes[1] / "cookies.key").stat().st_mode & 0o077 == 0


def test_guessing_the_token_comes_to_an_end(homes: tuple[Path, Path]) -> None:
    serving = ServerConfig(host="0.0.0.0", token=TOKEN)
    app = create_app(Collection.open(homes[0], home=homes[1]), serving)
    with TestClient(app, base_url="http://127.0.0.1", follow_redirects=False) as client:
        cookie = client.get("/", params={"token": TOKEN}).headers["set-cookie"].partition(";")[0]
        client.cookies.clear()
        ways: list[dict[str, Any]] = [
            {"params": {"token": "no"}},
            {"headers": {"authorization": "Bearer no"}},
        ]
        for number in range(MOST):
            assert client.get("/api/v1/health", **ways[number % 2]).status_code == 401
        for way in (*ways, {"headers": {"authorization": f"Bearer {TOKEN}"}}):
            answer = client.get("/api/v1/health", **way)
            assert answer.status_code == 429
            assert 0 < int(answer.headers["retry-after"]) <= 60
        # Who is in already stays in, and who shows nothing is told what to show.
        assert client.get("/api/v1/health", headers={"cookie": cookie}).status_code == 200
        assert client.get("/api/v1/health").status_code == 401


# What stays inside


@pytest.mark.parametrize(
    "key",
    [
        "../../etc/passwd",
        "..%2f..%2fetc%2fpasswd",
        "%2e%2e%2fetc",
        "/etc/passwd",
        "u" + "0" * 24,
        "AAAAAAAAAAA",
        "u../x",
    ],
)
def test_no_path_leads_out_of_the_collection(inside: TestClient, key: str) -> None:
    for path in (
        f"/api/v1/pictures/{key}",
        f"/api/v1/pictures/{key}/thumbnail",
        f"/picture/{key}",
        f"/why/{key}",
    ):
        answer = inside.get(path)
        assert answer.status_code in {400, 404, 422}, path
        assert "root:" not in answer.text


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "..\\..\\x", "main.js/../../server.py"]
)
def test_static_files_stay_static(inside: TestClient, name: str) -> None:
    assert inside.get(f"/static/{name}").status_code in {404, 405}


def test_a_folder_filter_cannot_leave_the_collection(inside: TestClient) -> None:
    for folder in ("..", "/etc", "animals/../..", "animals/\0"):
        body = {"turns": [{"text": "dog"}], "options": {"folder": folder}}
        answer = inside.post("/api/v1/search", json=body)
        assert answer.status_code == 400, folder
        assert "no folder" in answer.json()["detail"]


def test_a_link_out_of_the_collection_is_not_shown(tmp_path: Path, at_home: Any) -> None:
    outside, folder, home = tmp_path / "secret.png", tmp_path / "album", tmp_path / "home"
    folder.mkdir()
    at_home(home)
    for name, colour in (("a.png", "red"), ("b.png", "blue")):
        Image.new("RGB", (40, 40), colour).save(folder / name)
    collection = Collection.open(folder, home=home)
    collection.index()
    Image.new("RGB", (40, 40), "green").save(outside)
    # The picture was a file when it was indexed; then it is swapped for a way out.
    (folder / "b.png").unlink()
    (folder / "b.png").symlink_to(outside)
    with TestClient(create_app(collection), base_url="http://localhost") as client:
        good, bad = (written(key_of(str(folder / name))) for name in ("a.png", "b.png"))
        assert client.get(f"/api/v1/pictures/{good}/thumbnail").status_code == 200
        answer = client.get(f"/api/v1/pictures/{bad}/thumbnail")
        assert answer.status_code == 404
        assert "leads out of the collection" in answer.text
        assert client.get(f"/picture/{bad}").status_code == 404


def test_errors_show_no_traceback_and_no_path(inside: TestClient, homes: tuple[Path, Path]) -> None:
    asked = [
        inside.get("/?s=nonsense"),
        inside.get("/?start=-1"),
        inside.get("/?s=&method=/etc/passwd"),
        inside.get("/?after=yesterday"),
        inside.post("/api/v1/search", content=b"{", headers={"content-type": "application/json"}),
        inside.post("/api/v1/search", json={"turns": [{"text": "x"}], "options": {"method": str(homes[1])}}),
        upload(inside, b"\xff\xd8\xff\xe0 broken"),
        inside.get("/status"),
        inside.get("/api/v1/broken"),
        inside.get("/nothing/here"),
    ]
    for answer in asked:
        assert answer.status_code < 500
        for told in (
            "Traceback",
            str(homes[0]),
            str(homes[1]),
            str(Path(__file__).parents[3]),
            "site-packages",
        ):
            assert told not in answer.text, answer.url


def test_a_fault_of_its_own_is_told_without_details(
    homes: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    collection = Collection.open(homes[0], home=homes[1])

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError(f"secret at {homes[1]}")

    monkeypatch.setattr(collection, "find", fail)
    app = create_app(collection)
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as client:
        for answer in (
            client.get("/act?text=dog"),
            client.post("/api/v1/search", json={"turns": [{"text": "x"}]}),
        ):
            assert answer.status_code == 500
            assert "secret" not in answer.text
            assert "fault of circlet" in answer.text
            assert "script-src 'self'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "path",
    [
        "/?before=9999-12-31",
        f"/?min_size={'9' * 5000}",
        f"/act?back={'9' * 5000}",
        "/compare?text=red&b=image+%25+100+>>+text",
    ],
)
def test_an_odd_address_is_no_fault_of_the_server(inside: TestClient, path: str) -> None:
    assert inside.get(path).status_code < 500


def test_an_origin_that_is_no_address_is_foreign(inside: TestClient) -> None:
    assert inside.post("/ask", headers={"origin": "http://[::1"}).status_code == 403


# What may be brought


def test_a_gigabyte_is_refused_at_its_first_word(inside: TestClient) -> None:
    answer = inside.post("/api/v1/uploads", headers={"content-length": str(10**9)}, content=b"x")
    assert answer.status_code == 413


def test_an_endless_upload_is_cut_off(site: Any) -> None:
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        yield b'--x\r\nContent-Disposition: form-data; name="picture"; filename="a.png"\r\n\r\n'
        while sent < 10**9:
            sent += 2**20
            yield b"\0" * 2**20

    kind = {"content-type": "multipart/form-data; boundary=x"}
    try:
        uploads = f"{site.address}/api/v1/uploads"
        answer = httpx.post(uploads, content=endless(), headers=kind, timeout=PATIENCE)
        assert answer.status_code == 413
    except (httpx.WriteError, httpx.RemoteProtocolError, httpx.ReadError):
        pass  # The server hung up on us before we had said everything, which is as good.
    assert sent < 2 * 10**8, "the server stopped reading"
    assert httpx.get(f"{site.address}/api/v1/health", timeout=PATIENCE).status_code == 200


def test_only_uploads_may_be_large(inside: TestClient) -> None:
    text = "x" * (Limits().body_bytes + 1)
    assert inside.post("/api/v1/sessions", content=text).status_code == 413
    assert inside.post("/ask", data={"text": text}).status_code in {413, 400}


def test_a_decompression_bomb_is_refused(inside: TestClient) -> None:
    side = 20_000
    row = zlib.compress(b"\0" * (side * 3 + 1) * 50, 9)
    chunks = [(b"IHDR", side.to_bytes(4) * 2 + b"\x08\x02\0\0\0"), (b"IDAT", row), (b"IEND", b"")]
    bomb = b"\x89PNG\r\n\x1a\n" + b"".join(
        len(data).to_bytes(4) + name + data + zlib.crc32(name + data).to_bytes(4) for name, data in chunks
    )
    answer = upload(inside, bomb)
    assert answer.status_code in {413, 415}
    assert "pixels" in answer.json()["detail"]


def test_a_link_that_swells_is_refused(inside: TestClient) -> None:
    swollen = base64.urlsafe_b64encode(zlib.compress(b"[" * 10**7, 9)).decode().rstrip("=")
    assert len(swollen) < Limits().session * 2
    assert inside.get("/", params={"s": swollen[: Limits().session]}).status_code == 400


def test_an_svg_with_a_script_comes_back_as_pixels(inside: TestClient) -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60" onload="alert(1)">'
        '<script>alert(1)</script><image href="file:///etc/passwd" width="9" height="9"/>'
        '<rect width="60" height="60" fill="red"/></svg>'
    )
    answer = upload(inside, svg.encode(), "a.svg")
    assert answer.status_code == 201
    drawn = inside.get(answer.json()["thumbnail"])
    assert drawn.headers["content-type"] == "image/webp"
    assert b"script" not in drawn.content
    with Image.open(io.BytesIO(drawn.content)) as image:
        red, green, _ = image.convert("RGB").getpixel((30, 30))  # type: ignore[misc]
        assert red > 200 > 60 > green


def test_an_upload_is_kept_without_what_the_camera_wrote(
    inside: TestClient, homes: tuple[Path, Path]
) -> None:
    file = io.BytesIO()
    exif = Image.Exif()
    exif[0x010E] = "at my home address"
    Image.new("RGB", (64, 48), "teal").save(file, "JPEG", exif=exif)
    key = upload(inside, file.getvalue(), "me.jpg").json()["key"]
    kept = homes[1] / "uploads" / f"{key[1:]}.png"
    assert b"home address" in file.getvalue()
    assert b"home address" not in kept.read_bytes()


def test_html_in_queries_and_file_names_stays_text(inside: TestClient, tmp_path: Path, at_home: Any) -> None:
    nasty = "<img src=x onerror=alert(1)>"
    page = inside.get(inside.get("/act", params={"text": nasty}).headers["location"])
    assert nasty not in page.text
    assert "&lt;img src=x" in page.text

    folder, home = tmp_path / "album", tmp_path / "home"
    folder.mkdir()
    at_home(home)
    Image.new("RGB", (40, 40), "red").save(folder / '"><script>alert(1)<.png')
    collection = Collection.open(folder, home=home)
    collection.index()
    with TestClient(create_app(collection), base_url="http://localhost") as client:
        text = client.get("/").text
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert(1)" in text


# How much may be asked


@pytest.mark.parametrize(
    "body",
    [
        {"turns": [{"text": "x" * 501}]},
        {"turns": [{"text": "x"}] * 31},
        {"turns": [{"text": "x"}], "top": 101},
        {"turns": [{"text": "x"}], "start": 10**9},
        {"turns": [{"text": "x", "without": ["y"] * 13}]},
        {"turns": [{"text": "x", "balance": 1.5}]},
        {"turns": [{"text": "x", "liked": ["AAAAAAAAAAA"] * 61}]},
    ],
)
def test_the_api_has_limits(inside: TestClient, body: dict[str, Any]) -> None:
    answer = inside.post("/api/v1/search", json=body)
    assert answer.status_code == 422
    assert answer.json()["detail"]


def test_the_page_has_the_same_limits(inside: TestClient) -> None:
    assert inside.get("/act", params={"text": "x" * 501}).status_code == 400
    where = "/"
    for number in range(30):
        s = where.partition("s=")[2]
        where = inside.get("/act", params={"s": s, "text": f"word {number}"}).headers["location"]
    too_much = inside.get("/act", params={"s": where.partition("s=")[2], "text": "one more"})
    assert too_much.status_code == 400
    assert "at most 30 turns" in too_much.text
    deep = inside.get("/", params={"s": where.partition("s=")[2], "start": 5000})
    assert "shows at most" in deep.text


def test_old_uploads_make_room(homes: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "models").symlink_to(homes[1] / "models")
    collection = Collection.open(homes[0], home=tmp_path)
    serving = ServerConfig(limits=Limits(uploads_kept_bytes=150))
    app = create_app(collection, serving)
    library = app.state.library
    first = Path(library.upload(png((40, 40))))
    os.utime(first, (1, 1))
    second = Path(library.upload(png((41, 41))))
    # Files that are written at once may bear the same time.
    os.utime(second, (2, 2))
    third = Path(library.upload(png((42, 42))))
    assert sum(file.stat().st_size for file in (tmp_path / "uploads").iterdir()) <= 150
    assert third.exists()
    assert not (first.exists() and second.exists())
