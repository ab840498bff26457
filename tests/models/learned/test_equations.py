"""Each forward pass against its equation, written out in numpy with the network's own weights."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from circlet.core import WeightsError
from circlet.models.learned.magiclens import MagicLens
from circlet.models.learned.network import Network, QueryBatch, Shape, build
from circlet.models.learned.words import Language

Array = NDArray[np.float64]


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def relu(x: Array) -> Array:
    return np.maximum(x, 0)


class Numbers:
    """A network's weights as numpy, and its linear layers as functions."""

    def __init__(self, network: Network) -> None:
        self.parts = {k: v.detach().double().numpy() for k, v in network.state_dict().items()}

    def __getitem__(self, name: str) -> Array:
        return self.parts[name]

    def linear(self, name: str, x: Array) -> Array:
        bias = self.parts.get(f"{name}.bias")
        product = x @ self.parts[f"{name}.weight"].T
        return product if bias is None else product + bias

    def batch_norm(self, name: str, x: Array) -> Array:
        centred = (x - self[f"{name}.running_mean"]) / np.sqrt(self[f"{name}.running_var"] + 1e-5)
        return centred * self[f"{name}.weight"] + self[f"{name}.bias"]

    def lstm(self, words: Array, mask: Array) -> tuple[Array, Array]:
        """All states and the last one, from the equations of the cell."""
        width = self["reader.lstm.weight_hh_l0"].shape[1]
        states = np.zeros((*words.shape, width))
        for number, row in enumerate(words):
            hidden, cell = np.zeros(width), np.zeros(width)
            for place, word in enumerate(row):
                embedded = self["reader.embedding.weight"][int(self["reader.rows"][word])]
                gates = (
                    self["reader.lstm.weight_ih_l0"] @ embedded
                    + self["reader.lstm.bias_ih_l0"]
                    + self["reader.lstm.weight_hh_l0"] @ hidden
                    + self["reader.lstm.bias_hh_l0"]
                )
                enter, forget, new, out = np.split(gates, 4)
                cell = sigmoid(forget) * cell + sigmoid(enter) * np.tanh(new)
                hidden = sigmoid(out) * np.tanh(cell)
                states[number, place] = hidden
        return states, states[np.arange(len(words)), mask.sum(axis=1) - 1]


def tirg(w: Numbers, v: Array, t: Array, o: Array, s: Array) -> Array:
    picture = w.linear("image", v)
    both = np.concatenate([picture, t], axis=1)
    gate = w.linear("gate.2", relu(w.batch_norm("gate.0", both)))
    residual = w.linear("residual.4", relu(w.linear("residual.2", relu(w.batch_norm("residual.0", both)))))
    return w["shares"][0] * sigmoid(gate) * picture + w["shares"][1] * residual


def concat(w: Numbers, v: Array, t: Array, o: Array, s: Array) -> Array:
    return w.linear("mix.2", relu(w.linear("mix.0", np.concatenate([w.linear("image", v), t], axis=1))))


def mrn(w: Numbers, v: Array, t: Array, o: Array, s: Array) -> Array:
    held = t
    for block in ("blocks.0", "blocks.1"):
        seen = w.linear(f"{block}.see.2", np.tanh(w.linear(f"{block}.see.0", w.linear("image", v))))
        held = w.linear(f"{block}.carry", held) + np.tanh(w.linear(f"{block}.ask", held)) * np.tanh(seen)
    return held


def film(w: Numbers, v: Array, t: Array, o: Array, s: Array) -> Array:
    gamma, beta = np.split(w.linear("modulate", t)[:, None], 2, axis=2)
    held = relu(w.linear("narrow.0", o))
    held = held + relu((1 + gamma) * w.linear("inner", held) + beta)
    return w.linear("out", held.mean(axis=1))


def relationship(w: Numbers, v: Array, t: Array, o: Array, s: Array) -> Array:
    """Pair by pair, with the first layer of g as one matrix over [oᵢ, oⱼ, t]."""
    first = np.concatenate([w["first.weight"], w["second.weight"], w["words.weight"]], axis=1)
    rows = []
    for places, text in zip(o, t, strict=True):
        pairs = [np.concatenate([a, b, text]) for a in places for b in places]
        inner = relu(np.stack(pairs) @ first.T + w["first.bias"])
        rows.append(relu(w.linear("relate.1", inner)).mean(axis=0))
    return w.linear("out.2", relu(w.linear("out.0", np.stack(rows))))


def combiner(w: Numbers, v: Array, t: Array, o: Array, s: Array) -> Array:
    both = np.concatenate([relu(w.linear("text.0", s)), relu(w.linear("picture.0", v))], axis=1)
    share = sigmoid(w.linear("gate.3", relu(w.linear("gate.0", both))))
    return w.linear("mix.3", relu(w.linear("mix.0", both))) + share * s + (1 - share) * v


def text_only(w: Numbers, v: Array, t: Array, o: Array, s: Array) -> Array:
    return t


def softmax(x: Array) -> Array:
    shares = np.exp(x - x.max(axis=-1, keepdims=True))
    return shares / shares.sum(axis=-1, keepdims=True)


def val(w: Numbers, v: Array, t: Array, o: Array, s: Array) -> Array:
    def level(name: str, tokens: Array) -> Array:
        seen = w.linear(f"{name}.narrow", tokens)
        text = np.repeat(t[:, None], seen.shape[1], axis=1)
        fused = relu(w.linear(f"{name}.fuse.0", np.concatenate([seen, text], axis=2)))
        inner = fused @ w[f"{name}.attend.in_proj_weight"].T + w[f"{name}.attend.in_proj_bias"]
        heads = [part.reshape(*part.shape[:2], 8, -1).swapaxes(1, 2) for part in np.split(inner, 3, axis=2)]
        shares = softmax(heads[0] @ heads[1].swapaxes(2, 3) / np.sqrt(heads[0].shape[-1]))
        mixed = (shares @ heads[2]).swapaxes(1, 2).reshape(fused.shape)
        attended = w.linear(f"{name}.attend.out_proj", mixed)
        channels = w.linear(f"{name}.channels", fused.mean(axis=1, keepdims=True))
        joint = sigmoid(w.linear(f"{name}.places", fused) + channels)
        return (w[f"{name}.shares"][0] * attended + w[f"{name}.shares"][1] * joint * seen).mean(axis=1)

    levels = [level("fine", o), level("coarse", o.mean(axis=1, keepdims=True))]
    return w.linear("out", np.concatenate(levels, axis=1))


EQUATIONS: dict[str, Callable[..., Array]] = {
    "tirg": tirg,
    "concat": concat,
    "mrn": mrn,
    "film": film,
    "relationship": relationship,
    "val": val,
    "combiner": combiner,
    "text-only": text_only,
}


@pytest.mark.parametrize("name", EQUATIONS)
def test_the_forward_pass_is_the_equation(
    name: str, shape: Shape, language: Language, asked: QueryBatch
) -> None:
    torch.manual_seed(3)
    network = build(name, shape, language).eval()
    for buffer, values in network.named_buffers():
        if "running" in buffer:  # as they are after some training, not zero and one
            values.uniform_(0.5, 1.5)
    w = Numbers(network)
    v, o, s = (part.double().numpy() for part in (asked.vectors, asked.seen, asked.spoken))
    reads = "reader.rows" in w.parts
    text = w.lstm(asked.words.numpy(), asked.mask.numpy())[1] if reads else np.zeros((3, 1))
    expected = EQUATIONS[name](w, v, text, o, s)
    assert np.allclose(network.compose(asked).detach().numpy(), expected, atol=1e-5)


def test_image_only_is_the_candidates_own_layer(shape: Shape, language: Language, asked: QueryBatch) -> None:
    network = build("image-only", shape, language)
    assert torch.equal(network(asked), network.candidates(asked.vectors))


def test_tirg_last_conv_on_one_place_is_tirg_with_the_kernels_middle(
    shape: Shape, language: Language, asked: QueryBatch
) -> None:
    """On a 1 × 1 map only the middle of a 3 × 3 kernel sees anything."""
    network = build("tirg-lastconv", replace(shape, tokens=1), language).eval()
    w = Numbers(network)
    one = replace(asked, tokens=asked.seen[:, :1])
    text = w.lstm(asked.words.numpy(), asked.mask.numpy())[1]
    place = w.linear("narrow", one.seen.double().numpy()[:, 0])
    both = np.concatenate([place, text], axis=1)

    def middle(name: str, x: Array) -> Array:
        return x @ w[f"{name}.weight"][:, :, 1, 1].T + w[f"{name}.bias"]

    gate = sigmoid(middle("gate.2", relu(w.batch_norm("gate.0", both))))
    inner = relu(middle("residual.2", relu(w.batch_norm("residual.0", both))))
    composed = w["shares"][0] * gate * place + w["shares"][1] * middle("residual.4", inner)
    expected = w.linear("out", composed)
    assert np.allclose(network.compose(one).detach().numpy(), expected, atol=1e-5)


def test_tirg_last_conv_looks_at_neighbours(shape: Shape, language: Language, asked: QueryBatch) -> None:
    network = build("tirg-lastconv", shape, language).eval()
    moved = replace(asked, tokens=asked.seen[:, [3, 0, 2, 1]])
    assert not torch.allclose(network(asked), network(moved), atol=1e-5)


def test_maaf_pools_by_group_or_by_token(shape: Shape, language: Language, asked: QueryBatch) -> None:
    torch.manual_seed(3)
    network = build("maaf", shape, language).eval()
    w = Numbers(network)
    fine = network.narrow(asked.seen)  # type: ignore[operator]
    words = torch.from_numpy(w.lstm(asked.words.numpy(), asked.mask.numpy())[0]).float()
    tokens = torch.cat([fine, fine.mean(dim=1, keepdim=True), words], dim=1)
    mask = torch.cat([torch.ones(3, 5, dtype=torch.bool), asked.mask], dim=1)
    out = network.attention(tokens, src_key_padding_mask=~mask)  # type: ignore[operator]
    pools: dict[str, list[torch.Tensor]] = {"maaf": [], "maaf-it": [], "maaf-rp": []}
    for row, kept in zip(out, mask, strict=True):
        groups = [row[:4], row[4:5], row[5:][kept[5:]]]
        means = [group.mean(dim=0) for group in groups]
        pools["maaf"].append(torch.stack(means).mean(dim=0))
        pools["maaf-it"].append(torch.stack(means[:2]).mean(dim=0))
        pools["maaf-rp"].append(row[kept].mean(dim=0))
    for name, expected in pools.items():
        variant = build(name, shape, language).eval()
        variant.load_state_dict(network.state_dict())
        assert torch.allclose(variant.compose(asked), torch.stack(expected), atol=1e-5), name


def test_cirplant_reads_the_picture_as_one_more_token(
    shape: Shape, language: Language, asked: QueryBatch
) -> None:
    """Against the plain transformer of the library, one query at a time and without padding."""
    network = build("cirplant", shape, language).eval()
    bert = network.transformer.bert  # type: ignore[union-attr]
    composed = network.compose(asked)
    for row in range(3):
        words = asked.words[row][asked.mask[row]]
        layer = network.image(asked.vectors[row])
        token = (layer / layer.norm())[None]
        out = bert(
            inputs_embeds=torch.cat([bert.embeddings.word_embeddings(words), token])[None],
            position_ids=torch.tensor([[*range(len(words)), 0]]),
            token_type_ids=torch.tensor([[0] * len(words) + [1]]),
        ).last_hidden_state[0, -1]
        assert torch.allclose(composed[row], out, atol=1e-5)
        assert torch.allclose(network.candidates(asked.vectors)[row], token[0], atol=1e-6)


def test_a_language_model_of_another_type_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    (tmp_path / "config.json").write_text('{"model_type": "roberta"}')
    with pytest.raises(WeightsError, match="of type roberta: circlet reads those of type bert"):
        Language.load(tmp_path)


def test_cirplant_starts_from_the_pretrained_weights_or_not(
    shape: Shape, language: Language, asked: QueryBatch
) -> None:
    first, second = (build("cirplant", shape, language).state_dict() for _ in range(2))
    bare = build("cirplant", shape, replace(language, weights=None)).state_dict()
    name = "transformer.bert.encoder.layer.0.attention.self.query.weight"
    assert torch.equal(first[name], second[name])
    assert not torch.equal(first[name], bare[name])


def test_pic2word_puts_the_picture_where_a_word_would_stand(
    shape: Shape, language: Language, asked: QueryBatch
) -> None:
    """With a word's own embedding as the pseudo-word, the sentence is that plain sentence."""
    network = build("pic2word", shape, language).eval()
    red = network.transformer.words(torch.tensor([language.inner("red")]))[0]  # type: ignore[union-attr]
    network.word = torch.nn.Sequential(torch.nn.Linear(6, 16))
    with torch.no_grad():
        network.word[0].weight.zero_()
        network.word[0].bias.copy_(red[0])
    from circlet.models.learned.words import padded

    words, mask = padded(language.pieces(["a photo of red"]))
    plain = network._pooled(network.transformer.read(words, mask), mask)  # type: ignore[operator,union-attr]
    assert torch.allclose(network.pictures(asked.vectors)[0], plain[0], atol=1e-5)  # type: ignore[operator]
    words, mask = padded(language.pieces(["a photo of red two"]))
    plain = network._pooled(network.transformer.read(words, mask), mask)  # type: ignore[operator,union-attr]
    assert torch.allclose(network(asked)[1], plain[0], atol=1e-5)


def test_pic2words_bridge_takes_one_encoders_sentences_to_the_other(
    shape: Shape, language: Language, asked: QueryBatch
) -> None:
    """Ridge regression by its normal equations, in numpy."""
    network = build("pic2word", shape, language).eval()
    network.prepare(asked.vectors, asked)
    read = network._pooled(network.transformer.read(asked.words, asked.mask), asked.mask)  # type: ignore[operator,union-attr]
    said, read = asked.spoken.double().numpy(), read.detach().double().numpy()
    expected = np.linalg.solve(said.T @ said / 3 + 0.01 * np.eye(6), said.T @ read / 3).T
    assert np.allclose(network.image.weight.detach().numpy(), expected, atol=1e-5)


def test_random_image_never_looks_at_the_picture(shape: Shape, language: Language, asked: QueryBatch) -> None:
    network = build("random-image", shape, language).eval()
    network.prepare(torch.randn(5, 6), asked)
    other = replace(asked, vectors=torch.randn(3, 6))
    assert torch.equal(network(asked), network(other))


def test_magiclens_pools_what_its_question_finds_and_hears_silence_for_candidates(
    shape: Shape, language: Language, asked: QueryBatch
) -> None:
    torch.manual_seed(0)
    network = build("magiclens", shape, language, layers=1).eval()
    assert isinstance(network, MagicLens)
    seen = network.image(asked.vectors)
    tokens = torch.stack([seen, network.silent.expand_as(seen)], dim=1)
    states = network.attention(tokens)
    width, heads = shape.width, 8
    weights, bias = network.pool.in_proj_weight.split(width), network.pool.in_proj_bias.split(width)
    ask, keys, values = (
        (part @ weight.T + shift).unflatten(-1, (heads, width // heads))
        for part, weight, shift in zip(
            (network.question.expand(len(seen), 1, width), states, states), weights, bias, strict=True
        )
    )
    likely = torch.einsum("bqhd,bkhd->bhqk", ask, keys).div((width // heads) ** 0.5).softmax(dim=-1)
    pooled = network.pool.out_proj(torch.einsum("bhqk,bkhd->bqhd", likely, values).flatten(2))[:, 0]
    rows = torch.nn.functional.normalize(network.out(pooled) + seen, dim=-1)
    assert torch.allclose(rows, network.candidates(asked.vectors), atol=1e-5)
