"""Policy: which hosts, folders and verbs a run may touch."""

from collections.abc import Callable

from core.addresses.urls import WebAddress, covers_address, covers_entry, mask_credentials
from core.base.errors import PolicyError
from core.base.late_dataclasses import dataclass
from core.base.late_parts import compile_late
from core.base.phrases import quote_text
from core.policy.policy_rules import ActionFacts, PolicyRule, covers_verb, find_private, judge_facts, read_source

_SCOPES = ("verbs", "effects", "hosts", "roots")
_FOLDERS = compile_late(r"[^/\\]+")


@dataclass(frozen=True, slots=True)
class Policy:
    """What a run may touch; ``None`` means no limit.

    Attributes:
        hosts: ``host``, ``host:port`` or ``*.domain`` (whatever lies below it, not the domain itself) that pages may
            come from; compared in the normal form of browsers, so that upper case and punycode make no difference.
        roots: Folders that files may be read from and written to, as absolute paths.
        verbs: ``domain.verb`` or ``domain.*`` that may run.
        extra_verbs: ``domain.verb`` that run only where they are named here, such as ``system.run``.
        rules: What is allowed, asked or denied within those limits; the strictest that matches holds. ``private`` ones say
            what no model is told.
        windows: The windows that what looks at the screen or acts on it may name, as its ``window`` names them; whatever
            names none is refused.
    """

    hosts: tuple[str, ...] | None = None
    roots: tuple[str, ...] | None = None
    verbs: tuple[str, ...] | None = None
    extra_verbs: tuple[str, ...] = ()
    rules: tuple[PolicyRule, ...] = ()
    windows: tuple[str, ...] | None = None

    @property
    def has_host_rules(self) -> bool:
        """Whether a rule depends on the host of the page that is acted on, so that its address must be asked for."""
        return any(rule.hosts is not None for rule in self.rules if rule.verdict != "private")

    @property
    def has_root_rules(self) -> bool:
        """Whether a rule depends on where a path leads, so that links must be followed."""
        return any(rule.roots is not None for rule in self.rules)

    @property
    def has_private_rules(self) -> bool:
        """Whether there is something that no model may be told."""
        return any(rule.verdict == "private" for rule in self.rules)

    def narrow(self, other: "Policy") -> "Policy":
        """Return a policy that allows only what both allow; of a wider and a narrower entry the narrower stays.

        Roots are compared part by part as they are written; resolve anchors first. The other's rules that ask or deny are
        added; what it would approve beforehand is not.
        """
        return Policy(
            _intersect(self.hosts, other.hosts, covers_entry),
            _intersect(self.roots, other.roots, _covers_folder),
            _intersect(self.verbs, other.verbs, covers_verb),
            self.extra_verbs,
            tuple(dict.fromkeys((*self.rules, *(rule for rule in other.rules if rule.verdict != "allow")))),
            _intersect(self.windows, other.windows, _names_same),
        )

    def check_address(self, address: WebAddress) -> None:
        """Refuse by a PolicyError an address whose host is not allowed."""
        if self.hosts is None or address.is_blank or any(covers_address(entry, address) for entry in self.hosts):
            return
        raise PolicyError(
            f"{mask_credentials(address.href)} is outside the hosts that this run may reach ({', '.join(self.hosts) or 'none'}).",
            hint=f"Add “{address.host}” to policy.hosts if it belongs there.",
            evidence={"host": address.host, "allowed": list(self.hosts)},
        )

    def check_window(self, window: str | None) -> None:
        """Refuse by a PolicyError a window that is named, or none, where windows are limited and it is none of them as written."""
        if self.windows is None or (window is not None and any(_names_same(each, window) for each in self.windows)):
            return
        allowed = ", ".join(map(quote_text, self.windows)) or "none"
        what = "The whole screen" if window is None else f"The window {quote_text(window)}"
        raise PolicyError(
            f"{what} is outside the windows that this run may use ({allowed}).",
            hint="Name one of these as window."
            if window is None
            else f"Add {quote_text(window)} to policy.windows if it belongs there.",
            evidence={"allowed": list(self.windows)},
        )

    def judge(self, deed: ActionFacts) -> PolicyRule | None:
        """Return the strictest rule that matches a deed, or None; PolicyError if that rule denies it."""
        rule = judge_facts(self.rules, deed) if self.rules else None
        if rule is None or rule.verdict != "deny":
            return rule
        scopes = {name: list(entries) for name in _SCOPES if (entries := getattr(rule, name)) is not None}
        told = "; ".join(f"{name} {', '.join(entries)}" for name, entries in scopes.items())
        because = f": {rule.because}" if rule.because else ""
        raise PolicyError(
            f"A policy rule denies {deed.name} here{because}.",
            hint=f"The rule is about {told}.",
            evidence={"denied": scopes, "hosts": [each.host for each in deed.hosts], "paths": list(deed.paths)},
        )

    def check_telling(self, source: str, platform: str = "linux") -> None:
        """Refuse to tell a model what was read somewhere that a rule calls private.

        Args:
            source: The address of a page, or the absolute path of a file or folder. While there are such rules, nothing is
                told whose source says neither: nobody could know that it isn't private.
            platform: ``linux``, ``win32`` or ``darwin``, for comparing paths.

        Raises:
            PolicyError: ``private_source``.
        """
        if not self.has_private_rules:
            return
        place = read_source(source)
        rule = find_private(self.rules, place, platform) if place else None
        if place and rule is None:
            return
        because = f": {rule.because}" if rule and rule.because else ""
        where = mask_credentials(source) or "something without a name"
        text = f"What was read from {where} is private{because}, so no model is told."
        if place is None:
            text = f"Where “{where}” was read is not known, and some places are private, so no model is told."
        hint = "Do this step yourself, or change the rule “private” of the policy."
        raise PolicyError(text, code="private_source", hint=hint, evidence={"source": where})

    def check_verb(self, name: str, *, opt_in: bool = False) -> None:
        """Refuse by a PolicyError a verb that is off and not named, or that none matches where verbs are limited."""
        if opt_in and name not in self.extra_verbs:
            raise PolicyError(f"{name} is off by default.", hint=f"Turn it on for one run: --allow {name}.")
        if self.verbs is None or any(covers_verb(entry, name) for entry in self.verbs):
            return
        raise PolicyError(
            f"{name} is not among the verbs that this run may use ({', '.join(self.verbs) or 'none'}).",
            hint=f"Add “{name}” to policy.verbs if it belongs there.",
        )


def _intersect(
    left: tuple[str, ...] | None, right: tuple[str, ...] | None, covers: Callable[[str, str], bool]
) -> tuple[str, ...] | None:
    if left is None or right is None:
        return right if left is None else left
    kept = [entry for entry in left if any(covers(other, entry) for other in right)]
    kept += [entry for entry in right if any(covers(other, entry) for other in left)]
    return tuple(dict.fromkeys(kept))


def _names_same(entry: str, other: str) -> bool:
    return entry.casefold() == other.casefold()


def _covers_folder(entry: str, other: str) -> bool:
    above, below = _FOLDERS.findall(entry), _FOLDERS.findall(other)
    return below[: len(above)] == above
