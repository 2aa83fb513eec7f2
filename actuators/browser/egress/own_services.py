"""Services of Surehand on this machine, which no page of a session reaches: a yes comes on a channel that the hands can't drive."""

import asyncio
import socket
from collections.abc import Callable, Sequence

from actuators.browser.egress.address_kinds import IPAddress, classify_address
from actuators.own_services import ServiceAt
from core.addresses.urls import WebAddress
from core.base.errors import PolicyError

FindService = Callable[[int], ServiceAt]


class OwnServices:
    """Keeps a session's pages away from services of Surehand."""

    def __init__(self, find: FindService, named_hosts: Sequence[str] = ()) -> None:
        """Know who serves at a port (asking may block), and which ``host:port`` a person opened to pages."""
        self._find = find
        self._named = frozenset(each.lower() for each in named_hosts)

    async def check(self, address: WebAddress, found: Sequence[IPAddress]) -> None:
        """Refuse an address at which a service of Surehand listens (``own_service``)."""
        there = await asyncio.to_thread(self._find, int(address.port)) if any(map(_is_here, found)) else ""
        if not there or (there == "other" and f"{address.hostname}:{address.port}" in self._named):
            return
        hint = "What needs your yes is answered by you, in the console, on the command line or in a chat."
        if there == "other":
            hint += f" If pages may reach that one, name {address.hostname}:{address.port} in inner_hosts of your own settings."
        text = f"{address.host} was refused: a service of Surehand listens there, and no page of a session reaches one."
        raise PolicyError(text, code="own_service", hint=hint, evidence={"host": address.host})


def _is_here(address: IPAddress) -> bool:
    if classify_address(address) == "loopback" or address.is_unspecified:
        return True
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    with socket.socket(family, socket.SOCK_DGRAM) as trial:
        try:
            trial.bind((str(address), 0))
        except OSError:
            return False
    return True


def find_none(_port: int) -> ServiceAt:
    """Know of no service, where there is no person's folder to tell of some."""
    return ""


NO_SERVICES = OwnServices(find_none)
