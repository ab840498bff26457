"""`circlet demo`: drawings, three turns, a sheet; the second time nothing is drawn or read again."""

from typing import Any

from PIL import Image

from circlet.app.cli.openmoji import drawings


def test_there_are_more_than_two_thousand_drawings_with_names() -> None:
    names = drawings()
    assert len(names) > 2000
    assert {"automobile.png", "fire-engine.png", "red-apple.png"} <= set(names)


def test_the_demo_shows_three_turns_and_a_sheet_and_is_quick_the_second_time(command: Any) -> None:
    sheet = command.home / "demo.png"
    first = command("demo", "--count", "40", "--sheet", sheet)
    turns = [line for line in first.stdout.splitlines() if line.startswith("turn")]
    assert turns[:2] == ["turn 1: automobile.png, a truck", "turn 2: red"]
    assert turns[2].startswith("turn 3: like ")
    assert "OpenMoji" in first.stdout
    assert "CC BY-SA 4.0" in first.stdout
    assert "(40 of them read just now)" in first.stderr
    assert Image.open(sheet).width == 1280
    again = command("demo", "--count", "40", "--sheet", sheet)
    assert again.stdout == first.stdout
    assert "(0 of them read just now)" in again.stderr
