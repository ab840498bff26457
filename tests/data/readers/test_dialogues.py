"""CIRR's pairs as dialogues: by hand on two small subsets, then the published counts."""

import json
from pathlib import Path

import pytest
from tests.data.shared import real

from circlet.core import UsageError
from circlet.data import load_benchmark
from circlet.data.readers.dialogues import shape_of


def _write(root: Path, subsets: dict[int, tuple[str, list[tuple[int, int]]]], *, told: bool = True) -> None:
    """A CIRR folder with these subsets: by id the six members, and the pairs by rank."""
    records = []
    for number, (members, pairs) in subsets.items():
        for reference, target in pairs:
            together = {"id": number, "members": list(members), "reference_rank": reference}
            record = {
                "pairid": len(records),
                "reference": members[reference],
                "caption": f"{members[reference]} to {members[target]}",
                "img_set": together,
            }
            if told:
                together["target_rank"] = target
                record["target_hard"] = members[target]
            records.append(record)
    for name, value in {
        "captions/cap.rc2.val.json": records,
        "image_splits/split.rc2.val.json": {
            id: f"dev/{id}.png" for members, _ in subsets.values() for id in members
        },
    }.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(json.dumps(value))


LOOP = [(rank, (rank + 1) % 6) for rank in range(6)]


def test_a_loop_is_a_dialogue_of_five_turns_and_a_gap_parts_it(tmp_path: Path) -> None:
    _write(tmp_path, {1: ("abcdef", [*LOOP, (0, 2)]), 2: ("ghijkl", [(0, 1), (1, 2), (3, 4), (5, 0)])})
    benchmark = load_benchmark(f"dialogues:{tmp_path}")
    told = {
        case.id: ("".join(turn.picture for turn in case.query.turns), case.target) for case in benchmark.cases
    }
    # From l over g and h to i; j to k is one pair, and one pair is no dialogue.
    assert told == {"1.0": ("abcde", "f"), "2.5": ("lgh", "i")}
    assert benchmark.case("2.5").exclude == ("l", "g", "h")
    assert benchmark.case("2.5").query.last.text == "h to i"


def test_a_dialogue_goes_on_where_another_subset_has_its_last_picture(tmp_path: Path) -> None:
    pairs = [(0, 1), (1, 2)]
    _write(tmp_path, {1: ("abcdef", pairs), 2: ("cghijk", pairs), 3: ("hblmno", pairs)})
    assert [len(query.turns) for query in load_benchmark(f"dialogues:{tmp_path}").queries] == [2, 2, 2]
    across = load_benchmark(f"dialogues:{tmp_path}?through=subsets")
    seen = ["".join(turn.picture for turn in query.turns) for query in across.queries]
    # The first ends at h: from there the third subset would lead back to b, which was shown.
    assert seen == ["abcg", "cghb", "hb"]
    assert [case.target for case in across.cases] == ["h", "l", "l"]


def test_without_targets_there_is_no_dialogue(tmp_path: Path) -> None:
    _write(tmp_path, {1: ("abcdef", LOOP)}, told=False)
    with pytest.raises(UsageError, match="does not tell the targets of val"):
        load_benchmark(f"dialogues:{tmp_path}")


def test_pairs_and_loops_of_val_are_the_known_ones() -> None:
    shape = shape_of(load_benchmark(f"cirr:{real('cirr')}"))
    assert shape is not None
    assert (shape.subsets, round(shape.pairs, 2), round(shape.closed, 1)) == (503, 8.31, 73.4)
    across = load_benchmark(f"dialogues:{real('cirr')}?through=subsets")
    for case in across.cases:
        shown = [turn.picture for turn in case.query.turns]
        assert len({*shown, case.target}) == len(shown) + 1, "no picture comes twice"
