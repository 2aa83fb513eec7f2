"""Clicking and filling in, simulated: what reaches the far end is what a browser would have sent for these elements."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from actuators.browser.fake.browser import FakeView
from actuators.browser.fake.documents import TEXT_ROLES, TICK_ROLES, LiveElement
from actuators.browser.fake.pages import FakeRequest, refuse, resolve_address
from actuators.browser.fake.turns import FakePart, Turn
from actuators.browser.ports.acts import PLAIN_CLICK, ClickRequest, TypingRequest
from actuators.browser.ports.pages import Done
from core.addresses.urls import judge_address
from core.base.errors import PolicyError, TargetError
from core.goals.secret_values import Secret
from core.tools.ports import ActionContext


class FakePointer(FakePart):
    """Clicks, plainly; it knows no places on a page."""

    async def click(self, context: ActionContext, selector: str, request: ClickRequest = PLAIN_CLICK) -> Done:
        """Click an element."""
        if request != PLAIN_CLICK:
            raise refuse("click otherwise than once with the left button")
        async with Turn(self._browser, context, "click", touches=True) as turn:
            element = turn.reach(selector)
            received_by = element.describe()
            _click(turn, element)
            return Done({"received_by": received_by, "events": ["click"]}, meanwhile=turn.meanwhile())


class FakeForms(FakePart):
    """Fills in fields, boxes and lists, as they are declared."""

    async def type(self, context: ActionContext, selector: str | None, request: TypingRequest) -> Done:
        """Put text into a field."""
        if selector is None:
            raise refuse("tell where the focus is")
        if request.mode == "keys":
            raise refuse("press single keys")
        async with Turn(self._browser, context, "type", touches=True) as turn:
            field = turn.reach(selector)
            if field.role not in TEXT_ROLES:
                turn.refuse(selector, field, "target_unsuitable", "takes no text")
            if field.attribute("readonly") is not None:
                turn.refuse(selector, field, "target_readonly", "is read-only")
            if field.attribute("maxlength") is not None:
                raise refuse("type into a field with a longest text")
            secret = request.text if isinstance(request.text, Secret) else None
            text = await context.vault.reveal(secret, turn.document.url) if secret else str(request.text)
            field.holding = field.holding or secret is not None
            field.value = f"{field.value}{text}" if request.mode == "append" else text
            _report_change(turn, field)
            sent = {"submitted": _send_form(turn, field)} if request.submit else {}
            output = {} if field.is_secret else {"value": field.value}
            size = {"secret": secret.name} if secret else {"length": len(field.value)}
            facts = {**({"matches": True} if field.is_secret else output), **size, **sent}
            return Done(facts, bool(sent.get("submitted", True)), output, turn.meanwhile())

    async def press(self, context: ActionContext, selector: str | None, keys: str) -> Done:
        """Press Enter in a field that a form sends."""
        if selector is None or keys != "Enter":
            raise refuse(f"press {keys}" if selector else "tell where the focus is")
        async with Turn(self._browser, context, "press", touches=True) as turn:
            field = turn.reach(selector)
            received_by = field.describe()
            is_sent = _send_form(turn, field)
            return Done({"key": keys, "received_by": received_by}, is_sent, meanwhile=turn.meanwhile())

    async def select(self, context: ActionContext, selector: str, options: Sequence[str | int]) -> Done:
        """Choose options."""
        async with Turn(self._browser, context, "select", touches=True) as turn:
            element = turn.reach(selector)
            if not element.declared.options:
                turn.refuse(selector, element, "target_unsuitable", "has no options to choose from")
            if len(options) != 1 and element.role != "listbox":
                turn.refuse(selector, element, "target_unsuitable", f"takes one option, not {len(options)}")
            element.chosen = tuple(_find_option(turn, element, each) for each in options)
            _report_change(turn, element)
            output = {"selected": list(element.chosen)}
            return Done(output, output=output, meanwhile=turn.meanwhile())

    async def check(self, context: ActionContext, selector: str, checked: bool) -> Done:
        """Tick or clear a box."""
        async with Turn(self._browser, context, "check") as turn:
            element = turn.reach(selector)
            if element.role not in TICK_ROLES or (element.role == "radio" and not checked):
                phrase = "can't be ticked" if checked else "can't be cleared"
                turn.refuse(selector, element, "target_unsuitable", phrase)
            already = bool(element.checked) == checked
            if not already:
                _tick(turn, element, checked=checked)
            return Done(
                {"checked": checked, "already": already}, output={"checked": checked}, meanwhile=turn.meanwhile()
            )


def _click(turn: Turn, element: LiveElement) -> None:
    if owner := next((each for each in element.ascend() if each.declared.id), None):
        _report(turn, owner, "clicked", {})
    for each in element.ascend():
        if each.checked is not None:
            _tick(turn, each, checked=each.role == "radio" or not each.checked)
        elif each.declared.href and each.role != "form":
            url = resolve_address(each.declared.href, turn.document.url)
            _go(turn, FakeRequest("GET", url), new_tab=each.declared.new_tab)
        elif each.role == "button" and each.declared.kind != "button":
            _send_form(turn, each)
        else:
            continue
        return


def _tick(turn: Turn, element: LiveElement, *, checked: bool) -> None:
    if element.role == "radio" and checked:
        for each in turn.document.elements:
            if each.role == "radio" and each.attribute("name") == element.attribute("name"):
                each.checked = False
    element.checked = checked
    _report_change(turn, element)


def _send_form(turn: Turn, element: LiveElement) -> bool:
    form = next((each for each in element.ascend() if each.role == "form"), None)
    if form is None:
        return False
    fields: dict[str, tuple[str, ...]] = {}
    for each in form.descend():
        name, sends = each.attribute("name"), each is element if each.role == "button" else each.is_enabled
        if name and sends and (values := each.list_sent()):
            fields[name] = fields.get(name, ()) + values
    method = (form.attribute("method") or "get").upper()
    url = resolve_address(form.declared.href or turn.document.url, turn.document.url)
    if method == "GET":
        url, fields = f"{url.partition('?')[0]}?{urlencode(fields, doseq=True)}", {}
    _go(turn, FakeRequest(method, url, fields), new_tab=False)
    return True


def _go(turn: Turn, request: FakeRequest, *, new_tab: bool) -> None:
    fetched = turn.browser.fetch(request, turn.context.policy)
    if isinstance(fetched.trouble, PolicyError):
        turn.note("blocked_requests", [request.url])
    elif fetched.trouble:
        raise fetched.trouble.after_act()
    if fetched.document is None:
        return
    if new_tab:
        opener = turn.browser.tabs.current(turn.context.lane)
        turn.browser.tabs.add(FakeView(), turn.context.lane, opener).page.show(fetched.document)
        turn.note("opened_tab", [fetched.document.url])
    else:
        turn.view.show(fetched.document)
        turn.note("navigated_to", fetched.document.url)


def _report_change(turn: Turn, element: LiveElement) -> None:
    if element.declared.id:
        state = {} if element.checked is None else {"checked": element.checked}
        _report(turn, element, "changed", {"value": element.read_value(), **state})


def _report(turn: Turn, element: LiveElement, name: str, detail: dict[str, Any]) -> None:
    url = turn.document.url
    host = judge_address(url).host
    path = url.partition(host)[2].partition("?")[0] if host else url
    turn.browser.web.report(name, {"id": element.declared.id, "trusted": True, **detail}, path)


def _find_option(turn: Turn, element: LiveElement, wanted: str | int) -> str:
    options = element.declared.options
    labels = [each.label for each in options]
    for option in options:
        if str(wanted) in (option.label, option.value or option.label):
            return option.label
    place = int(wanted) if str(wanted).isdecimal() else -1
    if 0 <= place < len(labels):
        return labels[place]
    raise TargetError(
        f"There is no option {wanted!r}; there are: {', '.join(labels)}.",
        code="target_missing",
        hint="Choose one of these.",
        evidence={"url": turn.document.url, "options": labels, "waited_s": turn.waited_s},
    )
