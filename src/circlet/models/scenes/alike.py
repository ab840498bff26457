"""Words that say the same of a scene: what one writer calls huge is enormous to another."""

# What is said, and other words for it. Words that differ only in what they are said of stand together.
_ALIKE = {
    "big": "large huge enormous giant massive sizeable sizable immense gigantic tall grand imposing great "
    "bulky hefty vast",
    "bigger": "larger greater grander taller bulkier ampler",
    "grow": "grown grows growing enlarge enlarged expand expanded swell swollen magnify inflate upsize "
    "supersize upscale",
    "shrink": "shrunk shrinks shrinking shrunken dwindle dwindled diminish diminished downsize downscale "
    "minimise minimize compress",
    "small": "tiny little diminutive mini miniature compact petite minute wee minuscule modest",
    "smaller": "littler tinier lesser shorter humbler",
    "reduce": "decrease decreased reduced lessen lower lowered",
    "raise": "increase increased raised boost higher",
    "size": "sized dimensions proportions scale scaled measure measurements bulk format",
    "near": "close nearby adjacent",
    "nearer": "closer",
    "far": "distant remote off",
    "farther": "further",
    "many": "numerous plentiful abundant",
    "few": "scarce sparse",
    "more": "additional extra",
    "fewer": "scarcer",
    "front": "foreground fore foremost forward forwards frontmost",
    "back": "background rear backwards backward hindmost behind",
    "us": "viewer beholder spectator onlooker observer me",
    "colour": "color coloured colored hue shade tint recolour recolor",
    "hair": "haired locks tresses hairdo",
    "skin": "skinned complexion complexioned",
    "shirt": "shirts shirted top tops blouse tee",
    "sign": "signs board placard notice signboard signage plaque billboard signpost panel lettering writing "
    "inscription inscriptions text",
    "says": "say saying reads reading read spelling spells states stating bearing labelled labeled marked",
    "picture": "photo photograph image shot pic frame photographed",
    "number": "amount quantity count tally total figure headcount",
    "turn": "turned rotate rotated spin pivot swivel swing",
    "face": "faces facing faced look looks looking gaze gazes gazing point points pointing pointed aim aimed "
    "oriented heading headed",
    "remove": "removed removes delete erase omit eliminate",
    "gone": "missing absent vanished disappeared",
    "replace": "replaced swap swapped exchange exchanged substitute substituted switch switched trade",
    "should": "shall must ought would could might can may",
}
ALIKE = {word: said for said, words in _ALIKE.items() for word in words.split()}
