"""Ten everyday journeys on the fixture sites, as goals, and what the far end knows when each has happened."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.goals.meta_goals import Goal
from fixtures.site_handlers.journeys_site import PASSWORD, REPORT
from fixtures.site_server import SiteServer

WAIT_S = 10.0
IN_VAIN_S = 0.4
"""Seconds to wait for what can't come: long enough for an answer, and short, as these are many runs."""

Steps = list[tuple[str, dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Visit:
    """One run of a journey.

    Attributes:
        site: Where it happens.
        workspace: Working folder of the session.
        token: By which the far end tells this run from others.
        number: Which run it is.
    """

    site: SiteServer
    workspace: Path
    token: str
    number: int

    def page(self, name: str, more: str = "") -> str:
        """Return the address of a page of the journey."""
        return f"{self.site.url}/journeys/{name}?t={self.token}{more}"

    def marks(self, what: str) -> list[Mapping[str, Any]]:
        """Return what the server noted of this run."""
        told = [each.detail for each in self.site.events("journey")]
        return [each for each in told if each["token"] == self.token and each["what"] == what]

    @property
    def file(self) -> Path:
        """A file of this run's."""
        return self.workspace / f"{self.token}.bin"


@dataclass(frozen=True, slots=True)
class Journey:
    """One journey.

    Attributes:
        write: What to do.
        has_happened: Whether the far end has what the person wanted.
        can_happen: Whether it can come to its end; else the right answer is that it failed.
    """

    write: Callable[[Visit], Steps]
    has_happened: Callable[[Visit], bool]
    can_happen: bool = True


def make_goals(steps: Steps) -> tuple[Goal, ...]:
    """Return steps as goals, one after another."""
    goals: list[Goal] = []
    for number, (name, params) in enumerate(steps):
        domain, _, verb = name.partition(".")
        goals.append(Goal(domain, verb, params, scope=f"after:g{number - 1}" if number else "root"))
    return tuple(goals)


def _go(visit: Visit, page: str, more: str = "") -> tuple[str, dict[str, Any]]:
    return "browser.navigate", {"url": visit.page(page, more)}


def _type(name: str, text: str) -> tuple[str, dict[str, Any]]:
    return "browser.type", {"selector": f'field "{name}"', "text": text}


def _click(name: str) -> tuple[str, dict[str, Any]]:
    return "browser.click", {"selector": f'button "{name}"'}


def _see(title: str, wait_s: float = WAIT_S) -> tuple[str, dict[str, Any]]:
    return "browser.wait", {"selector": f'heading "{title}"', "timeout": wait_s}


def _sign_in(visit: Visit) -> Steps:
    signing = [_type("Email", f"{visit.token}@example.com"), _type("Password", PASSWORD), _click("Sign in")]
    return [_go(visit, "signin"), *signing, _see("Dashboard")]


def _use_app(visit: Visit) -> Steps:
    seen = ("browser.wait", {"text": f"To do: {visit.token}", "timeout": WAIT_S})
    return [_go(visit, "app"), _type("New task", visit.token), _click("Add"), seen]


def _agree(visit: Visit) -> Steps:
    opened = [_click("Read the terms"), ("browser.switch_tab", {"tab": "new"}), _click("I agree"), _see("Thank you")]
    return [_go(visit, "popup"), *opened, ("browser.close_tab", {})]


def _upload(visit: Visit) -> Steps:
    visit.file.write_bytes(f"a photo of {visit.token}".encode() * 50)
    chosen = ("browser.upload", {"selector": 'field "Photo"', "path": f"workspace:/{visit.file.name}"})
    return [_go(visit, "upload"), chosen, _click("Send"), _see("Received")]


def _is_uploaded(visit: Visit) -> bool:
    digest = hashlib.sha256(visit.file.read_bytes()).hexdigest()
    return [each["sha256"] for each in visit.marks("uploaded")] == [digest]


def _download(visit: Visit) -> Steps:
    kept = {"selector": 'link "The report"', "path": f"workspace:/{visit.file.name}"}
    return [_go(visit, "download"), ("browser.download", kept)]


def _is_downloaded(visit: Visit) -> bool:
    return visit.file.is_file() and visit.file.read_text() == REPORT


def _pay(visit: Visit) -> Steps:
    pressed = "browser.click", {"selector": 'frame "Card" >> button "Pay now"'}
    seen = "browser.wait", {"selector": 'frame "Card" >> heading "Paid"', "timeout": WAIT_S}
    return [_go(visit, "frame"), _type("Card number", visit.token), pressed, seen]


def _use_two_tabs(visit: Visit) -> Steps:
    other = [
        ("browser.open_tab", {"url": visit.page("second")}),
        _type("Answer", visit.token),
        _click("Save"),
        _see("Saved"),
    ]
    back = [("browser.switch_tab", {"tab": "previous"}), _click("Finish"), _see("Finished")]
    return [_go(visit, "first"), *other, *back, ("browser.close_tab", {"tab": "last"})]


def _order(visit: Visit) -> Steps:
    return [_go(visit, "slow"), _click("Place the order"), _see("Thank you")]


def _delete(visit: Visit) -> Steps:
    armed = ("browser.dialog", {"action": "accept"})
    return [
        _go(visit, "dialog"),
        armed,
        _click("Delete"),
        ("browser.wait", {"text": "It is deleted", "timeout": WAIT_S}),
    ]


def _contact(visit: Visit) -> Steps:
    """Leave out what is needed: once the browser says so, once the server."""
    form = _go(visit, "form", "&required=1" if visit.number % 2 else "")
    return [form, _type("Message", visit.token), _click("Send it"), _see("Message sent", IN_VAIN_S)]


def _has(what: str, **wanted: str) -> Callable[[Visit], bool]:
    """Tell whether the server noted something exactly once, with the run's token where that is wanted."""

    def look(visit: Visit) -> bool:
        marks: Sequence[Mapping[str, Any]] = visit.marks(what)
        return len(marks) == 1 and all(marks[0][name] == text.format(visit.token) for name, text in wanted.items())

    return look


JOURNEYS: Mapping[str, Journey] = {
    "sign in": Journey(_sign_in, _has("signed in", email="{}@example.com")),
    "single-page app": Journey(_use_app, _has("task", task="{}")),
    "pop-up": Journey(_agree, _has("agreed")),
    "upload": Journey(_upload, _is_uploaded),
    "download": Journey(_download, _is_downloaded),
    "frame": Journey(_pay, _has("paid", card="{}")),
    "two tabs": Journey(_use_two_tabs, lambda visit: _has("answered", answer="{}")(visit) and _has("finished")(visit)),
    "slow server": Journey(_order, _has("ordered")),
    "dialog": Journey(_delete, _has("deleted")),
    "form with an error": Journey(_contact, _has("contacted"), can_happen=False),
}
"""The journeys by name, in the order in which they take turns."""
