"""What a session is worth: paper 003's five scores, from 1 to 5, by a model that sees it or by rule."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from circlet.build.sessions.filters import Texts
from circlet.core import Benchmark, Case, Query, ServiceError
from circlet.core.files import parse_json
from circlet.data.tableaux.tasks.grades import likeness
from circlet.data.tableaux.world.scene import Scene
from circlet.data.tableaux.world.truth import Need

SCORES = ("natural", "coherence", "progress", "redundancy", "overall")
Ask = Callable[..., str]
# From this likeness of two texts on, something is said twice.
_ALIKE = 0.5
_AT_ONCE = 4
# So often a model is asked that does not answer with scores.
TRIES = 3
JUDGE = (
    "You judge dialogues in which somebody searches for a picture. You see the session from its beginning: "
    "in each turn the picture that was current, and what the person said about it; the last picture is the "
    "one that was wanted.\n{turns}\nThe wanted picture is the last one.\n"
    "Give the whole session five scores from 1 (very bad) to 5 (excellent). natural: do the words sound like "
    "a person's, all along? coherence: does one turn follow from the other, without contradiction? progress: "
    "does every turn come nearer to the wanted picture? redundancy: is little said twice (more is better)? "
    "overall: how good is the session as a whole?\n"
    'Answer with one JSON object and nothing else: {{"natural": 1, "coherence": 1, "progress": 1, '
    '"redundancy": 1, "overall": 1}}'
)
_ONCE_MORE = "\nYour answer number {number} was no such object. Answer with the object alone."


@dataclass(frozen=True)
class SessionScore:
    """The scores of one session; NaN for what its judge cannot tell."""

    id: str
    turns: int
    scores: Mapping[str, float]


def by_model(
    ask: Ask, show: Callable[[str], Any], *, tries: int = TRIES
) -> Callable[[Sequence[Case]], list[SessionScore]]:
    """A judge that shows a model every picture of a session; an answer without five scores is asked again."""

    def judged(case: Case) -> SessionScore:
        turns = [turn for turn in case.query.turns if turn.picture]
        told = "\n".join(f'Turn {number}: "{turn.text}"' for number, turn in enumerate(turns, start=1))
        pictures = [show(str(turn.picture)) for turn in turns] + [show(case.truths[0])]
        prompt = JUDGE.format(turns=told)
        for number in range(tries):
            scores = read_scores(
                ask(prompt + (_ONCE_MORE.format(number=number) if number else ""), *pictures)
            )
            if scores:
                return SessionScore(case.id, len(case.query.turns), scores)
        raise ServiceError(
            f"session {case.id}: {tries} answers without five scores from 1 to 5; ask another model"
        )

    def judge(cases: Sequence[Case]) -> list[SessionScore]:
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            return list(pool.map(judged, cases))

    return judge


def read_scores(answer: str) -> dict[str, float] | None:
    """Five scores from an answer; None where they are not there.

    >>> said = '{"natural": 4, "coherence": 5, "progress": 3, "redundancy": 5, "overall": 4}'
    >>> read_scores(f"Sure: {said}")["progress"]
    3.0
    >>> read_scores("four out of five") is None
    True
    """
    found = re.search(r"\{.*\}", answer, re.DOTALL)
    try:
        told = parse_json(found[0]) if found else None
    except json.JSONDecodeError:
        return None
    if not isinstance(told, dict):
        return None
    values = {name: told.get(name) for name in SCORES}
    if all(isinstance(value, int | float) and 1 <= value <= 5 for value in values.values()):
        return {name: float(value) for name, value in values.items()}  # type: ignore[arg-type]
    return None


def by_rule(scenes: Mapping[str, Scene], texts: Texts) -> Callable[[Sequence[Case]], list[SessionScore]]:
    """A judge who knows the scenes: how much nearer the pictures come, what was said twice, what is untrue.

    `progress` is the share of the way to the target that the last picture has come from the first;
    `redundancy` falls with the likeness of the two texts most alike, from 0.5 on; `coherence` is the share of
    what was asked for that is true of the target. How natural words are, no rule tells.
    """

    def judge(cases: Sequence[Case]) -> list[SessionScore]:
        said = list(dict.fromkeys(turn.text for case in cases for turn in case.query.turns if turn.text))
        rows = dict(zip(said, texts(said), strict=True)) if said else {}
        return [_by_rule(case, scenes, rows) for case in cases]

    return judge


def _by_rule(case: Case, scenes: Mapping[str, Scene], rows: Mapping[str, Any]) -> SessionScore:
    target = scenes[case.truths[0]]
    turns = case.query.turns
    near = [likeness(target, scenes[str(turn.picture)]) for turn in turns if turn.picture]
    # The way that is left after the first picture; who begins at the target has come all of it.
    way = (near[-1] - near[0]) / (1 - near[0]) if near and near[0] < 1 else 1.0
    said = [rows[turn.text] for turn in turns if turn.text]
    alike = max((float(a @ b) for at, a in enumerate(said) for b in said[:at]), default=0.0)
    asked = case.notes.get("asked") or [case.notes.get("needs", [])]
    held = [
        Need(**need).holds(scenes[str(turn.picture)], target)
        for turn, needs in zip(turns, asked, strict=False)
        if turn.picture
        for need in needs
    ]
    scores = {
        "natural": float("nan"),
        "coherence": 1 + 4 * float(np.mean(held)) if held else float("nan"),
        "progress": 1 + 4 * float(np.clip(way, 0, 1)),
        "redundancy": 5 - 4 * float(np.clip((alike - _ALIKE) / (1 - _ALIKE), 0, 1)),
    }
    known = [value for value in scores.values() if not np.isnan(value)]
    return SessionScore(case.id, len(turns), {**scores, "overall": float(np.mean(known))})


def concatenated(benchmark: Benchmark, count: int, *, most: int = 3) -> Benchmark:
    """Sessions made of single queries where one leads on from another's target: paper 003's Simple Concat."""
    leads: dict[str, list[Case]] = {}
    for case in benchmark.cases:
        leads.setdefault(str(case.query.last.picture), []).append(case)
    cases = []
    for first in benchmark.cases:
        chain, seen = [first], {str(first.query.last.picture)}
        while len(chain) < most:
            at = chain[-1].truths[0]
            following = [case for case in leads.get(at, ()) if case.truths[0] not in seen]
            if not following:
                break
            seen.add(at)
            chain.append(following[0])
        if len(chain) > 1:
            asked = [case.notes.get("needs", []) for case in chain]
            query = Query(f"concat-{first.id}", tuple(case.query.last for case in chain))
            cases.append(
                Case(query=query, truths=chain[-1].truths[:1], group=first.group, notes={"asked": asked})
            )
        if len(cases) == count:
            break
    return replace(benchmark, name=f"{benchmark.name}-concatenated", cases=tuple(cases))


def table(sources: Mapping[str, Sequence[SessionScore]]) -> list[list[str]]:
    """Rows as in table 5 of paper 003: source, sessions, turns, and each score with its spread."""
    rows = [["source", "N", "turns", *SCORES]]
    for name, judged in sources.items():
        turns = f"{np.mean([one.turns for one in judged]):.2f}" if judged else "–"
        rows.append(
            [name, str(len(judged)), turns, *(_spread([one.scores[s] for one in judged]) for s in SCORES)]
        )
    return rows


def _spread(values: Sequence[float]) -> str:
    told = np.array(values, np.float64)
    told = told[~np.isnan(told)]
    return f"{told.mean():.2f} ± {told.std():.2f}" if len(told) else "–"
