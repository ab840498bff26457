"""circlet's methods as models of mteb, and a model of mteb as an encoder: with the real package."""

from typing import Any

import numpy as np
import pytest
from PIL import Image

from circlet.core import Query, Turn, UsageError, unit
from circlet.models import load_encoder, load_method
from circlet.models.mteb_models import CircletModel, MtebEncoder
from circlet.testing import ToyEncoder

mteb = pytest.importorskip("mteb")
datasets = pytest.importorskip("datasets")

COLOURS = {"red": (220, 20, 20), "night": (10, 10, 20), "blue": (30, 40, 220), "beach": (240, 220, 140)}


class Seeing(ToyEncoder):
    """The toy, whose pictures are known by their colour."""

    def images(self, pictures: Any) -> Any:
        return self.texts([_name(one) for one in pictures])


def _name(picture: Image.Image) -> str:
    mean = np.asarray(picture.convert("RGB"), np.float32).mean(axis=(0, 1))
    return min(COLOURS, key=lambda name: float(np.abs(mean - COLOURS[name]).sum()))


def shown(name: str) -> Image.Image:
    return Image.new("RGB", (40, 30), COLOURS[name])


@pytest.fixture
def task() -> Any:
    """A retrieval task of mteb, picture and words to picture, whose truth is the colour that is said."""
    from mteb.abstasks.retrieval import AbsTaskRetrieval
    from mteb.abstasks.retrieval_dataset_loaders import RetrievalSplitData
    from mteb.mocks.mock_tasks.retrieval import general_args

    asked = [("red", "blue"), ("night", "beach"), ("blue", "red")]
    text = datasets.Value("string")

    class Colours(AbsTaskRetrieval):
        metadata = mteb.TaskMetadata(
            type="Any2AnyRetrieval", name="Colours", main_score="ndcg_at_10", **general_args
        )
        metadata.modalities = ["image", "text"]  # noqa: RUF012
        metadata.category = "it2i"

        def load_data(self, **options: Any) -> None:
            split = RetrievalSplitData(
                queries=datasets.Dataset.from_dict(
                    {
                        "id": [str(row) for row in range(3)],
                        "image": [shown(seen) for seen, _ in asked],
                        "text": [said for _, said in asked],
                    },
                    features=datasets.Features(
                        {
                            "id": datasets.Value("string"),
                            "image": datasets.Image(),
                            "text": datasets.Value("string"),
                        }
                    ),
                ),
                corpus=datasets.Dataset.from_dict(
                    {"id": list(COLOURS), "image": [shown(name) for name in COLOURS]},
                    features=datasets.Features({"id": text, "image": datasets.Image()}),
                ),
                relevant_docs={str(row): {said: 1} for row, (_, said) in enumerate(asked)},
                top_ranked=None,
            )
            self.dataset = {"default": {"test": split}}
            self.data_loaded = True

    return Colours()


def score(model: Any, task: Any) -> dict[str, float]:
    result = mteb.evaluate(model, task, cache=None, show_progress_bar=False)
    return result.task_results[0].scores["test"][0]


def test_any_method_runs_as_a_model_of_a_retrieval_task(task: Any) -> None:
    words = score(CircletModel(Seeing(), method="text"), task)
    picture = score(CircletModel(Seeing(), method="image"), task)
    assert words["hit_rate_at_1"] == 1
    assert picture["hit_rate_at_1"] == 0, "the reference itself is first: mteb keeps it"
    staged = score(CircletModel(Seeing(), method="image % 4 >> text"), task)
    assert staged["hit_rate_at_1"] == 1


def test_its_search_is_circlets_own(task: Any) -> None:
    task.load_data()
    split = task.dataset["default"]["test"]
    toy = Seeing()
    model = CircletModel(toy, method="sum", balance=0.5)
    with pytest.raises(UsageError, match="nothing is indexed yet"):
        model.search(split["queries"], top_k=2)
    model.index(split["corpus"])
    found = model.search(split["queries"], top_k=2)
    album = ToyEncoder().gallery(*COLOURS)
    (ranking,) = load_method("sum", toy, balance=0.5).rank(
        [Query("0", (Turn(picture="red", text="blue"),))], album, top=2
    )
    assert found["0"] == pytest.approx(dict(zip(ranking.ids, ranking.scores, strict=True)))
    listed = model.search(
        split["queries"], top_k=9, top_ranked={"0": ["night", "red"], "1": [], "2": ["red"]}
    )
    assert {id: sorted(docs) for id, docs in listed.items()} == {"0": ["night", "red"], "1": [], "2": ["red"]}


@pytest.mark.parametrize(
    "name",
    [
        "MockAny2AnyRetrievalI2TTask",
        "MockAny2AnyRetrievalT2ITask",
        "MockImageClassificationTask",
        "MockImageClusteringFastTask",
        "MockImageTextPairClassificationTask",
        "MockZeroShotClassificationTask",
    ],
)
def test_every_kind_of_image_task_runs_with_the_builtin_encoder(name: str) -> None:
    from mteb.mocks import mock_tasks

    kind = getattr(mock_tasks, name)
    scores = score(CircletModel("builtin"), kind())
    assert np.isfinite(scores["main_score"])


def test_results_are_kept_under_the_method_and_the_encoders_fingerprint() -> None:
    one, other = CircletModel(Seeing(), method="sum"), CircletModel(Seeing(), method="text")
    assert one.mteb_model_meta.name == "circlet/sum"
    assert one.mteb_model_meta.revision != other.mteb_model_meta.revision


def test_a_model_of_mteb_is_an_encoder() -> None:
    encoder = MtebEncoder(CircletModel(Seeing()))
    toy = Seeing()
    pictures = [shown("red"), shown("blue")]
    np.testing.assert_allclose(encoder.images(pictures), toy.images(pictures), atol=1e-6)
    np.testing.assert_allclose(encoder.texts(["a red dog"]), toy.texts(["a red dog"]), atol=1e-6)
    assert (encoder.dim, encoder.texts([]).shape) == (toy.dim, (0, toy.dim))
    both = encoder.together([[pictures[0], "dog"], ["cat"]])
    np.testing.assert_allclose(both[0], unit(toy.texts(["red"]) + toy.texts(["dog"]))[0], atol=1e-6)
    np.testing.assert_allclose(both[1], toy.texts(["cat"])[0], atol=1e-6)
    with pytest.raises(UsageError, match="no instruction but its own"):
        encoder.together([[pictures[0], "dog"]], instruction="find")


def test_a_named_model_of_mteb_is_loaded_by_its_registry() -> None:
    encoder = load_encoder("mteb:mteb/baseline-random-encoder")
    rows = encoder.images([shown("red"), shown("blue")])
    assert rows.shape == (2, encoder.dim)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    with pytest.raises(UsageError, match="mteb cannot load nobody/nothing"):
        load_encoder("mteb:nobody/nothing").texts(["a"])
