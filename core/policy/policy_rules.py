"""PolicyRule: allows, asks or denies by verb, effect, host and folder. Of all rules that match, the strictest holds.

A rule whose verdict is ``private`` judges no deed: it says what is never told to a model.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from core.addresses.path_parts import lies_inside
from core.addresses.urls import WebAddress, covers_address, judge_address, meets_address, parse_host
from core.base.errors import SurehandError
from core.base.late_dataclasses import dataclass
from core.base.late_parts import compile_late

Verdict = Literal["allow", "ask", "deny"]
RuleVerdict = Literal["allow", "ask", "deny", "private"]
RuleEffect = Literal["observe", "actuate", "irreversible"]

_DRIVE = compile_late(r"[A-Za-z]:[/\\]")

Place = str | WebAddress
"""A path, absolute; a host without a port, whichever port it was; or an address."""

_STRICTNESS: dict[RuleVerdict, int] = {"allow": 0, "ask": 1, "deny": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyRule:
    """One rule; it matches a deed that is within all of its scopes, and a scope that is None is not a limit.

    Attributes:
        verdict: ``deny`` refuses; ``ask`` takes a person's yes for each act; ``allow`` approves ``apply_diff`` and
            ``run_job`` beforehand, never ``confirm``, and never a value that was read; ``private`` keeps what is read from
            its hosts and folders from every model.
        verbs: ``domain.verb`` or ``domain.*``.
        effects: ``observe``, ``actuate`` or ``irreversible`` (what acts and can't be undone).
        hosts: ``host``, ``host:port`` or ``*.domain``: of an address that is opened, of the page or frame that is acted
            on, or of where the link or form of its element leads.
        roots: Folders, absolute.
    """

    verdict: RuleVerdict
    verbs: tuple[str, ...] | None = None
    effects: tuple[RuleEffect, ...] | None = None
    hosts: tuple[str, ...] | None = None
    roots: tuple[str, ...] | None = None
    because: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionFacts:
    """What rules look at.

    Attributes:
        name: ``domain.verb``.
        hosts: Every address that it opens or acts on, as far as that is known.
        paths: Every path that it reads or changes, absolute, as far as that is known.
        platform: ``linux``, ``win32`` or ``darwin``, for comparing paths.
    """

    name: str
    effects: frozenset[RuleEffect] = frozenset()
    hosts: tuple[WebAddress, ...] = ()
    paths: tuple[str, ...] = ()
    platform: str = "linux"


def read_rule(data: Mapping[str, Any]) -> PolicyRule:
    """Return the rule that ``core.results.records.to_data`` wrote down; a TypeError if it is none."""
    parts: dict[str, Any] = {
        name: (tuple(value) if isinstance(value, list | tuple) else value) for name, value in data.items()
    }
    return PolicyRule(**parts)


def judge_facts(rules: Sequence[PolicyRule], deed: ActionFacts) -> PolicyRule | None:
    """Return the strictest rule that matches, or None; the order of the rules makes no difference.

    ``deny`` and ``ask`` match if any host or path of the deed is within their scope, or a folder of it holds their scope;
    ``allow`` only if every host and path is within it.
    """
    matching = [rule for rule in rules if rule.verdict != "private" and _matches(rule, deed)]
    return max(matching, key=lambda rule: (_STRICTNESS[rule.verdict], repr(rule)), default=None)


def covers_verb(entry: str, name: str) -> bool:
    """Tell whether ``domain.verb`` or ``domain.*`` names a verb, or all verbs that another such entry names."""
    return name == entry or (entry.endswith(".*") and name.startswith(entry[:-1]))


def _matches(rule: PolicyRule, deed: ActionFacts) -> bool:
    if rule.verbs is not None and not any(covers_verb(entry, deed.name) for entry in rule.verbs):
        return False
    if rule.effects is not None and not deed.effects.intersection(rule.effects):
        return False
    return _matches_hosts(rule, deed) and _matches_roots(rule, deed)


def _matches_hosts(rule: PolicyRule, deed: ActionFacts) -> bool:
    entries = rule.hosts
    if entries is None:
        return True
    covers = covers_address if rule.verdict == "allow" else meets_address
    return _settle(rule, (any(covers(entry, each) for entry in entries) for each in deed.hosts))


def _matches_roots(rule: PolicyRule, deed: ActionFacts) -> bool:
    roots = rule.roots
    if roots is None:
        return True
    return _settle(rule, (any(_touches(rule, root, path, deed.platform) for root in roots) for path in deed.paths))


def _touches(rule: PolicyRule, root: str, path: str, platform: str) -> bool:
    """Tell whether a path is in a folder; for a rule that limits, also whether it holds that folder."""
    if rule.verdict == "allow":
        return lies_inside(path, root, platform)
    path, root = _fold_path(path, platform), _fold_path(root, platform)
    return lies_inside(path, root, platform) or lies_inside(root, path, platform)


def _fold_path(path: str, platform: str) -> str:
    """Return the one way of writing a path where the file system takes several, as that of macOS does."""
    return unicodedata.normalize("NFD", path).casefold() if platform == "darwin" else path


def _settle(rule: PolicyRule, within: Iterable[bool]) -> bool:
    found = list(within)
    return bool(found) and (all(found) if rule.verdict == "allow" else any(found))


def read_source(source: str) -> Place | None:
    """Return the place that a source (a page's address, a host, an absolute path) names; None where it names none."""
    if is_path(source):
        return source
    named = parse_host(source)
    if named and not named[1]:
        # A word without a dot may be anything, such as the name of a device.
        return named[0] if {".", ":"} & set(named[0]) or named[0] == "localhost" else None
    try:
        judged = judge_address(f"http://{source}" if named else source)
    except SurehandError:
        return None
    return None if judged.is_blank else judged


def find_private(rules: Sequence[PolicyRule], place: Place, platform: str) -> PolicyRule | None:
    """Return the rule that keeps what was read somewhere from models, paths compared as the platform does, or None."""
    private = (rule for rule in rules if rule.verdict == "private")
    return next((rule for rule in private if _covers(rule, place, platform)), None)


def is_path(source: str) -> bool:
    """Tell whether a source is an absolute path, of whatever system."""
    return source.startswith(("/", "\\\\")) or _DRIVE.match(source) is not None


def _covers(rule: PolicyRule, place: Place, platform: str) -> bool:
    if isinstance(place, str) and is_path(place):
        return rule.roots is not None and _matches_roots(rule, ActionFacts(name="", paths=(place,), platform=platform))
    if rule.hosts is None:
        return False
    addresses = _list_addresses(place, rule.hosts) if isinstance(place, str) else (place,)
    return any(_matches_hosts(rule, ActionFacts(name="", hosts=(each,))) for each in addresses)


def _list_addresses(host: str, entries: Sequence[str]) -> list[WebAddress]:
    """Return the addresses that a host without a port may have been read at, as far as that makes a difference."""
    named = (parse_host(entry.removeprefix("*.")) for entry in entries)
    ports = {port for each in named if each and (port := each[1])}
    return [judge_address(f"http://{host}{port and f':{port}'}/") for port in ("", *sorted(ports))]
