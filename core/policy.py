"""Policy: which hosts, folders and verbs a run may touch."""

from dataclasses import dataclass

from core.errors import PolicyError
from core.urls import WebAddress


@dataclass(frozen=True, slots=True)
class Policy:
    """What a run may touch; ``None`` means no limit.

    Attributes:
        hosts: ``host``, ``host:port`` or ``*.domain`` that pages may come from.
        roots: Folders that files may be read from and written to, as absolute paths.
        verbs: ``domain.verb`` or ``domain.*`` that may run.
    """

    hosts: tuple[str, ...] | None = None
    roots: tuple[str, ...] | None = None
    verbs: tuple[str, ...] | None = None

    def narrow(self, other: "Policy") -> "Policy":
        """Return a policy that allows only what both allow."""
        return Policy(
            _intersect(self.hosts, other.hosts),
            _intersect(self.roots, other.roots),
            _intersect(self.verbs, other.verbs),
        )

    def check_address(self, address: WebAddress) -> None:
        """Refuse an address whose host is not allowed.

        Raises:
            PolicyError: If hosts are limited and none of them matches.
        """
        if self.hosts is None or address.is_blank or any(_host_matches(entry, address) for entry in self.hosts):
            return
        raise PolicyError(
            f"{address.href} is outside the hosts that this run may reach ({', '.join(self.hosts) or 'none'}).",
            hint=f'Add "{address.host}" to policy.hosts if it belongs there.',
            evidence={"host": address.host, "allowed": list(self.hosts)},
        )

    def check_verb(self, name: str) -> None:
        """Refuse a ``domain.verb`` that is not allowed.

        Raises:
            PolicyError: If verbs are limited and none of them matches.
        """
        domain = name.partition(".")[0]
        if self.verbs is None or name in self.verbs or f"{domain}.*" in self.verbs:
            return
        raise PolicyError(
            f"{name} is not among the verbs that this run may use ({', '.join(self.verbs) or 'none'}).",
            hint=f'Add "{name}" to policy.verbs if it belongs there.',
        )


def _intersect(left: tuple[str, ...] | None, right: tuple[str, ...] | None) -> tuple[str, ...] | None:
    if left is None or right is None:
        return right if left is None else left
    return tuple(entry for entry in left if entry in right)


def _host_matches(entry: str, address: WebAddress) -> bool:
    entry = entry.lower()
    if entry.startswith("*."):
        return address.hostname.endswith(entry[1:])
    return entry in {address.hostname, address.host}
