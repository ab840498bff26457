"""The studio's pages over HTTP: whose answers are whose, what is told to whom, and what is refused."""

import random
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from circlet.app.http.security import HEADERS
from circlet.app.studio.people import token_of
from circlet.app.studio.site import project_secret
from circlet.studio import Desk, figures, read_project
from tests.app.patience import PATIENCE
from tests.app.studio.conftest import begin
from tests.studio.projects import cirr, compare, tens, verify

TOKEN = "sixteen letters at least"


def hidden(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found, name
    return found[1]


def answer(person: TestClient, task: str, **form: str) -> httpx.Response:
    page = person.get(f"/studio/tasks/{task}").text
    return person.post(f"/studio/tasks/{task}", data={"item": hidden(page, "item"), "revision": "0", **form})


def test_every_page_has_the_guards_headers(tmp_path: Path, open_studio: Any) -> None:
    client = open_studio(cirr(tmp_path))
    for path in (
        "/",
        "/studio",
        "/studio/tasks/modify",
        "/studio/review",
        "/studio/none",
        "/studio/static/studio.js",
    ):
        told = client.get(path).headers
        assert {name: told[name] for name in HEADERS} == HEADERS, path
    assert client.get("/studio", headers={"host": "evil.example"}).status_code == 421
    foreign = client.post("/studio/begin", headers={"origin": "http://evil.example"})
    assert foreign.status_code == 403
    assert client.post("/studio/begin", headers={"content-length": "900000"}, content=b"x").status_code == 413


def test_a_person_practises_answers_edits_and_takes_back(tmp_path: Path, open_studio: Any) -> None:
    client = open_studio(cirr(tmp_path))
    person = begin(client)
    assert person.get("/studio/tasks/modify").headers["location"] == "/studio/practice/modify"
    torn = person.post("/studio/practice/modify", data={"q0": "yes"}).text
    assert "/studio/tasks/modify" not in torn.partition("<form")[2]
    person.post("/studio/practice/modify", data={f"q{place}": "no" for place in range(4)})
    empty = answer(person, "modify", text="  ")
    assert empty.status_code == 422
    assert "Write a sentence, or choose" in empty.text
    both = answer(person, "modify", text="add a dog", mark="same")
    assert "add a dog" in both.text  # what was written is still there
    assert answer(person, "modify", text="add a dog").headers["location"] == "/studio/tasks/modify"
    mine = person.get("/studio/mine").text
    assert "add a dog" in mine
    place = person.get("/studio/undo").headers["location"]
    form = person.get(place).text
    assert "add a dog" in form
    said = {"item": hidden(form, "item"), "revision": hidden(form, "revision"), "text": "add two dogs"}
    assert person.post(place, data=said).headers["location"] == "/studio/mine"
    assert person.post(place, data={**said, "text": "from another window"}).status_code == 409
    assert "add two dogs" in person.get("/studio/mine").text
    other = begin(client)
    assert other.get(place).status_code == 404
    assert other.post(place, data=said).status_code == 404
    assert person.post(place, data={"withdraw": "1"}).headers["location"] == "/studio/tasks/modify"
    assert "add two dogs" not in person.get("/studio/mine").text
    assert hidden(person.get("/studio/tasks/modify").text, "item") == said["item"]


def test_nobody_answers_who_has_not_begun_or_was_not_asked(tmp_path: Path, open_studio: Any) -> None:
    client = open_studio(cirr(tmp_path))
    assert client.get("/studio/tasks/modify").headers["location"] == "/studio"
    assert client.post("/studio/tasks/modify", data={"item": "1", "text": "a dog"}).status_code == 403
    person = begin(client, "modify")
    assert person.post("/studio/tasks/modify", data={"item": "1", "text": "add a dog"}).status_code == 400
    assert person.post("/studio/tasks/modify", data={"item": "x", "text": "add a dog"}).status_code == 400
    assert person.get("/studio/tasks/dogs").status_code == 400
    forged = TestClient(client.app, base_url="http://127.0.0.1:8000", follow_redirects=False)
    forged.cookies.set("circlet-studio-8000", "0badf00d-" + "0" * 32)
    assert forged.get("/studio/mine").status_code == 403


def test_put_back_for_others(tmp_path: Path, open_studio: Any) -> None:
    client = open_studio(cirr(tmp_path))
    ann, ben = begin(client, "modify"), begin(client, "modify")
    first = hidden(ann.get("/studio/tasks/modify").text, "item")
    assert hidden(ben.get("/studio/tasks/modify").text, "item") != first
    ann.post("/studio/tasks/modify", data={"item": first, "later": "1"})
    third = begin(client, "modify")
    assert hidden(third.get("/studio/tasks/modify").text, "item") == first


@pytest.mark.parametrize("make", [cirr, tens, compare, verify])
def test_no_page_tells_a_file_a_method_or_the_answer(make: Any, tmp_path: Path, open_studio: Any) -> None:
    path = make(tmp_path)
    client = open_studio(path)
    tasks = read_project(path).tasks
    person = begin(client, *tasks)
    page = person.get(f"/studio/tasks/{tasks[0]}").text
    assert "/studio/pictures/" in page
    for word in (".png", "photos", str(tmp_path), "s0-", "video-", "static-", ">one<", "two</", "img0"):
        assert word not in page, word
    key = re.findall(r"/studio/pictures/([0-9a-f]+)\?side=512", page)[0]
    picture = person.get(f"/studio/pictures/{key}?side=256")
    assert picture.headers["content-type"] == "image/webp"
    again = person.get(f"/studio/pictures/{key}?side=256", headers={"if-none-match": picture.headers["etag"]})
    assert again.status_code == 304
    assert person.get("/studio/pictures/none").status_code == 404
    assert person.get(f"/studio/pictures/{key}?side=7000").status_code == 400


def test_sides_and_order_differ_by_person_and_say_nothing(tmp_path: Path, open_studio: Any) -> None:
    client = open_studio(compare(tmp_path, attention=False, people={"compare": 12}))
    first = []
    for _ in range(12):
        page = begin(client, "compare").get("/studio/tasks/compare").text
        first.append(re.findall(r'name="score(\d)"', page)[0])
    assert set(first) == {"1", "2"}


def test_the_rules_are_told_while_somebody_types(tmp_path: Path, open_studio: Any) -> None:
    client = open_studio(cirr(tmp_path))
    told = client.get(
        "/studio/check", params={"task": "modify", "text": "crop the cute dog out of the photo"}
    )
    assert told.json() == ["speaks of editing the photo", "is an opinion"]
    assert client.get("/studio/check", params={"task": "modify", "text": "add a dog"}).json() == []


def test_flagged_answers_are_reviewed_and_people_are_barred(tmp_path: Path, open_studio: Any) -> None:
    client = open_studio(cirr(tmp_path, review=0.0))
    person = begin(client, "modify")
    answer(person, "modify", text="Crop the dog out of the photo")
    page = client.get("/studio/review").text
    assert "speaks of editing the photo" in page
    number = hidden(page, "rejected")
    assert client.post("/studio/review", data={"rejected": number, "reason": "crop"}).status_code == 303
    assert "nothing to look at" in client.get("/studio/review").text
    mine = person.get("/studio/mine").text
    assert "rejected" in mine
    assert f"/studio/mine/{number}" not in mine
    who = re.findall(r"/studio/people/([0-9a-f]+)", client.get("/studio/review").text)[0]
    client.post(f"/studio/people/{who}", data={"barred": "1"})
    assert person.get("/studio/tasks/modify").headers["location"] == "/studio"
    assert "no more work here" in person.get("/studio").text


def test_with_tokens_everybody_comes_in_by_a_link_of_their_own(tmp_path: Path, open_studio: Any) -> None:
    path = cirr(tmp_path)
    client = open_studio(path, host="0.0.0.0", token=TOKEN)
    assert client.get("/studio").status_code == 401
    key = project_secret(read_project(path))
    ann = TestClient(client.app, base_url="http://127.0.0.1:8000", follow_redirects=False)
    link = ann.get("/studio", params={"token": token_of(key, "aaaa0000")})
    assert link.headers["location"] == "/studio"
    assert "aaaa0000" in ann.get("/studio").text
    # A person is no owner, and has no second person.
    assert ann.get("/studio/review").status_code == 403
    assert ann.get("/studio/report").status_code == 403
    assert ann.post("/studio/people/aaaa0000", data={"barred": "0"}).status_code == 403
    assert ann.post("/studio/review", data={"accepted": "1"}).status_code == 403
    assert ">Review<" not in ann.get("/studio").text
    ann.post("/studio/begin")
    assert "aaaa0000" in ann.get("/studio").text
    owner = TestClient(client.app, base_url="http://127.0.0.1:8000", follow_redirects=False)
    owner.get("/studio", params={"token": TOKEN})
    assert owner.get("/studio/review").status_code == 200
    wrong = TestClient(client.app, base_url="http://127.0.0.1:8000", follow_redirects=False)
    assert wrong.get("/studio", params={"token": "aaaa0000-" + "0" * 32}).status_code == 401
    elsewhere = token_of(b"another project", "aaaa0000")
    assert wrong.get("/studio", params={"token": elsewhere}).status_code == 401


def test_scripted_people_right_and_guessing(tmp_path: Path, open_studio: Any) -> None:
    """Over HTTP as any person: who is always right makes 100, who guesses about 20."""
    scores = {}
    for name, right in (("right", True), ("guess", False)):
        path = cirr(tmp_path / name, 25 if not right else 1, caption="add a dog")
        client = open_studio(path)
        desk = Desk.open(path)
        chance = random.Random(5)
        for _ in range(3):
            person = begin(client, "retrieve")
            while (page := person.get("/studio/tasks/retrieve")).status_code == 200:
                number = hidden(page.text, "item")
                item = desk.store.item(int(number))
                assert item
                place = item.shown["candidates"].index(item.truth["choice"])
                choice = str(place if right else chance.randrange(5))
                person.post("/studio/tasks/retrieve", data={"item": number, "choice": choice})
        assert len(desk.store.answers()) == (27 if right else 675)
        scores[name] = figures(desk).values["human Rsub@1"]
        desk.close()
    assert scores["right"] == 100
    assert scores["guess"] == pytest.approx(20, abs=3)


def test_the_command_prints_links_and_refuses_what_makes_no_sense(tmp_path: Path, command: Any) -> None:
    path = cirr(tmp_path / "mine")
    assert "give --host or --token" in command("studio", path, "--people", 2, code=2).stderr
    assert "circlet studio new" in command("studio", tmp_path / "none.toml", code=2).stderr
    served = command.start("studio", path, "--port", 0, "--token", TOKEN, "--people", 2)
    try:
        owner = served.stdout.readline()
        assert "?token=" in owner
        links = [served.stdout.readline().split()[1] for _ in range(2)]
        plain = links[0].partition("?")[0]
        assert httpx.get(plain, timeout=PATIENCE).status_code == 401
        with httpx.Client(follow_redirects=True, timeout=PATIENCE) as client:
            assert "You are" in client.get(links[1]).text
    finally:
        served.terminate()
        served.communicate(timeout=PATIENCE)


def test_new_asks_and_the_others_report(tmp_path: Path, command: Any) -> None:
    cirr(tmp_path / "mine", caption="add a dog")
    file = tmp_path / "mine" / "own.toml"
    said = command("studio", "new", file, feed="cirr\nMy set\n.\nphotos\n1\n1\n3\n").stdout
    assert "18 items to begin with" in said
    assert read_project(file).people == {"modify": 1, "extend": 1, "retrieve": 3}
    assert "is there already" in command("studio", "new", file, "--kind", "cirr", code=2).stderr
    assert "annotate first" not in command("studio", "export", file, "--out", tmp_path / "out").stdout
    command("data", "check", f"cirr:{tmp_path / 'out'}:train")
    told = command("studio", "report", file).stdout
    assert told.splitlines()[-1] == str(tmp_path / "mine" / "report.html")
    assert "<h2>Tasks</h2>" in (tmp_path / "mine" / "report.html").read_text()
    assert "0 of 0 flagged" in command("studio", "check", file).stdout
