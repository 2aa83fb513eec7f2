"""How things are called in speech: elements by what people see of them, pages by their site, files by their name."""

import re
from collections.abc import Mapping
from typing import Any, Final

from agent.speech.amounts import tell_place
from core.addresses.urls import judge_address
from core.base.errors import SurehandError
from core.selectors.selectors import LAST, PlainSelector, parse_selector

PART = "a part of the page"
FILE, FOLDER, LINK, STEP = "a file", "a folder", "a web address", "a step"
HERE = "this computer"

_LOCAL_NAMES: Final = frozenset({"localhost", "ip6-localhost"})
_NAMED_KINDS: Final = frozenset({"text", "control", "value", "icon", "look", "record", "frame"})
_FIELD_KINDS: Final = frozenset({"label", "placeholder"})
_LONGEST = 60
_MOST_TOLD = 10
"""Places beyond are not told: nobody counts so far by ear."""

_WORD = re.compile(r"[^\W\d_]{2,}", re.UNICODE)
_BARE = re.compile(r"\w*")
_SEPARATORS = re.compile(r"[\s_\-]+")
_SELECTORS: Final = ("selector", "target", "scope")
_ADDRESSES: Final = ("url", "address")
_PATHS: Final = ("path", "source", "destination", "folder", "resolved")


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
    if not is_speakable(words) or len(last) > _LONGEST:
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
    if not re.fullmatch(r"[\w.,'’&()+]+", piece) or len(piece) > _LONGEST // 2:
        return False
    digits = sum(char.isdigit() for char in piece)
    if digits == len(piece):
        return digits <= 4
    return digits == 0 or (digits <= 2 and len(piece) <= 12 and not re.fullmatch(r"[0-9a-fA-F]{8,}", piece))
