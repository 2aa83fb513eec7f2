"""The page fixtures/sites/conformance/hidden.html, declared for the fake browser."""

from typing import Any

from actuators.browser.fake.pages import Change, FakeElement, FakePage


def _button(key: str, name: str, **more: Any) -> FakeElement:
    return FakeElement(role="button", name=name, id=key, kind="button", **more)


def _opener(key: str, name: str, panel: str, **attributes: str) -> FakeElement:
    told = {"aria-expanded": "false", "aria-controls": panel, **attributes}
    return _button(key, name, attributes=told, on_click=(Change(id=panel, hidden=False),))


def _panel(key: str, *children: FakeElement, role: str = "generic", **more: Any) -> FakeElement:
    return FakeElement(role=role, id=key, children=children, **more)


def _text(text: str, key: str = "", **more: Any) -> FakeElement:
    return FakeElement(role="paragraph", text=text, id=key, **more)


def _tab(key: str, name: str, other: str, *, selected: bool) -> FakeElement:
    told = {"aria-selected": str(selected).lower(), "aria-controls": f"{key}-panel"}
    changes = (Change(id=f"{key}-panel", hidden=False), Change(id=f"{other}-panel", hidden=True))
    return FakeElement(role="tab", name=name, id=key, attributes=told, on_click=changes)


def _next(number: int) -> FakeElement:
    changes = (
        Change(id=f"page-{number}", hidden=True),
        Change(id=f"page-{number + 1}", hidden=False),
        Change(id=f"next-{number}", hidden=True),
        Change(id=f"next-{number + 1}", hidden=False),
    )
    return _button(f"next-{number}", "Next", on_click=changes if number < 3 else (), hidden=number > 1)


HIDDEN = FakePage(
    title="Hidden",
    height_px=2600,
    elements=(
        FakeElement(role="heading", name="Hidden", tag="h1"),
        _button("open", "In sight"),
        FakeElement(
            role="region",
            name="Parts",
            children=(
                _opener("first-part", "First part", "first-panel"),
                _panel("first-panel", _button("apple", "Apple"), hidden=True),
                _opener("second-part", "Second part", "second-panel"),
                _panel(
                    "second-panel",
                    _button("pear", "Pear"),
                    _opener("inner-part", "Inner part", "inner-panel"),
                    _panel("inner-panel", _button("plum", "Plum"), hidden=True),
                    hidden=True,
                ),
            ),
        ),
        _tab("vienna", "Vienna", "graz", selected=True),
        _tab("graz", "Graz", "vienna", selected=False),
        _panel("vienna-panel", _text("On the Danube"), role="tabpanel"),
        _panel("graz-panel", _text("On the Mur"), role="tabpanel", hidden=True),
        _opener("more", "More", "more-menu", **{"aria-haspopup": "menu"}),
        _panel("more-menu", FakeElement(role="menuitem", name="Archive", id="archive"), role="menu", hidden=True),
        _text("Page one", "page-1"),
        _text("Page two", "page-2", hidden=True),
        _text("Page three", "page-3", hidden=True),
        _next(1),
        _next(2),
        _next(3),
        _opener("twice-part", "Twice", "twice-panel"),
        _panel("twice-panel", _button("twin-1", "Twin"), _button("twin-2", "Twin"), hidden=True),
        _button("below", "Far below"),
    ),
)
