"""Patterns of how many: so many, more, fewer, another, all but one, half as many."""

from circlet.language.lexicon import AMOUNTS, NUMBERS, listed
from circlet.language.patterns import EditRule, EditTable

_COUNTS: tuple[EditRule, ...] = (
    EditRule(
        "count", "[{has} |there ({be}|remain) ][only |just ]{BY} {WHAT?} (left[ over]|remaining|remains?)"
    ),
    # All but some: after a word of removal those stay, otherwise they are the ones that go.
    EditRule("count", "{cut} {every} {except} {BY}[ of][ {WHAT}]"),
    EditRule("count", "{cut} all [of ]{WHAT?} {except} {BY}[ of them| {rest}]"),
    EditRule("count", "all [of ][the ]{WHAT?} {except} {BY} {goes}"),
    EditRule("count", "all [of ][the ]{WHAT?} {except} {BY}", sign="-"),
    EditRule("count", "all {except} {BY}[ of][ {WHAT}]", sign="-"),
    EditRule(
        "count",
        "[{has} ]an? (group|set|pair|row|line|bunch|family|team|pile|flock|herd) of {BY} {WHAT}",
    ),
    EditRule("count", "{THING?} (are|is|numbers?|totals?|comes? to|should number) {BY}( in number| in all)"),
    EditRule(
        "count",
        "{THING?} ({be} |ha(s|ve) )?(more numerous|multipl(y|ied|ies)|increased? in number)",
        to="more",
    ),
    EditRule(
        "count",
        "[the ]{number} {WHAT?} ({be} |ha(s|ve) )?(increase(s|d)?|grown|grows|risen|rises|gone up|higher)",
        to="more",
    ),
    EditRule(
        "count",
        "[the ]{number} {WHAT?} ({be} |ha(s|ve) )?(decrease(s|d)?|shrunk|fallen|dropped|gone down|lower)",
        to="fewer",
    ),
    EditRule(
        "count",
        "{THING?} ({be} |ha(s|ve) )?(less numerous|fewer in number|decreased? in number|thinned out)",
        to="fewer",
    ),
    EditRule("count", "[{has} ](additional|extra) {NOUNS}{rest}", to="more"),
    # This many instead of that many
    EditRule("count", "[{has} ][only |just ]{BY} {WHAT?},? ({instead}|not) {n}[ of them]"),
    EditRule("count", "{instead} {n} {WHAT?}, [only |just ]{BY}"),
    EditRule("count", "({swap}|{turn}) [the ]{n} {WHAT?} (for|with|by|to|into) {BY}"),
    EditRule(
        "count",
        "{n} {WHAT?} (ha(s|ve) |{be} )?(becomes?|became|changed? to|turn(s|ed)? (in)?to|"
        "reduced to|now) [only |just ]{BY}( in number| of them)?(,? (and|with|in|on) {rest})?",
    ),
    EditRule(
        "count",
        "{n} {NOUN} (ha(s|ve) |{be} )?(becomes?|became|changed? to|turn(s|ed)? (in)?to) {BY} (?P=what)s?",
    ),
    # Bounds
    EditRule(
        "count",
        "[{has} ](at least|no (fewer|less) than|not (fewer|less) than) {BY}[ {WHAT}]",
        sign=">=",
    ),
    EditRule(
        "count",
        "[{has} ](at most|no more than|not more than|up to|a maximum of) {BY}[ {WHAT}]",
        sign="<=",
    ),
    EditRule("count", "[[{it} ]({has}|{be}) ](more than|over) {BY}[ {WHAT}]", sign=">"),
    EditRule("count", "[[{it} ]({has}|{be}) ](fewer|less) than {BY}[ {WHAT}]", sign="<"),
    # One more, two fewer
    EditRule("count", "[{it} ][({has}|{put}|{be}) ]{BY} (less|fewer)[ of][ {WHAT}]", sign="-"),
    EditRule("count", "[{it} ][({has}|{put}|{be}) ]an? {NOUN} (less|fewer)", to="-1"),
    EditRule("count", "[{it} ][({has}|{put}|{be}) ]{BY} (?P<what>{word}[ {word}]) (less|fewer)", sign="-"),
    EditRule("count", "[{it} ][({has}|{put}|{be}) ]{BY} (?P<what>{word}[ {word}]) more", sign="+"),
    EditRule("count", "[{it} ][({has}|{put}|{be}) ]{BY} (more|additional|extra)[ of][ {WHAT}]", sign="+"),
    EditRule(
        "count",
        "[{it} ][({has}|{put}|{be}) ]({BY} and )?(yet another|another|one more|an (extra|"
        r"additional)) (?!(angle|way|side|direction|colou?r|place|{picture})\b){WHAT}",
        to="+1",
    ),
    # The number itself
    EditRule(
        "count",
        "(bring|keep|set|take|cut|limit|increase|reduce|decrease|raise|change|lower|make|"
        "get)s? [the ]{number} {WHAT?} [down |up |back ](to|at|be|equal) [only |just ]{BY}{rest}",
    ),
    EditRule(
        "count",
        "[the ]{number} {WHAT?} ({be}|becomes|equals|goes|rises|drops|falls|grows|changes)( "
        "(increased|decreased|reduced|changed|up|down|now|only|just))*( to)? {BY}{rest}",
    ),
    # Steps without a figure
    EditRule(
        "count",
        "[{it} ][({has}|{be}) ][only |just ](not (nearly |quite )?(as|so|that|too) many|too many|half as "
        "many|half the[ {number}]|a half of the|far fewer|many fewer|much fewer)( of)?[ {WHAT}]",
        to="fewer",
    ),
    EditRule(
        "count",
        "[{it} ][({has}|{be}) ](not enough|too few|(twice|thrice|double|triple|{n} times) (as "
        "many|the[ {number}]|the)|many more|(a )?(lot|lots) more|far more)( of)?[ {WHAT}]",
        to="more",
    ),
    EditRule(
        "count",
        r"{cut} ((a few|a couple|several|many|most|half|a number)( of)?|some of|some(?= \w+s$)) "
        "{WHAT}",
        to="fewer",
    ),
    EditRule(
        "count",
        "(doubles?|tripl(e|es)|increas(e|es|ed)|rais(e|es)|up) [the ]{number} {WHAT}",
        to="more",
    ),
    EditRule(
        "count",
        "(halves?|halv(e|es)|reduc(e|es|ed)|decreas(e|es)|lowers?|cuts?( down( on)?)?|limit) "
        "[the ]{number} {WHAT}",
        to="fewer",
    ),
    EditRule("count", "(doubles?|triples?|multiply) {WHAT}", to="more"),
    EditRule(
        "count",
        "(halves?|halve|cuts? down on(?= .*s$)|(reduce|limit|thin out)(?= (the |all )?(people|"
        r"\w+s)$)) {WHAT}",
        to="fewer",
    ),
    EditRule("compare", r"(cuts? (down|back) on|reduce|lessen|tone down) (?!to\b){WHAT}", to="less"),
    EditRule(
        "count",
        "[{has} ]an? (larger|bigger|greater|higher|increased|growing) ({number}|group of|crowd "
        "of|bunch of|set of|flock of|herd of|pile of) {WHAT}",
        to="more",
    ),
    EditRule(
        "count",
        "[{has} ]an? (smaller|lower|reduced|lesser) ({number}|group of|crowd of|bunch of|set "
        "of|flock of|herd of|pile of) {WHAT}",
        to="fewer",
    ),
    EditRule("count", "(reduce|increase|cut( down)?)s? [it |them |this ]to [only |just ]{BY}[ {WHAT}]"),
    EditRule("count", "(a total of|[only |just ](exactly|precisely)) {BY} {WHAT}"),
    EditRule("count", "[{has} ](?!no )(a )?(lone|solitary|single) {WHAT}", to="1"),
)
_CUES = (
    "# all every everything half twice thrice double doubles triple triples tripled halve halves "
    "multiply more most few "
    "fewer less lesser many enough another extra additional number amount quantity count total single "
    "lone solitary "
    "some limit numerous multiplied multiply multiplies numbers thinned reduce reduces lessen tone thin "
    "cut cuts halves least maximum over up"
)
COUNTS = EditTable(_COUNTS, listed(" ".join((_CUES, *NUMBERS, *AMOUNTS))) - {"of", "a"})

# What a count may be said with when nothing else was heard in the clause.
STEPS: tuple[EditRule, ...] = (
    EditRule("count", "[({has}|{be}|{put}|use) ](?<!not )more (of )?[the ]{NOUNS}{rest}", to="more"),
    EditRule("count", "[({has}|{be}|use) ]fewer (of )?[the ]{WHAT}", to="fewer"),
    EditRule("count", "[({has}|{be}|use) ]less(er)? [{number} ][of the ]{NOUNS}{rest}", to="fewer"),
)
NUMBERED: tuple[EditRule, ...] = (
    EditRule(
        "count",
        "[({be}|{has}|makes?( it| them)?|a {picture} of) ][only |just |exactly |now ]{BY} "
        "(?P<what>{word}[ {word}])",
    ),
    EditRule("count", "({has}|makes? (it|them)) [only |just |exactly |now ]{BY} {WHAT}", thing=True),
    EditRule("count", "[.+ ]{be} [only |just |exactly |now ]{BY}"),
    EditRule("count", "[({be}|{has}) ](only|just|exactly) {BY} {WHAT}"),
)
