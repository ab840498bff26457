"""Who scores and who composes, over whatever can be searched."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

import numpy as np
import pytest

from circlet.core import (
    Composer,
    Contributions,
    DataError,
    Filters,
    Gallery,
    Label,
    Method,
    MismatchError,
    Pictures,
    Query,
    Turn,
    Vectors,
    vectors,
)
from tests.core.toys import Given, Longest, Said, Same, Shelves, Watched, ask

OUT = -np.inf


class Marked(Composer):
    """The picture of the turn and what was liked, less what was disliked, as parts."""

    fingerprint = "toy:1"

    def turns(self, turns: Sequence[Turn], pictures: Pictures) -> Vectors:
        return self.contributions(turns, pictures).sums()

    def contributions(self, turns: Sequence[Turn], pictures: Pictures) -> Contributions:
        terms = [
            (row, Label(kind, id))
            for row, turn in enumerate(turns)
            for kind, ids in (("liked", turn.liked), ("without", turn.without), ("disliked", turn.disliked))
            for id in ids
        ]
        signs = np.array([-1 if label.away else 1 for _, label in terms], np.float32)
        rows = pictures.vectors_of([label.what for _, label in terms]) * signs[:, None]
        return Contributions.of(len(turns), terms, rows)


class Opposite(Same):
    """Compares pictures in a space of its own, where all stand on their head."""

    projects = True

    def project(self, gallery: Gallery) -> Gallery:
        return Gallery(gallery.ids, -gallery.vectors, gallery.fingerprint)


class Moving(Watched):
    """Stands still in a snapshot only: asked outside one, it fails."""

    def snapshot(self) -> AbstractContextManager[Gallery]:
        return nullcontext(Gallery(self.ids, self.vectors, self.fingerprint))

    def pieces(self, filters: Filters | None = None) -> None:
        raise AssertionError("the rows may have moved")

    rows_among = ids_at = pieces


# Any method


def test_scores_of_all_pieces_stand_side_by_side(gallery: Gallery) -> None:
    method = Given(a=1, bb=2, ccc=3, dddd=4)
    assert method.score_all(ask("a") * 2, Shelves(gallery)).tolist() == [[1, 2, 3, 4]] * 2
    assert method.score_all(ask("a"), gallery).tolist() == [[1, 2, 3, 4]]


def test_what_does_not_count_or_is_excluded_scores_minus_infinity(gallery: Gallery) -> None:
    shelves = Shelves(gallery.subset(["a", "bb", "ccc"]))
    method = Given(a=1, bb=2, ccc=3)
    assert method.score_all(ask("a"), shelves, filters=Filters(folder="c")).tolist() == [[OUT, OUT, 3]]
    gone = [["ccc", "stranger"], []]
    assert method.score_all(ask("a") * 2, shelves, exclude=gone).tolist() == [[1, 2, OUT], [1, 2, 3]]


def test_a_method_ranks_what_passes_the_filters_and_is_not_excluded(gallery: Gallery) -> None:
    shelves = Shelves(Gallery(["d1", "x", "d2", "d3"], gallery.vectors, "toy:1"))
    method = Given(d1=1, x=9, d2=3, d3=5)
    [ranking] = method.rank(ask("x"), shelves, filters=Filters(folder="d"), exclude=[["d3"]])
    assert list(ranking) == [("d2", 3), ("d1", 1)]
    assert ranking.wanted is None, "these scores are no cosines"


def test_no_more_than_the_top_is_ranked(gallery: Gallery) -> None:
    method = Given(a=1, bb=2, ccc=3, dddd=4)
    assert method.rank(ask("a"), Shelves(gallery), top=3)[0].ids == ("dddd", "ccc", "bb")
    assert Same().rank(ask("a"), gallery, top=1)[0].ids == ("a",)


def test_many_queries_are_ranked_in_blocks_with_their_own_exclusions(
    gallery: Gallery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "_BLOCK_SCORES", 2 * len(gallery))
    gone = [["a"], [], ["bb"], [], ["a", "bb"]]
    rankings = Given(a=3, bb=2, ccc=1).rank(ask("a") * 5, gallery, top=1, exclude=gone)
    assert [ranking.ids for ranking in rankings] == [("bb",), ("a",), ("a",), ("a",), ("ccc",)]


def test_rows_are_scored_and_named_as_of_one_moment(gallery: Gallery) -> None:
    ranking = Given(a=1, ccc=2).rank(ask("a"), Moving(gallery), exclude=[["a"]])[0]
    assert list(ranking) == [("ccc", 2)]


def test_the_queries_pictures_may_be_known_elsewhere(gallery: Gallery) -> None:
    upload = Gallery(["new"], np.array([[0, 1]], np.float32), "toy:1")
    assert Same().rank(ask("new"), gallery, pictures=upload)[0].ids[0] == "ccc"
    assert Opposite().rank(ask("new"), gallery, pictures=upload)[0].ids[-1] == "ccc"
    assert Same().scores(ask("new"), gallery, pictures=upload)[0, 2] == 1
    assert Same().score_all(ask("new"), Shelves(gallery), pictures=upload)[0, 2] == 1


def test_a_piece_is_scored_against_pictures_of_other_pieces(gallery: Gallery) -> None:
    np.testing.assert_allclose(
        Same().score_all(ask("dddd"), Shelves(gallery))[0], -gallery.vectors[:, 0], rtol=1e-6
    )


# Composers


def test_rank_excludes_and_keeps_order(gallery: Gallery) -> None:
    ranking = Same().rank(ask("a"), gallery, exclude=[["a", "stranger"]], top=2)[0]
    assert ranking.ids == ("bb", "ccc")


def test_vectors_of_two_encoders_never_meet(gallery: Gallery) -> None:
    with pytest.raises(MismatchError, match="index it again"):
        Same("other:2").rank(ask("a"), gallery)
    with pytest.raises(MismatchError, match="index it again"):
        Same("other:2").scores(ask("a"), gallery)


def test_a_composer_ranks_by_one_search(gallery: Gallery) -> None:
    watched = Watched(gallery)
    Same().rank(ask("a") * 3, watched, top=2)
    assert (watched.searched_for, watched.walked) == ([2], 0)


def test_ranking_by_search_agrees_with_the_scores(gallery: Gallery) -> None:
    [ranking] = Same().rank(ask("bb"), gallery)
    [row] = Same().scores(ask("bb"), gallery)
    assert dict(ranking) == pytest.approx(dict(zip(gallery.ids, row.tolist(), strict=True)))


def test_a_ranking_carries_what_its_query_wanted(gallery: Gallery) -> None:
    a, c = Same().rank([*ask("a"), *ask("ccc")], gallery)
    assert (a.wanted.tolist(), c.wanted.tolist()) == ([1, 0], [0, 1])


def test_nothing_is_wanted_after_a_dislike_which_is_no_matter_of_other_queries(gallery: Gallery) -> None:
    disliked, liked = Marked().rank(
        [
            Query("1", (Turn(liked=("a",), disliked=("ccc",)),)),
            Query("2", (Turn(liked=("a",), without=("ccc",)),)),
        ],
        gallery,
    )
    assert disliked == liked, "both look for the same vector"
    assert disliked.wanted is None
    assert liked.wanted.tolist() == [1, 0], "what must not be seen is no part of what is wanted"


def test_a_composer_with_a_space_of_its_own_compares_there(gallery: Gallery) -> None:
    watched = Watched(gallery)
    [ranking] = Opposite().rank(ask("a"), watched, exclude=[["dddd"]])
    assert ranking.ids == ("ccc", "bb", "a")
    assert ranking.wanted is None
    assert watched.searched_for == [], "the gallery's own search knows nothing of that space"


def test_by_itself_a_composer_hears_the_last_turn(gallery: Gallery) -> None:
    query = Query("q", (Turn(picture="a"), Turn(picture="ccc", text="red")))
    assert Same().compose([query], gallery).tolist() == [[0, 1]]
    parts = Same().query_contributions([query], gallery)
    assert parts.labels == (Label("turn", "red", turn=2),)
    assert parts.sums().tolist() == [[0, 1]]


def test_a_composer_explains_its_scores_and_other_methods_have_none_to_do_so() -> None:
    composer = Same()
    assert composer.explained_by is composer
    assert Given(a=1).explained_by is None


def test_a_history_wraps_a_composer_and_nothing_else() -> None:
    given, scorer = Given(a=1), Longest()
    assert given.over(lambda composer: Said()) is given
    assert scorer.over(lambda composer: Said()) is scorer
    assert repr(Same().over(lambda composer: Said())) == "Said()"


# How they are called


def test_a_method_is_named_without_an_address_of_memory() -> None:
    class Mine(Given):
        __repr__ = Same.__repr__

    assert [repr(one) for one in (Same(), Mine(a=1), Longest())] == ["Same()", "Mine()", "Longest()"]


def test_an_exclusion_does_not_stick_to_a_method_that_keeps_its_scores(gallery: Gallery) -> None:
    class Keeping(Method):
        kept = np.array([[4, 3, 2, 1]], np.float32)

        def scores(self, queries, gallery, *, pictures=None):
            return self.kept

    assert Keeping().rank(ask("a"), gallery, exclude=[["a"]])[0].ids == ("bb", "ccc", "dddd")
    assert Keeping().rank(ask("a"), gallery)[0].ids[0] == "a"
    with pytest.raises(DataError, match="one list of exclusions per query: 1 queries, 2 lists"):
        Keeping().rank(ask("a"), gallery, exclude=[["a"], ["bb"]])
