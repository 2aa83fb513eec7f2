"""The tool that opens files in other programs, over any opener; what would run is refused."""

from functools import partial

from actuators.files.failures import explaining
from actuators.files.jobs import Job, JobRunner
from actuators.files.opening_tools import FileOpeningTools
from actuators.files.outcomes import describe_place
from actuators.files.ports import FileState, Spot
from actuators.files.states import require_state
from core.errors import PolicyError
from core.phrases import escape_text
from core.ports import ActionContext
from core.results import ToolOutcome

_PROGRAM_ENDINGS = """
    appimage appref-ms apk application app bash bat bin chm class cmd com command cpl crt csh deb desktop diagcab dll
    dmg elf exe fish gadget hta inf ins iso jar jnlp js jse ksh lnk mht mof msc msh msh1 msh2 msi msix msp mst napx out
    pif pkg pl prg ps1 ps1xml ps2 psc1 psd1 psm1 py pyc pyw pyz rb reg rgs rpm run scf scr sct service settingcontent-ms
    sh so sys terminal tool url vb vbe vbs webloc website workflow ws wsc wsf wsh xll zsh
"""
_PROGRAMS = frozenset(_PROGRAM_ENDINGS.split())
_MAGIC = (
    b"#!",
    b"\x7fELF",
    b"MZ",
    b"\xca\xfe\xba\xbe",
    b"\xcf\xfa\xed\xfe",
    b"\xfe\xed\xfa",
    b"[Desktop Entry]",
    b"L\0\0\0",
)


class FileOpener(FileOpeningTools):
    """Hands files to other programs."""

    def __init__(self, runner: JobRunner) -> None:
        """Work by these jobs."""
        self._runner = runner

    async def open(self, context: ActionContext, path: str) -> ToolOutcome:
        """Open a file or folder with the program that the desktop has for it."""
        return await self._runner.run(context, partial(open_path, path=path))


def open_path(job: Job, path: str) -> ToolOutcome:
    """Open a file or folder.

    Args:
        job: The job.
        path: What to open.
    """
    spot = job.find(path)
    state = require_state(job, spot, path)
    real = job.spell(spot)
    refuse_program(spot, state, path)
    job.check()
    opened = job.hands.opener.open(real)
    return ToolOutcome(
        output={**describe_place(job, path), "application": opened.application, "pid": opened.pid},
        effect="unverified",
        evidence={"resolved": real, "type": state.kind, "identity": state.identity},
        undo="close the program's window",
    )


def refuse_program(spot: Spot, state: FileState, path: str) -> None:
    """Refuse what would run if it were opened: by its ending, its mode, or its first bytes.

    Args:
        spot: The place.
        state: What is known of it.
        path: As it was asked for.

    Raises:
        PolicyError: If it would run.
    """
    ending = spot.name.rpartition(".")[2].lower() if "." in spot.name else ""
    why = f'files that end with ".{ending}" run or install something' if ending in _PROGRAMS else ""
    if state.kind == "other":
        why = "it is a device, pipe or socket"
    elif state.kind == "file" and state.mode & 0o111:
        why = "it is marked as a program"
    elif state.kind == "file" and not why:
        with explaining("look into", path):
            file = spot.folder.open(spot.name)
            try:
                start = file.stream.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")
            finally:
                file.close()
        why = "its content is a program, a script or a starter" if start.startswith(_MAGIC) else ""
    if why:
        raise PolicyError(
            f'"{escape_text(path)}" is not opened: {why}.',
            hint="Start programs with system.launch.",
            evidence={"path": path},
        )
