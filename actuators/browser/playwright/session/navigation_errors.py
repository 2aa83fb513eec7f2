"""What a browser's navigation errors mean, and what to do about them."""

import re
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from actuators.browser.playwright.session.watches import Watch
from core.base.errors import ActionError, NavigationError, PolicyError, SurehandError

ERROR_PAGE = "chrome-error://chromewebdata/"


@dataclass(frozen=True, slots=True)
class NavigationFailure:
    """Why a page could not be reached: the error's code, what happened, what to do."""

    code: str
    what: str
    hint: str


_DNS = NavigationFailure("dns_failed", "no server has that name", "Check the spelling of the host, and the network.")
_REFUSED = NavigationFailure(
    "connection_refused", "the server refused the connection", "Check that it is running, and the port."
)
_UNREACHED = NavigationFailure("unreachable", "the server could not be reached", "Check the network and the address.")
CAUSES: tuple[tuple[str, NavigationFailure], ...] = (
    ("ERR_NAME_NOT_RESOLVED|ERR_NAME_RESOLUTION_FAILED|ERR_DNS_", _DNS),
    ("ERR_CONNECTION_REFUSED", _REFUSED),
    ("ERR_CERT_|ERR_SSL_|ERR_BAD_SSL", NavigationFailure(
        "tls_failed", "a secure connection could not be made", "Check the server's certificate, and whether it speaks https.")),
    ("ERR_CONNECTION_TIMED_OUT|ERR_TIMED_OUT|ERR_ADDRESS_UNREACHABLE|ERR_NETWORK_", _UNREACHED),
    ("ERR_INTERNET_DISCONNECTED", NavigationFailure("offline", "there is no network", "Check the network, and whether emulate is set to offline.")),
    ("ERR_CONNECTION_RESET|ERR_CONNECTION_CLOSED|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|ERR_CONTENT_LENGTH|ERR_INVALID_HTTP", NavigationFailure(
        "connection_broken", "the server closed the connection", "Try again, or check the server's log.")),
    ("ERR_TOO_MANY_REDIRECTS", NavigationFailure("redirect_loop", "it redirects endlessly", "Clear the cookies, or check the server.")),
    ("ERR_UNSAFE_PORT", NavigationFailure("unsafe_port", "browsers block that port", "Serve the page on another port.")),
    ("ERR_INVALID_AUTH_CREDENTIALS|ERR_UNEXPECTED_PROXY_AUTH|ERR_MISSING_AUTH", NavigationFailure(
        "http_status", "it asks for a name and a password (401)", "Sign in on a page, or load a saved session.")),
    ("ERR_HTTP_RESPONSE_CODE_FAILURE", NavigationFailure("http_status", "the server answered with an error and no page", "Check the server's log.")),
)  # fmt: skip
UNREACHED: dict[str, NavigationFailure] = {
    "dns_failed": _DNS,
    "connection_refused": _REFUSED,
    "unreachable": _UNREACHED,
    "too_many_files": NavigationFailure("too_many_files", "Surehand can't open another connection", "Close programs that hold many files, or raise the limit (ulimit -n)."),
    "upstream_failed": NavigationFailure("upstream_failed", "the proxy could not reach it", "Check the proxy in your environment."),
    "bad_proxy": NavigationFailure("bad_proxy", "the proxy in your environment can't be used", "Correct HTTP_PROXY, HTTPS_PROXY or ALL_PROXY."),
}  # fmt: skip
_ABORTED = NavigationFailure(
    "no_page_sent",
    "the server sent no page (such as status 204), or the page stopped loading",
    "Nothing was opened; the earlier page is still open.",
)
_DOWNLOAD = NavigationFailure(
    "became_download", "it is a file to download, not a page", "Use browser.download with this URL and a path."
)


def explain_navigation_error(error: PlaywrightError, url: str, page: Page, watch: Watch) -> SurehandError:
    """Turn Playwright's error of a navigation into ours."""
    evidence = {"url": url, "current_url": page.url, **watch.evidence()}
    if blocked := watch.happenings("blocked"):
        return _explain_refusal(url, blocked[-1], evidence)
    if isinstance(error, PlaywrightTimeoutError):
        return _explain_timeout(url, page, evidence)
    if loss := explain_loss(error, page):
        return loss
    if "interrupted by another navigation" in error.message:
        where = re.search(r'another navigation to "([^"]*)"', error.message)
        return NavigationError(
            f"While {url} was opening, the page went to {where[1] if where else 'another address'} instead.",
            code="interrupted",
            hint="Wait for the page to settle (browser.wait), then try again.",
            evidence=evidence,
        )
    cause = _find_unreached(url, watch) or _find_cause(error.message, watch)
    return NavigationError(
        f"{url} could not be opened: {cause.what}.", code=cause.code, hint=cause.hint, evidence=evidence
    )


def explain_loss(error: PlaywrightError, page: Page) -> ActionError | None:
    """Return the error for a page that crashed or was closed, if that is what Playwright's error says."""
    if "crashed" in error.message:
        return ActionError(
            f"The page {page.url} crashed.", code="page_crashed", hint="Open it again with browser.navigate."
        )
    if "closed" in error.message:
        return ActionError(
            "The page or the browser was closed.", code="page_closed", hint="Open a page with browser.navigate."
        )
    return None


def _explain_refusal(url: str, blocked: dict[str, Any], evidence: dict[str, Any]) -> PolicyError:
    if blocked["code"] == PolicyError.code:
        why = "is outside the hosts that this run may reach; it was not loaded"
        hint = "Add that host to policy.hosts if you want to allow it."
    else:
        why = f"the proxy refused it: {blocked['message'].rstrip('.')}"
        hint = "Open it by its own address, or add the host to policy.hosts if you want to allow it."
    return PolicyError(
        f"{url} led to {blocked['url']}, which {why}.", code=blocked["code"], hint=hint, evidence=evidence
    )


def _find_unreached(url: str, watch: Watch) -> NavigationFailure | None:
    """Return why the wall could not reach a page's server, which the browser itself can't tell."""
    unreached = watch.happenings("unreached")
    if not unreached:
        return None
    own = [each for each in unreached if each["url"] == url or each["url"] == f"{url}/"]
    return UNREACHED.get((own or unreached)[-1]["code"])


def _explain_timeout(url: str, page: Page, evidence: dict[str, Any]) -> NavigationError:
    arrived = page.url == url or page.url.removesuffix("/") == url
    if arrived:
        message = f"{url} was opened, but did not finish loading in time."
        hint = 'Navigate with wait_until "domcontentloaded", or give it more time.'
    else:
        message = f"{url} did not answer in time; the page is still {page.url}."
        hint = "Check that the server is running, or give it more time."
    return NavigationError(message, code="navigation_timeout", hint=hint, evidence={**evidence, "arrived": arrived})


def _find_cause(message: str, watch: Watch) -> NavigationFailure:
    if "Download is starting" in message or ("ERR_ABORTED" in message and watch.happenings("download")):
        return _DOWNLOAD
    if "ERR_ABORTED" in message:
        return _ABORTED
    for pattern, cause in CAUSES:
        if re.search(pattern, message):
            return cause
    name = re.search(r"net::(ERR_\w+)", message)
    what = f"the browser says {name[1]}" if name else message.partition("\n")[0].removeprefix("Page.goto: ")
    return NavigationFailure("navigation_failed", what, "Check the address.")
