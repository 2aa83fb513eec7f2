"""The names that people have for colours: CSS's own, each in the family of a basic one."""

# Every named colour of CSS by what people would simply call it. Where a thing's colour has no name of its own, the
# nearest of these names it.
COLOUR_FAMILIES: dict[str, tuple[str, ...]] = {
    "black": ("black",),
    "white": ("white", "snow", "ghostwhite", "whitesmoke", "floralwhite", "mintcream", "azure", "aliceblue"),
    "grey": ("grey", "dimgrey", "darkgrey", "lightgrey", "silver", "gainsboro", "slategrey", "lightslategrey", "darkslategrey"),
    "red": ("red", "crimson", "firebrick", "darkred", "maroon", "indianred", "tomato", "orangered"),
    "orange": ("orange", "darkorange", "coral", "salmon", "lightsalmon", "darksalmon", "lightcoral", "sandybrown"),
    "yellow": (
        "yellow", "gold", "khaki", "lightyellow", "lemonchiffon", "lightgoldenrodyellow", "palegoldenrod", "goldenrod",
        "darkkhaki",
    ),
    "green": (
        "green", "lime", "limegreen", "lightgreen", "palegreen", "darkgreen", "forestgreen", "seagreen",
        "mediumseagreen", "springgreen", "mediumspringgreen", "lawngreen", "chartreuse", "greenyellow", "yellowgreen",
        "olive", "olivedrab", "darkolivegreen", "darkseagreen",
    ),
    "cyan": (
        "cyan", "lightcyan", "paleturquoise", "aquamarine", "mediumaquamarine", "turquoise", "mediumturquoise",
        "darkturquoise", "lightseagreen", "cadetblue", "darkcyan", "teal",
    ),
    "blue": (
        "blue", "mediumblue", "darkblue", "navy", "midnightblue", "royalblue", "cornflowerblue", "dodgerblue",
        "deepskyblue", "skyblue", "lightskyblue", "lightblue", "powderblue", "steelblue", "lightsteelblue", "slateblue",
    ),
    "purple": (
        "purple", "indigo", "rebeccapurple", "darkviolet", "blueviolet", "darkorchid", "mediumorchid", "mediumpurple",
        "mediumslateblue", "darkslateblue", "darkmagenta", "violet", "plum", "thistle", "lavender", "orchid",
    ),
    "magenta": ("magenta",),
    "pink": (
        "pink", "lightpink", "hotpink", "deeppink", "palevioletred", "mediumvioletred", "mistyrose", "lavenderblush",
    ),
    "brown": (
        "brown", "saddlebrown", "sienna", "chocolate", "peru", "rosybrown", "darkgoldenrod", "tan", "burlywood",
    ),
    "beige": (
        "beige", "antiquewhite", "linen", "bisque", "blanchedalmond", "cornsilk", "ivory", "oldlace", "papayawhip",
        "moccasin", "navajowhite", "peachpuff", "wheat", "seashell", "honeydew",
    ),
}  # fmt: skip

# What people also say.
COLOUR_ALIASES = {
    "gray": "grey", "aqua": "cyan", "fuchsia": "magenta", "scarlet": "crimson", "golden": "gold", "sky": "skyblue",
}  # fmt: skip


def find_colour(word: str) -> str:
    """Return the name of a colour, such as ``lightgray``, as it is listed here, or an empty text if the word names none."""
    spelled = COLOUR_ALIASES.get(word, word).replace("gray", "grey")
    return spelled if spelled in _NAMES else ""


_NAMES = frozenset(name for names in COLOUR_FAMILIES.values() for name in names)
