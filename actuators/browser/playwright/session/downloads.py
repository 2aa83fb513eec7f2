"""Downloads: into quarantine first, under a random name, then to their place when they are whole."""

import asyncio
import re
from pathlib import Path
from typing import Any

from playwright.async_api import CDPSession, Download, Page
from playwright.async_api import Error as PlaywrightError

from actuators.browser.ports.sessions import Saved
from actuators.browser.saved.files import check_new_file, escape_name, judge_suggested_name, publish_file
from actuators.deadlines import Deadline, finish_within
from core.base.errors import ActionError, DeadlineError, NavigationError

_INLINE = re.compile(r"^\s*inline", re.IGNORECASE)


async def keep_download(download: Download, path: Path, deadline: Deadline) -> Saved:
    """Wait until a download is whole, and move it to its place. If that fails, it is for the caller to throw it away.

    Raises:
        ActionError: If the download broke off, its name is unsafe, or the file exists already.
        DeadlineError: If it takes longer than the time there is.
    """
    suggested = download.suggested_filename
    if await asyncio.to_thread(path.is_dir):
        path /= judge_suggested_name(suggested)
        await asyncio.to_thread(check_new_file, path)
    await _wait_until_whole(download, deadline)
    facts = await asyncio.to_thread(publish_file, await download.path(), path)
    await download.delete()
    return Saved(path, escape_name(suggested), download.url, facts, {})


async def start_download(page: Page, url: str, deadline: Deadline) -> Download:
    """Download an address in a page of its own, whatever kind of content it is.

    The answer is labelled as an attachment before the browser sees it, so that nothing is shown or run.

    Raises:
        NavigationError: If the server answers with an error; others as Playwright's errors.
    """
    labeller = _Labeller(await page.context.new_cdp_session(page))
    await labeller.attach()
    started: asyncio.Future[Download] = asyncio.get_running_loop().create_future()

    def note_start(download: Download) -> None:
        started.set_result(download)

    page.once("download", note_start)
    try:
        await page.goto(url, wait_until="commit", timeout=deadline.remaining_ms)
    except PlaywrightError as error:
        if labeller.status >= 400:
            raise NavigationError(
                f"{url} could not be downloaded: the server answered with status {labeller.status}.",
                code="http_status",
                hint="Check the address, and whether you must sign in first.",
                evidence={"url": url, "status": labeller.status},
            ) from error
        if "Download is starting" not in error.message:
            raise
    return await finish_within(started, deadline.remaining_s)


async def _wait_until_whole(download: Download, deadline: Deadline) -> None:
    try:
        async with asyncio.timeout(deadline.remaining_s):
            failure = await download.failure()
    except TimeoutError:
        raise DeadlineError(
            f"{download.url} was not downloaded in {deadline.elapsed_s:.1f} s; the partial file was deleted.",
            code="download_timeout",
            hint="Give it more time.",
            evidence={"url": download.url},
        ) from None
    if failure:
        raise ActionError(
            f"The download of {download.url} stopped: {failure}. The partial file was deleted.",
            code="download_failed",
            hint="Try again, or check the server.",
            evidence={"url": download.url, "failure": failure},
        )


class _Labeller:
    """Makes every answer to a page's own request an attachment, and stops those with an error status."""

    def __init__(self, session: CDPSession) -> None:
        self._session = session
        self._tasks: set[asyncio.Task[None]] = set()
        self.status = 0

    async def attach(self) -> None:
        self._session.on("Fetch.requestPaused", self._on_paused)
        pattern = {"urlPattern": "*", "resourceType": "Document", "requestStage": "Response"}
        await self._session.send("Fetch.enable", {"patterns": [pattern]})

    def _on_paused(self, event: dict[str, Any]) -> None:
        task = asyncio.create_task(self._label(event))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _label(self, event: dict[str, Any]) -> None:
        request = {"requestId": event["requestId"]}
        self.status = event.get("responseStatusCode", 0)
        try:
            if self.status >= 400:
                await self._session.send("Fetch.failRequest", {**request, "errorReason": "BlockedByResponse"})
            elif 200 <= self.status < 300:
                answer = {"responseCode": self.status, "responseHeaders": _label_headers(event["responseHeaders"])}
                await self._session.send("Fetch.continueResponse", {**request, **answer})
            else:
                await self._session.send("Fetch.continueResponse", request)
        except PlaywrightError:
            return  # the page was closed meanwhile, and the request with it


def _label_headers(headers: list[dict[str, str]]) -> list[dict[str, str]]:
    name = "content-disposition"
    given = next((header["value"] for header in headers if header["name"].lower() == name), "attachment")
    label = _INLINE.sub("attachment", given)
    return [*(header for header in headers if header["name"].lower() != name), {"name": name, "value": label}]
