"""How the wall looks up names and opens connections. The system's way is here; tests bring a network of their own."""

import asyncio
import ipaddress
import socket
import threading
from collections.abc import Callable
from typing import Protocol, TypeVar

from actuators.browser.egress.address_kinds import IPAddress
from actuators.deadlines import finish_within
from core.base.errors import NavigationError
from core.base.shortages import find_shortage

LOOK_UP_S = 10.0
CONNECT_S = 10.0
LOOK_UPS_AT_ONCE = 16

P = TypeVar("P", bound=asyncio.Protocol)


class NetworkAccess(Protocol):
    """Names and connections."""

    async def resolve(self, hostname: str) -> tuple[IPAddress, ...]:
        """Return the addresses of a name, the best first; ``dns_failed`` if it has none."""
        ...

    async def connect(self, make_protocol: Callable[[], P], address: IPAddress, port: int) -> P:
        """Open a connection to exactly this address.

        Raises:
            OSError: If there is none.
            TimeoutError: If nobody answers.
        """
        ...


class SystemNetwork:
    """The network as this machine has it."""

    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(LOOK_UPS_AT_ONCE)

    async def resolve(self, hostname: str) -> tuple[IPAddress, ...]:
        """Ask the system's resolver, in a thread that nobody waits for once its time is up."""
        async with self._turns:
            try:
                found = await finish_within(_look_up(hostname), LOOK_UP_S)
            except (OSError, UnicodeError, TimeoutError) as error:
                raise _explain_look_up(hostname, error) from error
        return tuple(dict.fromkeys(ipaddress.ip_address(text) for text in found))

    async def connect(self, make_protocol: Callable[[], P], address: IPAddress, port: int) -> P:
        """Open a TCP connection."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(CONNECT_S):
            _, protocol = await loop.create_connection(make_protocol, str(address), port)
        return protocol


def make_dns_error(hostname: str) -> NavigationError:
    """Return the error of a name that has no address."""
    return NavigationError(
        f"No server is named {hostname}.",
        code="dns_failed",
        hint="Check the spelling of the host, and the network.",
        evidence={"host": hostname},
    )


def _explain_look_up(hostname: str, error: Exception) -> NavigationError:
    # What the resolver itself says has numbers of its own, some of which mean something else to the rest of the system.
    shortage = None if isinstance(error, socket.gaierror) else find_shortage(error)
    if shortage is None:
        return make_dns_error(hostname)
    return NavigationError(shortage.message, code=shortage.code, hint=shortage.hint, evidence={"host": hostname})


def _look_up(hostname: str) -> "asyncio.Future[list[str]]":
    """Look a name up in a thread of its own, which ends with the program however long the system takes."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[list[str]] = loop.create_future()

    def settle(found: list[str] | OSError | UnicodeError) -> None:
        if answer.done():
            return
        if isinstance(found, list):
            answer.set_result(found)
        else:
            answer.set_exception(found)

    def work() -> None:
        found = _ask_system(hostname)
        try:
            loop.call_soon_threadsafe(settle, found)
        except RuntimeError:
            return  # the loop was closed meanwhile: nobody wants to know any more

    threading.Thread(target=work, name="egress-look-up", daemon=True).start()
    return answer


def _ask_system(hostname: str) -> list[str] | OSError | UnicodeError:
    try:
        entries = socket.getaddrinfo(hostname, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        return error
    return [str(address[0]) for *_, address in entries]
