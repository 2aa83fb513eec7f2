"""Private places: what is read there is told to no model."""

import re
from collections.abc import Sequence

from core.addresses.urls import WebAddress, judge_address, parse_host
from core.base.errors import SurehandError
from core.policy.policy_rules import ActionFacts, PolicyRule, matches_hosts, matches_roots

_DRIVE = re.compile(r"[A-Za-z]:[/\\]")

Place = str | WebAddress
"""A path, absolute; a host without a port, whichever port it was; or an address."""


def read_source(source: str) -> Place | None:
    """Return the place that a source names; None where it names none.

    Args:
        source: The address of a page, a host, or an absolute path.
    """
    if is_path(source):
        return source
    named = parse_host(source)
    if named and not named[1]:
        return named[0]
    try:
        judged = judge_address(f"http://{source}" if named else source)
    except SurehandError:
        return None
    return None if judged.is_blank else judged


def find_private(rules: Sequence[PolicyRule], place: Place, platform: str) -> PolicyRule | None:
    """Return the rule that keeps what was read somewhere from models, or None.

    Args:
        rules: All rules.
        place: Where it was read.
        platform: ``linux``, ``win32`` or ``darwin``, for comparing paths.
    """
    private = (rule for rule in rules if rule.verdict == "private")
    return next((rule for rule in private if _covers(rule, place, platform)), None)


def is_path(source: str) -> bool:
    """Tell whether a source is an absolute path, of whatever system."""
    return source.startswith(("/", "\\\\")) or _DRIVE.match(source) is not None


def _covers(rule: PolicyRule, place: Place, platform: str) -> bool:
    if isinstance(place, str) and is_path(place):
        return rule.roots is not None and matches_roots(rule, ActionFacts(name="", paths=(place,), platform=platform))
    if rule.hosts is None:
        return False
    addresses = _list_addresses(place, rule.hosts) if isinstance(place, str) else (place,)
    return any(matches_hosts(rule, ActionFacts(name="", hosts=(each,))) for each in addresses)


def _list_addresses(host: str, entries: Sequence[str]) -> list[WebAddress]:
    """Return the addresses that a host without a port may have been read at, as far as that makes a difference."""
    named = (parse_host(entry.removeprefix("*.")) for entry in entries)
    ports = {port for each in named if each and (port := each[1])}
    return [judge_address(f"http://{host}{port and f':{port}'}/") for port in ("", *sorted(ports))]
