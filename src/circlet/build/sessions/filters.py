"""The four filters of paper 003, section 5.1, in their order, each with what it took."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from circlet.build.sessions.building import MadeSession
from circlet.core import Vectors

EPSILONS = (0, 10, 30, 100, 1000)
TAUS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.01)
Texts = Callable[[Sequence[str]], Vectors]


@dataclass(frozen=True, kw_only=True)
class SessionFilter:
    """How sessions are filtered: the target among the first `top`, the rank that may be lost in a turn
    (`epsilon`), the likeness that no two texts may reach (`tau`), and what the released code leaves out.
    """

    top: int = 10
    epsilon: int = 30
    tau: float = 0.8
    first_texts: bool = False
    equal_pictures: bool = False


@dataclass(frozen=True)
class FilterReport:
    """How many there were, what each filter took, and how many are left, as table 3 of paper 003."""

    init: int
    success: int
    multi_turn: int
    rank: int
    text: int
    other: int
    final: int

    def row(self) -> dict[str, int]:
        """The numbers under the paper's names."""
        told = {"Init": self.init, "Δ Succ": self.success, "Δ Multi": self.multi_turn, "Δ Rank": self.rank,
                "Δ Text": self.text}  # fmt: skip
        return told | ({"Δ other": self.other} if self.other else {}) | {"Final": self.final}


@dataclass(frozen=True)
class Filtered:
    """What passed, what only the last two filters took, and the report."""

    kept: tuple[MadeSession, ...]
    unfit: tuple[MadeSession, ...]
    report: FilterReport


def closest_texts(sessions: Sequence[MadeSession], texts: Texts) -> dict[str, float]:
    """For each session the largest cosine of two of its texts; minus one where there are no two."""
    different = list(dict.fromkeys(text for one in sessions for text in one.texts if text.strip()))
    rows = dict(zip(different, texts(different), strict=True)) if different else {}
    found = {}
    for one in sessions:
        said = [rows[text] for text in one.texts if text.strip()]
        alike = [float(a @ b) for at, a in enumerate(said) for b in said[:at]]
        found[one.id] = max(alike, default=-1.0)
    return found


def filtered(sessions: Sequence[MadeSession], closest: Mapping[str, float], how: SessionFilter) -> Filtered:
    """The sessions that pass all filters.

    `closest` is what `closest_texts` gives.
    """
    found = [one for one in sessions if min(one.ranks) <= how.top]
    several = [one for one in found if one.ranks[0] > how.top]
    steady = [one for one in several if consistent(one.ranks, how.epsilon)]
    diverse = [one for one in steady if closest[one.id] < how.tau]
    kept = [one for one in diverse if not _left_out(one, how)]
    report = FilterReport(
        len(sessions),
        len(sessions) - len(found),
        len(found) - len(several),
        len(several) - len(steady),
        len(steady) - len(diverse),
        len(diverse) - len(kept),
        len(kept),
    )
    passed = {one.id for one in diverse}
    return Filtered(tuple(kept), tuple(one for one in several if one.id not in passed), report)


def consistent(ranks: Sequence[int], epsilon: int) -> bool:
    """Whether the rank never worsens by more than `epsilon`: the paper's definition 1.

    >>> consistent((40, 60, 3), 30), consistent((40, 71, 3), 30)
    (True, False)
    """
    return all(after <= before + epsilon for before, after in pairwise(ranks))


def sweep(
    sessions: Sequence[MadeSession], closest: Mapping[str, float], how: SessionFilter
) -> dict[str, dict[float, int]]:
    """How many sessions stay under other margins: by epsilon, and by tau."""
    return {
        "epsilon": {
            value: filtered(sessions, closest, replace(how, epsilon=value)).report.final for value in EPSILONS
        },
        "tau": {value: filtered(sessions, closest, replace(how, tau=value)).report.final for value in TAUS},
    }


def _left_out(session: MadeSession, how: SessionFilter) -> bool:
    """What the released code of the paper leaves out besides."""
    empty = how.first_texts and not session.texts[0].strip()
    shown = (*session.pictures, *session.truths)
    return empty or (how.equal_pictures and len(set(shown)) < len(shown))
