"""The tool that opens files in other programs, over any opener; what would run is refused."""

from contextlib import closing
from functools import partial

from actuators.files.jobs.jobs import FileJob
from actuators.files.jobs.states import require_state
from actuators.files.ports import FilePlace, FileState
from actuators.files.stores.failures import explaining
from actuators.files.verbs.toolset import FileToolset
from actuators.seat.program_signs import STARTS_WITHIN, find_content_sign, find_ending_sign, find_mode_sign
from core.base.errors import PolicyError
from core.base.phrases import escape_text
from core.results.tool_results import ToolOutcome
from core.rules.param_types import FilePath
from core.tools.ports import ActionContext


class FileOpeningTools(FileToolset):
    """Handing files to other programs."""

    capability = "opener"

    async def open(self, context: ActionContext, path: FilePath) -> ToolOutcome:
        """Open a file or folder with the program that the desktop has for it.

        Args:
            path: What to open; programs and scripts are refused, since opening would run them.

        Returns:
            Output ``path``, ``application`` and ``pid`` where they are known.

        Raises:
            UnsupportedError: If nothing is registered for that type.
        """
        return await self._runner.run(context, partial(open_path, path=path))


def open_path(job: FileJob, path: str) -> ToolOutcome:
    """Open a file or folder."""
    spot = job.find(path)
    state = require_state(job, spot, path)
    real = job.spell(spot)
    refuse_program(spot, state, path)
    job.check()
    opened = job.hands.opener.open(real)
    return ToolOutcome(
        output={**job.describe(path), "application": opened.application, "pid": opened.pid},
        effect="unverified",
        evidence={"resolved": real, "type": state.kind, "identity": state.identity},
        undo="close the program's window",
    )


def refuse_program(spot: FilePlace, state: FileState, path: str) -> None:
    """Refuse by a PolicyError what would run if it were opened: by its ending, its mode, or its first bytes."""
    why = find_ending_sign(spot.name)
    if state.kind == "other":
        why = "it is a device, pipe or socket"
    elif state.kind == "file":
        why = why or find_mode_sign(state.mode) or _look_into(spot, path)
    if why:
        raise PolicyError(
            f"“{escape_text(path)}” was not opened: {why}.",
            hint="Start programs with system.launch.",
            evidence={"path": path},
        )


def _look_into(spot: FilePlace, path: str) -> str:
    with explaining("look into", path), closing(spot.folder.open(spot.name)) as file:
        return find_content_sign(file.stream.read(STARTS_WITHIN))
