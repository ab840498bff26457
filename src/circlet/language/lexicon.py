"""Words that tell what an edit is about: colours, numbers, sizes, light, places, views."""

import re
from functools import cache

COLOURS = (
    "red", "orange", "yellow", "green", "blue", "purple", "violet", "pink", "brown", "black", "white",
    "grey", "gray", "beige", "tan", "cream", "ivory", "gold", "golden", "silver", "navy", "teal",
    "turquoise", "maroon", "lavender", "khaki", "magenta", "cyan", "coral", "burgundy", "olive",
    "peach", "blonde", "blond", "multicolored", "multicoloured", "colorful", "colourful", "colorless",
    "colourless", "rainbow", "monochrome",
)  # fmt: skip

# Names of colours that edits hardly use and descriptions do.
RARE_COLOURS = (
    "indigo", "crimson", "scarlet", "lilac", "mauve", "aqua", "mint", "lime", "charcoal", "bronze", "copper",
    "amber", "emerald", "ruby", "azure", "fuchsia", "plum", "mustard", "salmon", "reddish", "greenish",
    "bluish", "yellowish", "brownish", "greyish", "grayish", "whitish", "blackish", "pinkish",
)  # fmt: skip

SHADES = (
    "bright", "dark", "light", "pale", "deep", "pastel", "neon", "solid", "all", "more", "very", "hot",
    "royal", "sky",
    "lime", "dull",
)  # fmt: skip

NUMBERS = {
    "zero": 0, "one": 1, "a single": 1, "single": 1, "two": 2, "both": 2, "a pair of": 2,
    "a couple of": 2, "a couple": 2, "pair of": 2, "couple of": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "a dozen": 12,
    "dozen": 12, "twenty": 20,
}  # fmt: skip

# Amounts that no figure stands for.
AMOUNTS = (
    "several", "many", "multiple", "a few", "few", "a lot of", "lots of", "plenty of", "numerous",
    "various", "a group of", "group of", "a bunch of", "bunch of", "a flock of", "a herd of", "herd of",
    "a pile of",
)  # fmt: skip

SIZES = (
    "big", "bigger", "biggest", "large", "larger", "largest", "huge", "giant", "enormous", "small",
    "smaller", "smallest", "tiny", "little", "mini", "miniature", "tall", "taller", "short", "shorter",
    "long", "longer", "wide", "wider", "narrow", "narrower", "thick", "thicker", "thin", "thinner",
    "fat", "fatter", "slimmer", "bulky", "oversized", "life-size", "enlarge", "shrink", "size",
)  # fmt: skip

# Time of day, season, weather and light.
TIMES = (
    "night", "nighttime", "night-time", "day", "daytime", "daylight", "morning", "noon", "afternoon",
    "evening", "golden hour", "blue hour", "dusk", "dawn", "twilight", "sunset", "sunrise", "midnight",
    "moonlight", "sunlight",
    "clear sky", "cloudy sky", "starry sky", "falling snow", "sunny", "sunshine", "cloudy", "overcast",
    "rain", "rainy", "raining", "snowing", "snowy", "foggy",
    "fog", "mist", "misty", "stormy", "storm", "windy", "winter", "summer", "autumn", "springtime",
    "weather", "lighting", "lit",
)  # fmt: skip

# Parts of a body, of people first, then of animals.
BODY_PARTS = (
    "head", "face", "forehead", "temple", "brow", "eyebrow", "eye", "eyelid", "eyelash", "eyelashes",
    "pupil", "nose", "nostril", "cheek", "chin", "jaw", "mouth", "lip", "tooth", "teeth", "tongue",
    "ear", "earlobe", "hair", "beard", "moustache", "mustache", "neck", "throat", "nape", "shoulder",
    "armpit", "arm", "forearm", "elbow", "wrist", "hand", "fist", "palm", "finger", "thumb",
    "fingertip", "knuckle", "nail", "fingernail", "chest", "breast", "torso", "rib", "belly", "stomach",
    "abdomen", "navel", "waist", "hip", "back", "spine", "buttock", "bottom", "butt", "leg", "thigh",
    "knee", "shin", "calf", "calves", "ankle", "foot", "feet", "heel", "sole", "toe", "toenail", "skin",
    "bone", "muscle", "vein", "skull", "body", "bodies", "limb", "lap", "wrinkle", "dimple", "freckle",
    "tail", "wing", "paw", "claw", "beak", "snout", "muzzle", "fur", "feather", "horn", "antler",
    "hoof", "hooves", "mane", "fin", "hump", "trunk", "tusk", "whisker",
)  # fmt: skip

BACKGROUNDS = ("background", "backdrop", "backgound", "baground", "bakground", "scenery", "surroundings")

PLACES = (
    "inside", "outside", "indoors", "outdoors", "indoor", "outdoor", "in front of", "behind", "next to",
    "beside", "near", "between", "among", "on top of", "under", "underneath", "beneath", "below",
    "above", "over", "against", "across", "around", "surrounded by", "to the left", "to the right",
    "on the left", "on the right", "in the middle", "in the center", "in the centre", "in the corner",
    "at the top", "at the bottom",
)  # fmt: skip

MOVES = (
    "facing", "face", "faces", "turned", "turn", "turns", "move", "moved", "moves", "rotate", "rotated",
    "flip", "flipped", "looking", "look to", "looks to", "look at", "looks at", "looks up", "looks down",
    "upside down", "sideways", "backwards", "left",
    "right", "opposite", "direction", "position",
)  # fmt: skip

VIEWS = (
    "zoom", "zoomed", "zooming", "close-up", "closeup", "close up", "closer", "close shot",
    "close coverage", "farther", "further away", "farther away", "far away", "further", "distance",
    "angle", "angled", "side view", "front view", "back view", "top view", "aerial", "overhead",
    "viewpoint", "perspective", "view", "viewed", "camera", "focus", "focused", "focuses", "shot",
    "crop", "cropped", "portrait", "full body", "full length", "profile", "panorama", "panoramic",
    "seen from", "taken from", "from above", "from below", "from behind", "from the side", "from the front",
    "from the back", "bird's eye", "wide shot", "blurred", "blurry",
)  # fmt: skip

SAMES = (
    "same", "keep", "keeps", "still", "unchanged", "identical", "similar", "like this", "remain",
    "remains", "stay", "stays",
)  # fmt: skip

# Adjectives whose comparative ends in -er; the colours have one too.
ADJECTIVES = (
    "baggy", "big", "bold", "bright", "broad", "bulky", "busy", "calm", "cheap", "classy", "clean", "clear",
    "close", "cold", "cool", "curvy", "cute", "dark", "deep", "dense", "dressy", "dry", "dull", "dusty",
    "edgy", "fancy", "fast", "fat", "few", "fine", "flat", "flirty", "fluffy", "frilly", "full", "funny",
    "fuzzy", "girly", "great", "hairy", "happy", "hard", "heavy", "high", "hot", "lacy", "large", "late",
    "light", "long", "loose", "loud", "low", "messy", "narrow", "near", "neat", "nerdy", "new", "nice", "old",
    "pale", "plain", "pretty", "puffy", "quiet", "rich", "rough", "round", "sad", "scary", "sexy", "shallow",
    "sharp", "sheer", "shiny", "short", "silky", "simple", "skimpy", "skinny", "slim", "slow", "small",
    "smooth", "soft", "sporty", "steep", "straight", "strappy", "strong", "sunny", "tall", "thick", "thin",
    "tight", "tiny", "ugly", "warm", "wet", "wide", "wild", "wooly", "young",
)  # fmt: skip
IRREGULAR_COMPARATIVES = ("more", "less", "fewer", "better", "worse", "farther", "further", "than")


def listed(words: str) -> frozenset[str]:
    """The words of a line, to be looked up.

    >>> sorted(listed("to be or not to be"))
    ['be', 'not', 'or', 'to']
    """
    return frozenset(words.split())


@cache
def comparative_forms() -> frozenset[str]:
    """Every comparative that is known: more, less, and adjectives and colours in -er."""
    forms = set(IRREGULAR_COMPARATIVES)
    for adjective in (*ADJECTIVES, *COLOURS):
        stem = adjective[:-1] + "i" if adjective.endswith("y") else adjective.removesuffix("e")
        forms |= {stem + "er", adjective + adjective[-1] + "er"}
    return frozenset(forms)


@cache
def any_of(*words: str) -> re.Pattern[str]:
    """A pattern that finds any of these as whole words, longest first.

    >>> any_of("close", "close up").findall("a close up")
    ['close up']
    """
    ordered = sorted(words, key=len, reverse=True)
    return re.compile(r"(?<![\w-])(?:" + "|".join(map(re.escape, ordered)) + r")(?![\w-])", re.IGNORECASE)


@cache
def amount_pattern() -> str:
    """A regular expression for a number in figures or words, or an amount."""
    words = sorted((*NUMBERS, *AMOUNTS), key=len, reverse=True)
    return r"(?:\d+|" + "|".join(map(re.escape, words)) + r")"


def number(word: str) -> int | None:
    """The number a word stands for, or None.

    >>> number("two"), number("7"), number("several")
    (2, 7, None)
    """
    word = word.lower().strip()
    return int(word) if word.isdecimal() else NUMBERS.get(word)


def comparatives(text: str) -> list[str]:
    """The comparative words in a text: more, less, and adjectives in -er.

    >>> comparatives("a bigger pub with more water under it")
    ['bigger', 'more']
    """
    return [word for word in re.findall(r"[a-z]+", text.lower()) if word in comparative_forms()]
