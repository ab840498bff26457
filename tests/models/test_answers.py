"""Answers kept by prompt: by model, and asked for again where the file is damaged."""

from pathlib import Path

from circlet.models.answers import remembered


def test_answers_are_kept_by_model_and_prompt(tmp_path: Path) -> None:
    asked: list[str] = []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return f"{prompt}!"

    one, two = remembered(ask, "one", tmp_path), remembered(ask, "two", tmp_path)
    assert [one("a"), one("a"), one("b"), two("a"), remembered(ask, "one", tmp_path)("a")] == [
        "a!", "a!", "b!", "a!", "a!",
    ]  # fmt: skip
    assert asked == ["a", "b", "a"]


def test_a_damaged_answer_is_asked_for_again(tmp_path: Path) -> None:
    ask = remembered(str.upper, "one", tmp_path)
    ask("a")
    (kept,) = tmp_path.rglob("*.json")
    for damage in ("", "[]", '{"answer": 3}'):
        kept.write_text(damage, encoding="utf-8")
        assert ask("a") == "A"
