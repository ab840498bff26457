"""Patterns of what goes and what stays: without, no longer, gone, all but, not without."""

from circlet.language.patterns import EditRule

# Two negations are none, and what is spared from a removal stays.
SPARED: tuple[EditRule, ...] = (
    EditRule(
        "keep",
        "(do not|never|not|must not|please do not) ({cut}|lose|touch|change|alter) {WHAT}",
        many=True,
    ),
    EditRule("keep", "[with |without ](changing|touching|losing|altering|removing) {WHAT}", many=True),
    EditRule("add", r"[.*\b](not|never|nothing|nobody|no \w+)( {be})? without {WHAT}", many=True),
    EditRule("keep", "{cut} {every}( {word}){0,3}? {except} {WHAT}"),
    EditRule("keep", "[with ]{every}( {word}){0,3}? {except} {WHAT?} {goes}"),
    EditRule("keep", "[{has} ](nothing|nobody|no one|none|no {words}) {except} {WHAT}"),
    EditRule("keep", "[{has} |{keep} ]{every}( {word}){0,3}? {except} [the |its |his |her |their ]{quality}"),
    EditRule("remove", "{keep} {every}( {word}){0,3}? {except} {WHAT}", many=True),
    EditRule("keep", "(except[ for]|apart from|other than) [the |its |his |her |their ]{quality}"),
    EditRule("remove", "(anything|anyone|any {word}) {except} {WHAT}", many=True),
    EditRule("remove", "[{has} ]{every}( {word}){0,3}? {except} [not ]{WHAT}", many=True),
)

REMOVALS: tuple[EditRule, ...] = (
    EditRule("remove", "(nobody|no one|no-one)[ {be}] (wearing|with|holding|carrying) {WHAT}", many=True),
    EditRule("remove", r"(nobody|no one|no-one)[ {be}] (?P<what>\w+ing\b.*)"),
    EditRule(
        "remove",
        r"[with ][(the|its|his|her|their) ](?!.*\b(lights?|lamps?|tv|screen|power|heat|"
        r"turn)\b)(?P<what>{word}) off",
    ),
    EditRule("remove", "[{has} ](?P<what>nobody|no one|no-one)[ .+]"),
    EditRule(
        "remove",
        r"{cut} (?!from\b|to\b){WHAT?} (from|off|out of|away from) {rest}",
        sign="-",
        many=True,
    ),
    EditRule(
        "remove",
        r"{part} (?!it\b){WHAT?}(?<!further|farther)(?<!far) {off}[ (of|from) {rest}]",
        sign="-",
        many=True,
    ),
    EditRule("remove", r"{cut} (?!from\b|to\b){WHAT}", sign="-", many=True),
    EditRule("remove", "[with ]neither {WHAT}", many=True),
    EditRule(
        "remove",
        "(makes?|making|lets?|have|having) {WHAT?} (disappear|vanish|go away|invisible|go)",
        many=True,
    ),
    EditRule(
        "remove",
        "[with ]{WHAT?} (ha(s|ve) to|needs? to|must|should|can|could|ought to|may) (go|leave|"
        "disappear|vanish)[ away]",
        many=True,
    ),
    # Things are looked for where they are said to be gone; a picture is not missing from itself.
    EditRule(
        "remove",
        r"[.*\b]({be} |{has} )?(missing|lacks?|lacking|devoid of|void of|empty of|bare of|clear "
        "of|rid of) (?!from|in|on|and|with){WHAT}",
        many=True,
    ),
    EditRule("remove", "(with |there {be} )?none of {WHAT}", many=True),
    EditRule("remove", "[with ]{THING?} {aux}{gone}[ (from|in|on|with|by) {rest}]", many=True),
    EditRule(
        "remove",
        r"[.*\b]({has} )?nothing[ {has}] (?P<what>(on|in|at|under|behind|around|inside|above|"
        "near|over) .+)",
        before="things ",
    ),
    EditRule("remove", r"[.*?\b({has}|{be}|and) ](no|not) (longer|more) [any |an? |the ]{WHAT}", many=True),
    EditRule("remove", r".*\bno longer [({has}|wears?|includes?|wearing|holding) ]{WHAT}", many=True),
    EditRule(
        "remove",
        r"[.*?\b({has}|{be}|and|,) ](no sign of|not a single|no single|not an?|not one|not any|"
        "zero|never any|no) {WHAT?}( {be})?( to be)?( (in sight|seen|found|{there}))?",
        many=True,
    ),
    EditRule(
        "remove",
        "[.+ ](without|minus|sans|w/o|free of|free from|in the absence of|excluding|not "
        "including)( {show}| any)? {WHAT}",
        many=True,
    ),
    EditRule("remove", "(except[ for]|apart from|other than)( {show}| any)? {WHAT}", many=True),
    EditRule(
        "remove",
        "[.* ](?P<what>background|backdrop|sky) ({be}|looks?|does) not (be )?(?P<to>{word}[ {word}])",
    ),
    EditRule(
        "remove",
        r"[.*\b](do|does|did|can|will|should|must|would|has|have|had|need) not (({has}|wear|"
        "include|be|see|want|need|like|use|hold|carry|to see) ){0,2}[any |see |have ]{WHAT}",
        many=True,
    ),
    EditRule(
        "remove",
        r"[.*\b{be} ]not (?!only|just|too|very|so|as|that|quite)(wearing |holding |carrying |"
        "showing )?{WHAT}",
        many=True,
    ),
    EditRule(
        "remove",
        "[(.+ )?({be}|looks?|make {word}|make the {word}|goes) "
        r"](?!({known})less\b)(?P<what>\w(\w|-)+\w)-?(free|less)",
    ),
)

KEEPS: tuple[EditRule, ...] = (
    EditRule(
        "attribute",
        "[{has} ][just |exactly |almost ]([the |exact |exactly the ]same|(something |one )?(similar|"
        "like (this|that|it)))[ one| thing| {picture}],? (in|at|with|on) {TO}",
        topical=True,
    ),
    EditRule(
        "keep",
        "{keep} (everything|all|it|this|that|things|the rest)[ else][ (the same|unchanged|as "
        "(is|it is|they are))]",
    ),
    EditRule(
        "keep",
        "({every}( else)? )?({be} |stays? |remains? )?((the )?same|unchanged)( as)?( before)?|"
        "as before|(an? |the )?(version|variant|one|copy|{picture})( of (it|this))?",
    ),
    EditRule(
        "keep",
        "[only |just ]{keep} [only |just ]{WHAT?}[ (the same|unchanged|as (is|it is|they are)|"
        "intact|in place|alone|there)]",
    ),
    EditRule("keep", "(this|these|that|those) (?P<what>{word}[ {word}])"),
    EditRule("keep", "(only|just) the {WHAT?} (remains?|stays?|{be} left)"),
    EditRule(
        "keep",
        "[[an? ]{picture} of |({has}|{be}|of) ][the |an? ][very |exact ](same|identical) {WHAT?}"
        "[ as (before|is)]",
    ),
    EditRule(
        "keep",
        "{WHAT?} ({be}|stays?|remains?|{be} kept) ([exactly |just ]the same|unchanged|as (is|"
        "before|it is)|intact|identical)",
    ),
    EditRule(
        "keep",
        "(stay|remain|stays|remains|(show|have|make|want|with|see|give|leave) (it|this|that|them))",
    ),
    EditRule(
        "keep",
        "((something|one|{picture}|it {be}|exactly|just|almost|very|quite|{be}) )*((like|as|"
        "similar to) (this|that|it|the (above|original|reference))[ one| {picture}]|[the ]same|"
        "similar|as is|as it is|identical)[ one| thing| {picture}]",
    ),
    EditRule("keep", r"(only|just|nothing but) (?!(in|at|on|with|from|an?|some|{n}|one)\b)(the ){WHAT}"),
    EditRule("keep", "[the ](?P<what>{word}[ {word}]) only"),
)
