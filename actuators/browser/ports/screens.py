"""The pages of a session in a person's hands: whose turn it is, what they see live, and what they do."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from core.base.errors import DeviceError
from core.base.late_dataclasses import dataclass
from core.goals.secret_values import NO_VAULT, Vault
from core.tools.ports import MAIN_LANE, ActionContext

if TYPE_CHECKING:
    from actuators.browser.ports.touches import Touch

QUIET_S = 30.0
"""Seconds that an act has to end before a person is told to wait."""

IDLE_S = 600.0
"""Seconds after which a person who does nothing gives the pages back."""

NOTE = "person"
"""Key of what a person did before a step, in the step's evidence."""


class PageAttendance(Protocol):
    """What comes before a step on pages, and is no part of its time."""

    def attend(
        self, context: ActionContext, *, acts: bool, opens: bool, enters: bool
    ) -> AbstractAsyncContextManager[dict[str, Any]]:
        """Carry a step out in its turn; gives notes for its evidence, also of what it entered and nothing sends."""
        ...


@dataclass(frozen=True, slots=True)
class PersonDeed:
    """What a person did, to which element or key; of what was typed only the number of characters."""

    did: Literal["clicked", "typed", "pressed", "scrolled", "went back", "moved to"]
    what: str = ""
    characters: int = 0

    def __str__(self) -> str:
        if self.did == "typed":
            place = f" into {self.what}" if self.what else ""
            return f"typed {self.characters} {'character' if self.characters == 1 else 'characters'}{place}"
        return f"{self.did} {self.what}".rstrip()


class Takeover:
    """Lets a person and the steps of plans take turns on a session's pages.

    While a person has them, no step begins; a step that acts is over before they have them.
    """

    def __init__(self) -> None:
        self.held = False
        self.lane = MAIN_LANE
        self.vault: Vault = NO_VAULT
        self._acting = 0
        self._free = asyncio.Event()
        self._free.set()
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._deeds: list[PersonDeed] = []
        self._untold: list[PersonDeed] = []
        self._idle: asyncio.TimerHandle | None = None

    @property
    def is_acting(self) -> bool:
        """Whether a step acts in this moment."""
        return self._acting > 0

    @asynccontextmanager
    async def take_turn(self, context: ActionContext, *, acts: bool) -> AsyncGenerator[dict[str, Any]]:
        """Carry a step out once no person has the pages; yields what they did meanwhile, for the step's evidence."""
        while self.held:
            await self._free.wait()
        self.lane, self.vault = context.lane, context.vault
        untold, self._untold = self._untold, []
        self._acting += acts
        if self._acting:
            self._quiet.clear()
        try:
            yield {NOTE: [str(each) for each in untold]} if untold else {}
        finally:
            self._acting -= acts
            if not self._acting:
                self._quiet.set()

    async def hold(self, limit_s: float = QUIET_S) -> None:
        """Give the pages to a person, who keeps them, once no step acts any more; ``screen_busy`` if one does."""
        self.held = True
        self._free.clear()
        try:
            async with asyncio.timeout(limit_s):
                await self._quiet.wait()
        except BaseException as error:
            self.release()
            if not isinstance(error, TimeoutError):
                raise
            raise DeviceError(
                "A step is still acting on the page.",
                code="screen_busy",
                hint="Try again in a moment, or stop the run.",
            ) from None
        self._await_deeds()

    def note(self, deed: PersonDeed) -> None:
        """Write down what the person did; what goes on, such as typing, is one deed."""
        last = self._deeds[-1] if self._deeds else None
        if last and last.did == deed.did and last.what == deed.what and deed.did in {"typed", "scrolled"}:
            self._deeds[-1] = PersonDeed(deed.did, deed.what, last.characters + deed.characters)
        else:
            self._deeds.append(deed)
        self._await_deeds()

    def release(self) -> tuple[PersonDeed, ...]:
        """Give the pages back to plans, and return what the person did."""
        if self._idle:
            self._idle.cancel()
        done, self._deeds = tuple(self._deeds), []
        self._untold += done
        self.held = False
        self._free.set()
        return done

    def _await_deeds(self) -> None:
        if self._idle:
            self._idle.cancel()
        self._idle = asyncio.get_running_loop().call_later(IDLE_S, self.release)


@dataclass(frozen=True, slots=True)
class ScreenFrame:
    """What is to be seen of a page now, as a JPEG, and its window's width; empty and 0 where nothing may be shown."""

    data: bytes = b""
    width_px: int = 0
    height_px: int = 0
    url: str = ""
    title: str = ""
    held: bool = False


class ScreenPort(Protocol):
    """The pages of one session, for people."""

    @property
    def held(self) -> bool:
        """Whether a person has the pages."""
        ...

    def watch(self) -> AsyncGenerator[ScreenFrame]:
        """Yield what is to be seen, as it changes; whoever is slow misses frames, never the latest one. Never ends by itself."""
        ...

    async def hold(self) -> None:
        """Give the pages to a person, once no step acts on them; ``screen_busy`` if one doesn't end in time."""

    async def touch(self, touches: "Sequence[Touch]") -> None:
        """Do it in order; ``screen_not_held`` if the pages aren't the person's; ActionError if no page answers."""

    def release(self) -> tuple[PersonDeed, ...]:
        """Give the pages back to plans, which go on with the page that is shown; return what the person did."""
        ...


@runtime_checkable
class ScreenOwner(Protocol):
    """A family whose pages people can watch."""

    def open_screen(self) -> ScreenPort:
        """Return the screen; opens no page."""
        ...
