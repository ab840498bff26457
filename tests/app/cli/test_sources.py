"""`circlet index` of lists and buckets: what is new, changed, renamed, gone, broken or refused."""

import json
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.buckets import bucket, web  # noqa: F401 (fixtures)

from circlet.app.http.config import ServerConfig
from circlet.app.http.keys import written
from circlet.app.http.server import create_app
from circlet.collection import Collection
from circlet.core import UsageError
from circlet.images import remote
from circlet.images.remote import checked, fetch
from circlet.index import key_of


def info(command: Any) -> dict[str, Any]:
    return json.loads(command("info", "--json").stdout)  # type: ignore[no-any-return]


def test_a_list_names_pictures_anywhere_and_what_it_drops_is_forgotten(command: Any, picture: Any) -> None:
    red, blue, green = (picture(f"{name}/{name}.jpg", name) for name in ("red", "blue", "green"))
    names = red.parents[2] / "pictures.txt"
    names.write_text(f"# mine\n{red}\n\npictures/blue/blue.jpg\n{red}\n{red.parent / 'gone.jpg'}\n")
    done = command("index", names, "--no-look")
    assert done.stdout == f"{names}: 2 added, 1 skipped\n"
    assert f"skipped {red.parent / 'gone.jpg'}: no such file: it was moved or deleted" in done.stderr
    assert command("index", "--no-look").stdout == f"{names}: 2 unchanged, 1 skipped\n"
    assert info(command)["folders"] == {str(names): 2}
    assert set(info(command)["broken"]) == {str(red.parent / "gone.jpg")}
    # A renamed picture keeps its vector, a new one is read, one that is not named any more is forgotten.
    moved = red.rename(red.with_name("crimson.jpg"))
    names.write_text(f"{moved}\n{green}\n")
    assert command("index", names, "--no-look").stdout == f"{names}: 1 added, 1 moved, 1 forgotten\n"
    found = json.loads(command("search", "green", "--json").stdout)
    assert {hit["path"] for hit in found["results"]} == {str(moved), str(green)}
    said = command("search", "green", "--in", names, code=2).stderr
    assert "is a list, whose pictures lie anywhere: search without naming it" in said
    assert command("verify").returncode == 0
    assert blue.exists()


def test_forgetting_a_list_keeps_what_a_folder_has_too(command: Any, picture: Any) -> None:
    inside, outside = picture("in/red.jpg", "red"), picture("out/blue.jpg", "blue")
    names = inside.parents[2] / "pictures.txt"
    names.write_text(f"{inside}\n{outside}\n")
    command("index", inside.parent, names, "--no-look")
    assert info(command)["pictures"] == 2
    assert command("forget", names).stdout == f"{names}: 1 picture forgotten\n"
    assert info(command)["folders"] == {str(inside.parent): 1}
    # A list that is emptied is taken for a mistake, as an empty folder is.
    names.write_text(f"{outside}\n")
    command("index", names, "--no-look")
    names.write_text("\n")
    said = command("index", names, "--no-look", code=1).stderr
    assert "not one picture is left of 1, so nothing was forgotten" in said


def test_a_file_that_is_no_list_is_refused_in_one_sentence(command: Any, picture: Any) -> None:
    red = picture("red.jpg", "red")
    assert "no list: that is a text file" in command("index", red, code=2).stderr
    assert "a web server does not say what it holds" in command("index", "https://h/", code=2).stderr


def test_addresses_of_a_web_server_stand_in_lists(command: Any, picture: Any, web: Any) -> None:  # noqa: F811
    red = picture("red.jpg", "red")
    web.files["/red.jpg?size=large"] = red.read_bytes()
    web.files["/cut.jpg"] = red.read_bytes()[:900]
    web.files["/none.jpg"] = b""
    names = red.parents[1] / "pictures.txt"
    asked = ("red.jpg?size=large", "cut.jpg", "none.jpg", "403.jpg", "404.jpg", "500.jpg")
    names.write_text("\n".join(f"{web.address}/{name}" for name in asked))
    done = command("index", names, "--no-look")
    assert done.stdout == f"{names}: 1 added, 5 skipped\n"
    for name, reason in {
        "cut.jpg": "cut short: the end of the file is missing",
        "none.jpg": "empty: the file has no bytes",
        "403.jpg": "permission denied: give this account the right to read it",
        "404.jpg": "no such object: it was moved or deleted",
        "500.jpg": "its server answered 500: try again later",
    }.items():
        assert f"skipped {web.address}/{name}: {reason}\n" in done.stderr
    assert command("index", "--no-look").stdout == f"{names}: 1 unchanged, 5 skipped\n"
    kept = dict(Collection.open(home=command.home).store.walk("http:"))
    assert list(kept) == [f"{web.address}/red.jpg?size=large"]


def test_a_bucket_is_kept_up_to_date(command: Any, picture: Any, bucket: Any) -> None:  # noqa: F811
    red, blue, green = (picture(f"{name}.jpg", name) for name in ("red", "blue", "green"))
    bucket.put("holiday/red.jpg", red)
    bucket.put("holiday/a b%20#1/blue", blue)
    for key in ("holiday/", "holiday/notes.txt"):
        bucket.put(key, b"")
    bucket.put("other/green.jpg", green)
    for key, content in {
        "none.jpg": b"",
        "cut.jpg": red.read_bytes()[:900],
        "film.mp4": b"0000ftypisom",
    }.items():
        bucket.put(f"holiday/{key}", content)
    bucket.put("holiday//lost.jpg", red)
    root = f"{bucket.root}/holiday"
    done = command("index", f"{root}/", "--no-look")
    assert done.stdout == f"{root}: 2 added, 4 skipped\n"
    for name, reason in {
        "none.jpg": "empty: the file has no bytes",
        "cut.jpg": "cut short: the end of the file is missing",
        "film.mp4": "a video: only a folder's videos are taken, with circlet index FOLDER --video",
    }.items():
        assert f"skipped {root}/{name}: {reason}\n" in done.stderr
    assert "an address with empty or dotted parts cannot be kept" in done.stderr
    assert command("index", "--no-look").stdout == f"{root}: 2 unchanged, 4 skipped\n"
    assert info(command)["folders"] == {root: 2}
    found = json.loads(command("search", f"{root}/red.jpg", "blue", "--in", root, "--json").stdout)
    assert [hit["path"] for hit in found["results"]] == [f"{root}/a b%20#1/blue"]
    # Replaced within a second by as many bytes: the tag tells. Renamed: the vector stays.
    bucket.put("holiday/crimson.jpg", red)
    bucket.delete("holiday/red.jpg")
    blued = bytearray(blue.read_bytes())
    blued[-2 - len(blued) // 3] ^= 1
    bucket.put("holiday/a b%20#1/blue", bytes(blued))
    assert command("index", root, "--no-look").stdout == f"{root}: 1 updated, 1 moved, 4 skipped\n"
    bucket.delete("holiday/crimson.jpg")
    assert command("index", root, "--no-look").stdout == f"{root}: 1 forgotten, 1 unchanged, 4 skipped\n"
    assert command("verify").returncode == 0
    assert command("forget", root).stdout == f"{root}: 1 picture forgotten\n"
    assert info(command)["pictures"] == 0


def test_what_a_bucket_refuses_is_one_sentence(command: Any, picture: Any, bucket: Any) -> None:  # noqa: F811
    said = command("index", "s3://nobodys-bucket", code=2).stderr
    assert said.strip().endswith(
        "s3://nobodys-bucket: no such bucket: check its name; nothing was changed in the index"
    )
    names = command.home.parent / "pictures.txt"
    names.write_text(f"{bucket.root}/vanished.jpg\n")
    said = command("index", names, "--no-look").stderr
    assert f"skipped {bucket.root}/vanished.jpg: no such object: it was moved or deleted\n" in said
    large = bucket.put("large.jpg", picture("red.jpg", "red"))
    with pytest.raises(Exception, match="over the limit of 0 MB: make a smaller copy of it"):
        fetch(large, most=1000)


def test_without_the_extra_the_remedy_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("circlet.core.extras.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"this needs boto3, .*: pip install 'circlet\[s3\]'"):
        fetch("s3://bucket/a.jpg")


@pytest.mark.parametrize(
    "address", ["s3://", "ftp://h/a.jpg", "s3://b/../a.jpg", "s3://b//a.jpg", "http://[/"]
)
def test_an_address_that_cannot_be_kept_is_refused(address: str) -> None:
    with pytest.raises(UsageError):
        checked(address)


def test_the_page_shows_what_lies_elsewhere_and_fetches_nothing_else(
    command: Any,
    picture: Any,
    bucket: Any,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    red = bucket.put("shown/red.jpg", picture("red.jpg", "red"))
    secret = bucket.put("hidden/blue.jpg", picture("blue.jpg", "blue"))
    listed = picture("elsewhere/green.jpg", "green")
    names = listed.parents[2] / "pictures.txt"
    names.write_text(f"{listed}\n")
    command("index", f"{bucket.root}/shown", names, "--no-look")
    asked: list[str] = []
    for name in ("fetch", "state_at"):
        real = getattr(remote, name)
        monkeypatch.setattr(remote, name, lambda address, real=real: asked.append(address) or real(address))
    with TestClient(
        create_app(Collection.open(home=command.home), ServerConfig()), base_url="http://localhost"
    ) as client:
        keys = {name: written(key_of(id)) for name, id in {"red": red, "green": str(listed)}.items()}
        for key in keys.values():
            small = client.get(f"/api/v1/pictures/{key}/thumbnail?side=96")
            assert (small.status_code, small.content[:4]) == (200, b"RIFF")
            assert client.get(f"/picture/{key}").status_code == 200
        assert set(asked) == {red}
        # The bucket can be chosen to search in; the folder of what a list names, which nobody named, cannot.
        page = client.get("/").text
        assert "folder=shown" in page
        assert "folder=elsewhere" not in page
        assert client.get(f"/api/v1/pictures/{keys['red']}/original").status_code == 404
        assert client.get(f"/api/v1/pictures/{written(key_of(secret))}/thumbnail?side=96").status_code == 404
        # An address that a visitor names, as a picture or among words, is not looked at.
        before = len(asked)
        for turn in ({"picture": secret}, {"text": secret}):
            client.post("/api/v1/search", json={"turns": [turn]})
        assert len(asked) == before
        bucket.delete("shown/red.jpg")
        listed.unlink()
        for key in keys.values():
            assert client.get(f"/api/v1/pictures/{key}/thumbnail?side=256").status_code == 404
