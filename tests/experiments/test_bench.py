"""A benchmark's pictures as vectors: made once, made again when a file changes, missing ones named."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from circlet.core import Benchmark, DataError, Pictures, Query, Scorer, Turn, Vectors, cases_of, unit
from circlet.evaluate import Relevance
from circlet.experiments.bench import Bench, encode
from circlet.models import BaseEncoder
from circlet.models.features import FeatureStore


class Mean(BaseEncoder):
    """An encoder by hand: the mean colour; it counts what it was shown."""

    name, fingerprint, dim, size = "mean", "mean:1", 3, 8

    def __init__(self) -> None:
        self.seen = 0

    def prepare(self, picture: Image.Image) -> Vectors:
        return np.asarray(picture, np.float32).mean(axis=(0, 1))

    def encode_prepared(self, pictures: Vectors) -> Vectors:
        self.seen += len(pictures)
        return unit(pictures)

    def tokens_prepared(self, pictures: Vectors) -> Vectors:
        return pictures[:, None]

    def texts(self, words: Sequence[str]) -> Vectors:
        return np.zeros((len(words), 3), np.float32)


@pytest.fixture
def bench(tmp_path: Path) -> Benchmark:
    colours = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255)}
    for name, colour in colours.items():
        Image.new("RGB", (16, 16), colour).save(tmp_path / f"{name}.png")
    return Benchmark(
        name="toy",
        split="val",
        cases=cases_of(
            (
                Query("1", (Turn(picture="red", text="green"),)),
                Query("2", (Turn(picture="green", text="blue"),)),
            ),
            truths={"1": ("green",), "2": ("blue",)},
        ),
        galleries={"": tuple(colours)},
        images={name: tmp_path / f"{name}.png" for name in colours},
    )


def test_pictures_are_encoded_once(bench: Benchmark, tmp_path: Path) -> None:
    encoder, told = Mean(), []
    first = encode(
        bench, encoder, store=FeatureStore(tmp_path / "store"), progress=lambda done, total: told.append(done)
    )
    assert encoder.seen == 3
    assert told == [3]
    assert first.pictures.ids == ("red", "green", "blue")
    np.testing.assert_allclose(first.pictures.vectors, np.eye(3), atol=1e-6)
    again = encode(bench, encoder, store=FeatureStore(tmp_path / "store"))
    assert encoder.seen == 3
    np.testing.assert_array_equal(again.pictures.vectors, first.pictures.vectors)
    assert (again.coverage, again.missing) == (1.0, {})


def test_a_changed_file_is_encoded_again(bench: Benchmark, tmp_path: Path) -> None:
    encoder = Mean()
    encode(bench, encoder, store=FeatureStore(tmp_path / "store"))
    path = bench.images["red"]
    Image.new("RGB", (16, 16), (0, 0, 255)).save(path)
    os.utime(path, ns=(1, 1))
    again = encode(bench, encoder, store=FeatureStore(tmp_path / "store"))
    assert encoder.seen == 4
    np.testing.assert_allclose(again.pictures.vectors[0], [0, 0, 1], atol=1e-6)


def test_another_encoder_has_vectors_of_its_own(bench: Benchmark, tmp_path: Path) -> None:
    one, two = Mean(), Mean()
    two.fingerprint = "mean:2"
    encode(bench, one, store=FeatureStore(tmp_path / "store"))
    assert encode(bench, two, store=FeatureStore(tmp_path / "store")).pictures.fingerprint == "mean:2"
    assert two.seen == 3


def test_a_missing_picture_is_named_before_anything_is_encoded(bench: Benchmark, tmp_path: Path) -> None:
    bench.images["blue"].unlink()
    encoder = Mean()
    with pytest.raises(DataError, match=r"1 of 3 pictures are missing: blue \(no such file: .*blue\.png\)"):
        encode(bench, encoder, store=FeatureStore(tmp_path / "store"))
    assert encoder.seen == 0


def test_a_broken_picture_is_named_with_the_reason(bench: Benchmark, tmp_path: Path) -> None:
    bench.images["green"].write_bytes(b"no picture")
    with pytest.raises(DataError, match=r"1 of 3 pictures are missing: green \(.*green\.png"):
        encode(bench, Mean(), store=FeatureStore(tmp_path / "store"))


def test_what_is_left_is_measured_with_its_coverage(bench: Benchmark, tmp_path: Path) -> None:
    bench.images["blue"].unlink()
    left = encode(bench, Mean(), store=FeatureStore(tmp_path / "store"), allow_missing=True)
    assert [query.id for query in left.benchmark.queries] == ["1"]
    assert left.benchmark.galleries == {"": ("red", "green")}
    assert left.coverage == 0.5
    assert list(left.missing) == ["blue"]
    bench.images["green"].unlink()
    with pytest.raises(DataError, match="no query is left"):
        encode(bench, Mean(), store=FeatureStore(tmp_path / "store"), allow_missing=True)


def test_a_picture_without_a_file_is_named(bench: Benchmark, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"red \(the benchmark does not say where it is\)"):
        encode(replace(bench, images={}), Mean(), store=FeatureStore(tmp_path / "store"))


class Company(Scorer):
    """A picture is worth as much as there are beside it."""

    def score(
        self, queries: Sequence[Query], candidates: Sequence[Sequence[str]], pictures: Pictures
    ) -> list[Vectors]:
        return [np.full(len(ids), len(ids), np.float32) for ids in candidates]


def test_relevance_is_the_same_number_whatever_else_is_measured(bench: Benchmark, tmp_path: Path) -> None:
    here = Bench(bench, relevance="company")
    vars(here)["encoder"], vars(here)["scorer"] = Mean(), Company()
    vars(here)["encoded"] = encode(bench, Mean(), store=FeatureStore(tmp_path / "store"))
    method = here.method("image")
    alone, _ = here.row(method, "image", [Relevance @ 1])
    saved = here.ranked(method, "image", top=50)
    beside = here.run_row(saved, "image", [Relevance @ 1, Relevance @ 3])
    assert [row.measures["Relevance @ 1"] for row in (alone, beside)] == [3, 3]
    # What is saved is as deep as it was asked to be, however deep the scorer looked.
    assert here.row(method, "image", [Relevance @ 1], top=2)[1].depth == 2
