"""How relevant each candidate is: a trained composer's score over its temperature, and what it stands for."""

from collections.abc import Callable, Sequence

from circlet.core import Composer, Method, Pictures, Query, Vectors
from circlet.core.pipelines import MethodScorer
from circlet.models.learned.composer import Learned
from circlet.models.odds import Odds


class Relevance(MethodScorer):
    """Equation 1 of paper 004 as a scorer: `method % 100 >> Relevance(…)`.

    `odds` are the scale and the shift by which a score becomes the probability that a candidate answers its
    query, fitted on pictures that nothing was learned from; None where that was not done. They were fitted
    on single turns, so that a history is heard as one: `Query.together`.
    """

    def __init__(
        self, method: Method, temperature: float, *, odds: tuple[float, float] | None = None
    ) -> None:
        super().__init__(method)
        self.temperature, self.odds = temperature, odds

    def score(
        self, queries: Sequence[Query], candidates: Sequence[Sequence[str]], pictures: Pictures
    ) -> list[Vectors]:
        """One score per candidate: the cosine of query and candidate, over the learned temperature."""
        asked = [query.together for query in queries]
        return [row / self.temperature for row in super().score(asked, candidates, pictures)]

    def likely(self, scores: Vectors) -> Vectors | None:
        if self.odds is None:
            return None
        return Odds(*self.odds).likely(scores)

    def over(self, wrap: Callable[[Composer], Method]) -> "Relevance":
        # A belief's scores are no cosines, and would not stand for these probabilities.
        return self


def relevance_of(method: Learned, odds: tuple[float, float] | None = None) -> Relevance:
    """A trained composer as a scorer of relevance, by the temperature that it learned."""
    scale = float(method.network.scale.detach())
    return Relevance(method, 1 / max(scale * scale, 1e-6), odds=odds)
