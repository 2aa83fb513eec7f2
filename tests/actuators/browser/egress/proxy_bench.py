"""A wall on real sockets, and a client that says exactly what it wants to."""

import asyncio
from collections.abc import Mapping

from actuators.browser.egress.connections import ConnectionLimits
from actuators.browser.egress.proxy import EgressProxy, RecordBook
from actuators.browser.egress.rules import EgressPolicy
from fixtures.egress.site import Place
from fixtures.machine.network import DeclaredNetwork

PUBLIC, OTHER_PUBLIC = "93.184.215.14", "93.184.215.15"


class Bench:
    """A wall, the network behind it, and a place that counts.

    Attributes:
        rules: Of the wall.
        book: Its records.
        network: Declared names: ``site.example`` is public and leads to the place.
        proxy: The wall.
        place: At 127.0.0.2.
    """

    def __init__(self, place: Place, environment: Mapping[str, str], limits: ConnectionLimits | None = None) -> None:
        self.place = place
        self.rules = EgressPolicy()
        self.book = RecordBook()
        self.network = DeclaredNetwork(
            {"site.example": (PUBLIC,), "inner.example": ("127.0.0.2",)}, {PUBLIC: "127.0.0.2"}
        )
        self._environment, self._limits = environment, limits
        self.proxy = self._make_proxy()

    def _make_proxy(self) -> EgressProxy:
        return EgressProxy(self.rules, self.network, self.book, self._environment, self._limits)

    async def replace_proxy(self) -> None:
        """Let a new wall stand with what the rules and the network are by now."""
        await self.proxy.stop()
        self.proxy = self._make_proxy()
        await self.proxy.start()

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to the wall as a browser does."""
        host, port = self.proxy.address.removeprefix("http://").split(":")
        return await asyncio.open_connection(host, int(port))

    def sign(self, text: str) -> bytes:
        """Return a request as the wall's browser sends it: with the password."""
        start, end, rest = text.partition("\r\n")
        shown = f"Proxy-Authorization: {self.proxy.doorkeeper.authorization.decode()}\r\n" if end else ""
        return f"{start}{end}{shown}{rest}".encode("latin-1")

    async def say(self, text: str) -> bytes:
        """Send a request on a connection of its own, and return all that comes until the wall ends it or has answered."""
        reader, writer = await self.connect()
        writer.write(self.sign(text))
        try:
            return await asyncio.wait_for(read_answer(reader), 5)
        finally:
            writer.transport.abort()

    async def get(self, url: str, *headers: str) -> bytes:
        """Ask the wall for a page."""
        return await self.say("\r\n".join((f"GET {url} HTTP/1.1", "Host: x", *headers, "", "")))

    def codes(self) -> list[str]:
        """Return the codes of the wall's records."""
        return [record.code for record in self.book.records]


async def read_answer(reader: asyncio.StreamReader) -> bytes:
    """Return a head, or what came of one until the connection ended."""
    try:
        return await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as error:
        return error.partial
    except ConnectionError:
        return b""
