"""Finding pictures in pictures."""

import asyncio
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from actuators.base import Environment
from actuators.desktop.ports.desktop import Picture, Rect
from actuators.desktop.sight.reader import PictureReader, make_reader
from core.base.errors import FileError, SurehandError, TargetError
from tests.contracts.desktop_perception.drawing import draw_texts, to_picture, write_picture

pytestmark = pytest.mark.skipif(find_spec("cv2") is None, reason="opencv is not installed (the extra vision)")

WORD = Rect(0, 0, 90, 30)


async def test_every_place_is_found_once_and_on_the_screen(tmp_path: Path):
    places = {"Save ": Rect(10, 10, 90, 30), "Save": Rect(120, 60, 90, 30)}
    needle = write_picture(tmp_path / "needle.png", draw_texts({"Save": WORD}, (90, 30)))
    found = await PictureReader().find_image(to_picture(draw_texts(places), 1000, -50), str(needle))
    assert {box for box, _ in found} == {Rect(1010, -40, 90, 30), Rect(1120, 10, 90, 30)}
    assert all(confidence > 0.99 for _, confidence in found)


async def test_a_place_on_a_scaled_display_is_in_the_screens_pixels(tmp_path: Path):
    pixels = draw_texts({"Save": Rect(120, 60, 90, 30)})
    height, width = pixels.shape[:2]
    needle = write_picture(tmp_path / "needle.png", draw_texts({"Save": WORD}, (90, 30)))
    picture = Picture(Rect(0, 0, width // 2, height // 2), width, height, pixels[:, :, ::-1].tobytes())
    ((box, _),) = await PictureReader().find_image(picture, str(needle))
    assert box == Rect(60, 30, 45, 15)


async def test_a_picture_of_one_colour_is_refused(tmp_path: Path):
    numpy = import_module("numpy")
    flat = write_picture(tmp_path / "flat.png", numpy.full((20, 20, 3), 200, dtype=numpy.uint8))
    assert await _fail(flat) == (TargetError, "target_unsuitable")


async def test_a_picture_that_is_larger_than_where_it_is_sought_is_refused(tmp_path: Path):
    large = write_picture(tmp_path / "large.png", draw_texts({"Save": WORD}, (900, 30)))
    assert await _fail(large) == (TargetError, "target_unsuitable")


async def test_a_file_that_is_missing_or_no_picture_is_refused(tmp_path: Path):
    (tmp_path / "empty.png").touch()
    (tmp_path / "words.png").write_text("words")
    assert await _fail(tmp_path / "nowhere.png") == (FileError, "not_found")
    assert await _fail(tmp_path / "empty.png") == (FileError, "wrong_type")
    assert await _fail(tmp_path / "words.png") == (FileError, "wrong_type")


async def test_reading_that_is_cancelled_does_not_spoil_the_next(tmp_path: Path):
    reader = make_reader(Environment(platform="linux", variables={"OMP_NUM_THREADS": "1"}))
    needle = str(write_picture(tmp_path / "needle.png", draw_texts({"Save": WORD}, (90, 30))))
    picture = to_picture(draw_texts({"Save": Rect(120, 60, 90, 30)}))
    first = asyncio.ensure_future(reader.find_image(picture, needle))
    await asyncio.sleep(0)
    first.cancel()
    assert len(await reader.find_image(picture, needle)) == 1
    await reader.close()


async def _fail(needle: Path) -> tuple[type[SurehandError], str]:
    reader = PictureReader()
    with pytest.raises(SurehandError) as caught:
        await reader.find_image(to_picture(draw_texts({})), str(needle))
    await reader.close()
    return type(caught.value), caught.value.code
