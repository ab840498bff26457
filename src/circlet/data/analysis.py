"""What a benchmark's texts are like: aspects, lengths, vocabulary, word classes, depth, turns, subsets."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import get_args

from circlet.core import Benchmark
from circlet.data.readers.dialogues import SubsetShape, paths, shape_of
from circlet.data.readers.imagecode import SOURCES
from circlet.data.readers.phenomena import MARKS
from circlet.data.tags import texts_of_case
from circlet.language import Aspect, aspects
from circlet.language.depth import depths
from circlet.language.readings import Manner, compares, manner, names_body_part, names_colour
from circlet.language.tagging import CLASSES, tagged


@dataclass(frozen=True)
class Stats:
    """Numbers that papers print about captions; shares are percentages.

    `classes` are shares of all words, told by lists and endings and not by a parser. `auxiliary` is,
    by question, the share of pairs with an answer of their own; `turns` counts sessions by length.
    `depth` is the mean over sentences, estimated by word classes. `comparing` sets one picture against
    the other in any way; `manners` are the shares of captions that are direct, comparing or both. `body`
    and `colours` are the shares that name a part of a body or a colour, by what the source calls its
    parts; `phenomena` those that show each of ImageCoDe's, where most texts say which.
    `dialogues` counts paths of consecutive pairs by length, within a subset and through several.
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
    depth: float
    comparing: float
    manners: dict[str, float]
    body: dict[str, float]
    colours: dict[str, float]
    phenomena: dict[str, dict[str, float]]
    subsets: SubsetShape | None
    dialogues: dict[str, dict[int, int]]


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
    manners = Counter(map(manner, texts))
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
        depth=fmean([depth for text in texts for depth in depths(text)] or [0]),
        comparing=_share(compares, texts),
        manners={kind: 100 * manners[kind] / max(1, len(texts)) for kind in get_args(Manner)},
        body={part: _share(names_body_part, said) for part, said in _by_part(benchmark).items()},
        colours={part: _share(names_colour, said) for part, said in _by_part(benchmark).items()},
        phenomena=_phenomena(benchmark),
        subsets=shape_of(benchmark),
        dialogues=_dialogues(benchmark),
    )


def _share(told: Callable[[str], bool], texts: Sequence[str]) -> float:
    return 100 * sum(map(told, texts)) / max(1, len(texts))


def _by_part(benchmark: Benchmark) -> dict[str, list[str]]:
    """The texts of the whole and of what the source divides it into: categories, video and static."""
    parts = {"all": texts_of(benchmark)}
    for case in benchmark.cases:
        for part in (case.group, *case.aspects):
            if part and (part == case.group or part in SOURCES):
                parts.setdefault(part, []).extend(texts_of_case(case))
    return parts


def _phenomena(benchmark: Benchmark) -> dict[str, dict[str, float]]:
    """By phenomenon and source, the share of texts that show it; nothing where few were looked through."""
    noted = [case.aspects for case in benchmark.cases if case.aspects and case.aspects[0] in SOURCES]
    if 2 * sum(len(each) > 1 for each in noted) <= len(benchmark.cases):
        return {}
    parts = {"all": noted} | {source: [each for each in noted if each[0] == source] for source in SOURCES}
    return {
        name: {
            part: 100 * sum(name in each for each in some) / max(1, len(some)) for part, some in parts.items()
        }
        for name in MARKS.values()
        if any(name in each for each in noted)
    }


def _dialogues(benchmark: Benchmark) -> dict[str, dict[int, int]]:
    if shape_of(benchmark) is None:
        return {}
    return {
        through: dict(sorted(Counter(len(path) for _, path in paths(benchmark, across=across)).items()))
        for through, across in (("one subset", False), ("several", True))
    }


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
