"""ExtractPlanner: look, read by rules, ask a model for what is left, go on to the next page."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from agent.planners.extract.extraction import TEMPLATE, Extraction
from agent.planners.extract.reading import PageReader
from agent.planners.extract.shapes import read_shape
from agent.planners.hands import PlannerHands
from core.base.errors import ErrorInfo, InputError
from core.planning.planners.base import PlannerBase
from core.planning.planners.context import PlannerContext
from core.planning.planners.metadata import PlannerInput, PlannerMetadata, StepDescriptor, make_option
from core.planning.planners.results import PlannerResult
from core.planning.planners.steps import PlannerStepInstance, StepRecord, draft_step
from core.results.records import to_data

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
_HINT: Final = "Look at the page (surehand look), and name the properties as it does; --scope narrows it down, --model asks a model."


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
            make_option("url", "text", "Page to open first.", ""),
            make_option("window", "text", "Window to look at.", ""),
            make_option("scope", "text", "Selector of a part.", ""),
            make_option("next", "text", "Selector of what leads on.", ""),
            make_option("pages", "integer", "Most pages, from 1.", 1),
        ),
        settings={"model": "", "most_lines": 400, "most_tokens": 4000, "timeout_s": 60.0},
        steps=(_LOOK, _READ, _ASK, _TURN),
        tags=("extract",),
    )

    def __init__(self, hands: PlannerHands, tools: Sequence[Mapping[str, Any]] = ()) -> None:
        del tools
        self._hands = hands

    async def validate(self, context: PlannerContext) -> None:
        """Check the schema, and that what was given goes together."""
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
                if context.parameters["url"] and step.values["page"] == 1:
                    await work.reader.open(context.parameters["url"])
                is_new = await work.look()
                context.note("data", f"{len(work.page.lines)} lines of {work.page.origin}", is_tainted=True)
                return {"lines": len(work.page.lines), "is_new": is_new}
            case "read" if context.values["is_new"]:
                found = await work.read()
                return {"found": found, "wanted": work.tell_wanted() if context.model else ""}
            case "read":
                return {"found": 0, "wanted": ""}
            case "ask":
                return {"answered": await work.ask(context)}
            case _:
                return {"turned": await work.reader.press_next(context.parameters["next"])}

    async def after_step(
        self, context: PlannerContext, step: PlannerStepInstance, record: StepRecord
    ) -> Sequence[PlannerStepInstance]:
        """Return the steps of the next page, where there is one and it was not seen before."""
        page = int(step.values["page"])
        if record.status != "done":
            return ()
        if record.step_id == "turn" and record.outputs["turned"]:
            return _draft_page(page + 1, step.instance_id)
        if record.step_id == "read" and context.values["is_new"] and page < context.parameters["pages"]:
            return (_draft(_TURN, page, f"ask_{page}"),)
        return ()

    async def finalise(self, context: PlannerContext, result: PlannerResult) -> PlannerResult:
        """Return the result with the records, their sources and what is missing."""
        work: Extraction = context.environment[_WORK]
        gaps, faults = work.list_gaps(), work.list_faults()
        artifacts = {
            "records": work.build(),
            "sources": work.list_sources(),
            "missing": to_data(gaps),
            "origins": to_data(work.origins),
        }
        diagnostics = (*result.diagnostics, *work.notes, *faults)
        made = replace(result, diagnostics=diagnostics, artifacts={**result.artifacts, **artifacts})
        if result.outcome != "success":
            return made
        if not any(each.values for each in work.records):
            error = ErrorInfo("nothing_found", "Nothing that the schema describes was found.", _HINT)
            return replace(made, outcome="failed", errors=(*made.errors, error))
        return replace(made, outcome="partial") if faults or any(each.is_required for each in gaps) else made


def _draft_page(page: int, behind: str) -> tuple[PlannerStepInstance, ...]:
    look = _draft(_LOOK, page, behind)
    read = _draft(_READ, page, look.instance_id)
    return (look, read, _draft(_ASK, page, read.instance_id))


def _draft(descriptor: StepDescriptor, page: int, behind: str) -> PlannerStepInstance:
    is_asking = descriptor is _ASK
    instance_id = f"{descriptor.step_id}_{page}"
    return draft_step(descriptor, instance_id, behind, lambda values: is_asking and not values.get("wanted"), page=page)
