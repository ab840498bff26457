"""What holds for each model of the table."""

from dataclasses import replace

import pytest
import torch

from circlet.core import UsageError
from circlet.models.learned import MODELS
from circlet.models.learned.network import QueryBatch, Shape, Standard, build
from circlet.models.learned.words import Language, padded

# What is given and not learned: pretrained words, the frozen reader, the bridge found once.
FROZEN = {
    "cirplant": ("word_embeddings", "learned"),
    "maaf-bert": ("bert.",),
    "pic2word": ("transformer.", "image."),
}


@pytest.mark.parametrize("name", MODELS)
def test_rows_are_unit_and_do_not_depend_on_their_neighbours(
    name: str, shape: Shape, language: Language, asked: QueryBatch
) -> None:
    torch.manual_seed(0)
    network = build(name, shape, language).eval()
    network.prepare(asked.vectors, asked)
    together = network(asked)
    assert together.shape == (3, network.shape.width)
    assert torch.allclose(together.norm(dim=1), torch.ones(3), atol=1e-5)
    # Alone, "two" has no padding: what is padded must not be heard.
    words, mask = padded(language.pieces(["two"]))
    kinds, phrases = asked.clauses
    alone = QueryBatch(
        asked.vectors[1:2], words, mask, asked.seen[1:2], asked.spoken[1:2], kinds[1:2], phrases[1:2]
    )
    assert torch.allclose(network(alone)[0], together[1], atol=1e-5)
    assert network.candidates(asked.vectors).shape == together.shape
    assert network.spatial is MODELS[name].spatial, "the table says whether features need tokens"


@pytest.mark.parametrize("name", MODELS)
def test_gradients_reach_every_parameter_that_should_learn(
    name: str, shape: Shape, language: Language, asked: QueryBatch
) -> None:
    torch.manual_seed(0)
    network = build(name, shape, language).train()
    network.prepare(asked.vectors, asked)
    rows = network.pictures(asked.vectors) if MODELS[name].pairs else network(asked)  # type: ignore[operator]
    (network.scale * (rows * network.candidates(asked.vectors)).sum()).backward()
    for part, parameter in network.named_parameters():
        given = any(word in part for word in FROZEN.get(name, ()))
        assert parameter.requires_grad is not given, part
        if not given:
            assert parameter.grad is not None, f"{part} learns nothing"
            assert parameter.grad.abs().sum() > 0, f"{part} learns nothing"


@pytest.mark.parametrize("pretrained", [True, False])
def test_words_that_training_shows_are_learned_unless_they_are_pretrained(
    pretrained: bool, shape: Shape, language: Language, asked: QueryBatch
) -> None:
    fewer = replace(language, seen=tuple(language.inner("red")))
    network = build("cirplant", shape, fewer if pretrained else replace(fewer, weights=None))
    every = torch.arange(language.vocabulary)
    before = network.transformer.words(every)  # type: ignore[union-attr,operator]
    assert torch.equal(before, network.transformer.bert.get_input_embeddings()(every))  # type: ignore[union-attr]
    words = every[None].expand(3, -1)
    rows = network(replace(asked, words=words, mask=torch.ones_like(words, dtype=torch.bool)))
    rows[:, 0].sum().backward()
    torch.optim.SGD(network.parameters(), lr=1.0).step()
    after = network.transformer.words(every)  # type: ignore[union-attr,operator]
    moved = (before != after).any(dim=1)
    assert moved.nonzero().flatten().tolist() == ([] if pretrained else language.inner("red"))


@pytest.mark.parametrize("name", sorted(set(MODELS) - {"image-only"}))
def test_the_words_are_heard(name: str, shape: Shape, language: Language, asked: QueryBatch) -> None:
    torch.manual_seed(0)
    network = build(name, shape, language).eval()
    network.prepare(asked.vectors, asked)
    words, mask = padded(language.pieces(["red red", "night", "two of a photo"]))
    kinds, phrases = asked.clauses
    other = QueryBatch(asked.vectors, words, mask, asked.tokens, asked.spoken.flip(0), kinds, phrases.flip(0))
    assert not torch.allclose(network(asked), network(other), atol=1e-4)


def test_a_model_that_needs_tokens_says_so(language: Language) -> None:
    with pytest.raises(UsageError, match="needs spatial tokens"):
        build("maaf", Shape(dim=6, width=8), language)


def test_an_unknown_model_is_named_with_the_known_ones(shape: Shape, language: Language) -> None:
    with pytest.raises(UsageError, match=r"unknown model 'trig': pick one of cirplant, tirg"):
        build("trig", shape, language)


def test_numbers_that_vary_weigh_alike_and_noise_is_not_blown_up() -> None:
    torch.manual_seed(0)
    sample = torch.randn(400, 3) * torch.tensor([0.02, 0.1, 1e-6]) + torch.tensor([0.5, -0.1, 0.2])
    layer = Standard(3, 3)
    layer.prepare(sample)
    with torch.no_grad():
        layer.weight.copy_(torch.eye(3))
        layer.bias.zero_()
        rows = layer(sample)
    assert torch.allclose(rows.mean(dim=0), torch.zeros(3), atol=1e-3)
    assert rows.std(dim=0)[:2].tolist() == pytest.approx([1, 1], abs=1e-3)
    assert rows.std(dim=0)[2] < 0.01
    alone = Standard(3, 3)
    alone.prepare(sample[:1].expand(5, -1))
    assert alone.spread.tolist() == [1, 1, 1], "one picture, however often, has no spread"
