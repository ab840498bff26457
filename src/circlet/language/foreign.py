"""Whether words are in another language than English, which is all that some encoders read."""

import re
import unicodedata

# Little words of other languages that are no words of English.
_LITTLE = frozenset({
    "der", "das", "ein", "eine", "einen", "einem", "einer", "und", "mit", "ohne", "auf", "bei", "nicht",
    "ist", "sind", "le", "les", "une", "du", "avec", "sans", "dans", "et", "est", "aux", "el", "los", "las",
    "una", "uno", "con", "sobre", "del", "en", "il", "gli", "della", "dello", "senza", "nel", "nella",
    "het", "een", "zonder", "naar", "uma", "com", "sem", "dos", "och", "med", "utan", "på", "og", "uden",
    "uten", "bez", "jest",
})  # fmt: skip
_WORDS = re.compile(r"[^\W\d_]+")


def foreign(text: str) -> bool:
    """Whether a text does not look English: other letters, or little words of other languages.

    >>> foreign("a dog on the beach"), foreign("ein Hund am Strand"), foreign("собака"), foreign("café")
    (False, True, True, False)
    """
    words = _WORDS.findall(text.lower())
    other = [word for word in words if not unicodedata.name(word[0], "").startswith("LATIN")]
    return bool(words) and (2 * len(other) >= len(words) or any(word in _LITTLE for word in words))
