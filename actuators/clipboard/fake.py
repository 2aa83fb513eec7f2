"""FakeClipboard: a clipboard in memory."""

from actuators.base import Availability
from actuators.clipboard.ports import check_encodable
from core.errors import SurehandError


class FakeClipboard:
    """A clipboard for dry runs, simulation and tests.

    Attributes:
        text: What it holds; None for something that isn't text.
        fault: Raised by the next call, once; for fault injection.
    """

    def __init__(self, text: str | None = "") -> None:
        """Hold a text.

        Args:
            text: What it holds at first.
        """
        self.text = text
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
        self.text = text

    async def close(self) -> None:
        """Do nothing."""

    def _fail(self) -> None:
        fault, self.fault = self.fault, None
        if fault is not None:
            raise fault
