"""What a click, a submitted form and an answered dialog do on the fake browser's pages."""

from urllib.parse import urlencode

from actuators.browser.fake.documents import Document, LiveElement
from actuators.browser.fake.pages import Act, Ask, Change, FakeFile, FakeRequest, Report, resolve_address
from actuators.browser.fake.tabs import FakeTab, HeldDialog
from actuators.browser.fake.turns import Turn
from actuators.browser.tools.toolset import Modifier, MouseButton
from core.errors import PolicyError
from core.urls import judge_address

_BUTTON_NUMBERS = {"left": 0, "middle": 1, "right": 2}


def press_mouse(
    turn: Turn, element: LiveElement, button: MouseButton, count: int, modifiers: tuple[Modifier, ...]
) -> None:
    """Report the clicks that an element receives, and do what a left one does."""
    owner = next((each for each in (element, *element.ancestors()) if each.declared.id), None)
    if owner:
        press = {"button": _BUTTON_NUMBERS[button], "modifiers": list(modifiers), "trusted": True}
        detail: dict[str, object] = {"id": owner.declared.id, **press}
        name = "clicked" if button == "left" else "aux-clicked"
        for number in range(1, count + 1):
            report(turn, element, name, {**detail, "count": number})
        if button == "left" and count > 1:
            report(turn, element, "double-clicked", {**detail, "count": 2})
    if button == "left":
        _activate(turn, element)


def report(turn: Turn, element: LiveElement, name: str, detail: dict[str, object]) -> None:
    """Report an effect under the path of the element's page, as the pages of the fixture sites do."""
    url = element.document.url
    address = judge_address(url)
    turn.browser.web.report(name, detail, url.partition(address.host)[2].partition("?")[0] if address.host else url)


def report_change(turn: Turn, element: LiveElement) -> None:
    """Report the new state of a field that has an id."""
    if not element.declared.id:
        return
    state = {} if element.checked is None else {"checked": element.checked}
    value = list(_sent_values(element)) if element.role == "listbox" else "".join(_sent_values(element)[:1])
    report(turn, element, "changed", {"id": element.declared.id, "value": value, "trusted": True, **state})


def submit_form(turn: Turn, element: LiveElement) -> bool:
    """Send the form that an element is in; return whether there is one."""
    form = next((each for each in (element, *element.ancestors()) if each.role == "form" or each.tag == "form"), None)
    if form is None:
        return False
    fields: dict[str, tuple[str, ...]] = {}
    for each in form.descend():
        name = each.attribute("name")
        sends = each is element if each.role == "button" else not each.disabled
        if name and sends and (values := _sent_values(each)):
            fields[name] = fields.get(name, ()) + values
    method = (form.attribute("method") or "get").upper()
    url = resolve_address(form.declared.href or form.document.url, form.document.url)
    if method == "GET":
        url = f"{url.partition('?')[0]}?{urlencode(fields, doseq=True)}"
        fields = {}
    _go(turn, element, FakeRequest(method, url, fields), new_tab=form.declared.new_tab)
    return True


def tick(turn: Turn, element: LiveElement, *, checked: bool) -> None:
    """Set a checkbox, or choose a radio button and clear the others of its group."""
    if element.role == "radio" and checked:
        group = element.attribute("name")
        for each in element.document.elements:
            if each.role == "radio" and each.attribute("name") == group:
                each.checked = False
    element.checked = checked
    report_change(turn, element)


def answer_dialog(turn: Turn, tab: FakeTab, held: HeldDialog, answer: str, text: str | None) -> None:
    """Answer a dialog and let its page go on."""
    tab.dialog = None
    held.detail["answer"] = answer
    _report_answer(turn, held.document, held.ask, answer, text)
    perform_acts(turn, tab, held.document, held.rest)


def perform_acts(turn: Turn, tab: FakeTab, document: Document, acts: tuple[Act, ...]) -> None:
    """Do what a page's script does, up to a dialog that a following action will answer."""
    for number, act in enumerate(acts, 1):
        if isinstance(act, Change):
            document.change(act)
        elif isinstance(act, Report):
            report(turn, document.root, act.name, dict(act.detail))
        elif not _open_dialog(turn, tab, document, (act, acts[number:])):
            return


def _activate(turn: Turn, element: LiveElement) -> None:
    doer = next(
        (
            each
            for each in (element, *element.ancestors())
            if each.declared.on_click or each.declared.href or each.role == "button" or each.checked is not None
        ),
        None,
    )
    if doer is None:
        return
    if doer.checked is not None:
        tick(turn, doer, checked=doer.role == "radio" or not doer.checked)
    perform_acts(turn, turn.tab, doer.document, doer.declared.on_click)
    if doer.declared.href and doer.role not in {"form", "iframe"}:
        url = resolve_address(doer.declared.href, doer.document.url)
        _go(turn, doer, FakeRequest("GET", url), new_tab=doer.declared.new_tab)
    elif doer.role == "button" and doer.kind != "button":
        submit_form(turn, doer)


def _go(turn: Turn, element: LiveElement, request: FakeRequest, *, new_tab: bool) -> None:
    """Follow a link or send a form: in a new tab, in the element's frame, or in its page."""
    browser, lane = turn.browser, turn.context.lane
    arrival = browser.fetch(request, turn.context.policy)
    if arrival.file:
        note_download(turn, request.url, arrival.file)
    elif isinstance(arrival.trouble, PolicyError):
        browser.note(lane, "blocked_requests", request.url)
    if new_tab:
        tab = browser.tabs.open(lane, turn.tab)
        browser.note(lane, "opened_tab", arrival.document.url if arrival.document else tab.url)
    else:
        tab = turn.tab
    if arrival.document is None:
        return
    if not new_tab and (holder := _find_holder(turn, element.document)):
        holder.frame = arrival.document
        return
    tab.show(arrival.document)
    if not new_tab:
        browser.note(lane, "navigated_to", tab.url)


def note_download(turn: Turn, url: str, file: FakeFile) -> None:
    """Write down that a download has begun."""
    detail = {"url": url, "suggested_name": file.name, "state": "thrown away"}
    turn.browser.note(turn.context.lane, "downloads", detail)
    turn.downloaded.append((url, file))


def _find_holder(turn: Turn, document: Document) -> LiveElement | None:
    """Return the frame that holds a document; None if it is the page itself."""
    places = (turn.document, *turn.document.frames)
    return next((each for place in places for each in place.elements if each.frame is document), None)


def _open_dialog(turn: Turn, tab: FakeTab, document: Document, asked: tuple[Ask, tuple[Act, ...]]) -> bool:
    """Open a dialog; return whether it was answered at once."""
    ask, rest = asked
    lane = turn.context.lane
    detail: dict[str, object] = {"kind": ask.kind, "message": ask.message}
    if ask.kind == "prompt":
        detail["default"] = ask.default
    turn.browser.note(lane, "dialogs", detail)
    armed = turn.browser.armed.pop(lane, None)
    if armed is None and turn.holds_dialogs:
        detail["answer"] = "open"
        tab.dialog = HeldDialog(ask, document, rest, detail)
        return False
    answer, text = armed or ("dismiss", None)
    detail["answer"] = answer
    if armed is None:
        turn.dismissed.append(detail)
    _report_answer(turn, document, ask, answer, text)
    return True


def _report_answer(turn: Turn, document: Document, ask: Ask, answer: str, text: str | None) -> None:
    told: object = answer == "accept"
    if ask.kind == "prompt":
        told = (ask.default if text is None else text) if told else None
    elif ask.kind == "alert":
        told = None
    report(turn, document.root, "answered", {"kind": ask.kind, "answer": told})


def _sent_values(element: LiveElement) -> tuple[str, ...]:
    """Return the values under which a form sends a field."""
    if element.checked is not None:
        return (element.value or "on",) if element.checked else ()
    if element.declared.options:
        values = {each.label: each.value or each.label for each in element.declared.options}
        return tuple(values[label] for label in element.chosen)
    if element.kind == "file":
        return tuple(file["name"] for file in element.files)
    return (element.value,)
