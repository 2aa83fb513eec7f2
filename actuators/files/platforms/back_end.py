"""The tools of files over any machine's hands."""

from collections.abc import Callable, Mapping

from actuators.anchors import Anchor, find_anchors
from actuators.base import Availability, Environment
from actuators.files.jobs.jobs import JobRunner
from actuators.files.ports import FileHands
from actuators.files.verbs.moving import FileMovingTools
from actuators.files.verbs.opening import FileOpeningTools
from actuators.files.verbs.reading import FileReadingTools
from actuators.files.verbs.undo import take_back
from actuators.files.verbs.writing import FileWritingTools
from core.results.tool_results import ToolOutcome, UndoRecord
from core.tools.ports import ActionContext, Toolset


class FileBackEnd:
    """The tools of files."""

    toolsets: Mapping[type[Toolset], Toolset]

    def __init__(self, hands: FileHands, environment: Environment, note: str) -> None:
        """Put the tools together, with a note for ``doctor`` on how the store keeps to its folders; nothing is started."""
        self._hands = hands
        self._note = note
        self._runner = JobRunner(hands, environment)
        self.toolsets = {
            FileReadingTools: FileReadingTools(self._runner),
            FileWritingTools: FileWritingTools(self._runner),
            FileMovingTools: FileMovingTools(self._runner),
            FileOpeningTools: FileOpeningTools(self._runner),
        }

    async def take_back(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        """Take a change back by the record that it left, if what it made is still as it was."""
        return await take_back(self._runner, context, record)

    def assess(self, capability: str) -> Availability:
        """Say whether this machine can do it."""
        asked: Mapping[str, Callable[[], Availability]] = {
            "files": lambda: Availability("files", available=True, reason=self._note),
            "trash": self._hands.trash.assess,
            "opener": self._hands.opener.assess,
        }
        if capability not in asked:
            return Availability(capability, available=False, reason="no part of the tools of files")
        return asked[capability]()

    async def close(self) -> None:
        """End the threads."""
        self._runner.close()


def describe_anchors(environment: Environment) -> tuple[Anchor, ...]:
    """Return the anchors that a session works with, and who says where each is."""
    known = find_anchors(environment.workspace, environ=environment.variables, platform=environment.platform)
    found = {each.name: each for each in known}
    return tuple(
        found[name] if name in found and found[name].path == path else Anchor(name, path, "settings")
        for name, path in environment.anchors.items()
    )
