"""PagePort: what every part of a back end knows of the page that a tool is about; and Done, what came of an act."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from core.base.errors import ActionError
from core.results.failure_snapshots import FailureSnapshot

if TYPE_CHECKING:
    from core.tools.ports import ActionContext


@dataclass(frozen=True, slots=True)
class Done:
    """What came of an act, as far as the page showed it.

    Attributes:
        facts: What was read back, JSON-compatible.
        output: What of it later steps may refer to.
        meanwhile: What else happened on the lane's pages: tabs, dialogs, downloads, navigations.
        dismissed: Dialogs that were answered no because nothing in the plan answers them, each with kind and message.
    """

    facts: Mapping[str, Any]
    is_sure: bool = True
    output: Mapping[str, Any] = field(default_factory=dict[str, Any])
    meanwhile: Mapping[str, Any] = field(default_factory=dict[str, Any])
    dismissed: Sequence[Mapping[str, Any]] = ()


class PagePort(Protocol):
    """The pages of a session, each lane on one of them."""

    def find_address(self, context: "ActionContext") -> str | None:
        """Return the address of the lane's page; None where no page is open."""
        ...

    async def describe_elements(self, context: "ActionContext", selector: str) -> Mapping[str, Any]:
        """Return what an act on elements aims at, without touching them: role, name, tag, where a link leads, what a form sends where.

        Of several elements each fact is a list, in their order.

        Raises:
            TargetError: If an element is missing or ambiguous.
        """
        ...

    async def show_snapshot(self, context: "ActionContext") -> FailureSnapshot | None:
        """Return what there is to see of the lane's page after a failure; None where it has none."""
        ...


def make_no_page_error() -> ActionError:
    """Return the error of an action that needs a page where none is open."""
    return ActionError(
        "No page is open.", code="no_page", hint='Start with browser.navigate, such as "go to https://…".'
    )
