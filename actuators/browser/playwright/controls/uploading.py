"""Putting files into file fields and file choosers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from actuators.browser.playwright.finding.actionability import ActionTarget
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import read_settled
from core.base.errors import ActionError, TargetError

CHOOSER_S = 5.0
READ_FILES = "(field) => Array.from(field.files, ({ name, size }) => ({ name, size }))"


async def put_files(
    aim: ActionTarget, paths: Sequence[Path], sizes: Sequence[int | None]
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Put files into a field, or into the chooser that an element opens.

    Args:
        aim: The file field, its label, or what opens the chooser.
        paths: The files.
        sizes: Their sizes in bytes; None for what is no file.

    Returns:
        Names and sizes as the page sees them, and evidence if it has not settled.

    Raises:
        ActionError: If a file doesn't exist.
        TargetError: If the field takes one file only, or no chooser opens.
    """
    for path, size in zip(paths, sizes, strict=True):
        if size is None:
            hint = "Check the path of the file."
            raise ActionError(
                f"File {path} does not exist.", code="file_missing", hint=hint, evidence={"path": str(path)}
            )
    field = await probe(aim.locator, "files", aim.take_ms())
    if field is None:
        return await _answer_chooser(aim, paths), {}
    if len(paths) > 1 and not field["multiple"]:
        raise _one_only(aim, paths)
    await aim.begun.set_input_files(list(paths), timeout=aim.take_ms())
    reading = await read_settled(aim.locator, "files")
    return (reading.held or {"files": []})["files"], reading.evidence


async def _answer_chooser(aim: ActionTarget, paths: Sequence[Path]) -> list[dict[str, Any]]:
    limit_ms = min(CHOOSER_S * 1000, aim.take_ms())
    try:
        async with aim.page.expect_file_chooser(timeout=limit_ms) as opened:
            await aim.locator.click(timeout=limit_ms)
        chooser = await opened.value
    except PlaywrightTimeoutError as error:
        if "filechooser" not in error.message:
            raise
        raise TargetError(
            "The element was clicked, but no file chooser opened.",
            code="target_unsuitable",
            hint="Name the file field itself, or the button that opens it.",
            evidence={"url": aim.page.url},
        ) from None
    if len(paths) > 1 and not chooser.is_multiple():
        raise _one_only(aim, paths)
    await chooser.set_files(list(paths), timeout=aim.take_ms())
    return await chooser.element.evaluate(READ_FILES)


def _one_only(aim: ActionTarget, paths: Sequence[Path]) -> TargetError:
    return TargetError(
        f"The field takes one file, but {len(paths)} were given.",
        code="target_unsuitable",
        hint="Upload them one by one.",
        evidence={"url": aim.page.url},
    )
