"""The pages of fixtures/sites/conformance/, declared for the fake browser."""

from typing import Any

from actuators.browser.fake.pages import (
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
from fixtures.site_handlers.dialogs_site import HARMLESS

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


INDEX = FakePage(
    title="Conformance",
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
                button("Late button", "late-button", appears_after=3),
            ),
        ),
        FakeElement(role="region", name="Billing", children=(button("Edit", "edit-billing"),)),
        FakeElement(role="region", name="Shipping", children=(button("Edit", "edit-shipping"),)),
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


def _redirect(request: FakeRequest) -> FakeAnswer:
    return FakeRedirect(request.url.partition("?to=")[2])


def make_web(url: str) -> FakeWeb:
    """Return the same web as the site server has, as far as the conformance suite goes."""
    sources: dict[str, FakeSource] = {
        "/conformance/": INDEX,
        "/conformance/second": SECOND,
        "/conformance/people": PEOPLE,
        "/conformance/form": FORM,
        "/elements/fields": FakePage(title="Received", elements=(heading("Received", "h1"),)),
        "/dialogs/report": FakeFile("report.txt", HARMLESS.encode()),
        "/redirect": _redirect,
        "/status/404": FakePage(title="Status 404", status=404),
        "/slow/never": FakePage(title="Never finished", finishes=False),
    }
    return FakeWeb({url + path: source for path, source in sources.items()})
