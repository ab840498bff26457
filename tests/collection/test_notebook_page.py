"""Results and sessions as HTML: escaped, bounded, and never an error because a file is gone."""

from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from circlet.collection import Collection, Hit, Results
from circlet.core import Case, Gallery, Query, Turn
from circlet.dialogue import Session
from circlet.images.inline import MOST, data_address, file_address
from circlet.testing import ToyEncoder

NASTY = '<script>alert("1")</script>'


def html(value: Any) -> str:
    return str(value._repr_html_())


def test_words_and_names_are_escaped_everywhere() -> None:
    turn = Turn(picture=f"a/{NASTY}.jpg", text=NASTY, without=(NASTY,), emphasis=((NASTY, 2.0),))
    query = Query(NASTY, (turn,))
    hit = Hit(1, 0.5, f"/pictures/{NASTY}.jpg")
    results = Results(query, (hit,), notes=(NASTY,))
    case = Case(query=query, truths=(NASTY,), negatives=(NASTY,), group=NASTY, aspects=(NASTY,))
    for page in (html(results), html(case), html(Session().say(NASTY).branch(NASTY))):
        assert "&lt;script&gt;" in page
        assert "<script" not in page
        assert '"1"' not in page


def test_a_picture_is_small_whatever_it_shows() -> None:
    noise = np.random.default_rng(0).integers(0, 255, (900, 900, 3), np.uint8)
    assert 4_000 < len(data_address(Image.fromarray(noise))) <= MOST


def test_a_file_that_is_gone_is_its_name(tmp_path: Path) -> None:
    assert file_address(tmp_path / "gone.jpg") == ""
    collection = Collection.open(tmp_path, home=tmp_path / "home", encoder=ToyEncoder())
    results = Results(Query("q"), (Hit(1, 0.5, str(tmp_path / "gone.jpg")),), thumbnail=collection.thumbnail)
    assert "<img" not in html(results)
    assert "gone.jpg" in html(results)


def test_a_long_page_says_how_much_it_leaves_out() -> None:
    hits = tuple(Hit(rank, 0.5, f"{rank}.jpg") for rank in range(1, 31))
    page = html(Results(Query("q", (Turn(text="a"),)), hits, matched=False))
    assert page.count("<figure") == 24
    assert "6 more are not shown here" in page
    assert "nothing matches" in page


def test_a_session_over_a_gallery_shows_the_ranking(toy: ToyEncoder, album: Gallery) -> None:
    from circlet.models import load_method

    session = Session.over(load_method("text", toy), album).say("dog red")
    page = html(session)
    assert page.index("dog red") < page.index("cat red")
    assert "0.7071" in page or "rank" in page


def test_a_session_that_cannot_search_says_why(tmp_path: Path) -> None:
    collection = Collection.open(tmp_path, home=tmp_path / "home", encoder=ToyEncoder())
    page = html(collection.session().say("a dog"))
    assert "a dog" in page
    assert "circlet index" in page
