"""The tableaux world's own encoder: its probes, its blind control, its page."""

import random
from pathlib import Path

import pytest

from circlet.data.tableaux.tasks.facts import FACTS, fact_pairs
from circlet.data.tableaux.tasks.sayings import facts
from circlet.data.tableaux.tasks.trials import MAKERS
from circlet.data.tableaux.world.families import belongs
from circlet.experiments.encoder import Shuffled, probe
from circlet.experiments.encoder_page import _CIR, METHODS, SHARES, check, page


def test_pairs_differ_in_one_fact_and_stay_in_their_split() -> None:
    for pair in fact_pairs("val", 4):
        assert belongs(pair.target, "val")
        assert belongs(pair.other, "val")
        only = facts(pair.target) - facts(pair.other)
        # A count of one is told twice, as a number and by the noun.
        assert 1 <= len(only) <= 2, (pair.fact, only)


def test_a_probe_is_drawn_once_and_its_names_do_not_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CIRCLET_HOME", str(tmp_path))
    bench = probe("facts", "val", each=6)
    assert len(bench) == 6 * len(FACTS)
    assert all(path.is_file() for path in bench.images.values())
    first = [case.truths[0] == min(case.subset) for case in bench.cases]
    assert 0.2 < sum(first) / len(first) < 0.8
    before = {path: path.stat().st_mtime_ns for path in bench.images.values()}
    assert probe("facts", "val", each=6).queries == bench.queries
    assert {path: path.stat().st_mtime_ns for path in bench.images.values()} == before


class Letters:
    def __init__(self) -> None:
        self.files = {id: Path(id) for id in "abcdef"}

    def facts(self, id: str) -> frozenset[str]:
        return frozenset({id})


def test_the_blind_control_says_of_a_picture_what_is_true_of_another() -> None:
    blind = Shuffled(Letters())  # type: ignore[arg-type]
    told = [next(iter(blind.facts(id))) for id in blind.files]
    assert sorted(told) == list("abcdef") != told


def numbers(value: float, negation: float) -> dict[str, float]:
    made = {f"caption {name}": value for name in ("first", "five", "ten", "precision")}
    made |= {f"fact {fact}": value for fact in FACTS}
    made |= {f"cir {method} {name}": value for method in METHODS for name in _CIR}
    made |= {f"aspect {method} {aspect}": value for method in ("sum", "text") for aspect in MAKERS}
    made |= {f"several {share}": value for share in SHARES}
    return made | {"aspect sum negation": negation}


def test_the_page_says_what_was_expected_and_whether_it_holds() -> None:
    seeds = [numbers(98 + random.Random(seed).random(), 10) for seed in range(2)]
    good = {"encoder": seeds, "builtin": [numbers(8, 50)], "shuffled": [numbers(7, 50)]}
    assert {verdict.holds for verdict in check(good)} == {"holds"}
    bad = {"encoder": [numbers(30, 60)], "builtin": [numbers(8, 50)], "shuffled": [numbers(30, 50)]}
    assert {verdict.holds for verdict in check(bad)} == {"does not hold"}
    text = page(good, ["standard"])
    assert "| tableaux encoder | 98" in text
    assert "± " in text
    assert check({}) == []
