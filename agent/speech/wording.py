"""What is spoken: a reply, a question or an error in words for ears, whatever was in it.

Selectors, addresses, paths, ids, digests, commands and signs never pass. What is known by name is called so: elements by what people
see of them, pages by their site, files by their name. What is left is told in general words, and in the end only letters and the marks
of a sentence are let through.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from agent.speech.amounts import tell_amounts, tell_digits, tell_place
from core.addresses.urls import judge_address
from core.base.errors import SurehandError
from core.selectors.selectors import ALIASES, LAST, OTHER_WORDS, ROLE_WORDS, PlainSelector, parse_selector

LONGEST = 320
"""Characters that are spoken at most; a person stops listening then."""

PART = "a part of the page"
FILE, FOLDER, LINK, STEP = "a file", "a folder", "a web address", "a step"
HERE = "this computer"

_LOCAL_NAMES: Final = frozenset({"localhost", "ip6-localhost"})
_NAMED_KINDS: Final = frozenset({"text", "control", "value", "icon", "look", "record", "frame"})
_FIELD_KINDS: Final = frozenset({"label", "placeholder"})
_LONGEST_NAME = 60
_MOST_TOLD = 10
"""Places beyond are not told: nobody counts so far by ear."""

_WORD = re.compile(r"[^\W\d_]{2,}", re.UNICODE)
_BARE = re.compile(r"\w*")
_SEPARATORS = re.compile(r"[\s_\-]+")
_SELECTORS: Final = ("selector", "target", "scope")
_ADDRESSES: Final = ("url", "address")
_PATHS: Final = ("path", "source", "destination", "folder", "resolved")
_MORE = "There is more on the screen."
_NOTHING = "Done."
_KINDS = "|".join(sorted((*ROLE_WORDS, *ALIASES, *OTHER_WORDS), key=len, reverse=True))
_NAME = r'"(?:[^"\\]|\\.)*"'
_MODIFIER = rf"\s(?:in|near|above|below|left of|right of|except|with text|with (?:lowest|highest|newest|oldest))\s(?:(?:{_KINDS})\s)?{_NAME}|\snth (?:\d+|last)"
_TAGS = r"(?:a|abbr|article|aside|body|button|div|dl|dt|dd|fieldset|footer|form|h[1-6]|header|html|iframe|img|input|label|legend|li|main|nav|ol|option|p|section|select|small|span|strong|svg|table|tbody|td|textarea|th|thead|tr|ul)"
_END = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][”’)]))\s+(?=[A-Z“\d]|surehand )")
_TOLD_TO_TYPE = re.compile(r"(?:^|[\s(“])(?:surehand\s+(?=[a-z])|--?[a-z][\w-]*\b|\$\s|pip\s)", re.ASCII)
_HEX = r"[0-9a-fA-F]"

_Way = Callable[[re.Match[str]], str]


def name_element(selector: str) -> str:
    """Return what an element is called in speech."""
    try:
        core = parse_selector(selector).core
    except SurehandError:
        return PART
    return _name_plain(core) if isinstance(core, PlainSelector) else PART


def name_address(address: str) -> str:
    """Return the site of an address, ``this computer`` for what is on it, and a general word for numbers."""
    try:
        host = judge_address(address if "://" in address else f"http://{address}").hostname
    except SurehandError:
        return LINK
    host = host.strip("[]").lower()
    if host in _LOCAL_NAMES or host.endswith(".localhost") or host.startswith("127.") or host == "::1":
        return HERE
    if ":" in host or not re.search(r"[a-z]", host) or "xn--" in host:
        return LINK
    return host.removeprefix("www.")


def name_file(path: str) -> str:
    """Return the last part of a path, if that can be spoken."""
    last = re.sub(r"^[a-z]+:", "", path.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1])
    if path.rstrip("/\\") != path and not last:
        return FOLDER
    stem, _, ending = last.rpartition(".")
    words = (stem or last).strip()
    if not is_speakable(words) or len(last) > _LONGEST_NAME:
        return FILE
    return f"{words}.{ending}" if stem and re.fullmatch(r"[A-Za-z0-9]{1,5}", ending) else words


def is_speakable(name: str) -> bool:
    """Tell whether a name is made of words rather than of characters that only programs tell apart."""
    pieces = [piece for piece in _SEPARATORS.split(name) if piece]
    return bool(pieces) and all(map(_is_word, pieces)) and any(_WORD.search(piece) for piece in pieces)


def list_names(actions: Any) -> dict[str, str]:
    """Return how the things that actions are about are called in speech, by how they are written; the longest first.

    Args:
        actions: Nodes of a plan or receipts as data: each has ``args``.
    """
    found: dict[str, str] = {}
    for action in actions if isinstance(actions, list | tuple) else ():
        args = action.get("args") if isinstance(action, Mapping) else None
        for name, value in args.items() if isinstance(args, Mapping) else ():
            if isinstance(value, str) and not _BARE.fullmatch(value) and (told := _name_argument(str(name), value)):
                found[value] = told
    return dict(sorted(found.items(), key=lambda each: -len(each[0])))


def _name_argument(name: str, value: str) -> str:
    if name in _SELECTORS:
        return name_element(value)
    if name in _ADDRESSES:
        return name_page(value)
    return name_file(value) if name in _PATHS and re.search(r"[/\\]", value) else ""


def name_page(address: str) -> str:
    """Return a page in speech: its site, or ``a page on this computer``."""
    site = name_address(address)
    return f"a page on {HERE}" if site == HERE else "a page" if site == LINK else site


def _name_plain(plain: PlainSelector) -> str:
    told = _name_head(plain)
    for region in plain.regions:
        inner = f"the {region.word} " if region.word else ""
        told += f" in {_name_plain(region.selector) if region.selector else f'{inner}“{region.name}”'}"
    return told


def _name_head(plain: PlainSelector) -> str:
    name = f"“{plain.name}”" if plain.name else ""
    if plain.kind in ("ref", "testid"):
        words = " ".join(_SEPARATORS.split(plain.name))
        return f"“{words}”" if plain.kind == "testid" and is_speakable(plain.name) else PART
    word = plain.word or ("field" if plain.kind in _FIELD_KINDS else plain.kind)
    if word in ("text", "control", "value") and name:
        return name
    quantity = (
        "the" if plain.quantity == "one" else "every" if plain.quantity == "every" else f"the first {plain.quantity}"
    )
    place = (
        ""
        if plain.nth is None
        else "last "
        if plain.nth == LAST
        else f"{tell_place(plain.nth)} "
        if plain.nth <= _MOST_TOLD
        else ""
    )
    return f"{quantity} {place}{word} {name}".rstrip()


def _is_word(piece: str) -> bool:
    if not re.fullmatch(r"[\w.,'’&()+]+", piece) or len(piece) > _LONGEST_NAME // 2:
        return False
    digits = sum(char.isdigit() for char in piece)
    if digits == len(piece):
        return digits <= 4
    return digits == 0 or (digits <= 2 and len(piece) <= 12 and not re.fullmatch(r"[0-9a-fA-F]{8,}", piece))


def speak(text: str, names: Mapping[str, str] | None = None) -> str:
    """Return a text as it is spoken: short, and without anything that only a screen can show; never empty.

    Args:
        names: How things are called in speech, by how the text writes them (``list_names``).
    """
    text = " ".join(text.split())
    for written, told in (names or {}).items():
        text = re.sub(rf"(?<![\w/]){re.escape(written)}(?![\w/])", lambda _, told=told: told, text)
    told = " ".join(_say(each) for each in split_sentences(text) if not _TOLD_TO_TYPE.search(each))
    return _shorten(_tidy(told)) or _NOTHING


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text; what they are joined by, one space, is left out."""
    return [each for each in _END.split(text) if each]


def _say(sentence: str) -> str:
    for pattern, tell in _NAMES:
        sentence = pattern.sub(tell, sentence)
    return _say_signs(tell_amounts(sentence))


def _say_address(found: re.Match[str]) -> str:
    address, ending = _split_ending(found["address"])
    before, told = found["at"] or "", name_page(address)
    if before and told == f"a page on {HERE}":
        return f"on {HERE}{ending}"
    return f"{before}{told if not before or told != 'a page' else LINK}{ending}"


def _say_literal(found: re.Match[str]) -> str:
    ending = found[0][-1] if found[0][-1] in ".,;:!?" else ""
    return f"{PART}{ending}"


def _say_path(found: re.Match[str]) -> str:
    path, ending = _split_ending(found[0])
    return f"{name_file(path)}{ending}"


def _split_ending(text: str) -> tuple[str, str]:
    bare = text.rstrip(".,;:!?)”’\"'")
    return bare, text[len(bare) :]


def _say_digits(found: re.Match[str]) -> str:
    return tell_digits(found[0]) if len(found[0]) <= 20 else "a long number"


_NAMES: Final[tuple[tuple[re.Pattern[str], _Way], ...]] = (
    (
        re.compile(
            rf"(?<![\w.])(?P<selector>(?:(?:every|first \d+)\s)?(?:{_KINDS})\s{_NAME}(?:{_MODIFIER})*)", re.IGNORECASE
        ),
        lambda found: name_element(found["selector"]),
    ),
    (
        re.compile(r"(?P<at>\bat\s)?(?P<address>\b[a-z][a-z0-9+.-]{1,15}:(?://|\\\\)[^\s“”]*)", re.IGNORECASE),
        _say_address,
    ),
    (re.compile(r"\b(?:data|javascript|blob|mailto|about):[^\s“”]+", re.IGNORECASE), lambda _: LINK),
    (
        re.compile(
            r"(?P<at>\bat\s)?(?P<address>(?<![\w.])(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?(?:/[^\s“”]*)?)(?![\w])"
        ),
        _say_address,
    ),
    (
        re.compile(
            r"(?P<at>\bat\s)?(?P<address>(?<![\w@.])(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d{1,5}|/)[^\s“”]*)", re.IGNORECASE
        ),
        _say_address,
    ),
    (re.compile(rf"(?<![\w])(?:sha\d+|md5|blake2b?)[:=]\s?{_HEX}+\b", re.IGNORECASE), lambda _: "a digest"),
    (re.compile(rf"\b{_HEX}{{8}}(?:-{_HEX}{{4}}){{3}}-{_HEX}{{12}}\b"), lambda _: "an id"),
    (
        re.compile(
            r"(?<!\w)(?:css|xpath|id|text|role|ref|data-testid|internal:[a-z-]+|_react|_vue|nth|visible|has(?:-text)?)=(?:\"[^\"]*\"|\S+)(?:\s?>{1,2}\s?\S+)*",
            re.IGNORECASE,
        ),
        _say_literal,
    ),
    (re.compile(rf"(?<!\w)(?:label|placeholder|testid)=(?:{_NAME}|[\w-]+)"), lambda found: name_element(found[0])),
    (
        re.compile(
            rf"(?<![\w“]){_TAGS}?(?:[#.][A-Za-z_-][\w-]+|\[[^\]\s]*\]|::?[a-z-]+(?:\([^)]*\))?)+(?:\s?[>+~]\s?[\w#.\[\]:()=\"'-]+)*(?=$|[\s,;:!?“”)]|\.(?:\s|$))"
        ),
        lambda found: _say_css(found[0]),
    ),
    (re.compile(rf"(?<!\w){_TAGS}(?:\s?[>~]\s?[\w#.\[\]:()=\"'-]+)+"), lambda _: PART),
    (re.compile(r"(?<!\w)//?(?:\*|[a-z]+)(?:\[[^\]]*\])+(?:/\S*)?"), lambda _: PART),
    (re.compile(r"(?<![\w.])(?:[A-Za-z]:[\\/]|[a-z]+:/|~?/|\.{1,2}[\\/]|\\\\)[^\s“”]*[\w/\\)]"), _say_path),
    (
        re.compile(r"(?<![\w./\\])(?=[^\s“”]*[^\d\s“”/\\])[^\s“”/\\()]+(?:[/\\]+[^\s“”/\\]+)+[/\\]?"),
        lambda found: _say_slashed(found[0]),
    ),
    (re.compile(r"\b[a-z]+\d+(?:_\w+)+\b"), lambda _: STEP),
    (re.compile(r"(?<![\w.])\d{7,}(?![\w]|\.\d)"), _say_digits),
    (re.compile(r"[\w.+=~-]{8,}"), lambda found: _say_token(found[0])),
)
"""What only a screen can show, and how it is told; the more special first."""


def _say_css(written: str) -> str:
    return written if re.fullmatch(r"\.(?:[a-z0-9]{1,5}|[A-Z]{2,})|::?[a-z]+", written) else PART


def _say_slashed(written: str) -> str:
    parts = re.split(r"[/\\]+", written.strip("/\\"))
    if len(parts) == 2 and all(re.fullmatch(r"[^\W\d_]{1,12}[.,;:!?]?", part) for part in parts):
        return " or ".join(parts)
    return name_file(written)


def _say_token(token: str) -> str:
    bare = token.strip(".-+=~")
    digits = sum(char.isdigit() for char in bare)
    letters = sum(char.isalpha() for char in bare)
    is_measure = re.fullmatch(r"\d[\d.,]*[A-Za-z]{1,3}", bare) is not None
    if (
        re.fullmatch(r"[\d.,:+–-]+[a-zA-Z]{0,3}", bare)
        or is_measure
        or re.fullmatch(r"\d{4}-\d\d-\d\dT?[\d.:]*Z?", bare)
    ):
        return token
    is_mixed = digits >= 2 and letters >= 2 and not re.search(r"\.[A-Za-z0-9]{1,5}$", bare)
    is_code = re.fullmatch(rf"{_HEX}{{8,}}", bare) is not None and digits > 0
    is_endless = len(bare) > 40
    return token.replace(bare, "a code") if is_mixed or is_code or is_endless else token


_SIGNS: Final[tuple[tuple[re.Pattern[str], str], ...]] = (
    (re.compile(r"\s*(?:→|->|=>)\s*"), " to "),
    (re.compile(r"\s*&\s*"), " and "),
    (re.compile(r"(?<=\w)@(?=\w)"), " at "),
    (re.compile(r"\s*×\s*"), " times "),
    (re.compile(r"(?<=\w)\s\+\s(?=\w)"), " plus "),
    (re.compile(r"%"), " percent "),
    (re.compile(r"°"), " degrees "),
    (re.compile(r"\s*\((?=\w|“)"), ", "),
    (re.compile(r"\)(?=\s+\w)"), ","),
    (re.compile(r"\s+[—–-]\s+"), ", "),
    (re.compile(r"…|\.{3,}"), ", and so on"),
    (re.compile(r"_"), " "),
    (re.compile(r"\""), ""),
    (re.compile(r"(?!-)[^\w\s.,;:!?'’“”‘-]"), " "),
)
"""What is left of signs, in order; the last lets through only letters and the marks of a sentence."""


def _say_signs(text: str) -> str:
    for pattern, told in _SIGNS:
        text = pattern.sub(told, text)
    return text


def _tidy(text: str) -> str:
    for part in (PART, FILE, FOLDER, LINK, STEP, "a code"):
        text = re.sub(rf"(?:{part}[\s,]*){{2,}}", f"{part} ", text)
    text = re.sub(r"\s+([.,;:!?”])(?=[\s.,;:!?”’]|$)", r"\1", " ".join(text.split()))
    text = re.sub(r"\.{2,}", ".", text)
    text = re.sub(r"([,;:])(?:[,;:])+", r"\1", text)
    text = re.sub(r"[,;:]([.!?])", r"\1", text)
    text = re.sub(r"“[\s.,;:-]*”", "", text)
    text = re.sub(r"\bthe (a part of the page)", r"\1", text)
    return " ".join(text.split()).strip(" ,;:-")


def _shorten(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    kept: list[str] = []
    for sentence in split_sentences(text):
        if sum(map(len, kept)) + len(kept) + len(sentence) + len(_MORE) > LONGEST:
            break
        kept.append(sentence)
    if not kept:
        cut = text[: LONGEST - len(_MORE) - 6].rsplit(" ", 1)[0].rstrip(" ,;:-“")
        kept.append(f"{cut}{'”' if cut.count('“') > cut.count('”') else ''}.")
    return " ".join([*kept, _MORE])
