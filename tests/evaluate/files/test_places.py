"""ImageCoDe's leaderboard file: written, read back, measured and checked."""

import json
from pathlib import Path

import pytest

from circlet.core import Benchmark, DataError, Key, Query, Ranking, Run, Turn, UsageError, cases_of
from circlet.evaluate import measure, read_run
from circlet.evaluate.files.submissions import lint_submission, unchecked, write_submission

PLACES = {"video-1": (4, 0), "open-images-2": (9,)}


def imagecode(split: str = "test") -> Benchmark:
    """Two sets of ten; three descriptions, whose pictures val tells and test does not."""
    told = split == "val"
    ids = {
        f"{name}/{place if told else number}": name
        for name, places in PLACES.items()
        for number, place in enumerate(places)
    }
    return Benchmark(
        name="imagecode",
        split=split,
        cases=cases_of(
            [Query(id, (Turn(text="x"),)) for id in ids],
            truths={id: (id,) for id in ids} if told else {},
            subsets={id: tuple(f"{name}/{place}" for place in range(10)) for id, name in ids.items()},
            aspects={id: ("static" if "open" in name else "video",) for id, name in ids.items()},
        ),
        galleries={},
        measures=("Accuracy", "Within('video', Accuracy)") if told else (),
    )


def picking(bench: Benchmark, places: tuple[int, ...]) -> Run:
    subsets = {
        Key(query.id): Ranking([bench.case(query.id).subset[place], bench.case(query.id).subset[5]], [2, 1])
        for query, place in zip(bench.queries, places, strict=True)
    }
    return Run(method="m", subsets=subsets)


def test_the_file_holds_a_place_for_each_description(tmp_path: Path) -> None:
    bench = imagecode()
    path = write_submission(picking(bench, (4, 1, 9)), bench, tmp_path / "places.json")
    assert json.loads(path.read_text()) == {"video-1": [4, 1], "open-images-2": [9]}
    assert lint_submission(path.read_text(), bench) == []
    assert unchecked(bench) == ""
    again = read_run(path, bench)
    assert {key.query: ranking.ids[0] for key, ranking in again.subsets.items()} == {
        "video-1/0": "video-1/4",
        "video-1/1": "video-1/1",
        "open-images-2/0": "open-images-2/9",
    }


def test_such_a_file_is_measured(tmp_path: Path) -> None:
    bench = imagecode("val")
    path = tmp_path / "places.json"
    path.write_text('{"video-1": [4, 1], "open-images-2": [9]}')
    found = measure(read_run(path, bench), bench).measures
    assert found["Accuracy"] == pytest.approx(200 / 3)
    assert found["Within('video', Accuracy)"] == 50


def test_what_the_leaderboard_would_refuse_is_said(tmp_path: Path) -> None:
    bench, good = imagecode(), {"video-1": [4, 1], "open-images-2": [9]}
    for change, reason in (
        ({"video-1": [4]}, "set video-1 has not one place for each of its 2 descriptions"),
        ({"video-1": "41"}, "set video-1 has not one place for each of its 2 descriptions"),
        ({"video-1": [4, 10]}, "set video-1 has 10 where a place from 0 to 9 stands"),
        ({"video-1": [4, "1"]}, "set video-1 has '1' where a place from 0 to 9 stands"),
        ({"video-1": [4, True]}, "set video-1 has True where a place from 0 to 9 stands"),
        ({"other": [1]}, "set other is not in imagecode test"),
    ):
        text = json.dumps(good | change)
        assert lint_submission(text, bench) == [reason]
        (tmp_path / "x.json").write_text(text)
        with pytest.raises(DataError, match="write it again for imagecode test"):
            read_run(tmp_path / "x.json", bench)
    missing = lint_submission('{"open-images-2": [9]}', bench)
    assert missing == ["1 of 2 sets are missing, the first missing one is video-1"]


def test_a_description_that_is_not_ranked_is_no_submission(tmp_path: Path) -> None:
    bench = imagecode()
    run = picking(bench, (4, 1, 9))
    part = Run(method="m", subsets=dict(list(run.subsets.items())[1:]))
    with pytest.raises(DataError, match="the imagecode server would refuse this run: set video-1 has None"):
        write_submission(part, bench, tmp_path / "x.json")
    with pytest.raises(UsageError, match="takes the split test, not val"):
        write_submission(run, imagecode("val"), tmp_path / "x.json")
