"""Batches of sets, and the losses over them by hand."""

import numpy as np
import torch
from tests.train.sets_of_colours import colour_sets, heads

from circlet.models.context.networks import BiEncoder, ContextModule
from circlet.models.context.stream import SingleStream
from circlet.train.recipe import Recipe
from circlet.train.tasks.sets import AnywhereTask, ModuleTask, SetTask, drawn

RECIPE = Recipe(batch=3, seed=1)


def test_context_batch_is_cross_entropy_over_the_set() -> None:
    sets = colour_sets(6)
    network = BiEncoder(heads()).eval()
    rows = np.array([4, 1])
    loss = float(SetTask(network, sets, RECIPE).loss(rows, np.random.default_rng(0)).detach())
    by_hand = []
    for text in np.flatnonzero(np.isin(sets.of, rows)):
        with torch.inference_mode():
            seen = network.heads.picture(sets.vectors[sets.members[sets.of[text]]].float()).numpy()
            said = network.heads.texts([sets.texts[text]]).numpy()[0]
            logits = float(network.heads.sharpness) * seen @ said
        by_hand.append(np.log(np.exp(logits).sum()) - logits[sets.place[text]])
    assert len(by_hand) == 4, "two texts about each of two sets"
    np.testing.assert_allclose(loss, np.mean(by_hand), rtol=1e-3)


def test_negatives_come_from_anywhere_and_are_never_the_target() -> None:
    chance = np.random.default_rng(0)
    own = np.array([0, 3, 3, 5])
    several = [drawn(own, 8, 4, chance) for _ in range(200)]
    for shown in several:
        assert (shown[:, 0] == own).all()
        assert all(len(set(row)) == 5 for row in shown.tolist())
    assert {one for shown in several for one in shown[1].tolist()} == set(range(8))
    assert drawn(own, 6, 9, chance).shape == (4, 6), "there are no more than the batch has"


def test_losses_against_pictures_from_anywhere() -> None:
    sets = colour_sets(12)
    network = BiEncoder(heads()).eval()
    rows = np.arange(8)
    # Ten targets of other texts at most, the own first: the order does not change a cross-entropy over all.
    targets = np.unique(sets.members[sets.of[rows], sets.place[rows]])
    assert len(targets) == 8
    loss = AnywhereTask(network, sets, RECIPE).loss(rows, np.random.default_rng(0))
    with torch.inference_mode():
        seen = network.heads.picture(sets.seen(targets))
        said = network.heads.texts([sets.texts[row] for row in rows])
        logits = (network.heads.sharpness * said @ seen.T).numpy()
    own = [targets.tolist().index(sets.members[sets.of[row], sets.place[row]]) for row in rows]
    by_hand = np.log(np.exp(logits).sum(axis=1)) - logits[np.arange(8), own]
    np.testing.assert_allclose(float(loss.detach()), by_hand.mean(), rtol=1e-3)


def test_a_binary_loss_holds_one_right_pair_against_one_wrong_one() -> None:
    sets = colour_sets(12)
    stream = SingleStream(heads()).eval()
    rows = np.arange(2)
    loss = AnywhereTask(stream, sets, RECIPE, binary=True).loss(rows, np.random.default_rng(0))
    pictures = sets.members[sets.of[rows], sets.place[rows]]
    assert pictures[0] != pictures[1]
    with torch.inference_mode():
        seen, said = stream.see(sets.seen(pictures)), stream.hear(sets.read(rows))
        both = stream.compare(said, tuple(part.expand(2, *part.shape) for part in seen), torch.zeros(2))
    right, wrong = both.diagonal().numpy(), both.flip(1).diagonal().numpy()
    by_hand = np.concatenate([np.log1p(np.exp(-right)), np.log1p(np.exp(wrong))]).mean()
    np.testing.assert_allclose(float(loss.detach()), by_hand, rtol=1e-3)


def test_orders_show_everything_once_and_repeat() -> None:
    sets = colour_sets(7)
    for task, count in (
        (SetTask(BiEncoder(heads()), sets, RECIPE), 7),
        (AnywhereTask(BiEncoder(heads()), sets, RECIPE), 14),
        (ModuleTask(ContextModule(heads().sizes.dim), sets, RECIPE, BiEncoder(heads())), 14),
    ):
        for epoch in (0, 1):
            assert sorted(np.concatenate(task.order(epoch)).tolist()) == list(range(count))
            assert all(map(np.array_equal, task.order(epoch), task.order(epoch)))
        assert not np.array_equal(np.concatenate(task.order(0)), np.concatenate(task.order(1)))


def test_kept_rows_of_a_frozen_encoder_are_what_it_says() -> None:
    sets = colour_sets(20)
    network, module = BiEncoder(heads()), ContextModule(heads().sizes.dim)
    module.begin(5.0)
    task = ModuleTask(module.eval(), sets, RECIPE, network)
    rows = np.array([7, 0, 30])
    with torch.inference_mode():
        asked, texts = sets.asked(np.unique(sets.of[rows]))
        cosines = network.eval()(asked) / network.heads.sharpness
        for row, scores in zip(rows, task.scores(rows), strict=True):
            np.testing.assert_allclose(scores, 5 * cosines[texts.tolist().index(row)], rtol=1e-2, atol=1e-2)


def test_what_is_hidden_is_hidden_in_all_of_a_set() -> None:
    sets = colour_sets(30)
    task = SetTask(BiEncoder(heads()), sets, Recipe(hidden=0.3))
    torch.manual_seed(0)
    shown = sets.shown(np.arange(30))
    gone = task.hidden(shown) != shown
    assert 0.2 < float(gone.float().mean()) < 0.4
    assert torch.equal(gone.any(dim=1), gone.all(dim=1)), "a picture is not told by what is hidden in it"
    heard = sets.read(np.arange(30))
    silent = (task.unheard(heard).pieces == 0).all(axis=2) & (heard.pieces != 0).any(axis=2)
    assert 0.2 < silent[heard.piece_mask > 0].mean() < 0.4
    plain = SetTask(BiEncoder(heads()), sets, RECIPE)
    assert plain.hidden(shown) is shown
    assert plain.unheard(heard) is heard


def test_a_module_learns_from_several_views_of_a_set() -> None:
    sets = colour_sets(8)
    encoder, module = BiEncoder(heads()), ContextModule(heads().sizes.dim)
    first, again = (ModuleTask(module, sets, Recipe(hidden=0.3), encoder) for _ in range(2))
    views = [seen[0] for _, seen in first.rows]
    assert len(views) == 3
    assert not torch.equal(views[0], views[1])
    assert all(torch.equal(one, seen[0]) for one, (_, seen) in zip(views, again.rows, strict=True))
    assert not encoder.training
