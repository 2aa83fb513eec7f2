"""Texts and pictures on a real screen: found, clicked, waited for."""

import asyncio
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from actuators.desktop.ports.desktop import Rect
from actuators.desktop.sight.reader import to_pixels
from core.base.errors import TargetError
from tests.actuators.desktop.perception.programs import Programs

pytestmark = pytest.mark.skipif(find_spec("rapidocr") is None, reason="rapidocr is not installed (the extra vision)")

TITLE = "xmessage"
ASK = ("xmessage", "-center", "-buttons", "Sign in:11,Cancel:12,Quit:13", "Do you want to go on?")


async def test_a_button_is_found_by_its_text_and_clicked(programs: Programs):
    process = await programs.open(TITLE, *ASK)
    await programs.call("wait", text="go on", window=TITLE)
    outcome = await programs.call("click", target='text "Cancel"', window=TITLE)
    assert outcome.output["found"]["text"] == "Cancel"
    assert await asyncio.to_thread(process.wait, 10) == 12


async def test_a_button_is_found_by_its_picture_and_clicked(programs: Programs, tmp_path: Path):
    process = await programs.open(TITLE, *ASK)
    found = (await programs.call("wait", text="Quit", window=TITLE)).output
    place = Rect(found["x"], found["y"], found["width"], found["height"])
    window = next(each for each in await programs.back_end.parts.windows.windows() if each.title == TITLE)
    part = place.intersect(window.bounds)
    assert part is not None
    path = tmp_path / "quit.png"
    import_module("cv2").imwrite(str(path), to_pixels(await programs.back_end.parts.screen.grab(part)))
    outcome = await programs.call("click", image=str(path), window=TITLE)
    assert outcome.output["found"]["confidence"] > 0.99
    assert await asyncio.to_thread(process.wait, 10) == 13


async def test_a_missing_text_is_an_error_that_lists_what_is_read(programs: Programs):
    await programs.open(TITLE, *ASK)
    await programs.call("wait", text="go on", window=TITLE)
    with pytest.raises(TargetError) as caught:
        await programs.call("click", target='text "Register now"', window=TITLE, timeout_s=0.5)
    assert caught.value.code == "target_missing"
    assert any("Sign in" in line for line in caught.value.evidence["nearest"])
