"""SessionWishes: what a session is to be like that somebody opens on purpose."""

from urllib.parse import urlsplit

from core.base.errors import InputError
from core.base.late_dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionWishes:
    """What a session is to be like.

    Attributes:
        base_url: Address that relative ones in goals and flows hang below; empty for none.
        trace: Whether a Playwright trace is recorded into ``.surehand/recordings/NAME``; otherwise what the settings say holds.
        attach: Address of the debugging port of a browser on this machine, to act on a page of another program; empty for a browser of ours.
    """

    base_url: str = ""
    trace: bool = False
    video: bool = False
    attach: str = ""
    page: str = ""

    def __post_init__(self) -> None:
        """Check the base address, and that what is attached to is named whole.

        Raises:
            InputError: If something is wrong.
        """
        parts = urlsplit(self.base_url)
        if self.base_url and (parts.scheme not in {"http", "https"} or not parts.netloc):
            raise InputError(
                f"“{self.base_url}” is not a base address.",
                code="bad_base_url",
                hint="Write it whole, such as http://127.0.0.1:8000.",
            )
        if bool(self.attach) != bool(self.page):
            raise InputError(
                "To attach, give the address of the browser and the page.", hint="Give both of attach and page."
            )


USUAL_SESSION = SessionWishes()
