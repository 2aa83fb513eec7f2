"""ElementWitness: notes what steps of a flow see of their elements, and tells what became of one that is missing."""

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from core.base.errors import SurehandError
    from core.tools.ports import ActionContext

Failure = TypeVar("Failure", bound="SurehandError")


class ElementWitness(Protocol):
    """Looks at elements for people who mend flows; nothing depends on what it sees, and it raises nothing."""

    async def note(self, context: "ActionContext", selector: str, locator: Any) -> None:
        """Note what is seen of an element that is there.

        Args:
            context: About the step; its sightings take the note.
        """
        ...

    async def explain(self, context: "ActionContext", selector: str, error: Failure, left_s: float) -> Failure:
        """Return the error of a step that missed its element, with what became of it where that is remembered.

        Args:
            context: About the step; its sightings know what was seen before.
        """
        ...
