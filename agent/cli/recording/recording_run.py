"""Opens the browser, waits until the person is done, writes the flow and tries it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from actuators.recording_browsers import RecordingBrowser, RecordingWish, can_show_window
from agent.cli.exits import BAD_INPUT
from agent.cli.recording.key_reading import ACCEPTING, ENDING, SKIPPING, hear_keys
from agent.cli.recording.recording_lines import RecordingLines
from agent.cli.recording.replaying import ReplayWish
from agent.cli.recording.trial import RecordedTrial, put_flow, tell_unasked, try_flow
from agent.cli.recording.view import RecordingView
from agent.cli.recording.wishing import check_places, wait_for_either
from agent.cli.screen.output import write_error, write_error_text, write_notes, write_result
from agent.cli.screen.reports import is_at_terminal
from agent.cli.screen.stopping import stop_by_signals
from agent.recording.accepting import Acceptance, read_wish
from agent.recording.desk import RecordingDesk
from agent.recording.recording_log import RecordingLog
from agent.settings.folder_checks import locate_folder
from agent.settings.settings import STATE_FOLDER, Settings, load_settings
from core.addresses.spelled_addresses import complete_address
from core.base.errors import InputError, SurehandError
from core.base.phrases import quote_text
from core.base.shortages import explain_system_error


@dataclass(frozen=True, slots=True)
class RecordWish:
    """What is to be recorded, and how.

    Attributes:
        output: The flow's file; None to write it to stdout.
        hosts: The only hosts that the flow may reach; none named means no limit.
        window: Whether the browser may have a window.
        quiet: Whether only the end is told.
    """

    url: str
    output: Path | None = None
    expect: str = "ask"
    hosts: tuple[str, ...] = ()
    workspace: Path = Path()
    window: bool = True
    replay: bool = True
    quiet: bool = False

    @property
    def address(self) -> str:
        """Where it begins, in full."""
        return complete_address(self.url) or ""

    def check(self) -> None:
        """Check what nobody else does.

        Raises:
            InputError: If something makes no sense, or would be overwritten.
        """
        if not self.address:
            raise InputError(f"{quote_text(self.url)} is not an address.", hint="Write it with https://.")
        read_wish(self.expect)
        check_places(self.workspace, self.output)


def record_flow(wish: RecordWish) -> int:
    """Record a flow, try it, and return the exit code."""
    try:
        wish.check()
        settings = load_settings(wish.workspace)
        log = RecordingLog(locate_folder(wish.workspace), acceptance=Acceptance(read_wish(wish.expect)))
        asyncio.run(_record(wish, settings, log))
        return _finish(wish, settings, log)
    except (SurehandError, OSError) as error:
        write_error(error if isinstance(error, SurehandError) else explain_system_error(error))
        return BAD_INPUT


async def _record(wish: RecordWish, settings: Settings, log: RecordingLog) -> None:
    """Let the person act until they are done."""
    lines = RecordingLines(log, quiet=wish.quiet)
    desk = RecordingDesk(log, lines.refresh)
    headed = wish.window and can_show_window(settings.browser_path)
    async with AsyncExitStack() as stack:
        browser = await stack.enter_async_context(_open_browser(wish, settings, desk, headed=headed))
        stack.enter_context(stop_by_signals(desk.ended.set))
        await browser.recorder.open(wish.address)
        if not headed:
            view = RecordingView(desk)
            view.start()
            stack.push_async_callback(view.stop)
            write_error_text(f"The browser is shown at {view.address}\n")
        at_terminal = is_at_terminal()
        if not wish.quiet:
            way = "close its window, press q here, or Ctrl-C" if headed else "press Done there, q here, or Ctrl-C"
            write_error_text(f"Recording. When you are done, {way}.\n")
            if headed:
                write_error_text("What the flow shall expect, click with Ctrl and Alt held.\n")
        with hear_keys(lambda key: _hear(desk, key), is_wanted=at_terminal):
            await wait_for_either(desk.ended.wait(), browser.recorder.wait_until_over())
        lines.close()
        await browser.recorder.settle()


@asynccontextmanager
async def _open_browser(
    wish: RecordWish, settings: Settings, desk: RecordingDesk, *, headed: bool
) -> AsyncGenerator[RecordingBrowser]:
    host = urlsplit(wish.address).hostname or ""
    artifacts = wish.workspace.absolute() / STATE_FOLDER / "artifacts"
    wanted = RecordingWish(artifacts, headed, settings.browser_path, (host, *settings.inner_hosts, *wish.hosts))
    async with RecordingBrowser(wanted, desk.take, None if headed else desk.pick_files) as browser:
        desk.attach(browser.recorder, browser.screen)
        yield browser


def _hear(desk: RecordingDesk, key: str) -> None:
    if key in ENDING:
        desk.ended.set()
    elif key in ACCEPTING:
        desk.answer(accept=True)
    elif key in SKIPPING:
        desk.answer(accept=False)


def _finish(wish: RecordWish, settings: Settings, log: RecordingLog) -> int:
    """Write the flow, try it, say what didn't come, and return the exit code."""
    name = wish.output.stem if wish.output else urlsplit(wish.address).hostname or "recording"
    hosts = wish.hosts or None
    about = f"Recorded at {wish.address}."
    text = log.write(name, [about], hosts)
    put_flow(wish.output, text)
    write_notes(log.list_remarks())
    tell_unasked(wish.expect)
    trial = RecordedTrial(
        ReplayWish(settings, log.workspace, log.uploads),
        log.workspace,
        log.secrets,
        "Trying the flow in a fresh browser …",
    )
    remark, code = try_flow(text, trial, is_wanted=wish.replay)
    if remark:
        text = log.write(name, [about, remark], hosts)
        put_flow(wish.output, text)
    if wish.output is None:
        write_result(text)
    else:
        write_result(f"{wish.output}: {len(log.steps)} steps.\n")
    return code
