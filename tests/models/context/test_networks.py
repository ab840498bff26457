"""The equations of paper 002, sections 5.1 and 5.2, against the networks."""

import math

import numpy as np
import pytest
import torch

from circlet.models.context.networks import (
    MOMENTS,
    Asked,
    BiEncoder,
    Blind,
    Comparing,
    ContextModule,
    Differing,
    InContext,
    Wordless,
)
from circlet.models.context.stream import SingleStream
from circlet.models.joint.heads import HEADS, Block, Heads, Sizes
from circlet.models.joint.reading import read

SIZES = Sizes(vector=20, places=4, channels=3, dim=16, width=32, hidden=24, meanings=False)
TEXTS = ["a red boat", "two dogs on the left of a house", "it is the last one"]


def asked(seed: int = 0, sets: int = 2, size: int = 5, *, films: bool = True) -> Asked:
    torch.manual_seed(seed)
    return Asked(
        torch.randn(sets, size, SIZES.vector),
        torch.full((sets,), films),
        read(TEXTS, meanings=False),
        torch.tensor([0, 1, 1]),
    )


def rows(texts: int = 3, size: int = 5) -> tuple[torch.Tensor, torch.Tensor]:
    torch.manual_seed(1)
    said, seen = torch.randn(texts, 16), torch.randn(texts, size, 16)
    return torch.nn.functional.normalize(said, dim=-1), torch.nn.functional.normalize(seen, dim=-1)


def module(*, temporal: bool = False) -> ContextModule:
    """A module with random weights everywhere, as if it had learned."""
    torch.manual_seed(2)
    made = ContextModule(16, temporal=temporal).eval()
    for part in made.parameters():
        torch.nn.init.normal_(part, std=0.3)
    return made


def block_by_hand(block: Block, x: np.ndarray) -> np.ndarray:
    """One layer over (tokens, width), written out."""
    held = {name: part.detach().numpy().astype(np.float64) for name, part in block.named_parameters()}

    def linear(name: str, rows: np.ndarray) -> np.ndarray:
        return rows @ held[f"{name}.weight"].T + held[f"{name}.bias"]

    def norm(name: str, rows: np.ndarray) -> np.ndarray:
        centred = rows - rows.mean(axis=1, keepdims=True)
        normed = centred / np.sqrt(centred.var(axis=1, keepdims=True) + 1e-5)
        return normed * held[f"{name}.weight"] + held[f"{name}.bias"]

    normed = norm("first", x)
    query, key, value = (linear(name, normed) for name in ("query", "key", "value"))
    wide = x.shape[1] // HEADS
    gathered = []
    for head in range(HEADS):
        part = slice(head * wide, (head + 1) * wide)
        odds = np.exp(query[:, part] @ key[:, part].T / math.sqrt(wide))
        gathered.append(odds / odds.sum(axis=1, keepdims=True) @ value[:, part])
    x = x + linear("out", np.concatenate(gathered, axis=1))
    inner = linear("inner", norm("second", x))
    gelu = inner * 0.5 * (1 + np.vectorize(math.erf)(inner / math.sqrt(2)))
    return x + linear("outer", gelu)


@pytest.mark.parametrize("temporal", [False, True])
def test_equation_one_by_hand(temporal: bool) -> None:
    said, seen = rows(size=MOMENTS)
    network = module(temporal=temporal)
    films = torch.tensor([True, False, True])
    scores = network(said, seen, films).detach().numpy()
    weight = network.weigh.weight.detach().numpy()[0]
    for text in range(3):
        # x_L ⊙ x_V with both at length √e; t(i) is added in films only.
        m = 16 * said[text].numpy() * seen[text].numpy()
        if network.moments is not None and films[text]:
            m = m + network.moments.detach().numpy()
        x = m.astype(np.float64)
        for block in network.blocks:
            assert isinstance(block, Block)
            x = block_by_hand(block, x)
        np.testing.assert_allclose(scores[text], (x + m) @ weight, rtol=1e-3, atol=1e-3)


def test_a_module_begins_as_its_encoder() -> None:
    said, seen = rows()
    fresh = ContextModule(16).eval()
    fresh.begin(20.0)
    scores = fresh(said, seen, torch.zeros(3, dtype=torch.bool))
    np.testing.assert_allclose(
        scores.detach(), 20 * torch.einsum("de,dne->dn", said, seen), rtol=1e-4, atol=1e-4
    )


def test_without_time_the_order_of_a_set_means_nothing() -> None:
    said, seen = rows()
    films = torch.ones(3, dtype=torch.bool)
    order = torch.tensor([3, 0, 4, 2, 1])
    plain, timed = module(), module(temporal=True)
    np.testing.assert_allclose(
        plain(said, seen[:, order], films).detach(),
        plain(said, seen, films)[:, order].detach(),
        rtol=1e-4,
        atol=1e-4,
    )
    moved = timed(said, seen[:, order], films) - timed(said, seen, films)[:, order]
    assert moved.abs().max() > 0.1
    still = timed(said, seen[:, order], ~films) - timed(said, seen, ~films)[:, order]
    assert still.abs().max() < 1e-3, "what is no film gets no embedding of time"


def test_another_picture_of_the_set_changes_a_score_only_in_context() -> None:
    first, second = asked(), asked()
    second.vectors[:, 4] += 1
    torch.manual_seed(3)
    heads = Heads(SIZES).eval()
    for network, minds in (
        (BiEncoder(heads), False),
        (SingleStream(heads), False),
        (InContext(heads, module()), True),
    ):
        network.eval()
        with torch.inference_mode():
            change = (network(first) - network(second))[:, :4].abs().max()
        assert (float(change) > 1e-3) == minds, type(network)


def test_a_frozen_encoder_has_nothing_to_learn() -> None:
    network = InContext(Heads(SIZES), ContextModule(16))
    network(asked()).sum().backward()
    assert all(part.grad is None for part in network.heads.parameters())
    assert all(part.grad is not None for part in network.module.weigh.parameters())


def test_who_is_blind_sees_places_and_who_hears_nothing_sees_pictures() -> None:
    torch.manual_seed(4)
    heads = Heads(SIZES).eval()
    blind, wordless = Blind(heads).eval(), Wordless(heads).eval()
    first, other, static = asked(0), asked(5), asked(0, films=False)
    with torch.inference_mode():
        assert torch.equal(blind(first), blind(other))
        assert not torch.allclose(blind(first), blind(static))
        scores = wordless(first)
        assert torch.equal(scores[1], scores[2]), "two texts about one set are one to it"
        assert not torch.allclose(scores, wordless(other))


def test_a_single_stream_begins_as_the_encoder_and_then_reads_pairs() -> None:
    torch.manual_seed(5)
    heads = Heads(SIZES)
    stream = SingleStream(heads, width=16).eval()
    with torch.inference_mode():
        np.testing.assert_allclose(
            stream(asked()),
            BiEncoder(heads).eval()(asked()),
            rtol=1e-3,
            atol=float(stream.weigh.bias.abs()) + 1e-3,
        )
    stream(asked()).square().sum().backward()
    assert stream.gathered.weight.grad is not None
    assert float(stream.gathered.weight.grad.abs().max()) > 0
    torch.nn.init.normal_(stream.gathered.weight)
    with torch.inference_mode():
        whole = stream(asked())
        # A text means the same beside a longer one: what pads it is not heard.
        alone = asked()._replace(heard=read(TEXTS[:1], meanings=False), of=torch.tensor([0]))
        np.testing.assert_allclose(stream(alone)[0], whole[0], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("size", [1, 3, 12])
def test_sets_of_any_size_are_scored(size: int) -> None:
    heads = Heads(SIZES)
    every: list[Comparing] = [
        BiEncoder(heads), Blind(heads), SingleStream(heads), InContext(heads, module(temporal=True)),
    ]  # fmt: skip
    for network in every:
        assert network.eval()(asked(size=size)).shape == (3, size)


def differing() -> Differing:
    torch.manual_seed(3)
    made = Differing(Heads(SIZES)).eval()
    torch.nn.init.normal_(made.differ.weight, std=0.3)
    return made


def test_what_differs_is_held_against_the_mean_and_the_neighbours() -> None:
    network, put = differing(), asked(films=True)
    rows = BiEncoder(network.heads).seen(put.vectors, put.in_time)[0].detach().numpy()[0]
    around = np.concatenate([rows[1:2], rows, rows[-2:-1]])
    beside = rows - (around[:-2] + around[2:]) / 2
    told = np.concatenate([rows - rows.mean(0), beside], axis=1) @ network.differ.weight.detach().numpy().T
    wanted = (rows + told) / np.linalg.norm(rows + told, axis=1, keepdims=True)
    assert network.seen(put.vectors, put.in_time)[0][0].detach().numpy() == pytest.approx(wanted, abs=1e-5)


def test_differences_know_no_order_of_pictures_that_are_no_film_and_no_direction_of_a_film() -> None:
    network, put = differing(), asked(films=False)
    order = torch.tensor([3, 0, 4, 1, 2])
    here, there = (network.seen(rows, put.in_time)[0] for rows in (put.vectors, put.vectors[:, order]))
    assert torch.allclose(here[:, order], there, atol=1e-5)
    films = torch.ones_like(put.in_time)
    here, there = (network.seen(rows, films)[0] for rows in (put.vectors, put.vectors.flip(1)))
    assert torch.allclose(here.flip(1), there, atol=1e-5)


def test_differences_begin_as_the_encoder() -> None:
    heads, put = Heads(SIZES).eval(), asked()
    assert torch.allclose(Differing(heads).eval()(put), BiEncoder(heads)(put), atol=1e-5)
