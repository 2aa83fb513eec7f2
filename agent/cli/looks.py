"""What a person wants to look at, and where what is seen goes."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from agent.cli.asking import check_new_file, check_timeout, check_workspace
from agent.cli.kept_outlines import check_place, check_same_look, read_outline
from agent.cli.options import HERE, LOOK, OUTPUT, AsJson, Headed, Hosts, Option, Place, Timeout, Workspace
from core.base.errors import InputError

WHOLE = 200_000
"""The largest budget of an outline, in tokens."""

USUAL = 2000
"""The budget of what has changed, where none is given."""

_ENDING = ".json"


@dataclass(frozen=True, slots=True)
class LookWish:
    """What to look at, and how.

    Attributes:
        what: An address, or the title of a window; empty to list the windows.
        session: Name or path of a saved session.
        max_tokens: Most tokens; None for the usual budget.
        inside: Name of a session of the running service, whose page is looked at as it is; empty for none.
    """

    what: Place = ""
    workspace: Workspace = HERE
    session: Annotated[
        str,
        Option(
            "--session NAME",
            "Load a saved session first, so that you are signed in: its file, or its name without .json.",
            LOOK,
        ),
    ] = ""
    inside: Annotated[
        str,
        Option(
            "--in NAME", 'Look at the page that this session of the running service has open, such as "main".', LOOK
        ),
    ] = ""
    scope: Annotated[str | None, Option("--scope SELECTOR", "Outline this part only: paste it from a fold.", LOOK)] = (
        None
    )
    depth: Annotated[int | None, Option("--depth N", "Go down so many levels.", LOOK)] = None
    find: Annotated[str | None, Option("--find WORDS", "Show the lines nearest to these words.", LOOK)] = None
    max_tokens: Annotated[
        int | None, Option("--max-tokens N", "Fold until it has at most so many tokens: 2000.", LOOK)
    ] = None
    full: Annotated[bool, Option("--full", "Fold nothing, however long it is.", LOOK)] = False
    hosts: Hosts = ()
    timeout_s: Timeout = None
    headed: Headed = False

    @property
    def address(self) -> str | None:
        """The address that is named; None where a window is."""
        from core.addresses.spelled_addresses import complete_address
        from core.language.talk.languages import load_language

        words = self.what.split()
        is_spaced = len(words) > 1 and "://" not in words[0]
        return None if is_spaced else complete_address(self.what, load_language("en").vocabulary.unhosted_endings)

    @property
    def budget(self) -> int:
        """Most tokens of what is shown."""
        return WHOLE if self.full else self.max_tokens or USUAL

    @property
    def part(self) -> dict[str, Any]:
        """Which part of it is looked at."""
        return {"scope": self.scope, "depth": self.depth, "find": self.find}

    def list_params(self, *, picture: bool, whole: bool) -> dict[str, Any]:
        """Return the params of the look itself.

        Args:
            whole: Whether nothing is folded.
        """
        params = {name: value for name, value in self.part.items() if value is not None}
        if whole or self.full or self.max_tokens is not None:
            params["max_tokens"] = WHOLE if whole or self.full else self.max_tokens
        return params | ({"picture": True} if picture else {})

    def check(self) -> None:
        """Check what no step would.

        Raises:
            InputError: If options contradict each other, or a folder or file is missing.
        """
        check_workspace(self.workspace)
        check_timeout(self.timeout_s)
        if self.full and self.max_tokens is not None:
            raise InputError("Choose one of --full and --max-tokens.", code="bad_usage")
        if self.inside and (self.what or self.session):
            raise InputError("--in looks at the page that is open; name no other.", code="bad_usage")
        if self.session and (not self.what or self.address is None):
            raise InputError("--session is for pages, but this is not an address.", code="bad_usage")

    def find_session(self) -> str:
        """Return the path of the saved session: as it was named, or with ``.json`` behind it."""
        for name in (self.session, f"{self.session}{_ENDING}"):
            if (self.workspace / Path(name).expanduser()).is_file():
                return name
        raise InputError(
            f"No saved session “{self.session}” in this workspace.",
            code="file_missing",
            hint="Save one at the end of a flow that signs in: browser.save_session: {path: NAME.json}.",
        )


@dataclass(frozen=True, slots=True)
class Showing:
    """Where what was seen goes."""

    as_json: AsJson = False
    since: Annotated[
        Path | None,
        Option("--since FILE", "Show only what was added, has changed or is gone since this outline.", LOOK),
    ] = None
    picture: Annotated[
        Path | None, Option("--picture FILE", "Write a screenshot with the numbers of the lines on it (PNG).", OUTPUT)
    ] = None
    output: Annotated[
        Path | None, Option("--output FILE", "Keep the outline as JSON, all of it, for --since.", OUTPUT)
    ] = None

    def check(self, look: LookWish) -> Mapping[str, Any] | None:
        """Check the files, and return the outline to compare with.

        Raises:
            InputError: If a file is missing, is something else, or would be overwritten.
        """
        if not (look.what or look.inside) and (self.since or self.picture or self.output):
            raise InputError("Name a page or a window to look at.", code="bad_usage")
        if self.picture and self.since:
            raise InputError("Choose one of --picture and --since.", code="bad_usage")
        if self.picture:
            check_new_file(self.picture)
        if self.output:
            check_place(self.output)
        if self.since is None:
            return None
        before = read_outline(self.since)
        check_same_look(before, look.part, self.since)
        return before
