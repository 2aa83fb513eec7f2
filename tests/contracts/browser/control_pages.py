"""The pages controls.html and problem.html of fixtures/sites/conformance/, declared for the fake browser."""

from actuators.browser.fake.pages import FakeElement, FakeOption, FakePage


def _field(
    key: str, name: str, role: str = "textbox", kind: str = "", value: str = "", **attributes: str
) -> FakeElement:
    return FakeElement(role=role, name=name, id=key, kind=kind, value=value, attributes={"name": key, **attributes})


def _radio(key: str, name: str, value: str, *, checked: bool) -> FakeElement:
    return FakeElement(role="radio", name=name, id=key, value=value, checked=checked, attributes={"name": "meals"})


CONTROLS = FakePage(
    title="Controls",
    elements=(
        FakeElement(role="heading", name="Controls", tag="h1"),
        FakeElement(
            role="form",
            tag="form",
            href="/elements/fields",
            attributes={"method": "post"},
            children=(
                _field("guest", "Guest", value="nobody"),
                _field("guests", "Guests", "spinbutton", value="2", min="1", max="9"),
                _field("volume", "Volume", "slider", value="50", min="0", max="100", step="5"),
                _field("accent", "Accent", kind="color", value="#000000"),
                _field("arrival", "Arrival", kind="date"),
                _field("waking", "Waking", kind="time"),
                FakeElement(
                    role="combobox",
                    name="Room",
                    id="room",
                    attributes={"name": "room"},
                    options=(FakeOption("Single", "s"), FakeOption("Double", "d"), FakeOption("Suite", "2")),
                ),
                FakeElement(
                    role="group",
                    name="Meals",
                    id="meals",
                    children=(
                        _radio("breakfast", "Breakfast", "b", checked=True),
                        _radio("dinner", "Dinner too", "d", checked=False),
                    ),
                ),
                FakeElement(
                    role="checkbox",
                    name="Newsletter",
                    id="letter",
                    value="yes",
                    checked=False,
                    attributes={"name": "letter"},
                ),
                _field("closed", "Closed", value="as it is", readonly=""),
                _field("secret", "Secret", kind="password"),
                FakeElement(role="button", name="Send", id="send"),
            ),
        ),
    ),
)

PROBLEM = FakePage(
    title="Problem",
    elements=(
        FakeElement(role="heading", name="Problem", tag="h1"),
        FakeElement(role="paragraph", text="Open 10-20 on 1/2 of all days, call 555-1234."),
        FakeElement(role="paragraph", id="equation", text="3x + 4 = 19"),
        FakeElement(role="paragraph", id="sum", text="Add 1/4 + 1/2"),
    ),
)
