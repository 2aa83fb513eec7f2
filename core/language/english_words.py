"""English: the words that phrases are filled with. Data only; ``core.language.grammar`` says what each field means."""

from core.language.english_terms import FILE_WORDS, PROGRAM_WORDS, SOUND_WORDS
from core.language.grammar import ElementKind, Vocabulary

_KINDS = (
    ElementKind("button", "button", ("button", "push button"), ("buttons",)),
    ElementKind("link", "link", ("link", "hyperlink"), ("links", "hyperlinks")),
    ElementKind(
        "checkbox",
        "checkbox",
        ("checkbox", "check box", "tick box", "tickbox"),
        ("checkboxes", "check boxes", "tick boxes"),
    ),
    ElementKind("radio", "radio", ("radio button", "radio", "radio option"), ("radio buttons", "radios")),
    ElementKind("switch", "switch", ("switch", "toggle"), ("switches", "toggles")),
    ElementKind(
        "field",
        "textbox",
        (
            "field",
            "input",
            "input field",
            "input box",
            "input textbox",
            "text field",
            "text box",
            "textbox",
            "text area",
            "textarea",
            "entry field",
        ),
        ("fields", "inputs", "input fields", "text fields", "text boxes", "textboxes"),
    ),
    ElementKind(
        "field",
        "combobox",
        (
            "dropdown",
            "drop-down",
            "drop down",
            "dropdown list",
            "drop-down list",
            "dropdown menu",
            "drop-down menu",
            "dropdown box",
            "combo box",
            "combobox",
            "select box",
            "selector list",
        ),
        ("dropdowns", "drop-downs", "combo boxes"),
    ),
    ElementKind("field", "listbox", ("list", "list box", "listbox"), ("lists",)),
    # A box is whatever the sentence is about: a field to type into, a box to tick.
    ElementKind("", "textbox", ("box",), ("boxes",)),
    ElementKind("tab", "tab", ("tab",), ("tabs",)),
    ElementKind("menuitem", "menuitem", ("menu item", "menu entry", "menu option"), ("menu items", "menu entries")),
    ElementKind("menu", "menu", ("menu",), ("menus",)),
    ElementKind("option", "option", ("option",), ("options",)),
    ElementKind("heading", "heading", ("heading", "headline"), ("headings", "headlines")),
    ElementKind("image", "img", ("image", "picture"), ("images", "pictures")),
    ElementKind("table", "table", ("table",), ("tables",)),
    ElementKind("row", "row", ("row",), ("rows",)),
    ElementKind("cell", "cell", ("cell",), ("cells",)),
    ElementKind("listitem", "listitem", ("item", "list item"), ("items", "list items")),
    ElementKind("dialog", "dialog", ("dialog", "dialog box", "dialogue", "modal"), ("dialogs",)),
    ElementKind("alert", "alert", ("alert",), ("alerts",)),
    ElementKind("slider", "slider", ("slider",), ("sliders",)),
    ElementKind("progressbar", "progressbar", ("progress bar",), ("progress bars",)),
    ElementKind("region", "region", ("section",), ("sections",)),
    ElementKind("form", "form", ("form",), ("forms",)),
    ElementKind("control", "", ("icon", "control"), ()),
    ElementKind("text", "", ("text", "message"), ()),
)

_NUMBERS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
]

_HELD = {
    "ctrl": "Control", "control": "Control", "shift": "Shift", "alt": "Alt", "option": "Alt", "cmd": "Meta",
    "command": "Meta", "meta": "Meta", "windows": "Meta", "win": "Meta", "super": "Meta",
}  # fmt: skip
_KEYS = {
    "enter": "Enter", "return": "Enter", "escape": "Escape", "esc": "Escape", "tab": "Tab", "space": "Space",
    "space bar": "Space", "spacebar": "Space", "backspace": "Backspace", "back space": "Backspace", "delete": "Delete",
    "del": "Delete", "insert": "Insert", "home": "Home", "end": "End", "page up": "PageUp", "pageup": "PageUp",
    "page down": "PageDown", "pagedown": "PageDown", "up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft",
    "right": "ArrowRight", "up arrow": "ArrowUp", "down arrow": "ArrowDown", "left arrow": "ArrowLeft",
    "right arrow": "ArrowRight", "arrow up": "ArrowUp", "arrow down": "ArrowDown", "arrow left": "ArrowLeft",
    "arrow right": "ArrowRight", "arrowup": "ArrowUp", "arrowdown": "ArrowDown", "arrowleft": "ArrowLeft",
    "arrowright": "ArrowRight", "plus": "+", "minus": "-", "comma": ",", "dot": ".", "period": ".", "slash": "/",
} | {f"f{number}": f"F{number}" for number in range(1, 13)}  # fmt: skip

_CHOICES: dict[str, dict[str, str]] = {
    "direction": {"up": "up", "upwards": "up", "down": "down", "downwards": "down"}
    | {f"{prefix}{side}": side for side in ("left", "right") for prefix in ("", "to the ", "sideways to the ")},
    "end": {
        "top": "top", "beginning": "top", "start": "top", "head": "top", "bottom": "bottom", "end": "bottom", "foot": "bottom",
    },
    "state": {
        "visible": "visible", "shown": "visible", "displayed": "visible", "there": "visible", "present": "visible",
        "hidden": "hidden", "invisible": "hidden", "gone": "hidden", "not visible": "hidden", "not shown": "hidden",
        "not there": "hidden", "not displayed": "hidden", "enabled": "enabled", "clickable": "enabled", "active": "enabled",
        "not disabled": "enabled", "disabled": "disabled", "greyed out": "disabled", "grayed out": "disabled",
        "not enabled": "disabled", "inactive": "disabled",
    },
    "ticked": {
        "checked": "checked", "ticked": "checked", "not unchecked": "checked", "unchecked": "unchecked",
        "unticked": "unchecked", "not checked": "unchecked", "not ticked": "unchecked", "clear": "unchecked",
    },
    "readiness": {"enabled": "enabled", "clickable": "enabled", "active": "enabled", "disabled": "disabled"},
    "tab_word": {
        "first": "first", "last": "last", "next": "next", "previous": "previous", "prior": "previous", "new": "new",
        "newest": "new", "rightmost": "last", "leftmost": "first", "latest": "new",
    },
    "machine_figure": {
        "battery level": "battery", "battery status": "battery", "cpu usage": "cpu", "cpu load": "cpu", "memory usage": "memory",
        "ram usage": "memory", "disk space": "disk", "disk usage": "disk", "ip address": "network",
    },
    "machine_part": {
        "time": "time", "date": "time", "battery": "battery", "battery level": "battery", "battery status": "battery",
        "battery charge": "battery", "battery life": "battery", "cpu": "cpu", "cpu usage": "cpu", "cpu load": "cpu",
        "processor load": "cpu", "memory": "memory", "memory usage": "memory", "ram": "memory", "ram usage": "memory", "disk": "disk",
        "disk space": "disk", "disk usage": "disk", "free disk space": "disk", "storage": "disk", "network": "network",
        "ip address": "network", "network status": "network", "operating system": "os", "os": "os", "uptime": "uptime",
        "clipboard": "clipboard", "clipboard content": "clipboard", "clipboard contents": "clipboard", "brightness": "brightness",
        "screen brightness": "brightness",
    },
    "algorithm": {
        "sha256": "sha256", "sha-256": "sha256", "sha512": "sha512", "sha-512": "sha512", "sha1": "sha1", "sha-1": "sha1",
        "md5": "md5", "blake2b": "blake2b",
    },
    "colors": {"dark": "dark", "light": "light", "night": "dark"},
    "account": {
        "sign in": 'control "sign in"', "log in": 'control "log in"', "login": 'control "login"',
        "sign out": 'control "sign out"', "log out": 'control "log out"', "logout": 'control "logout"',
        "sign up": 'control "sign up"',
    },
}  # fmt: skip

_THINGS = (
    "card", "column", "tile", "box", "panel", "lane", "slot", "area", "zone", "node", "block", "badge", "chip", "tag", "label",
    "entry", "product", "article", "file", "folder", "photo", "thumbnail", "widget", "event", "task", "ticket", "piece", "bar",
    "bin", "step", "circle", "square", "shape", "word", "line", "message", "pill", "note", "marker", "pin", "date", "day",
)  # fmt: skip
_FORM_NAMES = (
    "quantity", "qty", "email", "e-mail", "email address", "e-mail address", "user name", "username", "password", "first name",
    "last name", "first names", "last names", "first initial", "last four digits", "last 4 digits", "surname", "full name", "postcode", "post code", "postal code", "zip", "zip code",
    "phone number", "card number", "expiry date", "cvc", "cvv", "subject line",
)  # fmt: skip
_ELSEWHERE = (
    "volume", "brightness", "battery", "time", "date", "clock", "alarm", "timer", "reminder", "temperature", "thermostat",
    "weather", "light", "lights", "lamp", "music", "song", "radio", "news", "calendar", "calender", "sound", "speaker",
    "speakers", "clipboard", "wallpaper", "screen", "window", "door", "heating", "wifi", "wi-fi", "bluetooth", "oven", "fan",
)  # fmt: skip
_DEVICE_WORDS = (
    "iphone", "ipad", "pixel", "galaxy", "nexus", "moto", "kindle", "blackberry", "nokia", "lg", "desktop",
    "microsoft", "jiophone",
)  # fmt: skip
_FILE_ENDINGS = (
    "txt", "md", "pdf", "csv", "tsv", "json", "xml", "yaml", "yml", "toml", "ini", "log", "html", "htm", "css", "js",
    "ts", "py", "sh", "bat", "exe", "zip", "tar", "gz", "tgz", "bz2", "xz", "rar", "png", "jpg", "jpeg", "gif", "svg",
    "webp", "bmp", "ico", "mp3", "mp4", "wav", "ogg", "avi", "mov", "mkv", "doc", "docx", "xls", "xlsx", "ppt", "pptx",
    "odt", "ods", "odp", "rtf", "epub", "tex", "cpp", "hpp", "php", "rb", "sql", "conf", "cfg", "java", "mpeg", "m4a", "aac", "flac",
    "opus", "tiff", "jsonl", "ics", "eml", "bak", "tmp", "iso", "deb", "msi", "dmg", "appimage",
)  # fmt: skip
_VAGUE = (
    "result", "results", "match", "matches", "entry", "entries", "video", "videos", "thing", "first", "second", "last",
)  # fmt: skip

_GIVEN = (
    "it", "this", "that", "the text", "that text", "this text", "the result", "the value", "the content", "the contents",
    "the output", "the answer", "what you read", "what it says",
)  # fmt: skip

ENGLISH_WORDS = Vocabulary(
    element_kinds=_KINDS,
    articles=("the", "a", "an"),
    naming=r"(?:that\s+is\s+|which\s+is\s+)?(?:named|called|titled|labell?ed|marked|reading|saying)(?:\s+as)?"
    r"|that\s+(?:says|reads)|with\s+the\s+(?:name|label|text|title|caption|words?)",
    containers=(
        "section",
        "form",
        "dialog",
        "dialog box",
        "panel",
        "pane",
        "menu",
        "row",
        "card",
        "area",
        "region",
        "sidebar",
        "bar",
        "header",
        "footer",
        "toolbar",
        "group",
        "table",
        "list",
        "block",
        "part",
        "box",
        "widget",
        "tile",
        "fieldset",
    ),
    inside=("in", "inside", "within", "on", "of", "from"),
    leading=("in", "into", "inside", "within", "on", "for"),
    rows=("row", "line", "entry", "card", "item", "list item", "tile", "record"),
    holding=r"of|for|with|containing|showing|saying|(?:that|which)\s+(?:contains|has|holds|shows|says|reads)|where\s+it\s+says",
    subject=r"for\s+(?:the\s+)?(?:user|customer|person|contact|member)",
    things=_THINGS,
    surroundings=r"(?:the|this|that)\s+(?:current\s+)?(?:page|web\s?page|website|site|screen|dialog(?:\s+box)?|form|pop-?up)",
    frames=("frame", "iframe"),
    selector_words=("selector", "css selector", "xpath selector", "element matching", "element with selector"),
    pronouns=frozenset(
        [
            "it",
            "this",
            "that",
            "these",
            "those",
            "them",
            "here",
            "there",
            "him",
            "her",
            "me",
            "my",
            "your",
            "his",
            "our",
            "their",
            "its",
            "one",
            "ones",
            "something",
            "anything",
            "nothing",
            "everything",
            "everyone",
            "all",
            "any",
            "some",
            "other",
            "another",
            "same",
            "current",
            "active",
            "selected",
            "element",
            "elements",
            "thing",
            "things",
            "everywhere",
            "only",
            "away",
            "somewhere",
            "anywhere",
            "somewhere else",
            "default",
            "default option",
            "all options",
        ]
    )
    | {"the web", "the internet"},
    form_names=frozenset(_FORM_NAMES),
    elsewhere=frozenset(_ELSEWHERE),
    next_field=r"(?:,|\band)\s+(?:the\s+)?\S+(?:\s+\S+){0,3}?\s+(?:with|to|as)\s+\S",
    vague=frozenset(_VAGUE),
    relative=frozenset(["next", "previous", "prior", "following"]),
    no_name=r"\b(?:next to|near|below|above|beside|underneath|that|which|who|whose|where|until|unless|if|when|whenever|while"
    r"|except|instead|rather|otherwise|actually|perhaps|maybe|all (?:of|the|my)|each|every|but|without|or|into|onto|so|because|via|using|times|twice|tomorrow|tonight)\b"
    r"|\b(?:in|on|from|inside|at|for|with|by|to|of) (?:the|this|that|my|your|a|an|each|it)\b"
    r"|(?:,|\band) (?:the|a|an|my)\b|(?:,|\band|\bthen) \S+ (?:the|my|a|an|it|this|that)\b"
    r"|\b(?:in|of|from) (?:rows?|columns?|frames?|iframes?|sections?|lines?|cards?) \S"
    r"|\b(?:button|link|checkbox|field|icon|tab|menu|row),? (?:for|of|in|with|from|on|at|and|or|to|now|later|again|please|pls|plz|thx|thanks?|thank you)\b"
    # What corrects, denies or puts off the step: "Save, no, Cancel", "Save not Cancel", "Save before the page loads".
    r"|,(?<!^yes,)(?<!^no,)(?<!^ok,)(?<!^okay,)(?<!^sure,) |(?<=\S)(?<!\bdo)(?<!\bis)(?<!\bor) (?:not|never|only) |(?<=\S) \W* ?(?:not|don't)$"
    r"|(?:,|\bbut|\band|\bthen) (?:do not|don't|dont|never|not|no)\b|\S (?:after|before|once) \S+ "
    r"|\S (?:after|before) \S+ing\b|\bin \d+ \w+$|\b(?:asap|pls|plz|thx|thanks a lot|of course)$|->|→|=>"
    # Several, or any: "1 and 2", "a random link".
    r"|\b\d+ (?:and|or|to) \d+\b|^element\b|^(?:a |some )?random\b"
    r"|^(?:the|an?) (?:default|same|other|right|correct|random) \S|^(?:left|right|top|bottom|upper|lower|other) one$"
    r"|\b(?:at (?:noon|midnight|night)|on \w+days?)$|\S (?:at \d{1,2}(?::\d\d)?|(?:after|before) \w+|just kidding|never|next (?:week|month|year)|over the weekend)$"
    r"|\bthere (?:is|are|was|were)\b|^not (?!now\b)|^(?:don't|do not|dont|never|cannot|can't|avoid) (?:the|a|an|my|our)\b|^(?:and|or|then|to|into|in|on|of|for|with|from|by|at|as)\b|\b(?:and|then|or|the|a|an|of|with)$",
    stand_ins=frozenset(
        ["it", "this", "that", "these", "those", "them", "something", "anything", "everything", "the same"]
    ),
    described=r"(?:(?:my|your|our|his|her|their|the|an?|some|any|this|that|another|today's|tomorrow's|yesterday's|current)\s+)+"
    r"(?:\w+\s+){0,2}?(?:name|surname|password|passphrase|user\s?name|login|e-?mail|address|phone|number|code|pin|otp|token|date|time|day"
    r"|birthday|text|value|total|price|amount|sum|title|url|link|id|city|country|one|option|word|thing|string|message|name|colou?r)"
    r"(?:\s+(?:of|from|in|on|above|below)\s+.+|\s+(?:i|you|we)\s+.+)?|(?:random|any)\s+.+|of\s+.+"
    # "the code 1234": the text may be all of it, or only what comes last.
    r"|(?:the\s+)?(?:(?:user\s?|first\s+|last\s+)?name|password|e-?mail(?:\s+address)?|address|number|code|pin|token|date|value)\s+\S*[\d@\ue000-\ue005]\S*",
    none="no",
    negation=r"\b(?:not|no|never|nothing|none|nobody|nowhere|hardly|without|cannot)\b|n't\b|^(?:everything|everyone|anything)\b",
    no_field=r",|\b(?:with|into|not|never)\b|n't\b",
    not_shown=r"^(?:my|your|our|his|her|their)\b|\b(?:to|is|are|has|have|be|will|within|after|before|for|shows?|says?|reads?|contains?|disappears?|finish(?:es)?|becomes?"
    r"|goes|changes?|stops?|works?|am|are|was|were|does|done|no longer|there|noon|midnight|today|tomorrow|tonight|morning|evening|night|(?:mon|tues|wednes|thurs"
    r"|fri|satur|sun)day)\b|\d\s*(?:am|pm|o'clock)\b|^\d{1,2}:\d\d$|n't\b",
    numbers={word: number for number, word in enumerate(_NUMBERS)}
    | {
        f"{tens}{joint}{unit}": 10 * number + index
        for number, tens in enumerate(_TENS, 2)
        for joint, units in (("", [""]), ("-", _NUMBERS[1:10]), (" ", _NUMBERS[1:10]))
        for index, unit in enumerate(units, int(bool(joint)))
    }
    | {"a": 1, "an": 1, "a single": 1, "half a": 0.5, "half an": 0.5}
    | {"hundred": 100, "a hundred": 100, "one hundred": 100},
    ordinals={word: number for number, word in enumerate(_ORDINALS, 1)} | {"last": -1},
    units={
        "seconds": 1,
        "second": 1,
        "secs": 1,
        "sec": 1,
        "s": 1,
        "minutes": 60,
        "minute": 60,
        "mins": 60,
        "min": 60,
        "milliseconds": 0.001,
        "millisecond": 0.001,
        "ms": 0.001,
        "hours": 3600,
        "hour": 3600,
        "hrs": 3600,
        "h": 3600,
    },
    keys=_KEYS,
    modifiers=_HELD,
    choices=_CHOICES,
    device_words=frozenset(_DEVICE_WORDS),
    file_endings=frozenset(_FILE_ENDINGS),
    condition=r"\b(?:if|when|whenever|unless|as soon as|each time|every time|until)\s+(?:i|i'm|you|we|my|the|it|it's|he|she|they"
    r"|there|this|that|your)\b|\b(?:every|each)\s+(?:other\s+)?(?:day|morning|evening|night|noon|hour|minute|second|week|month"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday|\d+|few)\b|\b(?:tomorrow|tonight)$"
    r"|\bat\s+\d{1,2}(?::\d\d)?\s*(?:am|pm|o'clock)\b|\bin\s+(?:\d+|an?|half an)\s+(?:seconds?|minutes?|hours?|days?)$",
    question=r"(?:how|what|why|who|whom|whose|where|which|when|is|are|can|could|does|do|did|should|will|was|were)\b",
    request=r"(?:\w+[\s,]+){0,3}?(?:can|could|would|will|may|won't|do you mind)\b",
    file_words=r"\b(?:files?|folders?|director(?:y|ies)|desktop|clipboard)\b|\b(?:on|in) (?:this|the) (?:page|site|website|tab)$"
    r"|\bmy (?:e-?mails?|inbox|contacts?|calendar|messages?|notes?|photos?|phone|computer|laptop|tabs?|bookmarks?|history)\b",
    given=frozenset(_GIVEN),
    beginnings=frozenset(["the beginning", "the start", "beginning", "start", "zero"]),
    ages={"hours": "h", "hour": "h", "days": "d", "day": "d", "weeks": "w", "week": "w", "minutes": "m", "minute": "m"},
    files=FILE_WORDS,
    programs=PROGRAM_WORDS,
    sounds=SOUND_WORDS,
)
