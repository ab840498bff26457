"""Methods by name and by expression: the same words on the command line as in Python."""

import pytest

from circlet.core import Cut, Fuse, Query, Rerank, Turn, UsageError
from circlet.dialogue import Session
from circlet.models import ImageOnly, Sum, TextOnly, load_method
from circlet.models.methods import names_in

QUERY = Query("q", (Turn(picture="beach people", text="night"),))


def test_an_expression_ranks_as_the_python_that_it_spells(toy, album) -> None:
    image, text, both = ImageOnly(toy), TextOnly(toy), Sum(toy)
    spelled = {
        "image % 5 >> text": image % 5 >> text,
        "image%5>>text": image % 5 >> text,
        "text + image": text + image,
        "(text + image) % 3 >> sum": (text + image) % 3 >> both,
        "text % 4 + image % 4": text % 4 + image % 4,
        "image % 9 >> text + sum": image % 9 >> text + both,
        "'image' % 5 >> \"text\"": image % 5 >> text,
    }
    for expression, made in spelled.items():
        read = load_method(expression, toy)
        assert repr(read) == repr(made)
        assert read.rank([QUERY], album) == made.rank([QUERY], album), expression


def test_a_cut_is_reordered_by_words(toy, album) -> None:
    [ranking] = load_method("image % 4 >> text", toy).rank([QUERY], album)
    assert len(ranking) == 4
    assert set(ranking.ids) == set(ImageOnly(toy).rank([QUERY], album, top=4)[0].ids)
    assert "night" in ranking.ids[0]


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("sun", "unknown method 'sun': pick one of default, balanced"),
        ("sum %", "% keeps a number of candidates, not 'the end'"),
        ("sum % many", "not 'many'"),
        ("sum >>", "a method's name is missing"),
        ("(sum", "a bracket is not closed"),
        ("sum text", "'text' is not expected there"),
        ("sum % 0", "a cut keeps at least one"),
        ("'sum", "a quote is not closed"),
        ("", "a method's name is missing"),
    ],
)
def test_what_makes_no_sense_is_told(toy, expression: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        load_method(expression, toy)


def test_names_are_read_without_loading_anything() -> None:
    assert names_in("edits % 100 >> (text + 'my folder/ckpt')") == ["edits", "text", "my folder/ckpt"]


def test_a_pipeline_works_in_a_session_with_likes(toy, album) -> None:
    for expression, kind in (("edits % 6 >> text", Rerank), ("text + image", Fuse), ("sum % 5", Cut)):
        session = Session.over(load_method(expression, toy), album).say("dog")
        assert isinstance(load_method(expression, toy), kind)
        liked = session.like(session.results.ids.index("dog red") + 1)
        assert liked.results.ids != session.results.ids, f"a like moves {expression}"
        assert liked.dislike("dog").results.ids.count("dog") == 0
        assert all(score != 0 for score in liked.results.scores[:2])


def test_a_composer_handed_over_hears_likes_as_a_named_one_does(toy, album) -> None:
    """Without a history around it, a like alone has no words to search by, and every score was zero."""
    handed = Session.over(load_method("sum", toy), album).like("dog red")
    assert handed.results.ids[0] == "dog red"
    assert handed.results.scores[0] > 0.9


def test_an_expression_without_end_is_refused_before_anything_is_loaded(toy) -> None:
    for expression in ("(" * 5000 + "sum", " + ".join(["sum"] * 5000), "sum" + " % 9" * 5000):
        with pytest.raises(UsageError, match="joins more than 60"):
            load_method(expression, toy)
        with pytest.raises(UsageError, match="joins more than 60"):
            names_in(expression)
