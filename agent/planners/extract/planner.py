"""ExtractPlanner: look, read by rules, ask a model for what is left, go on to the next page."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from agent.planners.extract.found import Missing
from agent.planners.extract.page_steps import TEMPLATE, ask_model, read_page
from agent.planners.extract.reading import PageReader
from agent.planners.extract.shapes import read_shape
from agent.planners.extract.work import Extraction
from core.base.errors import ErrorInfo, InputError
from core.planning.planners.base import PlannerBase
from core.planning.planners.context import PlannerContext
from core.planning.planners.metadata import PlannerInput, PlannerMetadata, StepDescriptor
from core.planning.planners.results import PlannerResult
from core.planning.planners.steps import PlannerStep, PlannerStepInstance, StepRecord

if TYPE_CHECKING:
    from agent.planners.hands import PlannerHands

_WORK = "extraction"
_LOOK = StepDescriptor(step_id="look", description="Look at the page or window.", outputs=("lines", "is_new"))
_READ = StepDescriptor(
    step_id="read", description="Read by rules what the schema wants.", inputs=("is_new",), outputs=("found", "wanted")
)
_ASK = StepDescriptor(
    step_id="ask",
    description="Ask a model for what is left.",
    template_id=TEMPLATE,
    inputs=("wanted",),
    outputs=("answered",),
)
_TURN = StepDescriptor(step_id="turn", description="Go on to the next page.", outputs=("turned",))


class ExtractPlanner(PlannerBase):
    """Turns a page or window into records of a JSON Schema."""

    metadata: ClassVar[PlannerMetadata] = PlannerMetadata(
        name="extract",
        description="Turns a page or window into records of a JSON Schema, each value with the line that it came from.",
        capabilities=("extract",),
        inputs=(
            PlannerInput(
                name="schema", kind="mapping", description="JSON Schema of an object, or of an array of objects."
            ),
            PlannerInput(name="url", kind="text", description="Page to open first.", is_required=False, default=""),
            PlannerInput(name="window", kind="text", description="Window to look at.", is_required=False, default=""),
            PlannerInput(name="scope", kind="text", description="Selector of a part.", is_required=False, default=""),
            PlannerInput(
                name="next", kind="text", description="Selector of what leads on.", is_required=False, default=""
            ),
            PlannerInput(name="pages", kind="integer", description="Most pages, from 1.", is_required=False, default=1),
        ),
        settings={"most_lines": 400, "most_tokens": 4000, "timeout_s": 60.0},
        steps=(_LOOK, _READ, _ASK, _TURN),
        tags=("extract",),
        prerequisites=("principal",),
    )

    def __init__(self, hands: "PlannerHands") -> None:
        """Read by hands."""
        self._hands = hands

    async def validate(self, context: PlannerContext) -> None:
        """Check the schema, and that what was given goes together.

        Raises:
            InputError: If it doesn't.
        """
        given = context.parameters
        read_shape(given["schema"])
        if given["url"] and given["window"]:
            raise InputError("Name a page or a window, not both.", code="bad_usage")
        if given["pages"] < 1:
            raise InputError("The number of pages must be 1 or more.", code="bad_usage")
        if given["pages"] > 1 and not given["next"]:
            raise InputError("Several pages need the selector of what leads on.", code="bad_usage", hint="Give next.")

    async def prepare_context(self, context: PlannerContext) -> PlannerContext:
        """Return a context with an extraction of its own."""
        given = context.parameters
        reader = PageReader(self._hands, given["window"], given["scope"])
        work = Extraction(reader, given["schema"], read_shape(given["schema"]))
        return replace(context, environment={**context.environment, _WORK: work})

    async def draft(self, context: PlannerContext) -> Sequence[PlannerStepInstance]:
        """Return the steps of the first page."""
        del context
        return _draft_page(1, "")

    async def execute_step(self, context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        """Carry a step out."""
        work: Extraction = context.environment[_WORK]
        match step.step.descriptor.step_id:
            case "look":
                return await self._look(context, work, step)
            case "read":
                return await read_page(context, work)
            case "ask":
                return await ask_model(context, work)
            case _:
                return {"turned": await work.reader.press_next(str(context.parameters["next"]))}

    async def after_step(
        self, context: PlannerContext, step: PlannerStepInstance, record: StepRecord
    ) -> Sequence[PlannerStepInstance]:
        """Return the steps of the next page, where there is one and it was not seen before."""
        page = int(step.values["page"])
        if record.status != "done":
            return ()
        if record.step_id == "turn" and record.outputs["turned"]:
            return _draft_page(page + 1, step.instance_id)
        is_last = page >= int(context.parameters["pages"])
        if record.step_id == "read" and not is_last and context.values["is_new"]:
            return (_draft(_TURN, page, f"ask_{page}"),)
        return ()

    async def finalise(self, context: PlannerContext, result: PlannerResult) -> PlannerResult:
        """Return the result with the records, their sources and what is missing."""
        work: Extraction = context.environment[_WORK]
        gaps, faults = work.list_gaps(), work.list_faults()
        made = replace(result, diagnostics=(*result.diagnostics, *work.notes, *faults))
        made = made.with_artifact("records", work.build()).with_artifact("sources", work.list_sources())
        made = made.with_artifact("missing", [_tell_gap(each) for each in gaps])
        made = made.with_artifact("origins", [{"kind": each.kind, "place": each.place} for each in work.origins])
        if result.outcome != "success":
            return made
        if not any(each.values for each in work.records):
            error = ErrorInfo("nothing_found", "Nothing that the schema describes was found.", _HINT)
            return replace(made, outcome="failed", errors=(*made.errors, error))
        return replace(made, outcome="partial") if faults or any(each.is_required for each in gaps) else made

    async def _look(self, context: PlannerContext, work: Extraction, step: PlannerStepInstance) -> Mapping[str, Any]:
        url = str(context.parameters["url"])
        if url and step.values["page"] == 1:
            await work.reader.open(url)
        page = await work.reader.look()
        is_new = work.see(page)
        context.note("data", f"{len(page.lines)} lines of {page.origin}", is_tainted=True)
        return {"lines": len(page.lines), "is_new": is_new}


_HINT: Final = "Look at the page (surehand look), and name the properties as it does; --scope narrows it down, --model asks a model."


def _draft_page(page: int, behind: str) -> tuple[PlannerStepInstance, ...]:
    look = _draft(_LOOK, page, behind)
    read = _draft(_READ, page, look.instance_id)
    return (look, read, _draft(_ASK, page, read.instance_id))


def _draft(descriptor: StepDescriptor, page: int, behind: str) -> PlannerStepInstance:
    return PlannerStepInstance(
        instance_id=f"{descriptor.step_id}_{page}",
        step=PlannerStep(descriptor=descriptor, skip_if=_has_all if descriptor is _ASK else None),
        depends_on=(behind,) if behind else (),
        values={"page": page},
    )


def _has_all(values: Mapping[str, Any]) -> bool:
    return not values.get("wanted")


def _tell_gap(gap: Missing) -> dict[str, Any]:
    return {"path": gap.path, "record": gap.record, "why": gap.why, "is_required": gap.is_required}
