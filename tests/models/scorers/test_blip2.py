"""BLIP-2 behind `>>`: equation 1 of the CIRQRS paper, from the model's own parts, on a tiny checkpoint."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from tests.models.encoders.test_hub import pictures, saved

from circlet.core import Gallery, Query, Turn, UsageError
from circlet.models import load_encoder, load_method, load_scorer
from circlet.models.scorers.blip2 import Blip2
from circlet.testing import ToyEncoder

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

IDS = ("a", "b", "c")


class Album(Gallery):
    """Three pictures that open, and how often each did."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.opened: list[str] = []

    def open(self, id: str, side: int | None = None) -> Image.Image:
        self.opened.append(id)
        return pictures()[IDS.index(id)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved("blip-2", tmp_path_factory.mktemp("blip2") / "tiny")


@pytest.fixture
def album() -> Album:
    vectors = np.eye(3, 8, dtype=np.float32)
    return Album(IDS, vectors, ToyEncoder().fingerprint)


class Plain:
    """The same numbers from transformers' own forward of the whole model."""

    def __init__(self, folder: Path) -> None:
        self.model = transformers.Blip2ForImageTextRetrieval.from_pretrained(folder).eval()
        self.processor = transformers.AutoImageProcessor.from_pretrained(folder)
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)

    def both(self, id: str, words: str, *, matching: bool) -> Any:
        picture = pictures()[IDS.index(id)].convert("RGB")
        read = self.tokenizer([words], return_tensors="pt")
        with torch.no_grad():
            return self.model(
                pixel_values=self.processor(images=[picture], return_tensors="pt")["pixel_values"],
                input_ids=read["input_ids"],
                attention_mask=read["attention_mask"],
                use_image_text_matching_head=matching,
            )

    def question(self, reference: str, words: str) -> Any:
        """Q(E(x_I), x_T): words and queries in one pass, the reference's states beside them."""
        read = self.both(reference, words, matching=True).text_model_output.last_hidden_state
        with torch.no_grad():
            row = self.model.text_projection(read[0, self.model.config.num_query_tokens])
        return torch.nn.functional.normalize(row, dim=0)

    def candidate(self, id: str) -> Any:
        """Q(E(I_j)): what each query finds in the picture alone."""
        return self.both(id, "a", matching=False).image_embeds[0]

    def scores(self, asked: Any, temperature: float = 0.07) -> list[float]:
        return [float((self.candidate(id) @ asked).max()) / temperature for id in IDS]


def test_scores_are_those_of_the_equation(folder: Path, album: Album) -> None:
    plain = Plain(folder)
    query = Query("q", (Turn(picture="a", text="two red cat"),))
    (found,) = Blip2(ToyEncoder(), str(folder)).score([query], [IDS], album)
    wanted = plain.scores(plain.question("a", "two red cat"))
    np.testing.assert_allclose(found, wanted, atol=1e-3)
    # Another reference, or other words, and it is another question.
    for other in (Turn(picture="b", text="two red cat"), Turn(picture="a", text="a blue dog")):
        (apart,) = Blip2(ToyEncoder(), str(folder)).score([Query("q", (other,))], [IDS], album)
        assert np.abs(apart - found).max() > 0.01


def test_it_reranks_what_a_method_kept(folder: Path, album: Album) -> None:
    method = load_method(f"image % 2 >> blip2:{folder}", ToyEncoder())
    (ranking,) = method.rank([Query("q", (Turn(picture="a", text="a dog"),))], album)
    plain = Plain(folder)
    scores = dict(zip(IDS, plain.scores(plain.question("a", "a dog")), strict=True))
    assert len(ranking.ids) == 2
    assert ranking.scores.tolist() == pytest.approx([scores[id] for id in ranking.ids], abs=1e-3)
    assert ranking.scores[0] >= ranking.scores[1]
    with pytest.raises(UsageError, match="scores candidates and finds none itself"):
        load_method(f"blip2:{folder}", ToyEncoder())


def test_words_alone_and_a_picture_alone_are_questions_too(folder: Path, album: Album) -> None:
    plain = Plain(folder)
    scorer = Blip2(ToyEncoder(), str(folder))
    (words,) = scorer.score([Query("q", (Turn(text="a dog"),))], [IDS], album)
    alone = plain.both("a", "a dog", matching=False).text_embeds[0]
    np.testing.assert_allclose(words, plain.scores(alone), atol=1e-3)
    (picture,) = scorer.score([Query("q", (Turn(picture="b"),))], [IDS], album)
    np.testing.assert_allclose(picture, plain.scores(plain.question("b", "")), atol=1e-3)


def test_every_turn_that_stands_is_read(folder: Path, album: Album) -> None:
    scorer = Blip2(ToyEncoder(), str(folder))
    told = Query("q") + Turn(picture="a", text="a dog") + Turn(text="two red cat")
    once = Query("q", (Turn(picture="a", text="a dog, two red cat"),))
    again = Query("q") + Turn(picture="b", text="blue") + Turn(picture="a", text="a dog", instead=True)
    last = Query("q", (Turn(picture="a", text="a dog"),))
    two = Query("q", (Turn(picture="a", text="a dog"), Turn(picture="b")))
    found = scorer.score([told, once, again, last, two], [IDS] * 5, album)
    np.testing.assert_allclose(found[0], found[1], atol=1e-4)
    np.testing.assert_allclose(found[2], found[3], atol=1e-4)
    assert np.abs(found[4] - found[3]).max() > 0.01


def test_a_candidate_is_looked_at_once_and_batches_give_the_same(folder: Path, album: Album) -> None:
    scorer = Blip2(ToyEncoder(), str(folder))
    queries = [Query(words, (Turn(text=words),)) for words in ("a dog", "a cat")]
    together = scorer.score(queries, [IDS, IDS[::-1]], album)
    assert sorted(album.opened) == sorted(IDS)
    single = Blip2(ToyEncoder(), str(folder))
    single.batch = 1
    apart = single.score(queries, [IDS, IDS[::-1]], album)
    np.testing.assert_allclose(together, apart, atol=1e-4)
    assert scorer.score(queries[:1], [[]], album)[0].shape == (0,)


def test_the_temperature_is_the_checkpoints_own_where_it_keeps_one(
    folder: Path, album: Album, tmp_path: Path
) -> None:
    from safetensors.numpy import load_file, save_file

    kept = saved("blip-2", tmp_path / "kept")
    weights = load_file(kept / "model.safetensors")
    save_file(
        weights | {"temp": np.array(0.5, np.float32)}, kept / "model.safetensors", metadata={"format": "pt"}
    )
    asked = [Query("q", (Turn(picture="a", text="a dog"),))]
    (usual,) = load_scorer(f"blip2:{folder}", ToyEncoder()).score(asked, [IDS], album)
    (own,) = load_scorer(f"blip2:{kept}", ToyEncoder()).score(asked, [IDS], album)
    (given,) = load_scorer(f"blip2:{kept}?temperature=2", ToyEncoder()).score(asked, [IDS], album)
    np.testing.assert_allclose(own, usual * 0.07 / 0.5, rtol=1e-4)
    np.testing.assert_allclose(given, own / 4, rtol=1e-4)


@pytest.mark.parametrize("said", ["temperature=warm", "temperature=0", "warmth=2"])
def test_a_wrong_option_is_refused(folder: Path, said: str) -> None:
    with pytest.raises(UsageError, match=r"temperature|has no option warmth"):
        load_scorer(f"blip2:{folder}?{said}", ToyEncoder())


def test_another_family_is_refused(album: Album, tmp_path: Path) -> None:
    scorer = load_scorer(f"blip2:{saved('clip', tmp_path / 'clip')}", ToyEncoder())
    with pytest.raises(UsageError, match="is a clip checkpoint: blip2:NAME is one"):
        scorer.score([Query("q", (Turn(text="a dog"),))], [IDS], album)


def test_it_goes_with_its_own_encoder(folder: Path) -> None:
    encoder = load_encoder(str(folder))
    named = Album(IDS, encoder.images(pictures()[:3]), encoder.fingerprint)
    method = load_method(f"sum % 3 >> blip2:{folder}", encoder)
    (ranking,) = method.rank([Query("q", (Turn(picture="a", text="a dog"),))], named)
    assert sorted(ranking.ids) == sorted(IDS)
