"""What the settings of a folder may say: what makes things stricter, and names that nobody has given a meaning yet.

A folder may come from anybody. Every setting is either the person's alone (``PERSONAL``) or has a rule here that says how
a folder's word is joined to theirs; a test holds each to that.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from ipaddress import ip_address
from typing import Any

from actuators.browser.egress.address_kinds import classify_address
from core.addresses.platforms import SEARCH_PLATFORMS
from core.addresses.urls import WebAddress, covers_address, judge_address
from core.base.errors import InputError, SurehandError
from core.language.talk.languages import FOLDERS, load_language

PERSONAL = frozenset(
    {
        "browser_channel",
        "browser_path",
        "headed",
        "health",
        "inner_hosts",
        "language",
        "log_file",
        "log_level",
        "models",
        "otlp_endpoint",
        "service",
        "templates_folder",
    }
)
"""What only the person may set: a program to start, inner hosts, who is told and paid, what is shown and written down, what models are told."""

_TRACES = ("off", "on-failure", "on")

Values = Mapping[str, Any]


def join_settings(own: Values, given: Values) -> dict[str, Any]:
    """Return what a folder's settings change of the person's own.

    Raises:
        InputError: If it sets what only the person may, would loosen something, or gives a name a new meaning.
    """
    if names := sorted(PERSONAL & given.keys()):
        raise _refuse(f"sets {', '.join(names)}", names[0])
    return {name: _JOINS[name](own, value) for name, value in given.items()}


def _join_rules(own: Values, given: list[Any]) -> list[Any]:
    """Return the rules of both: each of them only asks or denies."""
    return [*own["rules"], *given]


def _join_trace(own: Values, given: str) -> str:
    if _TRACES.index(given) > _TRACES.index(own["trace"]):
        raise _refuse(f'sets trace to "{given}", which records more than you do', "trace")
    return given


def _join_kept(own: Values, given: object) -> object:
    if given and not own["keep_pictures"]:
        raise _refuse("turns keep_pictures on, which you did not", "keep_pictures")
    return given


def _join_pictures(own: Values, given: object) -> object:
    if given and not own["failure_pictures"]:
        raise _refuse("turns failure_pictures on, which you turned off", "failure_pictures")
    return given


def _join_platforms(own: Values, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the platforms of both; those of a folder have new names, and lead to no inner host of themselves."""
    taken = {name.lower() for name in own["platforms"]} | _list_names()
    for name, platform in given.items():
        if " ".join(name.lower().split()) in taken:
            raise _refuse(f'gives "{name}" another meaning', "platforms")
        for url in (platform.home_url, platform.search_url):
            if _is_inner(url, own["inner_hosts"]):
                raise _refuse(f'lets "{name}" lead to this machine or an inner network ({url})', "inner_hosts")
    return {**own["platforms"], **given}


def _list_names() -> set[str]:
    """Return every name of a platform, a site or a program that some language knows."""
    names = set(SEARCH_PLATFORMS)
    for tag in FOLDERS:
        vocabulary = load_language(tag).vocabulary
        names |= {*vocabulary.platform_names, *vocabulary.sites, *vocabulary.programs.known}
    return names


def _is_inner(url: str, inner_hosts: list[str]) -> bool:
    """Tell whether an address says of itself that it isn't on the open internet, and the person didn't name its host."""
    try:
        address = judge_address(url.replace("{query}", "x"))
    except SurehandError:  # refused where it is used
        return False
    return _has_inner_name(address) and not any(covers_address(entry, address) for entry in inner_hosts)


def _has_inner_name(address: WebAddress) -> bool:
    hostname = address.hostname.rstrip(".")
    with suppress(ValueError):
        return classify_address(ip_address(hostname.strip("[]"))) != "public"
    return "." not in hostname or hostname.endswith((".localhost", ".local", ".lan", ".internal", ".home.arpa"))


_JOINS: Mapping[str, Callable[[Values, Any], Any]] = {
    "failure_pictures": _join_pictures,
    "keep_pictures": _join_kept,
    "platforms": _join_platforms,
    "rules": _join_rules,
    "trace": _join_trace,
}


def _refuse(what: str, name: str) -> InputError:
    return InputError(what, code="bad_settings", evidence={"setting": name})
