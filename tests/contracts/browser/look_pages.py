"""The page fixtures/sites/conformance/looks.html, declared for the fake browser."""

from actuators.browser.fake.pages import FakeElement, FakePage


def _drawn(element_id: str, look: str, text: str = "") -> FakeElement:
    return FakeElement(tag="text" if text else "path", id=element_id, look=look, text=text)


def _tool(element_id: str, **attributes: str) -> FakeElement:
    return FakeElement(tag="span", id=element_id, attributes=attributes)


def _letter(name: str) -> FakeElement:
    tools = (_tool(f"{name.lower()}-trash", **{"class": "trash"}), _tool(f"{name.lower()}-star", **{"class": "star"}))
    return FakeElement(role="listitem", text=f"Letter of {name}", attributes={"class": "mail"}, children=tools)


LOOKS = FakePage(
    title="Looks",
    elements=(
        FakeElement(role="heading", name="Looks", tag="h1"),
        _drawn("big-red", "large red circle 40 px"),
        _drawn("small-red", "small red circle 20 px"),
        _drawn("big-blue", "large blue circle 40 px"),
        _drawn("green-square", "large green square 40 px"),
        _drawn("black-box", "large black box 80 x 40 px"),
        _drawn("triangle", "large orange triangle 40 px"),
        _drawn("pentagon", "large purple pentagon 38 px"),
        _drawn("letter", "large magenta letter q", "q"),
        _drawn("digit", "small magenta digit 7", "7"),
        FakeElement(role="list", children=(_letter("Ada"), _letter("Grace"))),
        _tool("more-tool", **{"class": "icon-more-tools"}),
        _tool("find-tool", title="Find a letter"),
        FakeElement(role="button", name="Close", id="close-tool"),
    ),
)
