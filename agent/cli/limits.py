"""What a person allows on the command line."""

from collections.abc import Sequence
from dataclasses import astuple, replace
from pathlib import Path
from typing import TYPE_CHECKING

from agent.cli.options import Allow, Hosts, PolicyFile, Roots
from core.base.errors import InputError
from core.base.late_dataclasses import dataclass
from core.base.late_parts import compile_late

if TYPE_CHECKING:
    from core.policy.policy import Policy

_ANCHORED = compile_late(r"[a-z]{2,}:")


@dataclass(frozen=True, slots=True)
class PolicyOptions:
    """What may be touched, as options say it.

    Attributes:
        hosts: The only hosts that may be reached; none named means no limit.
        roots: The only folders whose files may be used, by path or by anchor; none named means the workspace and the
            folders for desktop, documents and downloads.
        allow: Verbs that run only where they are named.
    """

    hosts: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    policy: Path | None = None

    def __bool__(self) -> bool:
        """Tell whether anything is said."""
        return any(astuple(self))

    def read_policy(self) -> "Policy":
        """Return it as a policy."""
        from agent.requests.words.policy_parts import load_policy
        from core.policy.policy import Policy

        _check_hosts(self.hosts)
        _check_verbs(self.allow)
        roots = tuple(_locate_root(root) for root in self.roots) or None
        named = Policy(hosts=self.hosts or None, roots=roots, extra_verbs=self.allow)
        if self.policy is None:
            return named
        read = load_policy(self.policy)
        if roots and read.roots is not None:
            raise InputError("--root and the roots of --policy set the same limit.", hint="Set it in one place.")
        return replace(read.narrow(named), extra_verbs=self.allow)


@dataclass(frozen=True, slots=True)
class Limits(PolicyOptions):
    """All of them."""

    hosts: Hosts = ()
    roots: Roots = ()
    allow: Allow = ()
    policy: PolicyFile = None


NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class HostLimits(PolicyOptions):
    """Those of what uses no files and no verbs that need allowing."""

    hosts: Hosts = ()
    policy: PolicyFile = None


NO_HOST_LIMITS = HostLimits()


def _check_hosts(hosts: Sequence[str]) -> None:
    from core.addresses.urls import is_host_entry

    for host in hosts:
        if not is_host_entry(host):
            raise InputError(
                f'--host "{host}" is not a host.', hint="Write HOST, HOST:PORT or *.DOMAIN, without http://."
            )


def _locate_root(root: str) -> str:
    from agent.settings.folder_checks import locate_folder

    if not root.strip():
        raise InputError("--root needs a folder.")
    return root if _ANCHORED.match(root) else str(locate_folder(Path(root)))


def _check_verbs(names: Sequence[str]) -> None:
    from core.planner_rules import VERB_ROWS

    guarded = [f"{domain}.{verb}" for (domain, verb), rule in VERB_ROWS.items() if rule.opt_in]
    for name in names:
        if name not in guarded:
            raise InputError(
                f'--allow "{name}" is not a verb that needs allowing.', hint=f"Only these do: {', '.join(guarded)}."
            )
