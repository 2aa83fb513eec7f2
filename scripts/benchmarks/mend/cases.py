"""What the mend benchmark tries: pages as they were and as they are, a step that misses, and what may be proposed for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

NOTHING = ""


@dataclass(frozen=True, slots=True)
class MendCase:
    """A page that has changed.

    Attributes:
        name: Of its pages ``mending/NAME-then`` and ``mending/NAME-now``; of a kit, ``KIT/PAGE``.
        step: The step that misses: a verb.
        selector: What it looks for.
        wanted: The one proposal that is right; nothing where none may be made.
        renamed: For a kit: what the page says now, by what it said.
        params: What else the step needs.
    """

    name: str
    selector: str
    wanted: str
    step: str = "click"
    renamed: Mapping[str, str] = field(default_factory=dict[str, str])
    params: Mapping[str, str] = field(default_factory=dict[str, str])


OURS = (
    MendCase("editor", 'button "Save draft"', 'button "Keep for later"'),
    MendCase("editor", 'field "Subject"', 'field "Topic"', "type", params={"text": "Hello"}),
    MendCase("toolbar", 'button "Export" in "Report"', 'button "Export"'),
    MendCase("role", 'button "Next"', 'link "Next"'),
    MendCase("twins", 'button "Confirm"', NOTHING),
    MendCase(
        "decoy", 'button "Add to basket" in "Blue mug"', NOTHING
    ),  # the old name elsewhere, a new one in the place
    MendCase("gone", 'button "Close account"', NOTHING),
    MendCase("orders", 'button "Pay"', 'button "Pay by card"'),
    MendCase("markup", "#save-7", 'button "Save"'),
    MendCase("labels", 'field "Search the shop"', 'field "What are you looking for?"', "type", params={"text": "mug"}),
    MendCase(
        "framed", 'field "Card number"', 'frame "Card" >> field "Number of your card"', "type", params={"text": "4"}
    ),
)

KITS = (
    MendCase("mui/dialog", 'button "Subscribe"', 'button "Get the letter"', renamed={"Subscribe": "Get the letter"}),
    MendCase("antd/dialog", 'button "New collection"', 'button "Start a collection"', renamed={"New collection": "Start a collection"}),
    MendCase("aria/dialog", 'button "Sign up"', 'button "Register"', renamed={"Sign up": "Register"}),
    MendCase("antd/toast", 'button "Save changes"', 'button "Store"', renamed={"Save changes": "Store"}),
)  # fmt: skip
