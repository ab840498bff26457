"""What a benchmark's texts are like: aspects, lengths, vocabulary, word classes, turns."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median

from circlet.core import Benchmark
from circlet.data.tags import texts_of_case
from circlet.language import Aspect, aspects
from circlet.language.tagging import CLASSES, tagged


@dataclass(frozen=True)
class Stats:
    """Numbers that papers print about captions; shares are percentages.

    `classes` are shares of all words, told by lists and endings and not by a parser. `auxiliary` is,
    by question, the share of pairs with an answer of their own; `turns` counts sessions by length.
    """

    texts: int
    length: float
    median_length: float
    longest: int
    sentences: float
    words: int
    vocabulary: int
    type_token: float
    aspects: dict[str, float]
    classes: dict[str, float]
    auxiliary: dict[str, float]
    turns: dict[int, int]
    mean_turns: float


def texts_of(benchmark: Benchmark) -> list[str]:
    """Every text that was written for the benchmark, once: both captions of a pair, each turn's."""
    return [text for case in benchmark.cases for text in texts_of_case(case)]


def stats(benchmark: Benchmark) -> Stats:
    """The statistics of a benchmark's texts and turns.

    >>> from circlet.core import Query, Turn, cases_of
    >>> toy = Benchmark(name="toy", split="val", galleries={}, cases=cases_of([
    ...     Query("1", (Turn(text="add two dogs"),)),
    ...     Query("2", (Turn(text="add a dog"), Turn(text="no cat")))]))
    >>> found = stats(toy)
    >>> found.length, found.vocabulary, found.turns, round(found.aspects["negation"], 1)
    (2.6666666666666665, 7, {1: 1, 2: 1}, 33.3)
    """
    texts = texts_of(benchmark)
    tags = [tagged(text) for text in texts]
    lengths = [len(words) for words in tags] or [0]
    words = Counter(word for text in tags for word, _ in text)
    classes = Counter(kind for text in tags for _, kind in text)
    total = max(1, words.total())
    turns = [len(query.turns) for query in benchmark.queries]
    return Stats(
        texts=len(texts),
        length=fmean(lengths),
        median_length=median(lengths),
        longest=max(lengths),
        sentences=fmean([_sentences(text) for text in texts] or [0]),
        words=words.total(),
        vocabulary=len(words),
        type_token=len(words) / total,
        aspects=coverage(texts),
        classes={kind: 100 * classes[kind] / total for kind in CLASSES},
        auxiliary=_auxiliary(benchmark),
        turns=dict(sorted(Counter(turns).items())),
        mean_turns=fmean(turns or [0]),
    )


def _sentences(text: str) -> int:
    marks = text.replace("!", ".").replace("?", ".").split(".")
    return max(1, sum(bool(part.strip()) for part in marks))


def coverage(texts: Sequence[str]) -> dict[str, float]:
    """By semantic aspect, the share of texts that show it, in percent.

    >>> coverage(["add a dog", "remove the cat"])["negation"]
    50.0
    """
    counts = Counter(aspect for text in texts for aspect in aspects(text))
    return {str(aspect): 100 * counts[aspect] / max(1, len(texts)) for aspect in Aspect}


def _auxiliary(benchmark: Benchmark) -> dict[str, float]:
    """By question, the share of pairs whose extended annotation says something of its own.

    CIRR marks an answer that says nothing (none existed, nothing worth mentioning, covered in the
    query) by a tag in square brackets.
    """
    extended = [case.notes["caption_extend"] for case in benchmark.cases if "caption_extend" in case.notes]
    questions = sorted({question for answers in extended for question in answers})
    return {
        f"Q{int(question) + 1}" if question.isdecimal() else question: 100
        * sum(bool(answers.get(question)) and not answers[question].startswith("[") for answers in extended)
        / max(1, len(benchmark.queries))
        for question in questions
    }
