"""Outlines of pages as accessibility trees."""

import asyncio
import json
import re

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame

from actuators.browser.playwright.finding.actionability import ActionTarget
from actuators.browser.playwright.finding.probes import count_matches, probe

CHARS_PER_TOKEN = 4
BARE = ":root:not(:has(> body, > frameset))"  # of a document that isn't HTML
# A shorter secret would be found in half of all words; its own line is masked all the same.
LEAST_SECRET_CHARS = 4
_VALUE_LINE = re.compile(r"^(\s*- (?:textbox|searchbox|combobox)\b.*?: )(.*)$", re.MULTILINE)


async def take_snapshot(aim: ActionTarget, depth: int | None, max_tokens: int, *, is_page: bool) -> tuple[str, bool]:
    """Outline a page or a part of it, with refs.

    Args:
        aim: The part.
        depth: Levels to go down; None for all.
        max_tokens: Most tokens to return.
        is_page: Whether the part is the whole page, frames included.

    Returns:
        The outline without what password fields hold, and whether it was cut.
    """
    bare = aim.page.locator(BARE)
    place = aim.locator if not is_page else bare if await count_matches(bare) else aim.page
    text = await place.aria_snapshot(mode="ai", depth=depth, timeout=aim.take_ms())
    found = await asyncio.gather(*(_read_secrets(frame) for frame in aim.page.frames))
    return cut_lines(
        mask_secrets(text, [secret for secrets in found for secret in secrets]), max_tokens * CHARS_PER_TOKEN
    )


def mask_secrets(text: str, secrets: list[str]) -> str:
    """Put a remark in place of each secret in an outline."""
    if not secrets:
        return text
    folded = {" ".join(secret.split()) for secret in secrets}

    def mask_line(line: re.Match[str]) -> str:
        value = line[2]
        plain = json.loads(value) if re.fullmatch(r'"(?:[^"\\]|\\.)*"', value) else value
        return f"{line[1]}(a secret)" if " ".join(plain.split()) in folded else line[0]

    text = _VALUE_LINE.sub(mask_line, text)
    for secret in sorted(folded, key=len, reverse=True):
        if len(secret) >= LEAST_SECRET_CHARS:
            text = text.replace(secret, "(a secret)").replace(json.dumps(secret)[1:-1], "(a secret)")
    return text


async def _read_secrets(frame: Frame) -> list[str]:
    try:
        return await probe(frame, "secrets")
    except PlaywrightError:
        return []  # a frame that went away is not in the outline either


def cut_lines(text: str, most: int) -> tuple[str, bool]:
    """Cut a text after the last line that fits in a number of characters; say whether anything was cut."""
    if len(text) <= most:
        return text, False
    return text[: max(text.rfind("\n", 0, most + 1), 0)], True
