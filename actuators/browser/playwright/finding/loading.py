"""What a page is fetching, as long as somebody wants to know."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from playwright.async_api import Page, Request, Response

FETCHES = frozenset({"xhr", "fetch", "document"})


@contextmanager
def count_loading(page: Page) -> Generator[set[Request]]:
    """Keep an account of what a page has asked for and not got yet; yields it."""
    loading: set[Request] = set()

    def begin(request: Request) -> None:
        if request.resource_type in FETCHES:
            loading.add(request)

    def end(request: Request) -> None:
        loading.discard(request)

    def answer(response: Response) -> None:
        loading.discard(response.request)

    listeners: dict[Any, Any] = {"request": begin, "response": answer, "requestfailed": end}
    for event, listener in listeners.items():
        page.on(event, listener)
    try:
        yield loading
    finally:
        for event, listener in listeners.items():
            page.remove_listener(event, listener)
