"""`whole`: what can be searched as one gallery. The store itself is tried in tests/index."""

import numpy as np

from circlet.core import Filters, Gallery
from circlet.testing import whole
from tests.core.toys import Shelves


def test_a_gallery_is_whole_already(album: Gallery) -> None:
    made = whole(album)
    assert (made.ids, made.fingerprint) == (album.ids, album.fingerprint)
    np.testing.assert_array_equal(made.vectors, album.vectors)


def test_pieces_come_together_in_their_order(album: Gallery) -> None:
    made = whole(Shelves(album))
    assert made.ids == album.ids
    np.testing.assert_array_equal(made.vectors, album.vectors)


def test_only_what_counts_is_there(album: Gallery) -> None:
    made = whole(Shelves(album), Filters(folder="cat"))
    assert made.ids == ("cat", "cat red", "cat blue")
    np.testing.assert_array_equal(made.vectors, album.vectors_of(made.ids))


def test_where_nothing_counts_the_gallery_is_empty_and_as_wide(album: Gallery) -> None:
    made = whole(Shelves(album), Filters(folder="zebra"))
    assert (made.ids, made.vectors.shape) == ((), (0, 8))


def test_it_stays_when_what_was_searched_changes(album: Gallery) -> None:
    assert not np.shares_memory(whole(album).vectors, album.vectors)
