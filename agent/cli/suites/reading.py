"""Reads all flows of a suite before any of them is run, so that a fault in one is known at once and stops no other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from agent.cli.suites.flow_files import FlowFile
from agent.requests.flows import Flow, load_flow, parse_flow
from agent.requests.words.documents import read_document
from core.base.errors import FlowError, InputError, SurehandError
from core.rules.params import suggest


@dataclass(frozen=True, slots=True)
class ReadFlow:
    """A flow file after reading.

    Attributes:
        flow: What it says; None where it has a fault.
        fault: The fault, with file, line and column; empty where it has none.
    """

    file: FlowFile
    flow: Flow | None
    fault: str = ""
    hint: str = ""
    variables: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def name(self) -> str:
        """What the flow is called: as it says itself, else by its file."""
        stem = self.file.path.name.partition(".")[0]
        return (self.flow.name if self.flow else "") or stem

    def list_lines(self) -> dict[str, int]:
        """Return the lines of the goals in the file, by goal id."""
        if self.flow is None:
            return {}
        marks = self.flow.document.marks
        pairs = zip(self.flow.goals, self.flow.places, strict=False)
        return {goal.goal_id: marks[place][0] for goal, place in pairs if place in marks}


def read_flows(
    files: Sequence[FlowFile], variables: Mapping[str, str], others: Sequence[FlowFile] = ()
) -> tuple[ReadFlow, ...]:
    """Return all flows, read; each gets those of the variables that it declares.

    Args:
        others: Flows of the suite that are not run this time, whose variables may be named as well.

    Raises:
        InputError: If no flow declares one of the variables: it would set nothing, and look as if it did.
    """
    wanted = set(variables)
    known = set[str]()
    read: list[ReadFlow] = []
    for file in files:
        try:
            declared = _list_variables(file)
            known |= declared
            chosen = {name: variables[name] for name in wanted & declared}
            read.append(ReadFlow(file, load_flow(file.path, chosen), variables=chosen))
        except SurehandError as error:
            info = error.info()
            read.append(ReadFlow(file, None, info.message, info.hint))
    for other in others if wanted - known else ():
        known |= _list_variables(other)
    if unknown := sorted(wanted - known):
        text = f'No flow has a variable "{unknown[0]}"{suggest(unknown[0], known)}.'
        raise InputError(text, hint="Variables are declared under vars.")
    return tuple(read)


def read_again(flow: ReadFlow, text: str) -> ReadFlow:
    """Return a flow as another text of its file would have it.

    Raises:
        FlowError: If the text has a fault.
    """
    return replace(flow, flow=parse_flow(text.removeprefix("\ufeff"), flow.variables, name=str(flow.file.path)))


def _list_variables(file: FlowFile) -> set[str]:
    try:
        data = read_document(file.path).data
    except FlowError:
        return set()  # reading the flow says what is wrong
    declared = data.get("vars") if isinstance(data, dict) else None
    return {str(name) for name in declared} if isinstance(declared, dict) else set()
