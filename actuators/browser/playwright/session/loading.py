"""What pages load: pictures, frames, scripts and style sheets that have not come yet, and how their documents were answered."""

import time
from urllib.parse import urldefrag
from weakref import WeakKeyDictionary

from playwright.async_api import BrowserContext, Page, Request, Response
from playwright.async_api import Error as PlaywrightError

LOADED = {"document": "frame", "image": "picture", "script": "script", "stylesheet": "style sheet"}
"""The kinds that tell their page when they are there; the page itself tells of those that it asks for by scripts."""
SHOWN_S = 0.03
"""In which a page is told that one has come."""
HANGING_S = 10.0


class PageLoads:
    """The loads of one page, and the answer to the latest request for its own document."""

    def __init__(self) -> None:
        # Weak, since a request leads to its page, which would never go else.
        self._begun_s: WeakKeyDictionary[Request, float] = WeakKeyDictionary()
        self._ended: WeakKeyDictionary[Request, tuple[float, float]] = WeakKeyDictionary()
        self.answer: tuple[str, int] | None = None

    def begin(self, request: Request) -> None:
        """Note one that has left."""
        self._begun_s[request] = time.monotonic()

    def end(self, request: Request) -> None:
        """Note one that has come, or failed."""
        now_s = time.monotonic()
        if begun_s := self._begun_s.pop(request, None):
            for each in [each for each, told in self._ended.items() if now_s - told[1] >= SHOWN_S]:
                del self._ended[each]
            self._ended[request] = (begun_s, now_s)

    def list_open(self, age_s: float) -> tuple[str, ...]:
        """Return the kinds of those that left since so many seconds ago and have not come."""
        now_s = time.monotonic()
        coming = [each for each, begun_s in self._begun_s.items() if now_s - begun_s < min(age_s, HANGING_S)]
        coming += [
            each
            for each, (begun_s, end_s) in self._ended.items()
            if now_s - begun_s < age_s and now_s - end_s < SHOWN_S
        ]
        return tuple(dict.fromkeys(LOADED[each.resource_type] for each in coming))

    def is_coming(self, kinds: frozenset[str]) -> bool:
        """Tell whether one of such kinds, as browsers name them, has left and not come; what hangs is not waited for."""
        now_s = time.monotonic()
        return any(
            each.resource_type in kinds and now_s - begun_s < HANGING_S for each, begun_s in self._begun_s.items()
        )

    def take_status(self, url: str) -> int | None:
        """Return how the document of an address that is opened now was answered, once; None where it needed no answer."""
        answer, self.answer = self.answer, None
        return answer[1] if answer and urldefrag(answer[0])[0] == urldefrag(url)[0] else None


_LOADS: WeakKeyDictionary[Page, PageLoads] = WeakKeyDictionary()


def loads_of(page: Page) -> PageLoads:
    """Return what a page loads."""
    return _LOADS.setdefault(page, PageLoads())


def watch_loads(context: BrowserContext) -> None:
    """Listen to what a context's pages load, for as long as it lives."""
    context.on("request", _begin)
    context.on("requestfinished", _end)
    context.on("requestfailed", _end)
    context.on("response", _answer)


def _find(request: Request) -> tuple[PageLoads, bool] | None:
    if request.resource_type not in LOADED:
        return None
    try:
        frame = request.frame
        return loads_of(frame.page), request.is_navigation_request() and frame.parent_frame is None
    except PlaywrightError:
        return None  # its frame is not there yet, or is gone


def _begin(request: Request) -> None:
    found = _find(request)
    if found and not found[1]:
        found[0].begin(request)


def _end(request: Request) -> None:
    if found := _find(request):
        found[0].end(request)


def _answer(response: Response) -> None:
    found = _find(response.request)
    if found and found[1]:
        found[0].answer = (response.url, response.status)
