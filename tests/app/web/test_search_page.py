"""The search page in a real browser: by mouse, by keyboard, by drop, with Back, reload and restart."""

import base64
import re
from pathlib import Path
from typing import Any

from tests.app.patience import reserved_port

Visitor = Any


def drop(visitor: Visitor, file: Path) -> None:
    """Drop a file from outside onto the page, as the browser tells it to the page's script."""
    data = base64.b64encode(file.read_bytes()).decode()
    visitor.page.evaluate(
        """async ([data, name]) => {
            const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
            const carried = new DataTransfer();
            carried.items.add(new File([bytes], name, { type: "image/png" }));
            for (const kind of ["dragover", "drop"])
                document.body.dispatchEvent(
                    new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: carried }));
        }""",
        [data, file.name],
    )


def test_three_turns_by_mouse(visit: Any) -> None:
    visitor = visit()
    page = visitor.page
    page.click("#words")
    page.keyboard.type("an animal")
    page.click("button.go")
    visitor.until_turns(1)
    picked = visitor.names()[3]
    page.click(f'.pick[data-name="{picked}"]')
    visitor.until_turns(2)
    assert picked not in visitor.names(), "what one goes on from is not found again"
    page.fill("#words", "red")
    page.click("button.go")
    visitor.until_said("red")
    assert len(visitor.turns()) == 2, "words complete the picture that was picked"

    before = visitor.names()
    liked = before[5]
    page.click(f'[aria-label="Like {liked}"]')
    visitor.until_turns(3)
    assert page.get_attribute(f'[aria-label="Like {liked}"]', "aria-pressed") == "true"
    assert visitor.names().index(liked) < 5, "what is liked comes closer"

    page.click("text=Undo")
    visitor.until_turns(2)
    assert visitor.names() == before


def test_three_turns_by_keyboard_alone(visit: Any) -> None:
    visitor = visit()
    keys = visitor.page.keyboard
    keys.press("/")
    keys.type("an animal")
    keys.press("Enter")
    visitor.until_turns(1)

    keys.press("ArrowDown")
    keys.press("ArrowRight")
    chosen = visitor.page.evaluate("document.activeElement.dataset.name")
    assert chosen == visitor.names()[1]
    keys.press("Enter")
    visitor.until_turns(2)
    assert visitor.page.get_attribute(".slot img", "alt") == f"Your picture now: {chosen}"

    keys.press("/")
    keys.type("in the water")
    keys.press("Enter")
    visitor.until_said("in the water")
    keys.press("ArrowDown")
    keys.press("l")
    visitor.until_turns(3)
    liked = visitor.page.get_attribute(".marks img", "alt")
    assert liked
    assert liked.startswith("liked ")

    # The focus stays with what was pressed, and the way back is reached by Tab.
    def focused() -> str:
        return str(visitor.page.evaluate("document.activeElement.name"))

    assert focused() in {"like", "pick"}
    for _ in range(60):
        keys.press("Shift+Tab")
        if focused() == "undo":
            break
    keys.press("Enter")
    visitor.until_turns(2)


def test_what_to_say_next_is_said_by_a_press_and_why_it_moved_is_told(visit: Any) -> None:
    for words in ("a+red+car", "an+animal", "food", "a+fruit", "a+house"):
        visitor = visit(f"/act?text={words}")
        page = visitor.page
        chips = page.locator("#next button").all_inner_texts()
        assert page.locator("#moved").count() == 0, "one turn moved nothing"
        if chips:
            break
    assert 1 <= len(chips) <= 2
    page.click("#next button >> nth=0")
    visitor.until_said(chips[0])
    assert chips[0] not in page.locator("#next button").all_inner_texts(), "it was said"
    page.click("#grid .pick >> nth=4")
    visitor.until(lambda: page.get_attribute(".slot img", "alt"))
    told = page.inner_text("#moved")
    number = re.match(r"The last turn brought (nothing new into|\d+ of) the first 10", told)
    assert number, told


def test_why_and_large_view_by_keyboard(visit: Any) -> None:
    visitor = visit("/act?text=red+fruit")
    page = visitor.page
    page.focus("#grid .pick")
    page.keyboard.press("w")
    page.wait_for_selector("dialog[open] .why")
    assert "words: “red fruit”" in page.inner_text("dialog[open]")
    parts = [float(cell.inner_text()) for cell in page.query_selector_all("dialog[open] .parts td.n")]
    score = float(page.inner_text("dialog[open] header p").split()[-1])
    assert abs(sum(parts) - score) < 0.002
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog[open]", state="detached")

    page.focus("#grid .pick")
    names = visitor.names()
    for key, place in (("v", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        page.keyboard.press(key)
        page.wait_for_selector(f'dialog.large[open] img[alt="{names[place]}"]', state="attached")
    visitor.until(lambda: page.evaluate("document.querySelector('dialog.large img').naturalWidth"))
    page.keyboard.press("Escape")
    visitor.until(lambda: page.evaluate("document.activeElement.dataset.name") == names[1])


def test_why_tells_which_clauses_hold_and_that_they_set_the_order(visit: Any) -> None:
    visitor = visit("/act?text=an+animal")
    page = visitor.page
    reference = visitor.names()[0]
    page.click("#grid .pick")
    visitor.until_turns(2)
    visitor.say("red; two of them; no water")
    page.click("#grid [name=why] >> nth=0")
    page.wait_for_selector("dialog[open] .why")
    rows = [row.inner_text().split("\t") for row in page.query_selector_all("dialog[open] .checks tbody tr")]
    told = {clause.strip(): likely[-1] for clause, *likely in rows}
    assert list(told) == [f"as in {reference}", "animal", "in red", "two", "no water"]
    assert told["two"] == "not checked"
    assert 0 <= float(told["in red"]) <= 1
    by_clauses = float(page.inner_text("dialog[open] header p").split()[-1])
    assert by_clauses >= float(page.inner_text("#grid .score"))
    assert "ordered by the clauses above" in page.inner_text("dialog[open]")
    assert "Added up" not in page.inner_text("dialog[open]")


def test_why_puts_picture_and_words_side_by_side_and_names_each_thing_once(visit: Any) -> None:
    visitor = visit("/act?text=an+animal")
    page = visitor.page
    page.click("#grid .pick >> nth=2")
    visitor.until_turns(2)
    visitor.say("in the water")
    page.click("#grid [name=why] >> nth=0")
    page.wait_for_selector("dialog[open] .why")
    whats = [
        row.inner_text().strip()
        for row in page.query_selector_all("dialog[open] .parts tbody td:nth-child(2)")
    ]
    assert sum(what.startswith("picture: ") for what in whats) == 1
    assert not any(what.startswith("liked: ") for what in whats), "nobody liked a picture"
    names = [what.partition(": ")[2] for what in whats]
    assert len(names) == len(set(names)), names
    halves = page.locator("dialog[open] .halves > div")
    told = [half.split() for half in halves.all_inner_texts()]
    assert [half[0] for half in told] == ["Picture", "Words"]
    assert sum(int(half[1]) for half in told) == 100
    left, right = (halves.nth(at).bounding_box() for at in (0, 1))
    assert left["y"] == right["y"]


def test_what_was_heard_is_struck_and_turned_by_keyboard(visit: Any) -> None:
    visitor = visit("/act?text=an+animal%3B+red%3B+without+water")
    page = visitor.page

    def chips() -> list[str]:
        return list(page.locator("#heard .phrase").all_inner_texts())

    assert chips() == ["animal", "in red", "no water"]
    before = visitor.names()
    page.focus('[aria-label="Turn it round: in red"]')
    page.keyboard.press("Enter")
    visitor.until(lambda: "not in red" in chips())
    assert visitor.names() != before
    assert page.evaluate("document.activeElement.name") == "turn", "the focus stays among what was heard"
    page.focus('[aria-label="Leave this out: not in red"]')
    page.keyboard.press("Enter")
    visitor.until(lambda: chips() == ["animal", "no water"])
    page.go_back()
    visitor.until(lambda: "not in red" in chips())


def test_upload_by_drop_and_by_file(visit: Any, homes: tuple[Path, Path]) -> None:
    apple = homes[0] / "food/red-apple.png"
    visitor = visit()
    drop(visitor, apple)
    visitor.until_turns(1)
    before = visitor.names()
    assert before[0] == "red-apple.png", "the upload is a picture of the collection, too"
    visitor.say("green")
    assert visitor.names().index("green-apple.png") <= before.index("green-apple.png")
    assert visitor.names() != before
    dropped = visitor.page.url

    other = visit()
    other.page.set_input_files("#file", apple)
    other.until_turns(1)
    other.say("green")
    assert other.page.url == dropped, "the same picture and words are the same address"


def test_paste_and_a_file_that_is_no_picture(visit: Any, homes: tuple[Path, Path]) -> None:
    visitor = visit()
    data = base64.b64encode((homes[0] / "animals/tiger.png").read_bytes()).decode()
    visitor.page.evaluate(
        """(data) => {
            const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
            const carried = new DataTransfer();
            carried.items.add(new File([bytes], "tiger.png", { type: "image/png" }));
            const pasted = { bubbles: true, clipboardData: carried };
            document.body.dispatchEvent(new ClipboardEvent("paste", pasted));
        }""",
        data,
    )
    visitor.until_turns(1)
    assert visitor.names()[0] in {"tiger.png", "leopard.png"}
    visitor.page.set_input_files("#file", homes[0] / "broken.jpg")
    visitor.until_told("this picture")
    assert len(visitor.turns()) == 1


def test_back_reload_and_shared_link_keep_the_session(visit: Any) -> None:
    visitor = visit()
    visitor.say("an animal")
    first = visitor.names()
    visitor.say("red")
    second, address = visitor.names(), visitor.page.url
    visitor.page.reload()
    assert visitor.names() == second
    visitor.page.go_back()
    visitor.until_turns(1)
    assert visitor.names() == first
    visitor.page.go_forward()
    visitor.until_turns(2)
    assert visitor.names() == second

    friend = visit(address)
    assert friend.names() == second
    assert friend.turns() == ["1 an animal", "2 red"]


def test_a_restart_of_the_server_keeps_the_session_and_its_upload(
    visit: Any, sites: Any, homes: tuple[Path, Path]
) -> None:
    with reserved_port() as port:
        served = sites("--port", str(port))
        visitor = visit(address=served.address)
        visitor.page.set_input_files("#file", homes[0] / "food/tomato.png")
        visitor.until_turns(1)
        visitor.say("yellow")
        names = visitor.names()

        served.stop()
        visitor.page.fill("#words", "on a table")
        visitor.page.press("#words", "Enter")
        visitor.page.wait_for_selector("#toast.lost:not([hidden])")
        assert "connection to circlet is lost" in visitor.page.inner_text("#toast")
        served.start()
    # What was asked while the server was away is answered when it is back.
    visitor.until_said("on a table")
    visitor.until_told("Connected again")
    visitor.page.go_back()
    visitor.until_turns(1)
    assert visitor.names() == names
    visitor.page.reload()
    assert visitor.names() == names


def test_two_users_stay_apart(visit: Any) -> None:
    one, two = visit(), visit()
    one.say("an animal")
    two.say("fruit")
    one.say("red")
    assert one.turns() == ["1 an animal", "2 red"]
    assert two.turns() == ["1 fruit"]
    two.page.reload()
    assert two.turns() == ["1 fruit"]


def test_endless_scroll_keeps_the_place(visit: Any) -> None:
    visitor = visit("/act?text=an+animal")
    page = visitor.page
    page.wait_for_selector("#more", state="attached")
    page.evaluate("document.getElementById('more').scrollIntoView()")
    visitor.until(lambda: len(visitor.names()) > 40)
    names = visitor.names()
    assert len(names) == len(set(names)), "no picture comes twice"
    page.evaluate("document.querySelectorAll('#grid > .card')[50].scrollIntoView({ block: 'center' })")
    # Cards get their true height when they come near: the place that counts is where the card was left.
    card = "document.querySelectorAll('#grid > .card')[50].getBoundingClientRect().top"
    page.evaluate(
        f"addEventListener('click', () => {{ window.place = {card}; }}, {{ capture: true, once: true }})"
    )
    page.click("#grid > .card:nth-child(51) .pick")
    visitor.until_turns(2)
    assert page.evaluate("scrollY") == 0
    page.go_back()
    visitor.until_turns(1)
    assert visitor.names() == names
    visitor.until(lambda: abs(page.evaluate(f"{card} - window.place")) < 3)
    page.reload()
    visitor.until(lambda: len(visitor.names()) > 50)


def test_going_back_to_a_step_keeps_the_other_path(visit: Any) -> None:
    visitor = visit()
    visitor.say("an animal")
    visitor.say("red")
    visitor.page.click(".step >> nth=0")
    visitor.until_turns(1)
    visitor.say("blue")
    assert visitor.turns() == ["1 an animal", "2 blue"]
    visitor.page.click(".paths button")
    visitor.until_said("red")
    assert visitor.turns() == ["1 an animal", "2 red"]


def test_weights_filters_and_folded_copies(visit: Any) -> None:
    visitor = visit("/act?text=red,+an+animal")
    page = visitor.page
    page.click("#advanced > summary")
    page.click('[aria-label="More of red"]')
    page.wait_for_selector(".phrase >> text=×1.5")
    page.click("#grid .pick >> nth=1")
    visitor.until_turns(2)
    visitor.say("at night")
    before = page.url
    page.fill("#balance", "0.9")
    visitor.until(lambda: page.url != before)
    assert page.input_value("#balance") == "0.9"

    page.goto("/act?text=a+dog")
    page.click("#filters > summary")
    page.select_option("[name=folder]", "animals")
    page.click("text=Apply >> visible=true")
    page.wait_for_selector(".count")
    assert {"dog.png", "cat.png"} <= set(visitor.names())
    assert "dog copy.png" not in visitor.names()
    assert "red-apple.png" not in visitor.names()

    page.goto("/act?text=a+dog")
    page.goto(page.url + "&shown=200")
    [shown] = {"dog.png", "dog copy.png"} & set(visitor.names())
    page.click(f'[aria-label="1 near-identical to {shown}: show"]')
    page.wait_for_selector(".fold .card")
    assert page.get_attribute(".copies", "aria-expanded") == "true"
    inside = page.get_attribute(".fold .pick", "data-name")
    assert {shown, inside} == {"dog.png", "dog copy.png"}
