"""Patterns of what is done to a thing that is named: its colour, size and place; and where it all is."""

from circlet.language.patterns import EditRule

_SIDE = (
    "([in|to|at|on|into|towards?] [the ][very ](front|foreground|back|background|rear|distance|left|"
    "right|middle|"
    "cent(er|re)|top|bottom|side|corner|edge|other side){rest}|(closer|nearer|further|farther)( (away|"
    "back|off|to|from|away from))?( (us|the (viewer|camera|lens|front|foreground)))?|"
    "forwards?|backwards?|back|away|up|down|aside)"
)

_WORN = (
    "dress|shirts?|skirt|suit|hat|coat|jacket|sweater|uniform|costume|gown|jeans|trousers|shorts|bikini|"
    "cap|scarf|style|"
    "pattern|print|fabric|way|row|line|circle|group|pair|pose|colou?r|shade|mouth|hands?|arms|lap|neck|"
    "head|face"
)

CHANGES: tuple[EditRule, ...] = (
    EditRule(
        "background",
        "((move|put|place|set|show|take|bring|{it}|everything|them|{be}|now) )*(?P<to>(in|out)(doors?|side))",
    ),
    EditRule(
        "background",
        "(({it}|{be}|put|the scene|takes? place|now|show) )*(?P<to>at the (bottom|top|foot|edge) of "
        "(the|an?) (sea|ocean|lake|river|pool|mountain|hill|cliff|stairs))",
    ),
    EditRule(
        "view",
        "[({has}|show|take|get|give|use) ][an? |the ](?P<to>(closer|close|wider|wide|tighter|side|front|back|"
        "rear|top|aerial|detailed|full|different)[( |-)up] (view|shot|look|angle|{picture}|close-?up)"
        "( (of|at|on|from) .+)?)",
    ),
    EditRule("add", "{put} {WHAT}", many=True),
    EditRule(
        "view",
        "[{be} ](shot|taken|photographed|captured|pictured|filmed) (?P<to>(at|in|on|during|by|under) .+)",
        topical=True,
    ),
    EditRule(
        "view",
        "(take|get) [the |an? |it ]({picture} )?from .+|[({shift}|get|go|step) ][back |closer "
        "][with ]the camera{rest}",
    ),
    EditRule(
        "view",
        "(come|go|get|move|step|pull|draw|frame|walk|stand|stay)s?( it)?( (a (bit|little|lot)|"
        "much))* (closer|nearer|tighter|back|in|out|away|further|farther)( (up|in|away|out|"
        "back|to it|on it))*",
    ),
    EditRule("move", "(mirror|flip|rotate|turn around)(s|es)? {WHAT}"),
    EditRule(
        "add",
        "(?P<what>(an?|some|{n}) .+?) (appears?|ha(s|ve) joined|joins?|shows? up|{be} (there|"
        "visible|added)|ha(s|ve) (been added|appeared)|can be seen)( (in|on|at|to|by) {rest})?",
        thing=True,
    ),
    EditRule("compare", "[{be} ]{rather}(?P<what>{word}er(-| )looking)", to="more"),
    EditRule(
        "move", f"({{shift}}|have|show|with|let) (?!it\\b|everything\\b)the (?P<what>.+?) (?P<to>{_SIDE})"
    ),
    EditRule(
        "move",
        f"the (?P<what>.+?) ({{be}}|comes?|go(es)?|moves?|stands?|sits?|appears?) [now ](?P<to>{_SIDE})",
    ),
    EditRule("colour", "(?P<to>{shade}({colours})) {be} the colou?r of {WHAT}"),
    EditRule("colour", "({paint}|color|colour) {WHAT?} [in |to ](?P<to>{shade}({colours}).*)"),
    EditRule(
        "colour",
        "{THING?} ({be}|looks?|turns?|turned|becomes?|in) [now |in |dressed in "
        "](?P<to>{shade}({colours})[ and ({colours})])",
    ),
    EditRule(
        "colour",
        "(makes?|turns?|shows?|have|dress) {WHAT?} [in ](?P<to>{shade}({colours})[ and ({colours})])",
    ),
    EditRule(
        "colour",
        "[(show|have|make|dress)s? ]{THING?} ({be} )?(with|of|in|has) "
        "[an? |the ](?P<to>{shade}({colours}) {word})",
    ),
    EditRule("colour", "(?P<to>[an? ]{shade}({colours}) {words}) (on|for) the {WHAT}"),
    EditRule("attribute", "(?P<to>{word} (hair|skin|fur|eyes)) (on|for) the {WHAT}"),
    EditRule("attribute", "the {WHAT?} with (?P<to>{word} (hair|skin|fur|eyes))"),
    EditRule(
        "attribute",
        r"(gives?|lends?) the (?P<what>{word}[ (?!(the|an?|some)\b){word}]) "
        r"(?=(the|an?|some|more|\w+ \w+$)){TO}",
        topical=True,
    ),
    EditRule("attribute", "(turn|switch)(es|s)? (?P<to>on|off) {WHAT}"),
    EditRule("attribute", "[with |(turn|switch)(es|s)? ]the {WHAT?} (?P<to>on|off)"),
    EditRule(
        "attribute",
        "puts? (?P<what>him|her|them|the {word}) in (?=.*\\b(" + _WORN + ")\\b){TO}",
        topical=True,
    ),
    EditRule("attribute", "(dress|clothe|wrap|cover)(es|s)? {WHAT?} (in|with) {TO}", topical=True),
    EditRule(
        "size",
        "{THING?} (ha(s|ve) |{be} )?(?P<to>grown?|grew|shrunk|shrinks?|grows?|enlarged|scaled (up|down))",
    ),
    EditRule("size", "(enlarge|shrink|grow|scale (up|down)|blow up|stretch|lengthen|shorten|widen)s? {WHAT}"),
    EditRule("size", "(increase|decrease|reduce)s? the size of {WHAT}"),
    EditRule("size", "lets? {WHAT?} (?P<to>grow|shrink)"),
    EditRule("size", "(makes?|shows?|have|turns?) {WHAT?} {rather}(?P<to>{sizes})"),
    EditRule("size", "{THING?} ({be}|looks?|becomes?|gets?|seems?|appears?) {rather}(?P<to>{sizes})"),
    EditRule(
        "size",
        r"[({has}|{be}) ][an? ](?P<to>{rather}({bigger}) (?!.*\b(view|shot|angle|"
        r"distance)\b){words})",
    ),
    EditRule("time", "[{be} |the (weather|sky) ({be}|turns?|becomes?) ](?P<to>clear)"),
    # Where it all takes place
    EditRule(
        "background",
        "[(makes?|change|set) the (setting|location|place|scene)[ (to|be|as|in|at|on|into)]] {TO}",
    ),
    EditRule("background", "[{has} ][an? |the ]{TO?} (setting|location|surroundings|environment)"),
    EditRule("background", "the (place|setting|location|backdrop) {be} {TO}"),
    EditRule("background", "{has} (?P<to>(the|an?) .+?) behind( it| them| him| her)?"),
    EditRule("background", "({has}|use) {TO?} (as|for|in|at) [the |a ](background|backdrop|setting|scenery)"),
    EditRule(
        "background",
        "((move|put|place|set|show|have|take|bring|relocate|transport|transfer|shift|imagine|picture|"
        "stage|shoot|{it}|everything|them|{be}|takes? place|happens?|set|"
        f"now|the (scene|setting)) )*(?P<to>(in|on|at|inside|by|onto|into|to) (the|an?) (?!.*\\b({_WORN})\\b)"
        "{word}( (of|the|{word})){0,4})",
        topical=True,
    ),
)
