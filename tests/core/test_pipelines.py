"""The three operators: what each passes on, and what the whole is called."""

from collections.abc import Sequence

import numpy as np
import pytest

from circlet.core import (
    Composer,
    Cut,
    DataError,
    Filters,
    Fuse,
    Gallery,
    Method,
    Pictures,
    Query,
    Scorer,
    Turn,
    UsageError,
    Vectors,
)
from circlet.core.pipelines import MOST_RERANKED
from circlet.testing import ToyEncoder
from tests.core.toys import Given, Longest, Said, Same, Shelves, Watched, ask

OUT = -np.inf
TOY = ToyEncoder.fingerprint


class Farthest(Scorer):
    """Looks at every candidate's own vector: the least like the query's picture first."""

    def score(
        self, queries: Sequence[Query], candidates: Sequence[Sequence[str]], pictures: Pictures
    ) -> list[Vectors]:
        return [
            -pictures.vectors_of(ids) @ pictures.vectors_of([query.last.picture or ""])[0]
            for query, ids in zip(queries, candidates, strict=True)
        ]


class Wrapped(Composer):
    """A composer around another."""

    def __init__(self, inner: Composer) -> None:
        self.inner = inner
        self.fingerprint = inner.fingerprint

    def __repr__(self) -> str:
        return f"Wrapped({self.inner!r})"

    def turns(self, turns: Sequence[Turn], pictures: Pictures) -> Vectors:
        return self.inner.turns(turns, pictures)


def many(count: int) -> Gallery:
    return Gallery([str(number) for number in range(count)], np.ones((count, 2), np.float32), "toy:1")


# Cut


def test_a_cut_is_a_search_for_so_many(gallery: Gallery) -> None:
    watched = Watched(gallery)
    assert (Same() % 2).rank(ask("a"), watched)[0].ids == ("a", "bb")
    assert (Same() % 2).rank(ask("a"), watched, top=1)[0].ids == ("a",)
    assert (Same() % 3 % 2).rank(ask("a"), watched)[0].ids == ("a", "bb")
    assert (watched.searched_for, watched.walked) == ([2, 1, 2], 0)


def test_what_was_cut_is_no_candidate(gallery: Gallery) -> None:
    for scores in ((Given(a=5, bb=7, ccc=6) % 2).scores, (Given(a=5, bb=7, ccc=6) % 2).score_all):
        assert scores(ask("a"), gallery).tolist() == [[OUT, 7, 6, OUT]]


def test_a_cut_keeps_at_least_one() -> None:
    with pytest.raises(UsageError, match="a cut keeps at least one candidate, not 0"):
        Same() % 0


def test_a_cut_keeps_what_was_wanted_and_who_explains_it(gallery: Gallery) -> None:
    composer = Same()
    assert (composer % 2).rank(ask("a"), gallery)[0].wanted.tolist() == [1, 0]
    assert (composer % 2).explained_by is composer


# Rerank


def test_cut_then_rerank_scores_only_what_was_kept(gallery: Gallery) -> None:
    ranking = (Same() % 3 >> Longest()).rank(ask("a"), gallery)[0]
    assert ranking.ids == ("ccc", "bb", "a")
    with pytest.raises(UsageError, match="at least one"):
        Same() % 0


def test_a_scorer_sees_the_candidates_that_were_kept_and_no_others(gallery: Gallery) -> None:
    watched, scorer = Watched(gallery), Longest()
    rankings = (Same() % 2 >> scorer).rank([*ask("a"), *ask("dddd")], watched, top=1)
    assert scorer.seen == [["a", "bb"], ["dddd", "ccc"]]
    assert (watched.searched_for, watched.walked) == ([2], 0), "one search for two, nothing walked through"
    assert [ranking.ids for ranking in rankings] == [("bb",), ("dddd",)], "the top is taken after scoring"


def test_what_is_excluded_does_not_use_up_the_cut(gallery: Gallery) -> None:
    scorer = Longest()
    [ranking] = (Same() % 2 >> scorer).rank(ask("a"), gallery, exclude=[["a"]])
    assert scorer.seen == [["bb", "ccc"]]
    assert ranking.ids == ("ccc", "bb")


def test_what_is_filtered_out_does_not_use_up_the_cut(gallery: Gallery) -> None:
    shelves = Shelves(Gallery(["x", "d", "ddd", "dd"], gallery.vectors, "toy:1"))
    method = Given(x=9, d=3, ddd=1, dd=2) % 2 >> Longest()
    assert method.rank(ask("x"), shelves, filters=Filters(folder="d"))[0].ids == ("dd", "d")


def test_the_scorers_word_counts(gallery: Gallery) -> None:
    [ranking] = (Same() % 3 >> Longest()).rank(ask("a"), gallery, top=2)
    assert list(ranking) == [("ccc", 3), ("bb", 2)]
    assert ranking.wanted is None, "lengths of names are no cosines"
    assert (Same() % 3 >> Longest()).explained_by is None
    assert (Same() % 2 >> Longest()).scores(ask("a"), gallery).tolist() == [[1, 2, OUT, OUT]]


def test_where_the_scorer_sees_no_difference_the_methods_order_stays() -> None:
    gallery = Gallery(["a", "b", "c"], np.eye(3, dtype=np.float32), "toy:1")
    assert (Given(a=1, b=3, c=2) >> Longest()).rank(ask("a"), gallery)[0].ids == ("b", "c", "a")


def test_a_candidate_that_the_scorer_rules_out_is_gone(gallery: Gallery) -> None:
    assert (Same() % 3 >> Given(bb=1, a=2)).rank(ask("a"), gallery)[0].ids == ("a", "bb")


def test_a_scorer_may_ask_for_the_candidates_vectors(gallery: Gallery) -> None:
    [ranking] = (Same() % 3 >> Farthest()).rank(ask("a"), gallery)
    assert ranking.ids == ("ccc", "bb", "a")
    np.testing.assert_allclose(ranking.scores, -gallery.vectors[[2, 1, 0], 0], rtol=1e-6)


def test_a_scorer_knows_the_candidates_and_an_upload_as_well(gallery: Gallery) -> None:
    upload = Gallery(["new"], np.array([[-1, 0]], np.float32), "toy:1")
    method = Same() % 2 >> Farthest()
    assert method.rank(ask("new"), gallery, pictures=upload)[0].ids == ("ccc", "dddd")


def test_a_method_may_stand_in_the_scorers_place(album: Gallery) -> None:
    # The three most like a beach; of them only one shows people, and the others stay as they were.
    query = Query("q", (Turn(picture="beach", text="people"),))
    [ranking] = (Same(TOY) % 3 >> Said()).rank([query], album)
    assert ranking.ids == ("beach people", "beach", "beach night")
    np.testing.assert_allclose(ranking.scores, [0.5**0.5, 0, 0], rtol=1e-6)


def test_a_method_in_the_scorers_place_knows_the_upload(album: Gallery, toy: ToyEncoder) -> None:
    upload = Gallery(["new"], toy.texts(["cat red"]), TOY)
    method = Said() % 3 >> Same(TOY)
    query = Query("q", (Turn(picture="new", text="red"),))
    assert method.rank([query], album, pictures=upload)[0].ids[0] == "cat red"


def test_every_query_has_candidates_of_its_own_in_the_scorers_place(album: Gallery) -> None:
    queries = [Query(id, (Turn(picture=id, text="red"),)) for id in ("dog", "cat")]
    rankings = (Same(TOY) % 3 >> Said()).rank(queries, album)
    assert [ranking.ids for ranking in rankings] == [
        ("dog red", "dog", "dog blue"), ("cat red", "cat", "cat blue"),
    ]  # fmt: skip


def test_nothing_left_to_rerank_is_an_empty_ranking(gallery: Gallery) -> None:
    for method in (Same() % 2 >> Longest(), Same() % 2 >> Same()):
        assert method.rank(ask("a"), gallery, exclude=[gallery.ids])[0].ids == ()


def test_reranking_too_many_is_refused_with_the_remedy() -> None:
    with pytest.raises(UsageError) as refused:
        (Same() >> Longest()).rank(ask("1"), many(MOST_RERANKED + 1))
    assert str(refused.value) == (
        "Same() >> Longest() would score more than 10,000 candidates one by one: "
        "cut first, as in 'Same() % 100 >> Longest()'"
    )
    with pytest.raises(UsageError, match=r"as in '\(Same\(\) \+ Same\(\)\) % 100 >> Longest\(\)'"):
        (Same() + Same() >> Longest()).rank(ask("1"), many(MOST_RERANKED + 1))


def test_a_cut_that_keeps_too_many_to_rerank_is_refused_too() -> None:
    with pytest.raises(UsageError, match="would score more than 10,000 candidates one by one"):
        (Same() % (MOST_RERANKED + 1) >> Longest()).rank(ask("1"), many(MOST_RERANKED + 1))


def test_a_cut_makes_reranking_of_any_number_possible() -> None:
    scorer = Longest()
    (Same() % 3 >> scorer).rank(ask("1"), many(MOST_RERANKED + 1))
    assert scorer.seen == [["0", "1", "2"]]


def test_as_many_as_may_be_reranked_are() -> None:
    scorer = Longest()
    (Same() >> scorer).rank(ask("1"), many(MOST_RERANKED))
    assert [len(ids) for ids in scorer.seen] == [MOST_RERANKED]


# Fuse


def test_fusing_a_method_with_itself_keeps_its_order(gallery: Gallery) -> None:
    assert (Same() + Same()).rank(ask("a"), gallery)[0].ids == Same().rank(ask("a"), gallery)[0].ids


def test_fusing_gives_the_worst_score_to_what_one_method_cut(gallery: Gallery) -> None:
    ranking = (Same() % 1 + Same() % 2).rank(ask("a"), gallery)[0]
    assert ranking.ids == ("a", "bb")


def test_fused_scores_are_sums_of_standard_scores(gallery: Gallery) -> None:
    # Standard scores: 1 and -1 for each method; a and bb miss one method and get its worst, -1.
    [ranking] = (Given(a=9, ccc=7) + Given(bb=200, ccc=100)).rank(ask("a"), gallery)
    np.testing.assert_allclose(ranking.scores, [0, 0, -2], atol=1e-6)
    assert ranking.ids == ("a", "bb", "ccc"), "dddd is a candidate of neither"
    assert ranking.wanted is None


def test_no_method_is_louder_for_its_larger_numbers(gallery: Gallery) -> None:
    other = Given(a=1, bb=5, ccc=2)
    quiet = (Given(a=0.3, bb=0.1, ccc=0.2) + other).scores(ask("a"), gallery)
    loud = (Given(a=3000, bb=1000, ccc=2000) + other).scores(ask("a"), gallery)
    np.testing.assert_allclose(quiet, loud, rtol=1e-5)


def test_a_method_that_sees_no_difference_changes_nothing(gallery: Gallery) -> None:
    fused = (Given(a=2, bb=0) + Given(a=7, bb=7)).scores(ask("a"), gallery)
    np.testing.assert_allclose(fused, [[1, -1, OUT, OUT]], atol=1e-6)


def test_what_is_excluded_has_no_say_in_what_is_standard(gallery: Gallery) -> None:
    fused = Given(a=1000, bb=4, ccc=2) + Given(a=-1000, bb=1, ccc=0)
    [ranking] = fused.rank(ask("a"), gallery, exclude=[["a"]])
    assert ranking.ids == ("bb", "ccc")
    np.testing.assert_allclose(ranking.scores, [2, -2], rtol=1e-5)


def test_methods_are_fused_over_all_pieces_at_once(gallery: Gallery) -> None:
    fused = Given(a=4, bb=3, ccc=2, dddd=1) + Given(a=1, bb=2, ccc=4, dddd=8)
    whole, pieces = fused.score_all(ask("a"), gallery), fused.score_all(ask("a"), Shelves(gallery))
    np.testing.assert_array_equal(whole, pieces)
    [ranking] = fused.rank(ask("a"), Shelves(gallery), filters=Filters(folder="d"))
    assert ranking.ids == ("dddd",)


def test_nothing_left_to_fuse_is_an_empty_ranking(gallery: Gallery) -> None:
    assert (Same() + Same()).rank(ask("a"), gallery, exclude=[gallery.ids])[0].ids == ()


# Their names


@pytest.mark.parametrize(
    "written",
    [
        "a % 5",
        "a % 5 % 3",
        "a % 5 >> c",
        "a % 5 >> judge",
        "a >> judge >> b",
        "a >> (b % 5 >> c)",
        "a + b",
        "a + b + c",
        "a % 5 + b % 3",
        "(a + b) % 5",
        "(a + b) % 5 >> c",
        "a + b >> c",
        "a >> b + c",
        "a + (b >> judge)",
        "(a >> judge) + b",
        "(a >> b) % 5",
        "(a % 9 >> judge) % 5 >> b",
    ],
)
def test_a_pipeline_is_called_as_it_is_written_with_no_bracket_too_many(written: str) -> None:
    class Named(Given):
        def __repr__(self) -> str:
            return "".join(self.given)

    class Judge(Longest):
        def __repr__(self) -> str:
            return "judge"

    names: dict[str, Method | Scorer] = {name: Named(**{name: 1}) for name in "abc"}
    assert repr(eval(written, names | {"judge": Judge()})) == written


def test_methods_keep_their_own_names_in_a_pipeline() -> None:
    assert repr((Same() + Said()) % 5 >> Longest()) == "(Same() + Said()) % 5 >> Longest()"


# Histories


def test_every_composer_in_a_pipeline_is_wrapped() -> None:
    method = (Same() + Said() % 3) % 5 >> Said() + Given(a=1)
    assert repr(method.over(Wrapped)) == (
        "(Wrapped(Same()) + Wrapped(Said()) % 3) % 5 >> Wrapped(Said()) + Given(a=1)"
    )
    assert repr(method) == "(Same() + Said() % 3) % 5 >> Said() + Given(a=1)", "the method is as it was"


def test_a_scorer_that_is_no_method_stays_the_same_one() -> None:
    scorer = Longest()
    method = (Same() % 5 >> scorer).over(Wrapped)
    assert repr(method) == "Wrapped(Same()) % 5 >> Longest()"
    assert method.scorer is scorer


def test_a_wrapped_pipeline_ranks_by_what_it_is_wrapped_in(gallery: Gallery) -> None:
    class Back(Wrapped):
        """The opposite of what was asked for."""

        def turns(self, turns: Sequence[Turn], pictures: Pictures) -> Vectors:
            return -super().turns(turns, pictures)

    assert (Same() % 2).over(Back).rank(ask("a"), gallery)[0].ids == ("dddd", "ccc")
    assert isinstance((Same() % 2).over(Back), Cut)


def test_methods_are_added_alike_however_the_brackets_stand(gallery: Gallery) -> None:
    a, b, c = Given(a=3, bb=1, ccc=2), Given(a=1, bb=9, ccc=2), Given(a=2, bb=2, ccc=7)
    spelled = [a + (b + c), (a + b) + c, Fuse(a, b, c)]
    assert len({repr(method) for method in spelled}) == 1
    first, second, third = (method.rank(ask("a"), gallery)[0] for method in spelled)
    assert first == second == third


def test_nothing_to_fuse_is_an_empty_ranking(gallery: Gallery) -> None:
    fused = Same() + Same()
    assert fused.rank(ask("a"), gallery.subset([]), pictures=gallery)[0].ids == ()
    assert (Same() % 3 >> fused).rank(ask("a"), gallery, exclude=[gallery.ids])[0].ids == ()


def test_what_is_bounded_is_reranked_however_large_the_gallery() -> None:
    names = [f"p{number}" for number in range(MOST_RERANKED + 1)]
    big = Gallery(names, np.ones((len(names), 2), np.float32), "toy:1")
    for method in (Same() % 5 >> Longest() >> Longest(), Same() % 5 + Same() % 5 >> Longest()):
        assert len(method.rank(ask("p0"), big)[0]) == 5
    assert len((Same() % 20_000 >> Longest()).rank(ask("p0"), big.subset(names[:4]))[0]) == 4


def test_a_scorer_must_score_every_candidate(gallery: Gallery) -> None:
    class Few(Longest):
        def score(self, queries, candidates, pictures):
            return [[1.0] for _ in candidates]

    with pytest.raises(DataError, match=r"gave scores \(1,\) for 4 candidates"):
        (Same() >> Few()).rank(ask("a"), gallery)
