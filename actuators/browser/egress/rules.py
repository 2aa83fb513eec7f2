"""Which requests may pass the wall. Pure judgement: nothing is opened or looked up here.

A host that isn't on the open internet may only be reached if a person named it: in ``policy.hosts``, or as the address
that an action goes to. That one ends when the page goes elsewhere, and helps only requests that come from there.
"""

import ipaddress
from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING

from actuators.browser.egress.address_kinds import AddressKind, IPAddress, classify_address
from core.addresses.urls import WEB_SCHEMES, WebAddress, judge_address, mask_credentials, names_exactly
from core.base.errors import PolicyError, SurehandError
from core.base.late_dataclasses import dataclass

if TYPE_CHECKING:
    from core.policy.policy import Policy

LOCALHOST = "localhost"
_LOOPBACK_NAMES = frozenset({LOCALHOST, "127.0.0.1", "[::1]"})
_TO_NAME = "Name it in policy.hosts, or in inner_hosts of the settings, if pages may reach it"


@dataclass(frozen=True, slots=True)
class JudgedRequest:
    """What the wall knows of a request before it is let through.

    Attributes:
        address: Where it goes; of a tunnel, scheme and path are made up.
        is_tunnel: Whether what it says is hidden: everything encrypted, and WebSockets.
        sender: The origin that it comes from: from ``Origin``, else from ``Referer``; ``null`` or empty where unknown.
        relation: What the browser says of sender and goal (``Sec-Fetch-Site``); empty where it says nothing.
    """

    address: WebAddress
    is_tunnel: bool = False
    sender: str = ""
    relation: str = ""


@dataclass(slots=True)
class Naming:
    """A host that an action named for a page; of one that is leaving, only what surely comes from the place itself passes."""

    hostname: str
    under_way: bool = True
    leaving: bool = False

    def covers(self, hostname: str) -> bool:
        """Tell whether a host is meant too: the same on any port; for this machine's usual names, all of them."""
        return hostname == self.hostname or (is_loopback_name(hostname) and is_loopback_name(self.hostname))


class EgressPolicy:
    """Judges requests by lanes' policies and what actions named; calls ``review`` once what passed before may not."""

    review: Callable[[], object] = staticmethod(lambda: None)

    def __init__(
        self, list_places: Callable[[], Iterable[tuple[Hashable, str]]] = tuple, named_hosts: Sequence[str] = ()
    ) -> None:
        """Start without policies, which means Policy(); ``list_places`` tells which page shows which addresses now."""
        self._named_hosts = tuple(named_hosts)
        self._list_places = list_places
        self._policies: dict[str, Policy] = {}
        self._namings: dict[Hashable, list[Naming]] = {}
        # Origins whose scripts may live in a page: an empty page keeps those of the pages that filled it.
        self._origins: dict[Hashable, set[str]] = {}
        self._public_names: set[str] = set()

    def set_policy(self, lane: str, policy: "Policy") -> None:
        """Let a lane's policy hold from now on."""
        if self._policies.get(lane) != policy:
            self._policies[lane] = policy
            self.review()

    def end_lane(self, lane: str) -> None:
        """Forget a lane's policy."""
        self._policies.pop(lane, None)
        self.review()

    @contextmanager
    def heading(self, page: Hashable, url: str) -> Generator[None]:
        """Take an address as named for a page, for the time of going there and for as long as the page stays."""
        hostname = judge_address(url).hostname
        namings = self._namings.setdefault(page, [])
        for naming in namings:
            naming.leaving = not naming.covers(hostname)
        if hostname:
            namings[:] = [naming for naming in namings if naming.hostname != hostname]
            namings.append(Naming(hostname))
        try:
            yield
        finally:
            for naming in namings:
                naming.under_way = naming.leaving = False

    def arrive(self, page: Hashable, url: str) -> None:
        """Note where a page is now. Namings end on any other web page."""
        place = _find_hostname(url)
        if place:
            self._origins[page] = {find_origin(url)}
        namings = self._namings.get(page, [])
        kept = [naming for naming in namings if not place or naming.under_way or naming.covers(place)]
        if len(kept) < len(namings):
            namings[:] = kept
            self.review()

    def note_frame(self, page: Hashable, url: str) -> None:
        """Note what a frame within a page shows now."""
        if _find_hostname(url):
            self._origins.setdefault(page, set()).add(find_origin(url))

    def inherit(self, opener: Hashable, page: Hashable) -> None:
        """Give a pop-up what was named for the page that opened it, and whose scripts it may hold."""
        known = self._namings.get(opener, ())
        self._namings.setdefault(page, []).extend(Naming(naming.hostname, under_way=False) for naming in known)
        self._origins.setdefault(page, set()).update(self._origins.get(opener, ()))

    def replace(self, old: Hashable, new: Hashable) -> None:
        """Give a page that takes the place of another what was named for that."""
        self._namings[new] = self._namings.pop(old, [])

    def forget(self, page: Hashable) -> None:
        """Drop a page that is gone."""
        self._namings.pop(page, None)
        self._origins.pop(page, None)
        self.review()

    def check_host(self, request: JudgedRequest) -> None:
        """Refuse (``refused``) a host outside the policies of all lanes, which share the pages' connections."""
        for policy in self._policies.values():
            policy.check_address(request.address)

    def check_kind(self, request: JudgedRequest, kind: AddressKind) -> None:
        """Refuse what isn't on the open internet and nobody named: ``rebound``, ``not_public``, ``foreign_sender``."""
        hostname = request.address.hostname
        if kind == "public":
            if not is_literal(hostname):
                self._public_names.add(hostname)
            return
        if hostname in self._public_names:
            raise _refuse(request, "rebound", f"had a public address before and now has one that is {kind}", "")
        if kind == "forbidden" and not is_literal(hostname):
            raise _refuse(request, "not_public", "has an address that host names must not have", "")
        if not self._is_listed(request.address):
            self._check_named(request, kind)

    def is_shown(self, hostname: str) -> bool:
        """Tell whether a page or frame shows a host's document, or may hold scripts of one."""
        shown = [url for _, url in self._list_places()]
        shown += [origin for origins in self._origins.values() for origin in origins]
        return any(_find_hostname(url) == hostname for url in shown)

    def is_named_inner(self, address: WebAddress) -> bool:
        """Tell whether a person said of this very host, for all pages, that it is inside."""
        return any(names_exactly(entry, address) for entry in self._named_hosts)

    def allows_still(self, request: JudgedRequest, kind: AddressKind) -> bool:
        """Tell whether a connection that exists may stay, whoever asked for it.

        What a page asked for in plain words before it left may come to its end, where it may go at all; a tunnel could
        carry anything yet.
        """
        try:
            self.check_host(request)
        except SurehandError:
            return False
        if not request.is_tunnel or kind == "public" or self._is_listed(request.address):
            return True
        return bool(self._find_namings(request.address.hostname))

    def _is_listed(self, address: WebAddress) -> bool:
        """Tell whether a host is, by its own name, on lists that a person wrote. What a wildcard takes in, nobody named."""
        if self.is_named_inner(address):
            return True
        lists = [policy.hosts or () for policy in self._policies.values()]
        return bool(lists) and all(any(names_exactly(entry, address) for entry in entries) for entries in lists)

    def _check_named(self, request: JudgedRequest, kind: AddressKind) -> None:
        found = self._find_namings(request.address.hostname)
        if not found:
            raise _refuse(
                request, "not_public", f"is {kind}, not public, and not allowed by name", f"{_TO_NAME}, or go there."
            )
        if self._comes_from_named(request):
            return
        is_begun = request.relation == "none"  # by an action, or by the browser for one
        is_unsigned = not request.relation and not request.sender and not self._shows_foreign_page()
        if (is_begun or is_unsigned) and self._is_open(found):
            return
        raise _refuse(
            request, "foreign_sender", f"is {kind}, and a page from another site may not request it", f"{_TO_NAME}."
        )

    def _is_open(self, found: list[Naming]) -> bool:
        """Tell whether a request to a named host may be what an action wants, and not where a journey elsewhere was led."""
        if any(naming.under_way and not naming.leaving for naming in found):
            return True
        return any(not naming.leaving for naming in found) and not self._heads_elsewhere()

    def _heads_elsewhere(self) -> bool:
        """Tell whether a page is on its way to the open internet, from where it may be sent back inside."""
        under_way = [naming for namings in self._namings.values() for naming in namings if naming.under_way]
        return any(
            not naming.leaving and not self._is_named_place(f"http://{naming.hostname}/") for naming in under_way
        )

    def _comes_from_named(self, request: JudgedRequest) -> bool:
        hostname = request.address.hostname
        if request.relation == "same-origin":
            return True
        if request.relation == "same-site" and (is_literal(hostname) or is_loopback_name(hostname)):
            return True
        return self._is_named_place(request.sender)

    def _find_namings(self, hostname: str) -> list[Naming]:
        # An action also names public hosts, by going there. That gives their pages no way to what isn't public.
        literal = parse_literal(hostname)
        if hostname in self._public_names or (literal and classify_address(literal) == "public"):
            return []
        return [naming for namings in self._namings.values() for naming in namings if naming.covers(hostname)]

    def _is_named_place(self, url: str) -> bool:
        hostname = _find_hostname(url)
        if not hostname:
            return False
        return bool(self._find_namings(hostname)) or self._is_listed(judge_address(url.removeprefix("blob:")))

    def _shows_foreign_page(self) -> bool:
        for page, url in self._list_places():
            origins = self._origins.get(page, set())
            if (not _find_hostname(url) or self._is_named_place(url)) and all(map(self._is_named_place, origins)):
                continue
            if not any(naming.under_way and not naming.leaving for naming in self._namings.get(page, ())):
                return True
        return False


def is_loopback_name(hostname: str) -> bool:
    """Tell whether a host is one of this machine's usual names: localhost, whatever ends in it, 127.0.0.1 or ::1."""
    bare = hostname.removesuffix(".")
    return bare in _LOOPBACK_NAMES or bare.endswith(f".{LOCALHOST}")


def is_literal(hostname: str) -> bool:
    """Tell whether a host in normal form is an IP address."""
    return parse_literal(hostname) is not None


@lru_cache(maxsize=1024)  # pages ask the same few hosts for thousands of things
def parse_literal(hostname: str) -> IPAddress | None:
    """Return the IP address that a host in normal form is; None for names."""
    try:
        return ipaddress.ip_address(hostname.strip("[]"))
    except ValueError:
        return None


def _find_hostname(url: str) -> str:
    bare = url.removeprefix("blob:")
    if bare.partition(":")[0] not in WEB_SCHEMES:
        return ""
    try:
        return judge_address(bare).hostname
    except SurehandError:
        return ""


def find_origin(url: str) -> str:
    """Return the origin of a web page's address; empty for what has none."""
    try:
        address = judge_address(url.removeprefix("blob:"))
    except SurehandError:
        return ""
    return f"{address.scheme}://{address.host}" if address.hostname else ""


def _refuse(request: JudgedRequest, code: str, why: str, hint: str) -> PolicyError:
    address = request.address
    evidence = {"host": address.host, "sender": request.sender}
    shown = address.host if request.is_tunnel else mask_credentials(address.href)
    return PolicyError(f"{shown} was refused: {address.hostname} {why}.", code=code, hint=hint, evidence=evidence)
