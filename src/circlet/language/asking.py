"""What is said around a wish: "could you please … as well", "it should have", "I want to see"."""

import re
from functools import cache

from circlet.language.patterns import ready
from circlet.language.verbs import CUT, PARTED, done, either, forms

# In front of the wish itself; each is taken off until none is left.
_BEFORE = (
    "(then|and then|next(?! to )|now|please|kindly|maybe|perhaps|ok|okay|yet|so|again|possibly|basically|"
    "finally|hmm|well),? ",
    "(can|could|would|will|may) (you|we|i)( please)?"
    "( (see|have|get) (it|this|that|them)(?= (with|in|without) ))? ",
    r"(try to|try|go ahead and|how about|what about|(i am )?looking for|make sure (that )?|"
    r"ensure (that )?) ?\b",
    "(let us|let me|i will|you can|you could|we can) (?!not )",
    "({it}|(the|my|this|target|the target|the desired|the new) {picture})( also| now| still| only)? "
    "(?=(is|are|was|were|has|have|had|shows?|contains?|features?|does|should|must|needs?|can|takes? place|"
    r"wears?|looks?|becomes?)\b)",
    "(find|show|get|give|search for|look for)( me| us)? (one|something|an?( other)? {picture})"
    " (where|in which|that|which|on which) ",
    "this time,? ",
    "(changes|edits?|differences?)( to make)?: ?",
)
# What says no more than "show".
_WISH = (
    "((i|we|you)( (really|just|only|also))? (want|need|wish|like|see|get|(would|should)( really)? (like|love|"
    "want|have|see))( (to|for)( (see|have|find|get|be|look at))?)?( there)?( (to be|be))?|"
    r"(show|give|find|get|bring) (me|us)) (?=\S)"
)
_MODAL = (
    "(should|must|needs? to|(has|have|had|ought|got|is supposed|are supposed|want) to|will|would|could|can|"
    "might|may|shall)"
)
_MODALS = (
    (r"^(let|have) there be\b", "there is"),
    (r"^(let|have|make) (?P<be>it|the .+?) be\b", r"\g<be> is"),
    (r"^(let|have|make) (?P<have>the .+?) have\b", r"\g<have> has"),
    (rf"\b{_MODAL} not be\b", "is not"),
    (rf"\b{_MODAL} not (have|contain|show|include|feature|wear|display)\b", "does not have"),
    (rf"\b{_MODAL} be (found|seen)(?= (on|in|at|to|left|right|near|behind|next|under|above) )", "is"),
    (rf"\b{_MODAL} (now |also |only |all )?be\b", "is"),
    (rf"\b{_MODAL} (now |also |only |all )?(have|contain|show|include|feature|display)\b", "has"),
    (rf"\b{_MODAL} (now |also |only |all )?(?=(become|wear|turn|look|face|hold|stand|sit|carry)s?\b)", ""),
    (r"^makes? (it|them|this|that|him|her) (look|appear|seem)\b", "looks"),
    (r"^makes? (?P<look>the .+?) (look|appear|seem)\b", r"\g<look> looks"),
    (r"\b(does|do|did) not (contain|show|include|feature|display)\b", "does not have"),
)
# Whatever takes away is said in one word, which the rules know.
_CUT = (
    f"(?P<not>(do not|never|not|must not|without) )?({'|'.join(forms(*CUT))}|"
    f"{either(done(*CUT))}(?= (the|an?|all|its|his|her|their|some|one|two) )|"
    f"{either(forms(*PARTED))} (?<!get )(?<!gets )(?<!move )(?<!moves )(?<!keep )(away|out|off)"
    r"(?! of\b)|(get|gets|getting) rid of|takes? down|(do|does|doing) away with|"
    "(do|go|goes|going) without|dispense with|be rid of|"
    "do not (want|need|like|use|show|include|have|put))(?= )"
)
_AFTER = (
    ",? (please|this time|as well|too|though|thanks|thank you|if possible|in total|altogether|in all|now|"
    r"(than|as) (before|(it|they) (was|were)|in (this|that|the)( \w+)?)|at all|any ?more|any longer|"
    "anywhere|whatsoever|of any kind|completely|entirely|overall|or so|(and )?nothing (else|more))$"
)


@cache
def _modals() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((ready(pattern), into) for pattern, into in _MODALS)


def asked(clause: str) -> str:
    """A clause with less around it: what is wished for, in the words that rules know.

    >>> asked("could you please remove the dog as well"), asked("the sky should not be grey")
    ('remove the dog', 'the sky is not grey')
    >>> asked("I want to see two dogs"), asked("but please show me a cat"), asked("get rid of the cat")
    ('show two dogs', 'but show a cat', 'remove the cat')
    """
    but = "but " if clause[:4].lower() == "but " else ""
    wish = clause[len(but) :]
    before = ready(f"({'|'.join(_BEFORE)})")
    while (start := before.match(wish)) and 0 < start.end() < len(wish):
        wish = wish[start.end() :]
    if wished := ready(_WISH).match(wish):
        wish = "show " + wish[wished.end() :]
    for pattern, into in _modals():
        wish = pattern.sub(into, wish)
    if cut := ready(_CUT).match(wish):
        wish = f"{cut['not'] or ''}remove{wish[cut.end() :]}"
    while (end := ready(_AFTER).search(wish)) and end.start() > 0:
        wish = wish[: end.start()]
    return but + wish.strip(" ,")
