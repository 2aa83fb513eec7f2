"""Flow files: goals in YAML or JSON, with variables, a policy, and references to what earlier goals gave."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from agent.requests.words.documents import Document, DocumentPath, parse_document, read_document
from agent.requests.words.entries import read_closing, read_entries
from agent.requests.words.flow_files import FilesOnDisk, FlowFiles, SentFiles
from agent.requests.words.flow_parts import read_flow_part, read_limits, read_secrets
from agent.requests.words.flow_values import FlowValues
from agent.requests.words.reading import EntryFrame, FlowReading
from agent.requests.words.word_parts import MAX_GOALS
from core.base.budgets import Budget
from core.base.errors import ErrorInfo, FlowError
from core.base.late_dataclasses import dataclass, field
from core.goals.meta_goals import Goal
from core.policy.policy import Policy

__all__ = ["MAX_GOALS", "Flow", "load_flow", "parse_flow"]


@dataclass(frozen=True, slots=True)
class Flow:
    """A flow file, read.

    Attributes:
        secrets: Names of the secrets that it may use, and no others; None for all, which a goals file may.
        documents: For every goal, the file that it stands in; empty where all stand in one.
        narrowed: What the flows that it includes may touch; it is held to all of that as well.
        is_part: Whether it is what is left of the file once some of it was done.
    """

    name: str
    goals: tuple[Goal, ...]
    policy: Policy
    budget: Budget
    document: Document
    places: tuple[DocumentPath, ...]
    secrets: tuple[str, ...] | None = ()
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    documents: tuple[Document, ...] = ()
    narrowed: tuple[Policy, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    is_part: bool = False

    @property
    def places_of_goals(self) -> dict[str, str]:
        """Where each goal stands in the file, such as ``goals.3.browser.click``, by its id; those of other files are left out."""
        documents = self.documents or (self.document,) * len(self.goals)
        return {
            goal.goal_id: ".".join(map(str, place))
            for goal, place, document in zip(self.goals, self.places, documents, strict=True)
            if document is self.document
        }

    def locate(
        self, index: int, message: str, *, params: Sequence[str] = (), hint: str = "", code: str = ""
    ) -> FlowError:
        """Return an error about a goal, with file, line and column.

        Args:
            index: Number of the goal, from 0.
            params: Params that it is about; it points at the first that the file has, else at the goal.
        """
        document = self.documents[index] if self.documents else self.document
        places = [(*self.places[index], param) for param in params]
        place = next((each for each in places if each in document.marks), self.places[index])
        return document.fail(place, message, hint=hint, code=code)


def load_flow(
    path: Path,
    overrides: Mapping[str, str] | None = None,
    *,
    workspace: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Flow:
    """Read a flow file.

    Args:
        path: YAML or JSON file; others that it names lie in its folder or in the workspace.
        environment: Variables of the environment; None where the flow may not look at them.

    Raises:
        FlowError: If anything is wrong with it; names file, line and column.
    """
    files = FilesOnDisk(path.parent, workspace, environment)
    return _read_flow(read_document(path), overrides or {}, files, path.name)


def parse_flow(
    text: str, overrides: Mapping[str, str] | None = None, *, name: str = "flow", files: FlowFiles | None = None
) -> Flow:
    """Read a flow from text, as ``load_flow`` does from a file.

    Args:
        files: The other files that it names; none where it stands alone.

    Raises:
        FlowError: If anything is wrong with it; names file, line and column.
    """
    return _read_flow(parse_document(text, name), overrides or {}, files or SentFiles(), "")


def collect_faults(
    path: Path, *, workspace: Path | None = None, environment: Mapping[str, str] | None = None
) -> list[ErrorInfo]:
    """Return every fault of a flow file that can be found without planning it; the arguments are those of ``load_flow``."""
    faults: list[ErrorInfo] = []
    try:
        _read_flow(read_document(path), {}, FilesOnDisk(path.parent, workspace, environment), path.name, faults)
    except FlowError as error:
        faults.append(error.info())
    return list({fault.message: fault for fault in faults}.values())


def _read_flow(
    document: Document,
    overrides: Mapping[str, str],
    files: FlowFiles,
    name: str,
    faults: list[ErrorInfo] | None = None,
) -> Flow:
    part = read_flow_part(document)
    values = FlowValues(document)
    values.declare(part.vars, overrides, files.environment)
    policy, budget = read_limits(part, values, document)
    reading = FlowReading(files, budget=budget, secrets=read_secrets(part.secrets, document), faults=faults)
    reading.note_environment(part.vars)
    frame = EntryFrame(document, values, trail=(name,))
    read_entries(part.goals, ("goals",), frame, reading)
    read_closing(part.closing, frame, reading)
    return Flow(
        part.name,
        tuple(reading.goals),
        policy,
        reading.budget,
        document,
        tuple(reading.places),
        reading.secrets,
        values.outputs,
        tuple(reading.documents),
        tuple(reading.policies),
        files.taken,
        reading.environment,
    )
