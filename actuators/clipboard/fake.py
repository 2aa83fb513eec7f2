"""FakeClipboard: a clipboard in memory."""

from actuators.base import Availability
from actuators.clipboard.ports import check_encodable
from core.base.errors import SurehandError


class FakeClipboard:
    """A clipboard for dry runs, simulation and tests: text or a PNG, None for what isn't one; a fault is raised once."""

    def __init__(self, text: str | None = "") -> None:
        self.text = text
        self.picture: bytes | None = None
        self.fault: SurehandError | None = None

    def assess(self) -> Availability:
        """Say that it is there, and that it is none."""
        return Availability("clipboard", available=True, reason="A simulated clipboard.")

    async def read(self) -> str | None:
        """Return its text; None if it holds no text."""
        self._fail()
        return self.text

    async def write(self, text: str) -> None:
        """Replace its content."""
        self._fail()
        check_encodable(text)
        self.text, self.picture = text, None

    async def read_picture(self) -> bytes | None:
        """Return its picture; None if it holds none."""
        self._fail()
        return self.picture

    async def write_picture(self, png: bytes) -> None:
        """Replace its content by a picture."""
        self._fail()
        self.text, self.picture = None, png

    async def close(self) -> None:
        """Do nothing."""

    def _fail(self) -> None:
        fault, self.fault = self.fault, None
        if fault is not None:
            raise fault
