"""The pages of fixtures/sites/conformance/, declared for the fake browser."""

from typing import Any

from actuators.browser.fake.pages import (
    Ask,
    Change,
    FakeAnswer,
    FakeElement,
    FakeFile,
    FakeOption,
    FakePage,
    FakeRedirect,
    FakeRequest,
    FakeSource,
    FakeWeb,
)
from fixtures.dialogs_site import HARMLESS
from tests.contracts.browser.control_pages import CONTROLS, PROBLEM
from tests.contracts.browser.hidden_pages import HIDDEN
from tests.contracts.browser.look_pages import LOOKS

FAKE_HOST = "conformance.test"


def heading(name: str, tag: str = "h2") -> FakeElement:
    return FakeElement(role="heading", name=name, tag=tag)


def button(name: str, element_id: str, **more: Any) -> FakeElement:
    return FakeElement(role="button", name=name, id=element_id, **more)


def field(name: str, key: str, value: str = "", *, kind: str = "", **attributes: str) -> FakeElement:
    return FakeElement(
        role="textbox", name=name, id=key, kind=kind, value=value, attributes={"name": key, **attributes}
    )


def link(name: str, href: str, element_id: str = "", *, new_tab: bool = False) -> FakeElement:
    return FakeElement(role="link", name=name, href=href, id=element_id, new_tab=new_tab)


def prose(text: str, test_id: str = "") -> FakeElement:
    return FakeElement(role="paragraph", text=text, attributes={"data-testid": test_id} if test_id else {})


INNER = FakePage(title="Inner", elements=(field("Inner note", "inside"), prose("Words in a frame.")))
INDEX = FakePage(
    title="Conformance",
    height_px=2600,
    elements=(
        heading("Conformance", "h1"),
        prose("Every back end does the same here.", "prose"),
        FakeElement(
            role="paragraph",
            children=(
                link("Second page", "/conformance/second", "second"),
                link("Second page in a tab", "/conformance/second", "tab", new_tab=True),
                link("The report", "/dialogs/report", "report"),
            ),
        ),
        FakeElement(
            role="region",
            children=(
                heading("Buttons"),
                button("Plain button", "plain"),
                button("Disabled button", "off", disabled=True),
                button("Hidden button", "unseen", hidden=True),
                button("Covered button", "under", covered_by="cover"),
                FakeElement(role="dialog", name="Cookie notice", id="cover", tag="div"),
                button("Late button", "late-button", appears_after=3),
            ),
        ),
        FakeElement(role="region", name="Billing", children=(button("Edit", "edit-billing"),)),
        FakeElement(role="region", name="Shipping", children=(button("Edit", "edit-shipping"),)),
        FakeElement(
            role="region",
            children=(
                heading("Dialogs"),
                button("Delete it", "ask", on_click=(Ask("confirm", "Delete it for ever?"),)),
                button("Tell my name", "ask-name", on_click=(Ask("prompt", "Your name?", "nobody"),)),
            ),
        ),
        FakeElement(
            role="region",
            children=(
                heading("Dragging"),
                button("Parcel", "parcel", draggable=True),
                FakeElement(role="region", name="Lorry", id="lorry", tag="div", text="Lorry", accepts_drop=True),
                FakeElement(role="region", name="Ship", id="ship", tag="div", text="Ship"),
                FakeElement(role="slider", name="Size", id="size", value="10"),
            ),
        ),
        FakeElement(role="iframe", name="Inner", href="/conformance/inner-frame", frame=INNER),
    ),
)
SECOND = FakePage(
    title="Second page",
    elements=(heading("Second page", "h1"), prose("It was reached."), link("Back to the first", "/conformance/")),
)


def _person(name: str, age: str, href: str) -> FakeElement:
    cells = (
        FakeElement(role="cell", text=name, attributes={"class": "name"}),
        FakeElement(role="cell", text=age, attributes={"class": "age"}),
        FakeElement(role="cell", children=(link(f"More on {name}", href),)),
    )
    return FakeElement(role="row", attributes={"data-testid": "person"}, children=cells)


_HEAD = tuple(FakeElement(role="columnheader", text=text) for text in ("Name", "Age", "Page"))
PEOPLE = FakePage(
    title="People",
    elements=(
        heading("People", "h1"),
        FakeElement(
            role="table",
            name="People",
            id="people",
            children=(
                FakeElement(role="row", children=_HEAD),
                _person("Ada", "36", "/conformance/second"),
                _person("Grace", "85", "/conformance/"),
            ),
        ),
        FakeElement(role="paragraph", id="ageless", text="no age", attributes={"class": "age"}),
    ),
)
FORM = FakePage(
    title="Form",
    elements=(
        heading("Form", "h1"),
        FakeElement(
            role="form",
            href="/elements/fields",
            attributes={"method": "post"},
            children=(
                field("Name", "name"),
                field("Motto", "motto", "Festina"),
                field("Password", "password", kind="password"),
                field("At most five", "short", maxlength="5"),
                field("Fixed", "fixed", "as it is", readonly=""),
                FakeElement(
                    role="combobox",
                    name="Colour",
                    id="colour",
                    attributes={"name": "colour"},
                    options=(FakeOption("Red", "r"), FakeOption("Green", "g"), FakeOption("Blue", "b")),
                ),
                FakeElement(
                    role="listbox",
                    name="Extras",
                    id="extras",
                    attributes={"name": "extras"},
                    options=(FakeOption("Milk"), FakeOption("Sugar"), FakeOption("Honey")),
                ),
                FakeElement(
                    role="checkbox",
                    name="I accept the terms",
                    id="terms",
                    value="yes",
                    checked=False,
                    attributes={"name": "terms"},
                ),
                FakeElement(
                    role="group",
                    name="Speed",
                    children=(
                        FakeElement(
                            role="radio",
                            name="Slow",
                            id="slow",
                            value="slow",
                            checked=True,
                            attributes={"name": "speed"},
                        ),
                        FakeElement(
                            role="radio",
                            name="Fast",
                            id="fast",
                            value="fast",
                            checked=False,
                            attributes={"name": "speed"},
                        ),
                    ),
                ),
                field("Photo", "photo", kind="file"),
                button("Send", "send"),
            ),
        ),
    ),
)


def _part(tag: str, text: str, **more: Any) -> FakeElement:
    return FakeElement(tag=tag, text=text, **more)


def _cells(*cells: FakeElement) -> FakeElement:
    return FakeElement(role="row", children=cells)


def _cell(text: str = "", role: str = "cell", *children: FakeElement) -> FakeElement:
    return FakeElement(role=role, text=text, children=children)


def _top(*names: str) -> FakeElement:
    return _cells(*(_cell(name, "columnheader") for name in names))


_REMOVE = FakeElement(role="cell", children=(FakeElement(role="button", name="Remove"),))
_SUM = _part("strong", "£92.00", attributes={"data-testid": "total"})
VALUES = FakePage(
    title="Values",
    elements=(
        heading("Values", "h1"),
        FakeElement(role="textbox", name="Guests", id="guests", value="4"),
        FakeElement(role="status", name="Balance", id="balance", text="£12.50"),
        FakeElement(
            tag="dl",
            children=(
                FakeElement(role="term", text="Arrival"),
                FakeElement(role="definition", text="Friday"),
                FakeElement(role="term", text="Departure:"),
                FakeElement(role="definition", text="Monday"),
            ),
        ),
        FakeElement(
            role="table",
            name="Bill",
            children=(
                _top("Item", "Price", "Change"),
                _cells(_cell("Room"), _cell("£80.00"), _REMOVE),
                _cells(_cell("Breakfast"), _cell("£12.00"), _REMOVE),
                _cells(_cell("Total", "rowheader"), _cell(), _cell("", "cell", _SUM)),
            ),
        ),
        FakeElement(role="table", name="Car", children=(_top("Car", "Seats"), _cells(_cell("Bus"), _cell("9")))),
        prose("Booking: K7"),
        FakeElement(role="paragraph", children=(_part("b", "Breakfast time:"), _part("i", "eight"))),
        FakeElement(tag="div", children=(_part("span", "Deposit"), _part("span", "£20.00"))),
        FakeElement(
            role="paragraph",
            text="Thank you,",
            children=(_part("strong", "Ada", attributes={"data-testid": "booking-name"}),),
        ),
        FakeElement(role="region", name="Adults", children=(prose("Persons: 3"),)),
        FakeElement(role="region", name="Children", children=(prose("Persons: 1"),)),
        FakeElement(role="paragraph", text="£2.00", hidden=True, attributes={"class": "tax"}),
        _part("span", "Heating", attributes={"class": "heating"}),
    ),
)


def _post(number: int, name: str, likes: str) -> FakeElement:
    parts = (heading(name, "h3"), prose(f"Likes: {likes}"), button("Like", f"like-{number}"))
    return FakeElement(id=f"post-{number}", children=parts)


def _topping(name: str, *, checked: bool = False) -> FakeElement:
    return FakeElement(role="checkbox", name=name, id=name.lower(), checked=checked)


def _flight(key: str, name: str, price: str, day: str) -> FakeElement:
    book = FakeElement(role="cell", children=(button("Book", f"book-{key}"),))
    return FakeElement(role="row", id=f"flight-{key}", children=(_cell(name), _cell(price), _cell(day), book))


def _draft(number: int, text: str, **more: Any) -> FakeElement:
    gone = (Change(id=f"draft-{number}", hidden=True),)
    bin_button = button("Bin", f"bin-{number}", on_click=gone, **more)
    return FakeElement(role="listitem", id=f"draft-{number}", text=text, children=(bin_button,))


SEVERAL = FakePage(
    title="Several",
    elements=(
        heading("Several", "h1"),
        FakeElement(
            role="region",
            name="Posts",
            children=(_post(1, "First post", "12"), _post(2, "Second post", "1,005"), _post(3, "Third post", "7")),
        ),
        FakeElement(
            role="region",
            name="Toppings",
            children=(_topping("Milk"), _topping("Honey", checked=True), _topping("Salt")),
        ),
        FakeElement(
            role="table",
            name="Flights",
            children=(
                _top("Flight", "Price", "Day", "Do"),
                _flight("a", "A 1", "$240.00", "2026-05-03"),
                _flight("b", "B 2", "$95.50", "2026-04-30"),
                _flight("c", "C 3", "$1,020.00", "2026-12-01"),
            ),
        ),
        FakeElement(
            role="region",
            name="Drafts",
            children=(
                FakeElement(
                    role="list",
                    children=(_draft(1, "Draft one"), _draft(2, "Draft two"), _draft(3, "Draft three", disabled=True)),
                ),
            ),
        ),
        FakeElement(
            role="region",
            name="Leaving",
            children=tuple(button("Leave", f"leave-{n}", href="/conformance/second") for n in (1, 2)),
        ),
        FakeElement(
            role="region",
            name="Placed",
            children=(
                FakeElement(role="paragraph", text="Zip", id="zip", box=(0, 0, 80, 20)),
                FakeElement(role="textbox", name="Code", id="zip-field", box=(100, 0, 100, 20)),
                FakeElement(role="paragraph", text="Town", id="town", box=(0, 60, 80, 20)),
                FakeElement(role="textbox", name="Place", id="town-field", box=(100, 60, 100, 20)),
                FakeElement(role="paragraph", text="Half", id="half", box=(400, 60, 80, 20)),
                button("Up", "up", box=(300, 60, 60, 20)),
                button("Down", "down", box=(520, 60, 60, 20)),
            ),
        ),
        FakeElement(
            role="region",
            name="Cargo",
            children=(
                button("Crate", "crate-1", draggable=True),
                button("Crate", "crate-2", draggable=True),
                FakeElement(role="region", name="Hold", id="hold", tag="div", text="Hold", accepts_drop=True),
            ),
        ),
    ),
)


def _show_session(request: FakeRequest) -> FakeAnswer:
    visitor = request.cookies.get("visitor", "nothing")
    said = FakeElement(tag="code", text=visitor, attributes={"data-testid": "cookie"})
    elements = (heading("Session", "h1"), prose("The cookie says"), said)
    return FakePage(title="Session", elements=elements, cookies={"visitor": "returning"}, storage={"seen": "yes"})


def _redirect(request: FakeRequest) -> FakeAnswer:
    return FakeRedirect(request.url.partition("?to=")[2])


def make_web(url: str) -> FakeWeb:
    """Return the same web as the site server has, as far as the conformance suite goes."""
    sources: dict[str, FakeSource] = {
        "/conformance/": INDEX,
        "/conformance/second": SECOND,
        "/conformance/people": PEOPLE,
        "/conformance/form": FORM,
        "/conformance/controls": CONTROLS,
        "/conformance/hidden": HIDDEN,
        "/conformance/problem": PROBLEM,
        "/conformance/values": VALUES,
        "/conformance/several": SEVERAL,
        "/conformance/looks": LOOKS,
        "/conformance/session": _show_session,
        "/elements/fields": FakePage(title="Received", elements=(heading("Received", "h1"),)),
        "/dialogs/report": FakeFile("report.txt", HARMLESS.encode()),
        "/redirect": _redirect,
        "/status/404": FakePage(title="Status 404", status=404),
        "/slow/never": FakePage(title="Never finished", finishes=False),
    }
    return FakeWeb({url + path: source for path, source in sources.items()})
