"""A gallery in memory: searched by vectors, in one piece, with errors that name the picture."""

import numpy as np
import pytest

from circlet.core import DataError, Filters, Gallery, Pictures, Searchable, UsageError, unit, vectors


def towards(*rows: tuple[float, float]) -> np.ndarray:
    return np.array(rows, np.float32)


def test_a_gallery_is_something_to_search_and_knows_pictures(gallery: Gallery) -> None:
    assert isinstance(gallery, Searchable)
    assert isinstance(gallery, Pictures)


def test_search_gives_the_best_by_inner_product_first(gallery: Gallery) -> None:
    across, opposite = gallery.search(towards((0, 2), (-1, 0)), top=2)
    assert across.ids == ("ccc", "bb")
    assert across.scores[0] == 2, "a product, not a cosine: the query is taken as it is"
    assert (opposite.ids, opposite.scores.tolist()) == (("dddd", "ccc"), [1, 0])


def test_equal_scores_stay_in_the_gallerys_order() -> None:
    gallery = Gallery(["b", "a", "c"], towards((1, 0), (2, 0), (1, 0)), "toy:1")
    assert gallery.search(towards((1, 0)))[0].ids == ("a", "b", "c")
    assert gallery.search(towards((1, 0)), top=2)[0].ids == ("a", "b")


def test_each_query_excludes_its_own(gallery: Gallery) -> None:
    queries = towards((1, 0), (1, 0), (1, 0))
    gone = [["a", "stranger"], [], {"a", "bb"}]
    assert [found.ids for found in gallery.search(queries, top=1, exclude=gone)] == [
        ("bb",), ("a",), ("ccc",),
    ]  # fmt: skip
    assert len(gallery.search(towards((1, 0)), exclude=[["a"]])[0]) == 3


def test_what_is_excluded_leaves_no_trace(gallery: Gallery) -> None:
    before = gallery.vectors.copy()
    assert gallery.search(towards((1, 0)), exclude=[gallery.ids])[0].ids == ()
    assert gallery.search(towards((1, 0)), top=1)[0].ids == ("a",)
    np.testing.assert_array_equal(gallery.vectors, before)


def test_many_queries_are_searched_in_blocks_with_their_own_exclusions(
    gallery: Gallery, monkeypatch: pytest.MonkeyPatch
) -> None:
    queries = unit(np.random.default_rng(1).normal(size=(5, 2)))
    gone = [[], ["a"], ["bb"], ["ccc"], ["a", "dddd"]]
    alone = [gallery.search(queries[i : i + 1], exclude=gone[i : i + 1])[0] for i in range(5)]
    monkeypatch.setattr(vectors, "_BLOCK_SCORES", 2 * len(gallery))
    together = gallery.search(queries, exclude=gone)
    assert [found.ids for found in together] == [found.ids for found in alone]


def test_nothing_to_search_finds_nothing(gallery: Gallery) -> None:
    assert gallery.search(towards()[:0].reshape(0, 2)) == []
    assert gallery.subset([]).search(towards((1, 0)))[0].ids == ()


@pytest.mark.parametrize("ask", ["search", "pieces"])
def test_filters_are_refused_with_the_remedy(gallery: Gallery, ask: str) -> None:
    filters = Filters(folder="/p")
    with pytest.raises(UsageError) as refused:
        gallery.search(towards((1, 0)), filters=filters) if ask == "search" else list(gallery.pieces(filters))
    assert str(refused.value) == (
        "a gallery in memory knows no folders, dates or sizes: "
        "leave Filters(folder='/p') out, or search an index"
    )


def test_filters_that_say_nothing_are_no_filters(gallery: Gallery) -> None:
    assert len(gallery.search(towards((1, 0)), filters=Filters())[0]) == 4
    assert len(list(gallery.pieces(Filters()))) == 1


def test_a_gallery_is_one_piece_all_of_which_counts(gallery: Gallery) -> None:
    [(piece, counts)] = gallery.pieces()
    assert piece is gallery
    assert counts is None


def test_a_gallery_stands_still_as_it_is(gallery: Gallery) -> None:
    with gallery.snapshot() as still:
        assert still is gallery


def test_rows_among_are_those_that_are_here_in_the_order_asked(gallery: Gallery) -> None:
    assert gallery.rows_among(["dddd", "zebra", "a"]).tolist() == [3, 0]
    assert gallery.rows_among(["zebra"]).tolist() == []
    assert gallery.rows_among([]).dtype == np.intp


def test_rows_and_ids_lead_to_each_other(gallery: Gallery) -> None:
    assert gallery.rows_of(["ccc", "a", "ccc"]).tolist() == [2, 0, 2]
    assert gallery.ids_at(np.array([2, 0, 2])) == ["ccc", "a", "ccc"]
    assert gallery.vectors_of(["ccc", "a"]).tolist() == [[0, 1], [1, 0]]


def test_unknown_and_doubled_ids_are_named(gallery: Gallery) -> None:
    with pytest.raises(DataError, match="not in the gallery: zebra"):
        gallery.subset(["a", "zebra"])
    with pytest.raises(DataError, match="more than once: a"):
        Gallery(["a", "a"], np.ones((2, 2), np.float32), "toy:1").rows_of(["a"])


def test_a_subset_comes_in_the_order_asked_and_keeps_the_space(gallery: Gallery) -> None:
    less = gallery.subset(["dddd", "a"])
    assert less.ids == ("dddd", "a")
    assert less.vectors.tolist() == [[-1, 0], [1, 0]]
    assert less.fingerprint == "toy:1"


def test_a_gallery_goes_without_what_it_has_and_what_it_has_not(gallery: Gallery) -> None:
    less = gallery.without(["bb", "zebra", "dddd"])
    assert less.ids == ("a", "ccc")
    assert "bb" not in less
    assert "bb" in gallery, "the whole is as it was"


@pytest.mark.parametrize("shape", [(1, 2), (3, 2), (2,)])
def test_every_id_has_a_row(shape: tuple[int, ...]) -> None:
    with pytest.raises(DataError, match=r"one row per id: 2 ids, vectors \("):
        Gallery(["a", "b"], np.ones(shape, np.float32), "toy:1")


def test_what_vectors_cannot_show_is_refused_with_the_remedy(gallery: Gallery) -> None:
    with pytest.raises(
        DataError, match="spatial tokens works over a collection, or over a benchmark's features"
    ):
        gallery.tokens_of(["a"])
    with pytest.raises(DataError, match=r"a: known by its vector alone: .* works over a collection"):
        gallery.open("a", 64)


def test_a_gallery_says_how_large_it_is_and_whose_vectors_it_holds(gallery: Gallery) -> None:
    assert repr(gallery) == "<Gallery of 4 × 2, toy:1>"
    assert len(gallery) == 4
