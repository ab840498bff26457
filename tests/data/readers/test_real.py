"""Every reader on the real annotation files: the counts of the papers, and nothing lost on the way."""

import json
from pathlib import Path

import pytest
from tests.data.shared import ROOT, real

from circlet.core import Benchmark, DataError, UsageError
from circlet.data import load_benchmark, read_benchmark, write_benchmark
from circlet.data.check import benchmarks_under, check
from circlet.evaluate import chance, measure, parse_measure
from circlet.evaluate.baselines import perfect


def test_every_count_is_the_published_one() -> None:
    real("cirr")
    names = benchmarks_under(ROOT)
    assert len(names) == 10
    for name in names:
        checked = check(name)
        assert checked.published
        assert checked.differs == {}, name


def test_cirr_counts_and_oddities_are_reported() -> None:
    checked = check(f"cirr:{real('cirr')}")
    assert checked.counts == {"queries": 4181, "gallery": 2297, "sets": 503, "truths": 4181}
    assert "42 queries have a hard target that earns less than 1 as a soft target" in checked.findings
    assert checked.findings[0] == (
        "645 queries have several soft targets; for 37 the reference itself is one"
    )
    assert len(checked.missing) == 2297


def test_the_random_row_of_cirr_is_the_theoretical_one() -> None:
    row = chance(load_benchmark(f"cirr:{real('cirr')}")).measures
    assert [round(row[f"Recall @ {k}"], 2) for k in (1, 5, 10, 50)] == [0.04, 0.22, 0.44, 2.18]
    assert row["Recall @ 50"] == pytest.approx(100 * 50 / 2296, abs=1e-12)
    assert [row[f"SubsetRecall @ {k}"] for k in (1, 2, 3)] == pytest.approx([20, 40, 60])


@pytest.mark.parametrize(
    "name",
    [
        "cirr:{}/cirr",
        "cirr:{}/cirr?reference=kept&gallery=all",
        "fashioniq:{}/fashioniq",
        "fashioniq:{}/fashioniq?captions=each&gallery=pairs",
        "circo:{}/circo",
        "imagecode:{}/imagecode",
    ],
)
def test_a_perfect_run_scores_100_on_every_measure(name: str) -> None:
    real("cirr")
    bench = load_benchmark(name.format(ROOT))
    assert set(measure(perfect(bench), bench).measures.values()) == {100.0}


def test_circo_has_two_denominators() -> None:
    root = real("circo")
    bench = load_benchmark(f"circo:{root}")
    assert sum(len(case.truths) for case in bench.cases) / len(bench) == pytest.approx(4.16, abs=0.005)
    assert measure(perfect(bench), bench, [parse_measure("MAP @ 5")]).measures == {"MAP @ 5": 100.0}
    other = load_benchmark(f"circo:{root}?map=truths")
    assert measure(perfect(other), other).measures["MAP(over='truths') @ 5"] == pytest.approx(90.5, abs=0.05)
    assert "map=truths" in other.header()


def test_soft_targets_leave_the_subset_measure_as_it_is() -> None:
    root = real("cirr")
    soft = load_benchmark(f"cirr:{root}?target=soft")
    best = measure(perfect(soft), soft).measures
    assert best["SubsetRecall @ 1"] == 100
    # Three queries have no soft target that earns anything, two more earn a half at most.
    assert 99.8 < best["Recall(of='soft') @ 50"] < 100
    assert chance(soft).measures["SubsetRecall @ 1"] == pytest.approx(20)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("", "gallery=2297 reference=removed target=hard"),
        ("?gallery=all", "gallery=21551(all) reference=removed target=hard"),
        ("?gallery=references", "gallery=2165(references) reference=removed target=hard outside=miss"),
    ],
)
def test_the_protocol_stands_in_the_header(options: str, said: str) -> None:
    assert load_benchmark(f"cirr:{real('cirr')}:val{options}").header() == f"cirr val {said}"


@pytest.mark.parametrize(
    ("gallery", "sizes"),
    [("split", (3817, 6346, 5373)), ("pairs", (2628, 3089, 2902)), ("pooled", (74381,) * 3)],
)
def test_fashioniq_galleries(gallery: str, sizes: tuple[int, ...]) -> None:
    bench = load_benchmark(f"fashioniq:{real('fashioniq')}", protocol={"gallery": gallery})
    assert tuple(map(len, bench.galleries.values())) == sizes


def test_fashioniq_asks_both_orders_by_default() -> None:
    bench = load_benchmark(f"fashioniq:{real('fashioniq')}")
    assert bench.case("dress-0").wordings == (
        "is shiny and silver with shorter sleeves and fit and flare",
        "fit and flare and is shiny and silver with shorter sleeves",
    )
    each = load_benchmark(f"fashioniq:{real('fashioniq')}?captions=each")
    assert len(each) == 2 * len(bench)
    joined = load_benchmark(f"fashioniq:{real('fashioniq')}?captions=joined")
    assert len(joined.asks()) == len(bench)
    assert len(bench.asks()) == 2 * len(bench)


@pytest.mark.parametrize(
    "name", ["cirr:{}/cirr", "fashioniq:{}/fashioniq", "circo:{}/circo", "imagecode:{}/imagecode"]
)
def test_conversion_to_jsonl_loses_nothing(tmp_path: Path, name: str) -> None:
    real("cirr")
    bench = load_benchmark(name.format(ROOT))
    again = read_benchmark(write_benchmark(bench, tmp_path / "b.jsonl"))
    assert again == bench
    assert ORIGINAL[bench.name](again) == SOURCE[bench.name]()


def cirr_records(bench: Benchmark) -> list[object]:
    return [
        {"pairid": int(query.id), "reference": query.last.picture, "caption": query.last.text}
        | {name: value for name, value in bench.case(query.id).notes.items() if name != "caption_extend"}
        for query in bench.queries
    ]


def fashioniq_records(bench: Benchmark) -> list[object]:
    return [
        {
            "candidate": query.last.picture,
            "target": bench.case(query.id).truths[0],
            **bench.case(query.id).notes,
        }
        for query in bench.queries
    ]


def circo_records(bench: Benchmark) -> list[object]:
    return [
        {
            "id": int(query.id),
            "reference_img_id": int(query.last.picture or 0),
            "target_img_id": int(bench.case(query.id).truths[0]),
            "semantic_aspects": list(bench.case(query.id).aspects),
            **bench.case(query.id).notes,
        }
        for query in bench.queries
    ]


def imagecode_records(bench: Benchmark) -> dict[str, dict[str, str]]:
    sets: dict[str, dict[str, str]] = {}
    for query in bench.queries:
        name, place = query.id.rsplit("/", 1)
        sets.setdefault(name, {})[place] = query.last.text
    return sets


def load(path: str) -> list[object]:
    return json.loads((ROOT / path).read_text(encoding="utf-8"))


ORIGINAL = {
    "cirr": cirr_records,
    "fashioniq": fashioniq_records,
    "circo": circo_records,
    "imagecode": imagecode_records,
}
SOURCE = {
    "cirr": lambda: load("cirr/captions/cap.rc2.val.json"),
    "fashioniq": lambda: [
        record
        for name in ("dress", "shirt", "toptee")
        for record in load(f"fashioniq/captions/cap.{name}.val.json")
    ],
    "circo": lambda: load("circo/annotations/val.json"),
    "imagecode": lambda: load("imagecode/valid_data.json"),
}


def test_extended_annotations_are_read() -> None:
    bench = load_benchmark(f"cirr:{real('cirr')}")
    assert bench.case("12060").notes["caption_extend"]["0"] == "being a photo of bottles"


def test_a_split_without_truths_cannot_be_measured() -> None:
    bench = load_benchmark(f"cirr:{real('cirr')}:test1")
    assert (len(bench), len(bench.galleries[""])) == (4148, 2315)
    with pytest.raises(DataError, match="says no truths"):
        chance(bench)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cirr:{}/cirr?refs=kept", "cirr has no option refs; it has reference=removed"),
        ("cirr:{}/cirr?reference=gone", "reference=gone is none of removed, kept"),
        ("cirr:{}/cirr:test9", "no split 'test9'"),
        ("cirr:{}/cirr:train", r"cap\.rc2\.train\.json: No such file"),
        ("cirr:{}/cirr?gallery=all-dev", "every file of the folder dev, and there is none"),
        ("nothing:{}/cirr", "no benchmark is named"),
        ("cirr:{}/circo", "No such file"),
    ],
)
def test_wrong_names_are_answered_with_the_remedy(name: str, said: str) -> None:
    real("cirr")
    with pytest.raises((UsageError, DataError), match=said):
        load_benchmark(name.format(ROOT))
