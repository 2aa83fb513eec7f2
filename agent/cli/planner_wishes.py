"""What is wanted of planners on the command line: an exploration, an extraction, and on which terms."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from agent.cli.limits import NO_HOST_LIMITS, HostLimits
from agent.cli.options import (
    HERE,
    LIMITS,
    LOOK,
    MODELS,
    OUTPUT,
    TASK,
    AsJson,
    Headed,
    Option,
    Place,
    Quiet,
    Record,
    Replay,
    Timeout,
    Verbose,
    Workspace,
)
from agent.models.wishes import ModelWish


@dataclass(frozen=True, slots=True)
class PlannerTerms:
    """Where a planner is carried out, and what it may ask."""

    workspace: Workspace = HERE
    model: Annotated[str, Option("--model NAME", "The model of your settings that is asked.", MODELS)] = ""
    replay: Replay = None
    record: Record = None
    tokens: Annotated[int | None, Option("--tokens N", "Use at most so many tokens of the model.", MODELS)] = None
    explain: Annotated[bool, Option("--explain", "Show what leaves to the model, and what it answers.", MODELS)] = False
    headed: Headed = False

    @property
    def wish(self) -> ModelWish:
        """The model that is wanted."""
        return ModelWish(self.model, self.replay, self.record)

    @property
    def is_own(self) -> bool:
        """Whether only a process of its own can do that."""
        return bool(self.replay or self.record or self.explain or self.headed)


NO_TERMS = PlannerTerms()


@dataclass(frozen=True, slots=True)
class ExploreWish:
    """What is wanted, where it is done, and what is shown and kept."""

    task: Annotated[str, Option("TASK", "What is wanted, in your words.", TASK)]
    url: Annotated[str, Option("[URL]", "Where it begins; none where it is done in windows.", TASK)] = ""
    windows: Annotated[
        tuple[str, ...],
        Option("--window TITLE", "Do it in this window; name again what it may open, such as a dialog.", TASK),
    ] = ()
    terms: PlannerTerms = NO_TERMS
    limits: HostLimits = NO_HOST_LIMITS
    rounds: Annotated[int, Option("--steps N", "Look and propose at most so often.", LIMITS)] = 20
    timeout_s: Timeout = None
    output: Annotated[
        Path | None, Option("--output -o FLOW", "Write a flow that does the same without a model.", OUTPUT)
    ] = None
    as_json: AsJson = False
    quiet: Quiet = False
    verbose: Verbose = False


@dataclass(frozen=True, slots=True)
class ExtractWish:
    """What is to be read, and where that goes."""

    what: Place
    schema: Annotated[Path, Option("--schema FILE", "JSON Schema of a record, or of a list of them.", LOOK)]
    scope: Annotated[str, Option("--scope SELECTOR", "Read this part only.", LOOK)] = ""
    following: Annotated[str, Option("--next SELECTOR", "What leads to the next page.", LOOK)] = ""
    pages: Annotated[int | None, Option("--pages N", "Read at most so many pages; 10 with --next.", LOOK)] = None
    terms: PlannerTerms = NO_TERMS
    limits: HostLimits = NO_HOST_LIMITS
    timeout_s: Timeout = None
    output: Annotated[
        Path | None, Option("--output -o FILE", "Write the records to FILE.json or FILE.csv.", OUTPUT)
    ] = None
    as_json: Annotated[bool, Option("--json", "Write records, the line of each value and what is missing.", OUTPUT)] = (
        False
    )
    quiet: Annotated[bool, Option("--quiet -q", "Tell nothing else.", OUTPUT)] = False
