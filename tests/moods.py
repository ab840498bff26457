"""What a chat server of a test says, its moods, and the key that must not be seen anywhere."""

import hashlib
import json
import time
from typing import Any

THINGS = ("hat", "boat", "tree", "lamp", "bird", "cup", "kite", "drum")
KEY = "sk-very-secret"


def looked(content: Any) -> str:
    """What the server says: of a picture a thing by its bytes, of two what to add, of a session scores.

    Of two descriptions it makes an instruction, of a description and a change another description.
    """
    if isinstance(content, str) and "Instruction:" in content:
        return f"Show {content.split('Second picture: ')[1].split(chr(10))[0]}, as it was said."
    if isinstance(content, str):
        return f"{content.split('Description: ')[1].split(chr(10))[0]} and {content.split('Change: ')[1]}"
    seen = [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
    number = int(hashlib.sha256(seen[-1].encode()).hexdigest(), 16)
    if "natural" in content[0]["text"]:
        return json.dumps({"natural": 4, "coherence": 5, "progress": 3, "redundancy": 4, "overall": 4})
    if len(seen) == 1:
        return f"a {THINGS[number % 8]} and a {THINGS[number // 8 % 8]}"
    said = content[0]["text"].count("- ")
    return f"Add the {THINGS[(number // 64 + said) % 8]} number {said}."


def moody(number: int) -> "tuple[int, bytes] | None":
    """Slow, overloaded, limiting, and out of its mind, at times; never more than twice in a row."""
    if number % 9 == 0:
        time.sleep(0.05)
    return {
        3: (429, b""), 4: (503, b""), 11: (200, b"<html>"), 12: (500, b"oops"), 17: (200, b'{"choices": []}'),
    }.get(number % 23)  # fmt: skip


def paid(told: str, model: str) -> int:
    """How many calls a command says that it paid for."""
    return int(told.split(f"{model}: ")[1].split(" call")[0].replace(",", ""))
