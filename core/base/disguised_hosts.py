"""Hosts that an address leads to although they don't stand in it as they are: look-alikes, user names, numbers."""

import re
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ada_url import URL

_WEB = re.compile(r"https?:", re.IGNORECASE)
_ENDS = frozenset(("", "/", "?", "#", ":"))


@cache
def load_url_parser() -> "type[URL]":
    """Return the WHATWG parser; loaded here, since much is done without any address."""
    parser: type[URL] = import_module("ada_url").URL
    return parser


def find_disguised_host(value: object) -> str:
    """Return the host that an address leads to, as a browser writes it; empty where it stands in the address just so, or there is none."""
    if not isinstance(value, str) or not _WEB.match(value):
        return ""
    try:
        parsed = load_url_parser()(value)
    except ValueError:
        return ""
    plain = value.lower().removeprefix(f"{parsed.protocol}//").removeprefix(parsed.host)
    return "" if len(plain) < len(value) - len(parsed.host) and plain[:1] in _ENDS else parsed.host
