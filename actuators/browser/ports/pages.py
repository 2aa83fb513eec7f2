"""PagePort: what every part of a back end knows of the page that a tool is about; and Done, what came of an act, or of several."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from core.base.errors import ActionError, SurehandError, TargetError
from core.base.late_dataclasses import dataclass, field
from core.results.failure_snapshots import FailureSnapshot

if TYPE_CHECKING:
    from core.tools.ports import ActionContext

Failure = TypeVar("Failure", bound=SurehandError)


@dataclass(frozen=True, slots=True)
class Done:
    """What came of an act, what else happened meanwhile, and dialogs answered no since nothing in the plan does."""

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
        """Return role, name, tag, where a link leads, what a form sends where; of several elements, lists."""
        ...

    async def show_snapshot(self, context: "ActionContext") -> FailureSnapshot | None:
        """Return what there is to see of the lane's page after a failure; None where it has none."""
        ...


class ElementWitness(Protocol):
    """Looks at elements for people who mend flows; nothing depends on what it sees, and it raises nothing."""

    async def note(self, context: "ActionContext", selector: str, locator: Any) -> None:
        """Note what is seen of an element that is there."""

    async def explain(self, context: "ActionContext", selector: str, error: Failure, left_s: float) -> Failure:
        """Return the error of a step that missed its element, with what became of it where that is remembered."""
        ...


def make_no_page_error() -> ActionError:
    """Return the error of an action that needs a page where none is open."""
    return ActionError(
        "No page is open.", code="no_page", hint='Start with browser.navigate, such as "go to https://…".'
    )


def merge_done(done: Sequence[Done]) -> Done:
    """Return what came of acting on each: sure if all are, with facts ``count`` and ``elements``."""
    facts = {"count": len(done), "elements": [dict(each.facts) for each in done]}
    return Done(facts, all(each.is_sure for each in done), done[0].output)


def stop_midway(error: SurehandError, done: Sequence[Done], count: int) -> SurehandError:
    """Say in an error how many elements had been acted on before it, which stay so; return the same error."""
    if done:
        error.acted = True
        error.message = (
            f"{len(done)} of {count} elements were changed and stay changed. The next one failed: {error.message}"
        )
    error.evidence |= {"count": count, "done": len(done), "elements": [dict(each.facts) for each in done]}
    return error


def merge_facts(found: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what is known of several elements: how many, and by each key all that they have, in their order."""
    names = dict.fromkeys(name for facts in found for name in facts)
    merged: dict[str, Any] = {name: [facts.get(name, "") for facts in found] for name in names}
    return {"count": len(found), **merged}


def tell_weaker(counts: Mapping[str, int]) -> str:
    """Say how many elements a selector that matches nothing would match without one of its parts; empty if none does."""
    told = [f"without {part} it matches {count}" for part, count in counts.items() if count]
    return f" But {' and '.join(told)}." if told else ""


def explain_few(selector: str, wanted: int, count: int, evidence: Mapping[str, Any]) -> TargetError:
    """Return the error for fewer elements than were asked for; none of them was acted on."""
    return TargetError(
        f"Only {count} of the {wanted} elements of {selector.strip()} exist.",
        hint=f"Ask for {count}, or use every.",
        evidence={"selector": selector, "count": count, **evidence},
    )
