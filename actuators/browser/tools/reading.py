"""Tools that look at a page without changing it."""

from abc import abstractmethod
from typing import Annotated, Any

from actuators.browser.tools.toolset import BrowserToolset, ElementState, PictureTarget, ReadTarget
from core.ports import ActionContext, Advisory
from core.results import ToolOutcome


class ReadingTools(BrowserToolset):
    """Looking at a page without changing it."""

    @abstractmethod
    async def read(
        self,
        context: ActionContext,
        target: ReadTarget,
        selector: str | None = None,
        attribute: str | None = None,
        index: int | None = None,
        max_chars: Annotated[int, Advisory()] = 200_000,
    ) -> ToolOutcome:
        """Read one thing from the page.

        Args:
            context: About this action.
            target: What to read. ``word`` is one word of a text, without the punctuation around it; ``solution`` the value of
                the arithmetic that is written there, or of the unknown of a linear equation.
            selector: Element to read from; the page itself where absent. For ``text`` and ``count`` it may name several.
            attribute: Name of the attribute for target ``attribute``.
            index: Which word for target ``word``: 1 for the first, -1 for the last.
            max_chars: Most characters of text to return, 1 to 1,000,000.

        Returns:
            Output ``text`` (always, as a string) and ``value`` (typed: a string, number, list of links or list of rows).

        Raises:
            TargetError: If the element is missing or ambiguous (not for ``count`` and ``links``); if it has no such word
                (``word_missing``), or nothing, or several things, to solve (``solution_missing``, ``solution_ambiguous``).
            InputError: If ``word`` comes without ``index``, or ``index`` with another target.
        """

    @abstractmethod
    async def extract(
        self,
        context: ActionContext,
        fields: dict[str, Any],
        rows: str | None = None,
        max_rows: Annotated[int, Advisory()] = 10_000,
    ) -> ToolOutcome:
        """Read typed records from the page.

        Args:
            context: About this action.
            fields: By name a selector, or ``{selector, attribute, type}`` with type ``text``, ``number``, ``integer``,
                ``boolean``, ``url`` or ``html``; selectors are relative to the row.
            rows: Selector of the repeated element; one record from the whole page where absent.
            max_rows: Most records to return, 1 to 100,000.

        Returns:
            Output ``rows``: the records, and ``count``.

        Raises:
            TargetError: If a field is missing or ambiguous.
            ActionError: If a value doesn't have its type; names row, field and text.
        """

    @abstractmethod
    async def snapshot(
        self,
        context: ActionContext,
        scope: str | None = None,
        depth: int | None = None,
        max_tokens: int = 8000,
    ) -> ToolOutcome:
        """Outline the page as its accessibility tree, with refs that ``ref=…`` selectors take.

        Args:
            context: About this action.
            scope: Selector of the part to outline.
            depth: Levels to go down, at least 1.
            max_tokens: Most tokens to return (about four characters each); cut at a line, and said so.

        Returns:
            Output ``text``: the outline, and ``truncated``.

        Raises:
            TargetError: If the scope is missing or ambiguous.
        """

    @abstractmethod
    async def screenshot(
        self,
        context: ActionContext,
        path: str | None = None,
        selector: str | None = None,
        full_page: bool = False,
        to: PictureTarget = "file",
    ) -> ToolOutcome:
        """Take a picture of the page or of an element as a PNG (or JPEG, by the ending).

        Args:
            context: About this action.
            path: Absolute path to write; a new file among the run's artifacts where absent.
            selector: Element to show.
            full_page: Whether to show the whole page rather than what is visible.
            to: ``file``, or ``clipboard`` for a PNG that other programs can paste; then there is no path.

        Returns:
            Output ``path`` (null for the clipboard), ``width_px``, ``height_px``; evidence size and sha256, read back.

        Raises:
            TargetError: If the element is missing or ambiguous.
            ActionError: If the file exists already or can't be written.
            UnsupportedError: If pictures can't be put on the clipboard here.
        """

    @abstractmethod
    async def pdf(self, context: ActionContext, path: str | None = None) -> ToolOutcome:
        """Print the page to a PDF.

        Args:
            context: About this action.
            path: Absolute path to write; a new file among the run's artifacts where absent.

        Returns:
            Output ``path``; evidence size and sha256, read back from the file.

        Raises:
            ActionError: If the file exists already or can't be written.
            UnsupportedError: If this browser can't print (a headed one).
        """

    @abstractmethod
    async def expect(
        self,
        context: ActionContext,
        selector: str | None = None,
        state: ElementState | None = None,
        text: str | None = None,
        value: str | None = None,
        count: int | None = None,
        url: str | None = None,
        title: str | None = None,
        timeout: float | None = None,
    ) -> ToolOutcome:
        """Assert something about the page, giving it time to become true.

        Args:
            context: About this action.
            selector: Element that the assertion is about; with a count it may name several.
            state: State that it must have; ``visible`` where nothing else is asked of it.
            text: Text that the element, or the page, must contain.
            value: Value that the field must have, exactly.
            count: How many elements must match, 0 or more.
            url: Address: exact, a glob with ``*``, or a part of it.
            title: Title that the page must have, exactly or with ``*``.
            timeout: Seconds to give it, 0 to 3600.

        Returns:
            Evidence: what was compared.

        Raises:
            ExpectationError: If it didn't become true in time; shows expected and actual, and the difference of texts.
        """
