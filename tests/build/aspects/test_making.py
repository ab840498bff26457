"""`circlet build aspects` as it is run: offline, with a chat server, with pictures, stopped and gone on."""

import io
import json
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.command import Command, Picture
from tests.worlds import World

from circlet.build.aspects import read_cases
from circlet.core import DataError
from circlet.data import load_benchmark
from circlet.testing import FakeChatServer

CAPTIONS = {
    "dogs.jpg": "two brown dogs on the grass with a red ball and a stick.",
    "cat.jpg": "a black cat on a table with a cup and a plate",
    "bus.jpg": "a blue bus on the street next to a car and a bicycle",
    "sunset.jpg": "sunset",
}


@pytest.fixture
def folder(picture: Picture) -> Path:
    for seed, name in enumerate(CAPTIONS):
        root = picture(name, "red", seed=seed).parent
    lines = [f'{name},"{caption}"' for name, caption in CAPTIONS.items()]
    (root / "captions.csv").write_text("\n".join(["picture,caption", *lines]), encoding="utf-8")
    return root


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_without_a_server_templates_make_the_cases(command: Command, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    told = command("build", "aspects", folder, "--out", out, "--each", 3).stdout
    made = records(out / "aspects.jsonl")
    assert set(Counter(one["aspect"] for one in made).values()) == {3}
    assert {one["status"] for one in made} == {"unverified"}
    assert {one["maker"] for one in made} == {"template"}
    refused = records(out / "refused.jsonl")
    assert {one["source"] for one in refused} <= {"sunset.jpg"}
    assert "18 cases, made by template" in told
    bench = load_benchmark(f"aspects:{out / 'aspects.jsonl'}")
    assert len(bench) == 18
    case = next(case for case in bench.cases if case.aspects == ("negation",))
    shown = bench.images[case.query.pictures[0]]
    assert shown.resolve().parent == folder.resolve()
    assert case.notes["reference_caption"] == CAPTIONS[shown.name].strip(".")
    assert not bench.images[case.truths[0]].exists()


def test_run_again_it_goes_on_and_makes_nothing_twice(command: Command, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command("build", "aspects", folder, "--out", out, "--each", 1)
    first = (out / "aspects.jsonl").read_text(encoding="utf-8")
    verified = first.replace("unverified", "verified", 1)
    (out / "aspects.jsonl").write_text(verified + '{"id": "torn', encoding="utf-8")
    told = command("build", "aspects", folder, "--out", out, "--each", 4).stdout
    after = (out / "aspects.jsonl").read_text(encoding="utf-8")
    assert after.startswith(verified)
    ids = [one["id"] for one in records(out / "aspects.jsonl")]
    assert len(ids) == len(set(ids)) > 6
    assert "names nothing that can be counted (1)" in told
    refused = (out / "refused.jsonl").read_bytes()
    again = command("build", "aspects", folder, "--out", out, "--each", 4, "--seed", 5).stdout
    assert (out / "aspects.jsonl").read_text(encoding="utf-8") == after
    assert (out / "refused.jsonl").read_bytes() == refused
    assert again.splitlines()[-1] == told.splitlines()[-1]


def test_one_aspect_by_the_papers_name(command: Command, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command(
        "build", "aspects", folder, "--out", out, "--each", 2, "--aspect", "change", "--aspect", "negation"
    )
    assert {case.aspect for case in read_cases(out / "aspects.jsonl")} == {"compare_change", "negation"}


def test_a_tableaux_set_is_drawn(command: Command, world: World, tmp_path: Path) -> None:
    out = tmp_path / "out"
    told = command("build", "aspects", f"tableaux:{world.root}:test", "--out", out, "--each", 2).stdout
    assert "12 cases, made by scene graph, 0 pictures to be attached" in told
    bench = load_benchmark(f"aspects:{out / 'aspects.jsonl'}")
    assert all(path.is_file() for path in bench.images.values())
    plain = command("build", "aspects", world.root, "--out", tmp_path / "plain", "--each", 1).stdout
    assert "made by scene graph" in plain


def answer(content: Any) -> str:
    caption = content.rsplit("Caption: ", 1)[1]
    if caption == "sunset":
        return '{"refused": "there is only the sun"}'
    said = "add a cup to it " * (6 if "several things change" in content else 1)
    texts = {"instruction": said, "target": f"{caption}, a cup", "hard_negative": f"{caption}, a plate"}
    return f"```json\n{json.dumps(texts)}\n```"


def painted(prompt: str) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (96, 64), "green").save(file, "PNG")
    return file.getvalue()


@pytest.fixture
def server() -> Iterator[FakeChatServer]:
    with FakeChatServer(answer, painted) as server:
        yield server


def test_a_server_is_asked_once_for_each_prompt(
    command: Command, folder: Path, tmp_path: Path, server: FakeChatServer
) -> None:
    asking = ("--server", server.url, "--model", "toy", "--each", 4)
    told = command("build", "aspects", folder, "--out", tmp_path / "one", *asking).stdout
    assert "the model refused (1)" in told
    assert "names nothing that can be counted (1)" in told
    made = records(tmp_path / "one" / "aspects.jsonl")
    assert Counter(one["aspect"] for one in made)["negation"] == 3
    for one in made:
        assert one["maker"] == ("template" if one["aspect"] == "cardinality" else "toy")
    assert len(server.asked) == 5 * len(CAPTIONS)
    command("build", "aspects", folder, "--out", tmp_path / "two", *asking)
    assert len(server.asked) == 5 * len(CAPTIONS), "answers are kept by prompt"
    assert sorted(map(str, records(tmp_path / "two" / "aspects.jsonl"))) == sorted(map(str, made))


def test_pictures_come_from_a_server_with_the_images_endpoint(
    command: Command, folder: Path, tmp_path: Path, server: FakeChatServer
) -> None:
    out = tmp_path / "out"
    asking = ("--images", server.url, "--images-model", "brush", "--aspect", "addition", "--each", 2)
    told = command("build", "aspects", folder, "--out", out, *asking).stdout
    assert "2 cases, made by template, 0 pictures to be attached" in told
    prompts = [body["prompt"] for body in server.asked]
    assert len(prompts) == 4
    assert any(", with a" in prompt for prompt in prompts)
    bench = load_benchmark(f"aspects:{out / 'aspects.jsonl'}")
    with Image.open(bench.images[bench.cases[0].truths[0]]) as shown:
        assert (shown.format, shown.size) == ("JPEG", (96, 64))
    command("build", "aspects", folder, "--out", out, *asking)
    assert len(server.asked) == 4, "what is there is not painted again"


def test_an_error_of_the_server_is_one_line_and_the_work_goes_on(
    command: Command, folder: Path, tmp_path: Path, server: FakeChatServer
) -> None:
    server.troubles = [(400, b'{"error": {"message": "too many\\nwords"}}')]
    asking = ("--server", server.url, "--model", "toy", "--aspect", "addition", "--each", 4)
    done = command("build", "aspects", folder, "--out", tmp_path / "out", *asking)
    (line,) = [line for line in done.stderr.splitlines() if "400" in line]
    assert "too many words" in line
    assert len(records(tmp_path / "out" / "aspects.jsonl")) >= 2


def test_a_server_that_always_fails_ends_it_with_the_remedy(
    command: Command, folder: Path, tmp_path: Path, server: FakeChatServer
) -> None:
    server.troubles = [(401, b"{}")] * 9
    asking = ("--server", server.url, "--model", "toy", "--aspect", "addition", "--each", 4)
    done = command("build", "aspects", folder, "--out", tmp_path / "out", *asking, code=1)
    assert "run the same command again when the server answers" in done.stderr.splitlines()[-1]


def test_an_interrupted_run_waits_for_nobody_and_goes_on_later(
    command: Command, folder: Path, tmp_path: Path
) -> None:
    out, hang = tmp_path / "out", threading.Event()

    def slow(content: Any) -> str:
        if "black cat" in content:
            hang.wait(60)
        return answer(content)

    with FakeChatServer(slow) as server:
        asking = ("--server", server.url, "--model", "toy", "--aspect", "addition", "--each", 3)
        running = command.start("build", "aspects", folder, "--out", out, *asking)
        until = time.monotonic() + 60
        while len(server.asked) < 3 and time.monotonic() < until:
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=20)
        hang.set()
        assert running.returncode == 130
        assert "Traceback" not in said
        command("build", "aspects", folder, "--out", out, *asking)
    assert len(records(out / "aspects.jsonl")) == 3


def test_what_cannot_be_meant_is_said_in_one_line(command: Command, folder: Path, tmp_path: Path) -> None:
    def fails(*args: object) -> str:
        done = command("build", "aspects", *args, "--out", tmp_path / "out", code=2)
        return done.stderr.splitlines()[-1]

    assert "no such file or folder" in fails(tmp_path / "nowhere")
    assert "no aspect 'viewpoint' to make cases of: pick of cardinality" in fails(
        folder, "--aspect", "viewpoint"
    )
    assert "which model" in fails(folder, "--server", "http://127.0.0.1:9/v1")
    assert "begins with http" in fails(folder, "--server", "localhost", "--model", "toy")
    (tmp_path / "bare").mkdir()
    assert "no picture with a caption" in fails(tmp_path / "bare")
    assert "circlet data make tableaux" in fails(f"tableaux:{tmp_path / 'bare'}")


def test_a_line_that_is_no_case_is_named(tmp_path: Path) -> None:
    path = tmp_path / "aspects.jsonl"
    path.write_text('{"id": "1", "aspect": "negation"}\n', encoding="utf-8")
    with pytest.raises(DataError, match="record 1: no field hard_negative"):
        read_cases(path)
    path.write_text('{"id": "1", "aspect": "texture"}\n', encoding="utf-8")
    with pytest.raises(DataError, match="line 1: 'texture' is no aspect"):
        read_cases(path)
    path.write_text("nonsense\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"aspects\.jsonl, line 1: not JSON"):
        read_cases(path)
