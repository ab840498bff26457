"""The queue: as many people as wanted, never one twice, and no answer ever lost or overwritten."""

import random
from collections import Counter
from pathlib import Path
from threading import Barrier, Thread

import pytest

from circlet.core import BusyError, DataError, StoreError, UsageError
from circlet.studio import Answer, Item
from circlet.studio.store import Store, nothing_follows
from tests.studio.projects import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Store:
    made = Store(tmp_path / "answers.sqlite", minutes=10, clock=clock)
    made.add([Item(id=f"i{number}", task="find", shown={"n": number}, wanted=2) for number in range(3)])
    return made


def given(store: Store, person: str) -> str:
    item = store.next(person, "find")
    return item.id if item else ""


def test_what_is_left_open_comes_first_and_nobody_else_gets_more_than_is_wanted(store: Store) -> None:
    people = [store.person() for _ in range(3)]
    assert [given(store, person) for person in people] == ["i0", "i0", "i1"]
    # Asking again gives the same again.
    assert [given(store, person) for person in people] == ["i0", "i0", "i1"]


def test_nobody_gets_an_item_twice(store: Store) -> None:
    ann = store.person()
    seen = []
    while item := store.next(ann, "find"):
        store.answer(ann, item.number, {"place": 1})
        seen.append(item.id)
    assert seen == ["i0", "i1", "i2"]


def test_what_nobody_finishes_comes_back(store: Store, clock: Clock) -> None:
    ann, ben, cem = (store.person() for _ in range(3))
    assert (given(store, ann), given(store, ben), given(store, cem)) == ("i0", "i0", "i1")
    store.skip(cem, store.next(cem, "find").number)  # type: ignore[union-attr]
    clock.now += 11 * 60
    assert given(store, cem) == "i0"


def test_a_late_answer_is_kept_and_not_counted(store: Store, clock: Clock) -> None:
    slow, ben, cem = (store.person() for _ in range(3))
    first = store.next(slow, "find")
    assert first
    clock.now += 11 * 60
    for person in (ben, cem):
        assert given(store, person) == "i0"
        store.answer(person, first.number, {"place": 1})
    assert store.answer(slow, first.number, {"place": 2}).state == "spare"
    assert [one.person for one in store.answers(counted=True)] == [ben, cem]
    assert {one.person for one in store.answers()} == {slow, ben, cem}
    assert given(store, slow) == "i1"


def test_seconds_are_counted_from_when_it_was_shown(store: Store, clock: Clock) -> None:
    ann = store.person()
    item = store.next(ann, "find")
    assert item
    clock.now += 30
    store.next(ann, "find")
    clock.now += 12
    assert store.answer(ann, item.number, {"place": 1}).seconds == 42


def test_only_who_was_given_an_item_answers_it(store: Store) -> None:
    ann, ben = store.person(), store.person()
    item = store.next(ann, "find")
    assert item
    with pytest.raises(UsageError, match="not given to you"):
        store.answer(ben, item.number, {"place": 1})


def test_a_form_sent_twice_is_kept_once_and_another_window_does_not_win(store: Store) -> None:
    ann = store.person()
    item = store.next(ann, "find")
    assert item
    one = store.answer(ann, item.number, {"place": 1})
    assert store.answer(ann, item.number, {"place": 1}) == one
    with pytest.raises(BusyError, match="another window"):
        store.answer(ann, item.number, {"place": 2})
    assert store.answer(ann, item.number, {"place": 2}, revision=1).revision == 2
    with pytest.raises(BusyError):
        store.answer(ann, item.number, {"place": 3}, revision=1)
    assert [one.answer["place"] for one in store.answers()] == [2]


def test_taken_back_it_is_the_same_persons_again(store: Store) -> None:
    ann, ben = store.person(), store.person()
    item = store.next(ann, "find")
    assert item
    one = store.answer(ann, item.number, {"place": 1})
    with pytest.raises(UsageError, match="not yours"):
        store.withdraw(ben, one.number)
    store.withdraw(ann, one.number)
    assert not store.answers()
    assert given(store, ann) == "i0"
    again = store.answer(ann, item.number, {"place": 5})
    assert again.number > one.number  # a number is never given to another answer


def follow(answer: Answer) -> list[Item]:
    name = f"more:{answer.number}.{answer.revision}"
    return [Item(id=name, task="more", shown=answer.answer, parent=answer.number, author=answer.person)]


def test_what_follows_is_asked_anew_when_the_words_change(store: Store) -> None:
    ann, ben = store.person(), store.person()
    item = store.next(ann, "find")
    assert item
    one = store.answer(ann, item.number, {"text": "old"}, following=follow)
    # Nobody checks their own words.
    assert store.next(ann, "more") is None
    asked = store.next(ben, "more")
    assert asked
    store.answer(ben, asked.number, {"place": 1})
    store.answer(ann, item.number, {"text": "new"}, revision=1, following=follow)
    assert [each.item.task for each in store.answers()] == ["find"]
    fresh = store.next(ben, "more")
    assert fresh
    assert fresh.shown == {"text": "new"}
    assert one.number == fresh.parent


def test_a_rejected_answer_goes_to_somebody_else(store: Store) -> None:
    ann, ben, cem = (store.person() for _ in range(3))
    item = store.next(ann, "find")
    assert item
    one = store.answer(ann, item.number, {"text": "bad"}, following=follow)
    store.review(one.number, "rejected", "rude")
    assert store.reviews() == {one.number: ("rejected", "rude")}
    assert given(store, ann) == "i1"
    assert store.next(ben, "more") is None
    assert [given(store, person) for person in (ben, cem)] == ["i0", "i0"]
    store.review(one.number, "accepted", following=follow)
    assert store.next(ben, "more")
    with pytest.raises(UsageError, match="looked at and accepted"):
        store.withdraw(ann, one.number)


def test_known_items_come_first_and_go_to_everybody(store: Store) -> None:
    store.add([Item(id="known", task="find", shown={}, truth={"place": 1}, known=True)])
    people = [store.person() for _ in range(4)]
    assert {given(store, person) for person in people} == {"known"}
    assert [one.wanted for one in store.progress()] == [6]


def test_who_is_barred_gets_nothing_new(store: Store) -> None:
    ann = store.person()
    store.bar(ann)
    assert not given(store, ann)
    assert store.progress(ann)[0].left == 0
    store.bar(ann, False)
    assert given(store, ann) == "i0"


def test_everything_is_there_after_it_was_opened_anew(store: Store, tmp_path: Path) -> None:
    ann = store.person()
    item = store.next(ann, "find")
    assert item
    store.answer(ann, item.number, {"place": 1})
    # Not closed: as after a kill.
    again = Store(tmp_path / "answers.sqlite")
    assert [one.answer for one in again.answers()] == [{"place": 1}]
    assert again.knows(ann)
    assert given(again, ann) == "i1"


def test_many_at_once_never_get_more_than_is_wanted(tmp_path: Path) -> None:
    store = Store(tmp_path / "answers.sqlite")
    store.add([Item(id=str(number), task="find", shown={}, wanted=3) for number in range(20)])
    people = [store.person() for _ in range(8)]
    start = Barrier(len(people))
    faults: list[Exception] = []

    def work(person: str) -> None:
        # A connection of its own, as another process would have.
        own = Store(tmp_path / "answers.sqlite")
        start.wait()
        try:
            while item := own.next(person, "find"):
                own.answer(person, item.number, {"place": 0})
        except Exception as error:
            faults.append(error)
        own.close()

    threads = [Thread(target=work, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    answers = store.answers()
    assert len(answers) == 60
    assert all(one.state == "kept" for one in answers)
    assert store.progress()[0].have == 60


def test_totals_follow_whatever_happens_to_items(store: Store) -> None:
    chance = random.Random(2)
    people = [store.person() for _ in range(4)]
    for _ in range(200):
        person = chance.choice(people)
        mine = store.recent(person)
        one = chance.choice(mine) if mine else None
        kind = chance.randrange(5)
        if one and kind == 0 and one.state == "kept":
            store.withdraw(person, one.number)
        elif one and kind == 1 and one.state == "kept":
            store.answer(person, one.item.number, {"place": chance.random()}, revision=one.revision)
        elif one and kind == 2:
            store.review(one.number, chance.choice(("accepted", "rejected")), following=follow)
        elif item := store.next(person, chance.choice(("find", "more"))):
            store.answer(
                person,
                item.number,
                {"place": 1},
                following=follow if item.task == "find" else nothing_follows,
            )
        store.add([Item(id=f"n{chance.randrange(60)}", task="find", shown={}, wanted=chance.randint(1, 3))])
        counted: dict[str, list[int]] = {}
        for task in ("find", "more"):
            items = store.items(task)
            have = Counter(one.item.number for one in store.answers(task=task, counted=True))
            told = [sum(i.wanted for i in items), sum(min(i.wanted, have[i.number]) for i in items)]
            counted |= {task: told} if items else {}
        assert {p.task: [p.wanted, p.have] for p in store.progress() if p.wanted} == counted


def test_a_file_that_cannot_hold_answers_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.sqlite").write_text("no database at all, but quite some text in it" * 20)
    with pytest.raises(StoreError, match="name another store"):
        Store(tmp_path / "text.sqlite")
    with pytest.raises(DataError, match="no such folder"):
        Store(tmp_path / "none" / "answers.sqlite")
