"""Putting files into file fields, file choosers and drop zones, or dropping them on an element as a window of files does."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import FileChooser, FloatRect

from actuators.browser.playwright.acting.gestures import find_middle
from actuators.browser.playwright.controls.controls import refuse_disabled
from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.actionability import ActionTarget
from actuators.browser.playwright.finding.causes import unless_gone
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import read_settled
from actuators.deadlines import finish_within
from core.base.errors import ActionError

COPIES = 1  # the kind of drag that a window of files offers, as the protocol counts


async def drop_files(aim: ActionTarget, paths: Sequence[Path]) -> None:
    """Drop files on an element, by the browser itself as a person does; PlaywrightError if the element takes no drop."""
    await aim.begun.hover(trial=True, timeout=aim.take_ms())
    box = await aim.locator.bounding_box(timeout=aim.take_ms())
    session = await unless_gone(aim.page.context.new_cdp_session(aim.page), None)  # some browsers have no such protocol
    if session is None or box is None:
        await aim.locator.drop({"files": list(paths)}, timeout=aim.take_ms())
        return
    try:
        await probe(aim.locator, "watchDrop")
        for kind in ("dragEnter", "dragOver"):
            await session.send("Input.dispatchDragEvent", _describe(kind, box, paths))
        # What nobody takes the browser would open itself, in place of the page.
        is_taken = await probe(aim.locator, "readDrop")
        await session.send("Input.dispatchDragEvent", _describe("drop" if is_taken else "dragCancel", box, paths))
    finally:
        await session.detach()
    if not is_taken:
        raise PlaywrightError("the element takes no drop")


def _describe(kind: str, box: FloatRect, paths: Sequence[Path]) -> dict[str, Any]:
    x_px, y_px = find_middle(box)
    data = {"items": list[Any](), "files": [str(path) for path in paths], "dragOperationsMask": COPIES}
    return {"type": kind, "x": x_px, "y": y_px, "data": data}


CHOOSER_S = 2.0
SHOWING_S = 1.0
POLL_S = 0.05
READ_FILES = "(field) => Array.from(field.files, ({ name, size }) => ({ name, size }))"
IS_FOLDER = "(field) => Boolean(field.webkitdirectory)"

FileFact = dict[str, Any]


@dataclass(frozen=True, slots=True)
class GivenFiles:
    """What is to be uploaded; a folder, or None where files are given."""

    paths: Sequence[Path]
    files: Sequence[FileFact]
    folder: Path | None

    @property
    def names(self) -> list[str]:
        """The names of the files."""
        return [each["name"] for each in self.files]


@dataclass(frozen=True, slots=True)
class Uploaded:
    """What came of an upload, and whether it was read back: the field holds the files, or the page shows their names since."""

    files: Sequence[FileFact]
    is_sure: bool
    notes: dict[str, Any] = field(default_factory=dict[str, Any])


def list_files(paths: Sequence[Path]) -> GivenFiles:
    """Return what is to be uploaded; ActionError if one of them doesn't exist."""
    for path in paths:
        if not path.exists():
            message, hint = f"File {path} does not exist.", "Check the path of the file."
            raise ActionError(message, code="file_missing", hint=hint, evidence={"path": str(path)})
    folder = next((path for path in paths if path.is_dir()), None)
    files = [each for path in paths for each in (sorted(path.rglob("*")) if path.is_dir() else [path])]
    facts = [{"name": each.name, "size": each.stat().st_size} for each in files if each.is_file()]
    return GivenFiles(paths, facts, folder)


async def put_files(aim: ActionTarget, given: GivenFiles) -> Uploaded:
    """Put files into a field or the chooser that an element opens, or drop them on it; TargetError if they are not taken."""
    told = await probe(aim.locator, "files", aim.take_ms(), names=given.names)
    fresh = [name for name in given.names if name not in told["shown"]]
    if told["field"]:
        if told["field"]["disabled"]:
            raise refuse_disabled(aim, told["field"]["disabled"])
        _refuse_unfit(aim, given, is_multiple=told["field"]["multiple"], takes_folder=told["field"]["folder"])
        part = aim.begun.locator(engine_selector("file_field"))
        await part.set_input_files(list(given.paths), timeout=aim.take_ms())
        return await _read_back(aim, given, fresh)
    if chooser := await _open_chooser(aim):
        takes_folder = bool(await chooser.element.evaluate(IS_FOLDER))
        _refuse_unfit(aim, given, is_multiple=chooser.is_multiple(), takes_folder=takes_folder)
        await chooser.set_files(list(given.paths), timeout=aim.take_ms())
        files: list[FileFact] = await chooser.element.evaluate(READ_FILES)
        return Uploaded(files, is_sure=True) if _same(files, given) else await _read_back(aim, given, fresh)
    return await _drop(aim, given, fresh)


async def _open_chooser(aim: ActionTarget) -> FileChooser | None:
    opened: asyncio.Future[FileChooser] = asyncio.get_running_loop().create_future()

    def take(chooser: FileChooser) -> None:
        if not opened.done():
            opened.set_result(chooser)

    aim.page.on("filechooser", take)
    try:
        await aim.locator.click(timeout=aim.take_ms())
        return await finish_within(opened, min(CHOOSER_S, aim.deadline.remaining_s))
    except TimeoutError:
        return None
    finally:
        aim.page.remove_listener("filechooser", take)


async def _drop(aim: ActionTarget, given: GivenFiles, fresh: Sequence[str]) -> Uploaded:
    if given.folder:
        message = f"Folder {given.folder} can't be dropped on a page."
        raise aim.refuse(message, "Name the field that takes folders.")
    try:
        await drop_files(aim, given.paths)
    except PlaywrightError:
        message = "The element was clicked, but no file chooser opened, and it takes no dropped files."
        hint = "Name the file field itself, the button that opens it, or where files are dropped."
        raise aim.refuse(message, hint) from None
    return await _read_back(aim, given, fresh, dropped=True)


async def _read_back(aim: ActionTarget, given: GivenFiles, fresh: Sequence[str], **notes: Any) -> Uploaded:
    limit_s = aim.deadline.elapsed_s + min(SHOWING_S, aim.deadline.remaining_s)
    while True:
        reading = await unless_gone(read_settled(aim.locator, "files", names=given.names), None)
        if reading is None:  # the page has taken the element away
            return Uploaded([], is_sure=False, notes=notes)
        held: FileFact = reading.held["field"] or {"files": [], "seen": False}
        files: list[FileFact] = held["files"]
        is_kept = _same(files, given)
        # What is sent to a server may be refused by it.
        if is_kept and ((reading.is_settled and not reading.late_ms) or aim.deadline.elapsed_s >= limit_s):
            return Uploaded(files, is_sure=reading.is_settled, notes=notes | reading.evidence)
        # What is emptied in people's sight was not kept, whatever else the page says.
        if fresh and not held["seen"] and set(fresh) <= set(reading.held["shown"]):
            return Uploaded(given.files, is_sure=True, notes=notes | {"shown": list(fresh)})
        if (files and not is_kept) or aim.deadline.elapsed_s >= limit_s:
            return Uploaded(files, is_sure=False, notes=notes | reading.evidence)
        await asyncio.sleep(POLL_S)


def _same(files: Sequence[FileFact], given: GivenFiles) -> bool:
    return sorted((each["name"], each["size"]) for each in files) == sorted(
        (each["name"], each["size"]) for each in given.files
    )


def _refuse_unfit(aim: ActionTarget, given: GivenFiles, *, is_multiple: bool, takes_folder: bool) -> None:
    if takes_folder and not (given.folder and len(given.paths) == 1):
        raise aim.refuse("The field takes a folder, but files were given.", "Give the path of one folder.")
    if given.folder and not takes_folder:
        raise aim.refuse(f"The field takes files, but {given.folder} is a folder.", "Give the files in it.")
    if len(given.paths) > 1 and not is_multiple:
        message = f"The field takes one file, but {len(given.paths)} were given."
        raise aim.refuse(message, "Upload them one by one.")
