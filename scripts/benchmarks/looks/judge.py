"""Says what a person could act on, on a page as it is: from Chromium's own accessibility tree, its listeners and a hit test.

Nothing of Surehand's engine takes part. Something can be acted on if it is drawn, is what lies at one of its points (or its label is),
isn't disabled, and either has a role that is there to be acted on, or is one of those that don't say so: it listens to presses, shows
the hand, is in the order of Tab, can be edited or dragged. Of the latter only the innermost count, and none within or around what has
a role: a list that listens for its entries is no thing of its own. What a closed list offers, and what is shown only under the
pointer, don't count.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import CDPSession, Page

HERE = Path(__file__).parent
NUMBERS = (HERE / "numbers.js").read_text(encoding="utf-8")
SURVEY = (HERE / "survey.js").read_text(encoding="utf-8")
TRYING = (HERE / "trying.js").read_text(encoding="utf-8")
ROLES = frozenset(
    (
        "button", "link", "textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "switch", "slider", "spinbutton",
        "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "treeitem", "DisclosureTriangle",
        "DisclosureTriangleGrouped", "ColorWell", "Date", "DateTime", "InputTime", "ToggleButton", "PopUpButton",
    )
)  # fmt: skip
PRESSES = frozenset(
    ("click", "dblclick", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend", "contextmenu")
)
OFFERED = frozenset(("option", "optgroup"))
ROOTS = frozenset(("html", "body"))


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that a person could act on.

    Attributes:
        number: Of its element, in the order of the page.
        role: What it is, as Chromium has it; its tag where that says nothing.
        name: What it is called, or reads.
        why: The signs by which it was found.
    """

    number: int
    role: str
    name: str
    why: str

    def __str__(self) -> str:
        """What it is, as it is printed."""
        return f'{self.role} "{self.name}" ({self.why})'


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is to be found on a page.

    Attributes:
        things: What a person could act on.
        parents: For each element the number of its parent; -1 for none.
        covered: How many are drawn and not reached.
    """

    things: tuple[Thing, ...]
    parents: tuple[int, ...]
    covered: int


async def judge(page: Page) -> Judgement:
    """Return what a person could act on, on a page that is loaded.

    Args:
        page: The page; numbers are written on its elements.
    """
    await page.evaluate(NUMBERS, arg=True)
    elements: list[dict[str, Any]] = await page.evaluate(SURVEY)
    session = await page.context.new_cdp_session(page)
    numbers = await read_numbers(session)
    spoken = await read_accessibility(session, numbers)
    listening = await read_listeners(session, numbers)
    signs = find_signs(elements, spoken, listening)
    chosen = choose_innermost(signs, [each["parent"] for each in elements], spoken)
    tried: list[dict[str, Any]] = await page.evaluate(TRYING, chosen)
    things = [
        _describe(number, elements[number]["tag"], spoken.get(number, {}), facts["text"], signs[number])
        for number, facts in zip(chosen, tried, strict=True)
        if facts["reached"]
    ]
    covered = sum(each["shown"] and not each["reached"] for each in tried)
    return Judgement(tuple(things), tuple(each["parent"] for each in elements), covered)


def _describe(number: int, tag: str, spoken: Mapping[str, Any], text: str, signs: Iterable[str]) -> Thing:
    role = spoken.get("role") or ""
    return Thing(number, role if role in ROLES else tag, spoken.get("name") or text, ", ".join(signs))


async def read_numbers(session: CDPSession) -> dict[int, int]:
    """Return the written numbers of elements by Chromium's own."""
    document = await session.send("DOM.getDocument", {"depth": -1, "pierce": True})
    numbers: dict[int, int] = {}
    for node in list_nodes(document["root"]):
        attributes: list[str] = node.get("attributes", [])
        for name, value in zip(attributes[::2], attributes[1::2], strict=False):
            if name == "data-bench":
                numbers[node["backendNodeId"]] = int(value)
    return numbers


def list_nodes(root: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield a node of CDP and all below it; however deep they lie."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [*node.get("children", ()), *node.get("shadowRoots", ())]
        if inner := node.get("contentDocument"):
            waiting.append(inner)


async def read_accessibility(session: CDPSession, numbers: Mapping[int, int]) -> dict[int, dict[str, Any]]:
    """Return role, name and whether it is disabled of what the accessibility tree has."""
    await session.send("Accessibility.enable")
    tree = await session.send("Accessibility.getFullAXTree")
    spoken: dict[int, dict[str, Any]] = {}
    for node in tree["nodes"]:
        number = numbers.get(node.get("backendDOMNodeId", -1))
        if number is None or node.get("ignored"):
            continue
        held = {each["name"]: each["value"].get("value") for each in node.get("properties", ())}
        spoken[number] = {
            "role": node.get("role", {}).get("value", ""),
            "name": node.get("name", {}).get("value", ""),
            "disabled": bool(held.get("disabled")),
        }
    await session.send("Accessibility.disable")
    return spoken


async def read_listeners(session: CDPSession, numbers: Mapping[int, int]) -> dict[int, set[str]]:
    """Return which presses elements listen to themselves."""
    root = await session.send("Runtime.evaluate", {"expression": "document.documentElement"})
    asked = {"objectId": root["result"]["objectId"], "depth": -1, "pierce": True}
    found = await session.send("DOMDebugger.getEventListeners", asked)
    listening: dict[int, set[str]] = {}
    for each in found["listeners"]:
        number = numbers.get(each.get("backendNodeId", -1))
        if number is not None and each["type"] in PRESSES:
            listening.setdefault(number, set()).add(each["type"])
    return listening


def find_signs(
    elements: Sequence[Mapping[str, Any]],
    spoken: Mapping[int, Mapping[str, Any]],
    listening: Mapping[int, Iterable[str]],
) -> dict[int, list[str]]:
    """Return by number why something might be there to be acted on; what is disabled, or offered by a list, is not."""
    found: dict[int, list[str]] = {}
    for number, element in enumerate(elements):
        said = spoken.get(number, {})
        signs = ["role"] if said.get("role") in ROLES else []
        if said.get("disabled") or element["tag"] in OFFERED | ROOTS or (element["labels"] and not signs):
            continue
        signs += sorted(listening.get(number, ()))
        signs += [sign for sign in ("points", "tabs", "edits", "drags") if element[sign]]
        if signs:
            found[number] = signs
    return found


def choose_innermost(
    signs: Mapping[int, Sequence[str]], parents: Sequence[int], spoken: Mapping[int, Mapping[str, Any]]
) -> list[int]:
    """Return the numbers of what has a role, and of the innermost of the others that lie neither within nor around one.

    Args:
        signs: Why each might count.
        parents: For each element the number of its parent.
        spoken: What the accessibility tree has of them.
    """
    inside: set[int] = set()
    around: set[int] = set()
    for number in signs:
        for outer in list_outer(number, parents):
            around.add(outer)
            if spoken.get(outer, {}).get("role") in ROLES:
                inside.add(number)
    return [
        number for number, found in signs.items() if "role" in found or (number not in around and number not in inside)
    ]


def list_outer(number: int, parents: Sequence[int]) -> Iterator[int]:
    """Yield the numbers of what an element lies in, the nearest first."""
    while (number := parents[number]) >= 0:
        yield number


def find_missing(judgement: Judgement, told: Iterable[int]) -> list[Thing]:
    """Return what a tool doesn't tell of: neither it nor a part of it that is no thing of its own.

    Args:
        judgement: What is there.
        told: Numbers of the elements that the tool tells of.
    """
    things = {each.number for each in judgement.things}
    covered: set[int] = set()
    for number in told:
        covered.add(number)
        if number not in things and 0 <= number < len(judgement.parents):
            nearest = next((outer for outer in list_outer(number, judgement.parents) if outer in things), None)
            if nearest is not None:
                covered.add(nearest)
    return [each for each in judgement.things if each.number not in covered]
