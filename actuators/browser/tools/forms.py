"""Tools that fill in forms."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Protocol

from actuators.browser.ports.acts import TypingRequest, Value
from actuators.browser.ports.pages import Done, PagePort
from actuators.browser.tools.toolset import BrowserToolset, tell
from actuators.links import refuse_links_out
from core.base.errors import InputError
from core.goals.secret_values import Secret
from core.results.tool_results import ToolOutcome
from core.rules.browser_choices import TypingMode
from core.rules.param_types import CONTROL_VALUE, FILLED_FIELDS, KEY, OPTIONS, PATHS, TEXT, Selector, Selectors
from core.rules.type_makers import maybe_secret
from core.selectors.keys import parse_keys
from core.tools.ports import ActionContext


class FormPort(PagePort, Protocol):
    """Fills in fields and reads them back. What a secret field holds is never told."""

    async def type(self, context: ActionContext, selector: str | None, request: TypingRequest) -> Done:
        """Put text into a field, or into what has the focus; output ``value``, where it may be told; of the focus, fact ``received_by``."""
        ...

    async def press(self, context: ActionContext, selector: str | None, keys: str) -> Done:
        """Press keys in Playwright's names, in an element or where the focus is; facts ``key`` and ``received_by``."""
        ...

    async def select(self, context: ActionContext, selector: str, options: Sequence[str | int]) -> Done:
        """Choose options by label, value or index; output ``selected``, the labels that are chosen now."""
        ...

    async def check(self, context: ActionContext, selector: str, checked: bool) -> Done:
        """Tick or clear a box, or several one by one; output ``checked``."""
        ...

    async def set(self, context: ActionContext, selector: str, value: Value) -> Done:
        """Give a control a value; output ``kind`` of the control and ``value``, where it may be told."""
        ...

    async def fill(self, context: ActionContext, fields: Mapping[str, Value] | None, submit: bool) -> Done:
        """Fill in the fields that words mean, all or none; without words each empty one, with what its label says."""
        ...

    async def upload(self, context: ActionContext, selector: str, paths: Sequence[Path]) -> Done:
        """Put files that policy allows into a file field; output ``files`` with name and size as the page sees them."""
        ...


class FormTools(BrowserToolset[FormPort]):
    """Filling in."""

    async def type(
        self,
        context: ActionContext,
        text: Annotated[str | Secret, maybe_secret(TEXT)],
        selector: Selector | None = None,
        mode: TypingMode | None = None,
        submit: bool = False,
    ) -> ToolOutcome:
        """Put text into a field, losslessly, or into whatever has the focus, and read it back.

        Args:
            text: What to type, exactly; or a secret, whose value is neither told nor pictured afterwards, and which needs its field.
            submit: Whether to press Enter afterwards.
            selector: Field, or other editable element; otherwise the text goes where the focus and the caret are.
            mode: ``replace`` what is there, ``append`` to it, or press single ``keys`` as a keyboard would. Where absent, what a field with a
                selector holds is replaced, and what has the focus gets the text as from a keyboard.

        Returns:
            Output ``value`` as read back (not for password fields and secrets); ``confirmed`` only if it equals what was wanted. Without
            a selector, evidence ``received_by``: what had the focus, and ``focus_now`` where it went on. Evidence ``not_taken`` where the page
            waits for more: ``open`` for a choice in what the field has opened, ``left`` until the field is left.

        Raises:
            TargetError: If the field is missing, ambiguous, disabled, read-only or not editable, or nothing has the focus.
            InputError: If a secret comes without its field.
            PolicyError: ``secret_bound`` if the secret is for pages of other hosts than the field's.
            ActionError: If the field kept something else than what was typed; shows the difference.
        """
        if selector is None and isinstance(text, Secret):
            raise InputError("A secret needs its field.", hint="Name the field with selector.")
        done = await self._port.type(context, selector, TypingRequest(text, mode, submit))
        return tell(done, "Type the earlier value again.")

    async def press(
        self, context: ActionContext, key: Annotated[str, KEY], selector: Selector | None = None
    ) -> ToolOutcome:
        """Press a key or a combination.

        Args:
            key: Name as in Playwright (``Enter``, ``Control+A``, ``ArrowDown``) or as people say it (``ctrl+a``).
            selector: Element to focus first; otherwise whatever has the focus.

        Returns:
            Evidence of the element that had the focus.

        Raises:
            TargetError: If the element is missing or ambiguous.
            ActionError: If there is no such key.
        """
        done = await self._port.press(context, selector, parse_keys(key))
        return tell(done, "A key press can't be undone.")

    async def select(
        self, context: ActionContext, selector: Selector, value: Annotated[str | int | tuple[str | int, ...], OPTIONS]
    ) -> ToolOutcome:
        """Choose options of a select element, list box, combo box, tree or field with chips, whatever it is made of.

        Args:
            selector: The select element, list, or field that opens one.
            value: Label or value, or zero-based index where no option is called so; a path to what lies below others (``Europe > Norway``); several for a
                multiple choice, which is exactly these then: none of them clears it.

        Returns:
            Output ``selected``: labels that are chosen now, read back.

        Raises:
            TargetError: If the element is missing, ambiguous or disabled, or has no such option; lists those it has.
        """
        options = value if isinstance(value, tuple | list) else (value,)
        return tell(await self._port.select(context, selector, options), "Choose the earlier option again.")

    async def check(self, context: ActionContext, selector: Selectors, checked: bool = True) -> ToolOutcome:
        """Tick or clear a checkbox, switch or radio button.

        Args:
            selector: The element or its label; or several, which are set one by one.
            checked: Whether it shall be ticked.

        Returns:
            Output ``checked``, read back; of several elements evidence ``count``, and ``elements`` with that of each.

        Raises:
            TargetError: If the element is missing, ambiguous, disabled or can't be ticked.
            ActionError: If it didn't keep the state.
        """
        return tell(await self._port.check(context, selector, checked), f"Set it back to {not checked}.")

    async def set(
        self, context: ActionContext, selector: Selector, value: Annotated[Value, CONTROL_VALUE]
    ) -> ToolOutcome:
        """Give a control a value, whatever it is made of, and read it back.

        It takes fields for text, numbers, colours, dates and times; sliders and spin buttons, native, ARIA or custom; selects,
        list boxes and combo boxes with suggestions; groups of radio buttons; checkboxes, switches and pressed buttons; fields that
        open a calendar or a clock, dates in parts; cells that can be edited. A control that has the value already is left alone; a
        field is left before it is read back.

        Args:
            selector: The control, its label, or the group of radio buttons or of the parts of a date.
            value: The value as people write it: a text, a number, ``true``, ``on`` or ``checked`` for a box, the label of an option,
                ``#rrggbb`` or the name of a colour, a date (``2026-12-24``, ``24 December 2026``, ``12/24/2026``), a time (``18:30``, ``6:30 pm``),
                both, a month (``March 2027``), or two dates or numbers (``2026-12-20 to 2026-12-24``, ``30 to 60``).

        Returns:
            Output ``value`` as read back (not for password fields) and ``kind`` of the control; evidence ``kind``, ``before``, ``way`` of a
            date or time, and ``already`` where nothing had to be done. ``confirmed`` only if what was read back is the value.

        Raises:
            TargetError: If the control is missing, ambiguous, disabled or read-only, takes no value (``target_unsuitable``), or has no
                such option (``target_missing``).
            InputError: If the value doesn't fit the control: no number, no date, beyond its range, or a day that can't be picked
                (``bad_value``).
            ActionError: If the control kept another value (``value_differs``).
        """
        return tell(await self._port.set(context, selector, value), "Set the earlier value again.")

    async def fill(
        self,
        context: ActionContext,
        fields: Annotated[Mapping[str, Value], FILLED_FIELDS] | None = None,
        from_page: bool | None = None,
        submit: bool = False,
    ) -> ToolOutcome:
        """Fill in several fields of the page by what they mean, all or none of which are found, and read them back.

        Words mean the field that is called so, else one whose label shares them or a word of the same family (``directed by``: Director), else
        one that its author calls so. Words that no field answers to mean the only empty field that is left, if all others were found. A field that asks for
        the same once more (Confirm password) gets it as well.

        Args:
            fields: Values by words for their fields.
            from_page: Whether each empty field with a label gets the value that the page shows elsewhere under that label.
            submit: Whether to press what sends the fields afterwards.

        Returns:
            Output ``fields``: what each holds now, by what the page calls it (not for password fields); evidence ``matched``: what the
            page calls the field that words mean, and ``submitted_with``: what was pressed.

        Raises:
            TargetError: If words mean no field (``target_missing``) or several (``target_ambiguous``), before anything is filled in; if it isn't
                clear what sends them, afterwards.
            InputError: If a value doesn't fit its field.
            ActionError: If a field kept another value (``value_differs``).
        """
        del from_page  # exactly one of the two is given
        return tell(await self._port.fill(context, fields, submit), "Put the earlier values back.")

    async def upload(
        self, context: ActionContext, selector: Selector, path: Annotated[str | tuple[str, ...], PATHS]
    ) -> ToolOutcome:
        """Put files into a file field, answer the file chooser that an element opens, or drop them where files are dropped.

        Args:
            selector: File field, its label, the button that opens the chooser, or the place that takes drops.
            path: Absolute path of the file, of several, or of a folder for a field of folders.

        Returns:
            Output ``files``: names and sizes as the page sees them, read back; ``confirmed`` only if the field holds them, or the page
            has shown their names since.

        Raises:
            TargetError: If the element is missing, opens no chooser and takes no drop, or takes one file, or folders, alone.
            ActionError: If a file doesn't exist or can't be read.
        """
        paths = [Path(each) for each in (path if isinstance(path, tuple | list) else (path,))]
        for each in paths:
            await asyncio.to_thread(refuse_links_out, str(each), context.policy)
        done = await self._port.upload(context, selector, paths)
        return tell(done, "Choose other files, unless they were sent at once.")
