"""SessionScreen: the pages of a session for people: watched live, taken over, and given back."""

from collections.abc import AsyncIterator, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from core.base.errors import UnsupportedError

if TYPE_CHECKING:
    from actuators.browser.ports.screens import ScreenFrame, ScreenPort

_TOUCHES = "actuators.browser.ports.touches"

OpenScreen = Callable[[], "ScreenPort"]


class PersonWitness(Protocol):
    """Who writes down that a person took over."""

    def intervene(self, *, held: bool, deeds: Sequence[str] = ()) -> None:
        """Write down that a person has the pages from now on, or what they did before they gave them back."""
        ...


class SessionScreen:
    """What a person sees of a session's pages, and does to them; the runs that go on are told."""

    def __init__(self, open_screen: OpenScreen | None = None) -> None:
        self._open_screen = open_screen
        self._witnesses: set[PersonWitness] = set()
        self._screen: ScreenPort | None = None

    @property
    def held(self) -> bool:
        """Whether a person has the pages."""
        return self._screen is not None and self._screen.held

    def watch(self) -> "AsyncIterator[ScreenFrame]":
        """Yield what is to be seen, as it changes; never ends by itself.

        Raises:
            UnsupportedError: If the session has no pages that can be seen.
        """
        return self._open().watch()

    async def hold(self) -> None:
        """Give the pages to a person, once no step acts on them any more.

        Raises:
            UnsupportedError: If the session has no pages that can be taken over.
            DeviceError: ``screen_busy`` if a step doesn't end in time.
        """
        screen = self._open()
        was_held = screen.held
        await screen.hold()
        if not was_held:
            for each in tuple(self._witnesses):
                each.intervene(held=True)

    async def touch(self, events: Sequence[Mapping[str, Any]]) -> None:
        """Do what the person does, in order.

        Args:
            events: As ``actuators.browser.ports.touches.Touch`` describes them.

        Raises:
            InputError: If they can't be understood; then nothing is done.
            RefusedError: ``screen_not_held`` if the person doesn't have the pages.
            ActionError: If there is no page, or it doesn't answer.
        """
        await self._open().touch(import_module(_TOUCHES).read_touches(events))

    def release(self) -> tuple[str, ...]:
        """Give the pages back to the runs, and return in words what the person did."""
        if self._screen is None or not self._screen.held:
            return ()
        deeds = tuple(str(each) for each in self._screen.release())
        for each in tuple(self._witnesses):
            each.intervene(held=False, deeds=deeds)
        return deeds

    @contextmanager
    def tell(self, witness: PersonWitness) -> Generator[None]:
        """Tell a run of it for as long as the run goes on."""
        self._witnesses.add(witness)
        try:
            if self.held:
                witness.intervene(held=True)
            yield
        finally:
            self._witnesses.discard(witness)

    def _open(self) -> "ScreenPort":
        if self._open_screen is None:
            text = "This session has no pages that can be watched."
            raise UnsupportedError(text, code="no_screen", hint="Open a page in a real browser first.")
        self._screen = self._screen or self._open_screen()
        return self._screen
