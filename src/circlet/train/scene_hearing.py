"""Learning what texts ask of a scene, from wordings that no query is made of: where they part, what for."""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from circlet.data.tableaux.tasks.scene_wordings import (
    WRITERS,
    Change,
    scene_lessons,
    scene_pieces,
    scene_texts,
)
from circlet.data.tableaux.world.truth import Need
from circlet.models.encoders.sentences import Sentences
from circlet.models.scenes.listening import Listener
from circlet.models.scenes.needs import SceneNeed
from circlet.models.scenes.scene_hearing import SceneHearing, clause_rows, number_of
from circlet.models.scenes.scene_words import SceneWords, Token, clause_of, tokens
from circlet.models.scenes.sights import Seeable
from circlet.models.scenes.splitting import FEATURES, Splitting, joints, parts
from circlet.train.statements import learned

EVERYBODY = (*WRITERS, "train")
# Where clauses part is learned from the terse alone: beside those who talk at length val's texts part worse
# (heard in full 92 of 100 instead of 99), and "three crabs, at night" is one clause.
_TERSE = (*WRITERS[:6], "train")
# Lessons of each wording, and texts in clauses; how cutting is learned: all of them at each step.
_EACH, _TEXTS = 2, 1500
_SPLIT_STEPS, _SPLIT_RATE, _SPLIT_DECAY = 120, 5e-2, 0.02
# The worth of what is no way.
_NEVER = -1e4
# How many clauses of a text state nothing, and how many clauses of a text there are at most.
_IDLE, _MOST = 0.12, 4


def _need(need: Need | None) -> SceneNeed | None:
    return None if need is None else SceneNeed(**vars(need))


def _clauses(
    whose: Sequence[str], known: Seeable, seed: int
) -> Iterator[tuple[SceneWords, SceneNeed | None]]:
    """Clauses of lessons, and clauses of texts with what joins them at their beginning."""
    for one in scene_lessons(whose, _EACH, seed):
        yield clause_of(tokens(one.words, known)), _need(one.need)
    for pieces in scene_pieces(whose, _TEXTS, 2, seed, mixed=True):
        for before, piece in zip(["", *pieces], pieces, strict=False):
            if isinstance(piece, Change) and isinstance(before, str) and before:
                said = before.strip(" ,.;:-–") + " " + piece.words
                yield clause_of(tokens(said, known)), _need(piece.need)
            elif isinstance(piece, str) and len(piece) > 6:
                yield clause_of(tokens(piece, known)), None


def learn_scene_hearing(known: Seeable, whose: Sequence[str] = EVERYBODY, seed: int = 0) -> SceneHearing:
    """What these writers' clauses ask for, learned."""
    torch.manual_seed(seed)
    pairs = list(_clauses(whose, known, seed))
    rows, able = clause_rows([clause for clause, _ in pairs], Sentences())
    truth = torch.tensor([number_of(need, clause) for clause, need in pairs])
    # A noun that means two things may be taken for the other one: then nobody could hear what was meant.
    fair = able.gather(1, truth[:, None])[:, 0]
    rows, able, truth = rows[fair], able[fair], truth[fair]
    return learned(SceneHearing(), rows, able, truth)


def _whole(pieces: Sequence[Change | str]) -> tuple[str, list[tuple[int, int]]]:
    """A text, and from where to where its clauses go."""
    text, places = "", []
    for piece in pieces:
        words = piece.words if isinstance(piece, Change) else piece
        if isinstance(piece, Change):
            places.append((len(text), len(text) + len(words)))
        text += words
    return text, places


def _right(said: Sequence[Token], places: Sequence[tuple[int, int]]) -> list[bool]:
    """Whether each part of a text may be a clause of it: at most one of the true ones, and that in full."""
    cuts = joints(said)
    starts = [said[at].start if at < len(said) else said[-1].end for at in cuts]
    inside = [any(start < at < end for start, end in places) for at in starts]
    pairs, _ = parts(said)
    return [
        not inside[one]
        and not inside[two]
        and sum(start < starts[two] and end > starts[one] for start, end in places) <= 1
        for one, two in pairs
    ]


class Lattices:
    """Texts with all ways to cut them: the sum over all ways, or over those that are right, at once."""

    def __init__(self, texts: Sequence[tuple[Sequence[Token], Sequence[tuple[int, int]]]]) -> None:
        rows, at, right, self.ends = [], [], [], []
        for number, (said, places) in enumerate(texts):
            pairs, features = parts(said)
            rows += list(features)
            at += [(number, start, end) for start, end in pairs]
            right += _right(said, places)
            self.ends.append(pairs[-1][1])
        self.rows = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=FEATURES)
        self.at, self.right = torch.tensor(at).T, torch.tensor(right)
        # Where clauses meet at no joint nothing can be learned: no way is right.
        self.fair = self._sums(torch.zeros(len(right)).masked_fill(~self.right, _NEVER)) > _NEVER / 2

    def loss(self, splitting: Splitting) -> Tensor:
        """How unlikely the right ways are among all."""
        worth = splitting(self.rows)
        unlikely = self._sums(worth) - self._sums(worth.masked_fill(~self.right, _NEVER))
        return unlikely[self.fair].mean()

    def _sums(self, worth: Tensor) -> Tensor:
        size = max(self.ends) + 1
        table = torch.full((len(self.ends), size, size), _NEVER).index_put(tuple(self.at), worth)
        found = [torch.zeros(len(self.ends))]
        for end in range(1, size):
            found.append(torch.logsumexp(torch.stack(found, 1) + table[:, :end, end], 1))
        return torch.stack(found, 1)[torch.arange(len(self.ends)), torch.tensor(self.ends)]


def learn_splitting(known: Seeable, whose: Sequence[str] = EVERYBODY, seed: int = 0) -> Splitting:
    """Where texts part, learned from clauses of these writers, joined by any of them."""
    torch.manual_seed(seed)
    texts = [
        (tokens(text, known), places)
        for text, places in map(_whole, scene_pieces(whose, _TEXTS, _MOST, seed, mixed=True, idle=_IDLE))
    ]
    lattices, splitting = Lattices(texts), Splitting()
    optimizer = torch.optim.AdamW(splitting.parameters(), lr=_SPLIT_RATE, weight_decay=_SPLIT_DECAY)
    for step in range(_SPLIT_STEPS):
        for group in optimizer.param_groups:
            group["lr"] = _SPLIT_RATE * (1 - step / _SPLIT_STEPS)
        optimizer.zero_grad()
        lattices.loss(splitting).backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    return splitting.eval()


def learn_listening(known: Seeable, whose: Sequence[str] = EVERYBODY, seed: int = 0) -> Listener:
    """What hears texts, learned from these writers."""
    terse = [who for who in whose if who in _TERSE] or whose
    return Listener(learn_scene_hearing(known, whose, seed), learn_splitting(known, terse, seed), known)


def clauses_heard(listener: Listener, who: str, seed: int = 0) -> float:
    """How many of a writer's clauses, each said alone, are heard as exactly what they ask for, in 100."""
    lessons = list(scene_lessons([who], 1, seed))
    right = [_needs(listener, one.words) == {_need(one.need)} - {None} for one in lessons]
    return 100 * sum(right) / len(right)


def texts_heard(listener: Listener, who: str, count: int = 300, seed: int = 0) -> float:
    """Of how many of a writer's texts exactly the needs are heard, in 100."""
    texts = scene_texts([who], count, seed=seed)
    return 100 * sum(_needs(listener, text) == set(map(_need, needs)) for text, needs in texts) / count


def _needs(listener: Listener, text: str) -> set[SceneNeed | None]:
    return {one.need for one in listener.said(text)}
