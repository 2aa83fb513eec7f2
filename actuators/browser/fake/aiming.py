"""What an act on a declared page aims at: the page's address, and the element as it is now."""

from collections.abc import Mapping
from typing import Any

from actuators.browser.fake.browser import FakeBrowser
from actuators.browser.fake.documents import LiveElement
from actuators.browser.fake.pages import resolve_address
from actuators.browser.fake.turns import Turn
from actuators.browser.several import merge_facts
from core.selectors.selectors import parse_selector
from core.tools.ports import ActionContext


def describe_page(browser: FakeBrowser, context: ActionContext) -> dict[str, Any]:
    """Return the address of the page that is acted on; nothing where no page is open.

    Args:
        browser: Whose pages.
        context: About the action.
    """
    tab = browser.tabs.current(context.lane)
    return {} if tab is None else {"address": tab.url}


def describe_target(browser: FakeBrowser, context: ActionContext, args: Mapping[str, Any]) -> dict[str, Any]:
    """Return the same with the elements that are acted on; of several elements each fact is a list, in their order.

    Raises:
        TargetError: If an element is missing or ambiguous.
    """
    facts = describe_page(browser, context)
    turn = Turn(browser, context, "identify", {})
    for param, prefix in (("selector", ""), ("target", "onto_")):
        if isinstance(selector := args.get(param), str):
            several = parse_selector(selector).names_several
            found = (
                merge_facts([*map(_describe, turn.find_each(selector))]) if several else _describe(turn.find(selector))
            )
            facts |= {f"{prefix}{name}": value for name, value in found.items()}
    return facts


def _describe(element: LiveElement) -> dict[str, Any]:
    form = next((each for each in (element, *element.ancestors()) if "form" in {each.role, each.tag}), None)
    document = element.document
    leads_to = element.declared.href if element.role == "link" else ""
    return {
        "role": element.role,
        "name": element.name,
        "tag": element.tag,
        "input_type": element.kind,
        "leads_to": resolve_address(leads_to, document.url) if leads_to else "",
        "form_sends_to": resolve_address(form.declared.href or document.url, document.url) if form else "",
        "form_method": (form.attribute("method") or "get").lower() if form else "",
        "document": "",
    }
