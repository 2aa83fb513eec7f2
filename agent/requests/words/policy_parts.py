"""Rules of policies as files write them: closed schemas, and their reading with file, line and column."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agent.requests.words.documents import Document, DocumentPath, parse_document, read_document
from core.addresses.path_terms import ANCHOR_NAMES
from core.addresses.paths import resolve_path
from core.addresses.urls import is_host_entry
from core.base.errors import InputError, PolicyError
from core.planner_rules import VERB_ROWS
from core.policy.policy import Policy
from core.policy.policy_rules import PolicyRule, RuleEffect, RuleVerdict
from core.rules.params import shorten, suggest

ValueFiller = Callable[[Any, DocumentPath], Any]
_SCOPES = ("verbs", "effects", "hosts", "roots")
_VERDICTS: Mapping[str, RuleVerdict] = {"allow": "allow", "ask": "ask", "deny": "deny", "private": "private"}
_VERBS = frozenset(f"{domain}.{verb}" for domain, verb in VERB_ROWS)
_DOMAINS = frozenset(f"{domain}.*" for domain, _ in VERB_ROWS)


_Entries = Annotated[list[str], Field(max_length=1000)]
"""Each is compared with every goal."""


LIMITS: Final = ("hosts", "roots", "verbs", "windows")
"""What of a policy is a list of what may be touched."""


class _PolicyModel(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ScopePart(_PolicyModel):
    """Which deeds a rule is about; all that are given must match."""

    verbs: _Entries | None = None
    effects: list[Literal["observe", "actuate", "irreversible"]] | None = None
    hosts: _Entries | None = None
    roots: _Entries | None = None
    because: str = ""


class LimitingRulePart(_PolicyModel):
    """A rule that asks, denies or keeps private; whoever writes a flow or a workspace's settings can write no other."""

    ask: ScopePart | None = None
    deny: ScopePart | None = None
    private: ScopePart | None = None


class RulePart(LimitingRulePart):
    """A rule of a file that the person named on the command line."""

    allow: ScopePart | None = None


class _PolicyLimits(_PolicyModel):
    hosts: _Entries | None = None
    roots: _Entries | None = None
    verbs: _Entries | None = None
    windows: _Entries | None = None


class PolicyPart(_PolicyLimits):
    """The policy of a flow."""

    rules: list[LimitingRulePart] = Field(default_factory=list[LimitingRulePart], max_length=1000)


class _PolicyFile(_PolicyLimits):
    rules: list[RulePart] = Field(default_factory=list[RulePart], max_length=1000)


def load_policy(path: Path) -> Policy:
    """Read a policy file.

    Raises:
        FlowError: If anything is wrong with it; names file, line and column.
    """
    return _read_policy(read_document(path), _PolicyFile, RulePart)


def parse_policy(data: Mapping[str, Any], *, may_allow: bool) -> Policy:
    """Return the policy that a program sends.

    Args:
        may_allow: Whether a person vouches for it: then rules may allow beforehand, and ``extra_verbs`` turns verbs on.

    Raises:
        FlowError: If anything is wrong with it.
    """
    extra = tuple(data.get("extra_verbs", ())) if may_allow else ()
    check_extra_verbs(extra)
    rest = {name: value for name, value in data.items() if name != "extra_verbs" or not may_allow}
    document = parse_document(json.dumps(rest), "policy")
    kind, rule = (_PolicyFile, RulePart) if may_allow else (PolicyPart, LimitingRulePart)
    return replace(_read_policy(document, kind, rule), extra_verbs=extra)


def check_extra_verbs(names: Sequence[str]) -> None:
    """Refuse what is not off by default, so that naming it would look as if it did something.

    Raises:
        InputError: If there is any.
    """
    guarded = [f"{domain}.{verb}" for (domain, verb), rule in VERB_ROWS.items() if rule.opt_in]
    for name in names:
        if name not in guarded:
            text = f"{shorten(name)} is not a verb that is off by default."
            raise InputError(text, hint=f"Only these are: {', '.join(guarded)}.")


def _read_policy(document: Document, kind: "type[_PolicyFile | PolicyPart]", rule: type[LimitingRulePart]) -> Policy:
    try:
        part = kind.model_validate(document.data)
    except ValidationError as error:
        first = min(error.errors(include_url=False), key=lambda each: each["type"] != "extra_forbidden")
        message, hint = describe_fault(tuple(first["loc"]), first["type"], first["msg"], rule)
        raise document.fail(tuple(first["loc"]), message, hint=hint) from None
    for index, host in enumerate(part.hosts or ()):
        _check_host(host, ("hosts", index), document)
    for index, verb in enumerate(part.verbs or ()):
        _check_verb(verb, ("verbs", index), document)
    for index, root in enumerate(part.roots or ()):
        _check_root(root, ("roots", index), document)
    hosts, roots, verbs, windows = (None if (each := getattr(part, key)) is None else tuple(each) for key in LIMITS)
    return Policy(hosts, roots, verbs, rules=read_rules(part.rules, ("rules",), document), windows=windows)


def read_rules(
    parts: Sequence[LimitingRulePart],
    place: DocumentPath,
    document: Document,
    fill: ValueFiller = lambda value, _: value,
) -> tuple[PolicyRule, ...]:
    """Return the rules of a file.

    Raises:
        FlowError: If a rule says nothing, or names a verb or host that can't be; names file, line and column.
    """
    return tuple(_read_rule(part, (*place, index), document, fill) for index, part in enumerate(parts))


def read_standing_policy(parts: Sequence[LimitingRulePart]) -> Policy:
    """Return the policy that the settings of a workspace make.

    Raises:
        InputError: As ``read_rules``, without line and column.
    """
    try:
        return Policy(rules=read_rules(parts, (), Document("rules")))
    except InputError as error:
        text = f"In the setting rules, {error.message.partition(': ')[2] or error.message}"
        raise InputError(text, code="bad_settings", hint=error.hint) from None


def describe_fault(place: DocumentPath, kind: str, message: str, part: type[LimitingRulePart]) -> tuple[str, str]:
    """Return what is wrong with a part of a policy, and a hint."""
    word = ".".join(map(str, place))
    if not place:
        return "a policy must be a mapping with hosts, roots, verbs, windows and rules.", ""
    if kind != "extra_forbidden":
        return f"{word}: {message[:1].lower()}{message[1:]}.", ""
    last = str(place[-1])
    if len(place) >= 3 and place[0] == "rules":
        known = part.model_fields if len(place) == 3 else ScopePart.model_fields
        if place[2] == "allow" and len(place) == 3:
            text = "a rule here can ask, deny or keep private; only the command line can allow beforehand."
            return text, "Put it into a file of your own, and add --policy FILE."
    else:
        known = _PolicyFile.model_fields
    return f'unknown key "{word}"{suggest(last, known)}.', f"Known keys: {', '.join(known)}."


def _read_rule(part: LimitingRulePart, place: DocumentPath, document: Document, fill: ValueFiller) -> PolicyRule:
    given: Mapping[str, ScopePart] = {
        name: scope for name in type(part).model_fields if (scope := getattr(part, name)) is not None
    }
    if len(given) != 1:
        words = " or ".join(type(part).model_fields)
        raise document.fail(place, f"a rule needs one of {words}; this one has {', '.join(given) or 'none'}.")
    ((name, scope),) = given.items()
    verdict = _VERDICTS[name]
    place = (*place, name)
    if verdict == "private" and (scope.verbs is not None or scope.effects is not None):
        text = "private is about places: hosts and roots, not verbs or effects."
        raise document.fail(place, text, hint="Write private: {hosts: […], roots: […]}.")
    if all(getattr(scope, each) is None for each in _SCOPES):
        raise document.fail(place, f"a rule needs at least one of {', '.join(_SCOPES)}.")
    for each in _SCOPES:
        if getattr(scope, each) == []:
            raise document.fail((*place, each), f"{each} is empty, so the rule would never apply.")
    verbs, hosts, roots = (_fill(getattr(scope, each), (*place, each), fill) for each in ("verbs", "hosts", "roots"))
    for name, entries, check in (
        ("verbs", verbs, _check_verb),
        ("hosts", hosts, _check_host),
        ("roots", roots, _check_root),
    ):
        for index, entry in enumerate(entries or ()):
            check(entry, (*place, name, index), document)
    effects: tuple[RuleEffect, ...] | None = None if scope.effects is None else tuple(scope.effects)
    return PolicyRule(verdict=verdict, verbs=verbs, effects=effects, hosts=hosts, roots=roots, because=scope.because)


def _fill(entries: Sequence[str] | None, place: DocumentPath, fill: ValueFiller) -> tuple[str, ...] | None:
    if entries is None:
        return None
    return tuple(str(fill(entry, (*place, index))) for index, entry in enumerate(entries))


def _check_verb(verb: str, place: DocumentPath, document: Document) -> None:
    """Refuse what names no verb: a rule with a slip of the pen would protect nothing."""
    if verb not in _VERBS | _DOMAINS:
        text = f"{shorten(verb)} is not a verb{suggest(verb, sorted(_VERBS | _DOMAINS))}."
        raise document.fail(place, text, hint="Write domain.verb, or domain.* for all of a domain.")


def _check_host(host: str, place: DocumentPath, document: Document) -> None:
    if not is_host_entry(host):
        raise document.fail(place, f"{shorten(host)} is not a host.", hint="Write HOST, HOST:PORT or *.DOMAIN.")


def _check_root(root: str, place: DocumentPath, document: Document) -> None:
    """Refuse what can be no folder on any machine of this kind; whether this one has the anchor is found out later."""
    anywhere = "C:\\" if sys.platform == "win32" else "/"
    try:
        resolve_path(root, dict.fromkeys(ANCHOR_NAMES, anywhere), sys.platform)
    except PolicyError as error:
        raise document.fail(place, error.message, hint=error.hint, code=error.code) from None
