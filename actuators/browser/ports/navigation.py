"""What is said of going to pages and waiting for them between tools and back ends."""

from collections.abc import Mapping
from typing import Any

from actuators.browser.ports.values import ValueCondition
from core.base.errors import NavigationError
from core.base.late_dataclasses import dataclass, field
from core.rules.browser_choices import LoadState, WaitState

_SIGN_IN = "Sign in on a page, or load a saved session."
_HINTS = {401: _SIGN_IN, 403: _SIGN_IN}
_THEIRS = "Try again later, or look at the server's log."


@dataclass(frozen=True, slots=True)
class Arrival:
    """Where a page is now.

    Attributes:
        title: Its title; None while a dialog keeps the page from telling.
        status: HTTP status of the answer; None without one.
        evidence: More that is known: redirects, what the status is of, what happened meanwhile.
    """

    url: str
    title: str | None
    status: int | None
    left: str = ""
    is_read: bool = True
    evidence: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def place(self) -> dict[str, Any]:
        """Address, title and status."""
        return {"url": self.url, "title": self.title, "status": self.status}

    def check_served(self) -> "Arrival":
        """Return it; ``http_status`` for a status of 400 or more, unless the page has gone on from there by itself."""
        if self.status is None or self.status < 400 or "status_of" in self.evidence:
            return self
        raise refuse_status(self.url, self.status, f' and the page "{self.title}"', {**self.place, **self.evidence})


def refuse_status(url: str, status: int, page: str, evidence: Mapping[str, Any]) -> NavigationError:
    """Return the error for a page that is the server's word that there is none."""
    hint = _HINTS.get(status, _THEIRS if status >= 500 else "Check the address.")
    message = f"{url} answered with status {status}{page}."
    return NavigationError(message, code="http_status", hint=hint, evidence=dict(evidence))


@dataclass(frozen=True, slots=True)
class WaitTarget:
    """One of selector (with state or value), url, text, load state, time; untimed ones end once a page is idle."""

    selector: str | None
    state: WaitState
    url: str | None
    text: str | None
    load_state: LoadState | None
    value: ValueCondition | None = None
    seconds: float | None = None
    is_timed: bool = False

    def describe(self) -> str:
        """Return a phrase for messages."""
        if self.seconds is not None:
            return f"{self.seconds:g} s"
        if self.selector is not None and self.value is not None:
            return f"{self.selector} to be {self.value.describe()}"
        if self.selector is not None:
            return f"{self.selector} to be {self.state}"
        if self.url is not None:
            return f"the address {self.url}"
        if self.text is not None:
            return f'the text "{self.text}"'
        return f"the page to reach {self.load_state}"


@dataclass(frozen=True, slots=True)
class WaitResult:
    """What was seen at last, how long that took, and where the page is then."""

    seen: Mapping[str, Any]
    waited_s: float
    url: str
