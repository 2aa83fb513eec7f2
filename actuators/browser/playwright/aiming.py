"""What an act on a page aims at: the page's address, and the element as it is now."""

from collections.abc import Mapping
from typing import Any

from actuators.browser.playwright.browser_session import PlaywrightSession
from actuators.browser.playwright.probes import probe
from actuators.browser.playwright.reaching import Actionability
from actuators.browser.playwright.several import read_each
from actuators.browser.several import merge_facts
from core.selectors.selectors import parse_selector
from core.tools.ports import ActionContext


def describe_page(session: PlaywrightSession, context: ActionContext) -> dict[str, Any]:
    """Return the address of the page that is acted on; nothing where no page is open.

    Args:
        session: Whose pages.
        context: About the action.
    """
    tab = session.tabs.current(context.lane)
    return {} if tab is None else {"address": tab.page.url}


async def describe_target(
    session: PlaywrightSession, context: ActionContext, args: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the same with the elements that are acted on: role, name, tag, where a link leads, what a form sends where.

    Of several elements each fact is a list, in their order.

    Raises:
        TargetError: If an element is missing or ambiguous.
    """
    facts = describe_page(session, context)
    reacher = Actionability(session)
    for param, prefix in (("selector", ""), ("target", "onto_")):
        if isinstance(selector := args.get(param), str):
            found = await _describe_elements(reacher, context, selector)
            facts |= {f"{prefix}{name}": value for name, value in found.items()}
    return facts


async def _describe_elements(reacher: Actionability, context: ActionContext, selector: str) -> dict[str, Any]:
    if parse_selector(selector).names_several:
        return merge_facts(await read_each(reacher, context, selector, "aim"))
    return await reacher.act(context, selector, lambda aim: probe(aim.locator, "aim", aim.take_ms()))
