"""Tasks on the fixture sites. Their end is what their server received."""

from collections.abc import Callable
from typing import Any

from fixtures.site_server import SiteServer
from scripts.benchmarks.outlined.sites import on_fixtures
from scripts.benchmarks.outlined.tasks import Task

_SIGN_IN = (
    'type "ada@example.com" as the email',
    'type "open: sesame?" as the password',
    "press sign in",
)


def read_form(path: str, *names: str) -> Callable[[SiteServer], Any]:
    """Return what reads these fields of the last form that came to a path."""

    def read(server: SiteServer) -> Any:
        sent = server.received.requests(path, "POST")
        return [sent[-1].field(name) for name in names] if sent else None

    return read


def read_journeys(server: SiteServer) -> list[Any]:
    """Return what journeys left with the server."""
    return [{key: value for key, value in event.detail.items() if key != "token"} for event in server.events("journey")]


def read_changes(*ids: str) -> Callable[[SiteServer], Any]:
    """Return what reads what these fields were changed to last, or how their boxes were left."""

    def read(server: SiteServer) -> list[Any]:
        last: dict[str, Any] = {}
        for event in server.events():
            if event.name in {"changed", "chosen", "toggled"}:
                last[event.detail["id"]] = event.detail.get("checked", event.detail.get("value"))
        return [last.get(each) for each in ids]

    return read


def read_clicks(*ids: str) -> Callable[[SiteServer], Any]:
    """Return what counts how often each of these was clicked."""

    def read(server: SiteServer) -> list[int]:
        clicked = [event.detail["id"] for event in server.events("clicked")]
        return [clicked.count(each) for each in ids]

    return read


OURS = (
    Task(
        "sign in and stay so",
        on_fixtures("/shop/signin", read_form("/shop/signin", "email", "password", "keep")),
        (*_SIGN_IN[:2], "tick keep me signed in", "press sign in"),
        ["ada@example.com", "open: sesame?", "yes"],
    ),
    Task(
        "a mug into the basket",
        on_fixtures("/shop/catalogue", read_form("/shop/basket/add", "item", "quantity", "gift_wrap")),
        ("add the blue mug to the basket",),
        ["blue-mug", "1", None],
    ),
    Task(
        "two black mugs as a gift",
        on_fixtures("/shop/", read_form("/shop/basket/add", "item", "quantity", "colour", "gift_wrap")),
        (
            "follow the catalogue",
            "follow red mug",
            'type "2" as the quantity',
            "choose Black as the colour",
            "tick gift wrap",
            "add to basket",
        ),
        ["red-mug", "2", "Black", "yes"],
    ),
    Task(
        "an order, paid by card",
        on_fixtures("/shop/signin", read_form("/shop/order", "name", "country", "delivery", "card_number", "terms")),
        (
            *_SIGN_IN,
            "follow the catalogue",
            "add the teapot Brown Betty to the basket",
            "follow the basket",
            "follow checkout",
            'type "Ada Allen" as the full name',
            'type "1 High Street" as the street',
            'type "Leeds" as the city',
            'type "LS1 1AA" as the postcode',
            "choose Japan as the country",
            "choose Express as the delivery",
            'type "Ada Allen" as the name on card',
            'type "4111 1111 1111 1111" as the card number',
            "tick I accept the terms",
            "place the order",
        ),
        ["Ada Allen", "jp", "express", "4111 1111 1111 1111", "yes"],
    ),
    Task(
        "a new task",
        on_fixtures("/journeys/app?t=1", read_journeys),
        ('type "Water the plants" as the new task', "add it"),
        [{"what": "task", "task": "Water the plants"}],
    ),
    Task(
        "a payment in a frame",
        on_fixtures("/journeys/frame?t=1", read_journeys),
        ('type "4111 1111" as the card number', "pay now"),
        [{"what": "paid", "card": "4111 1111"}],
    ),
    Task(
        "terms in a window of their own",
        on_fixtures("/journeys/popup?t=1", read_journeys),
        ("read the terms", "press I agree"),
        [{"what": "agreed"}],
    ),
    Task(
        "choices of all kinds",
        on_fixtures(
            "/elements/choices", read_changes("country", "size", "fruit", "night", "custom-check", "express", "switch")
        ),
        (
            "choose Japan as the country",
            "choose Large as the size",
            "choose Pear as the fruit",
            "tick night mode",
            "tick remember me",
            "choose Express as the delivery",
            "switch on Wi-Fi",
        ),
        ["jp", "l", "Pear", True, True, True, True],
    ),
    Task(
        "dates, times and numbers",
        on_fixtures("/conformance/controls", read_changes("arrival", "waking", "guests", "volume", "room", "letter")),
        (
            "set the arrival to 24 December 2026",
            "set waking to 6:30 pm",
            "set guests to 4",
            "set the volume to 70",
            "choose Double as the room",
            "tick newsletter",
        ),
        ["2026-12-24", "18:30", "4", "70", "d", True],
    ),
    Task(
        "one of several alike",
        on_fixtures("/conformance/several", read_clicks("bin-2", "bin-1")),
        ("bin draft two",),
        [1, 0],
    ),
    Task(
        "a dialog that is hidden at first",
        on_fixtures("/dialogs/", read_clicks("modal-open", "modal-close")),
        ("press close it in the page dialog",),
        [1, 1],
    ),
)
