"""What every clipboard does."""

from typing import Protocol

import pytest

from actuators.clipboard.ports import Clipboard, PictureClipboard
from core.base.errors import ActionError
from tests.contracts.desktop.pictures import draw_png

PICTURE = draw_png(300, 200)


class TextAndPictures(Clipboard, PictureClipboard, Protocol):
    """A clipboard that holds a text or a picture."""


class PictureConformance:
    """The port ``PictureClipboard``. A subclass has a fixture ``clipboard`` that gives its back end."""

    async def test_a_picture_that_was_written_is_read(self, clipboard: PictureClipboard):
        await clipboard.write_picture(PICTURE)
        assert await clipboard.read_picture() == PICTURE

    async def test_a_picture_takes_the_place_of_a_text_and_a_text_that_of_a_picture(self, clipboard: TextAndPictures):
        await clipboard.write("text")
        assert await clipboard.read_picture() is None
        await clipboard.write_picture(PICTURE)
        assert await clipboard.read() is None
        await clipboard.write("text")
        assert (await clipboard.read(), await clipboard.read_picture()) == ("text", None)


class ClipboardConformance:
    """The port ``Clipboard``. A subclass has a fixture ``clipboard`` that gives its back end."""

    def test_the_clipboard_is_available(self, clipboard: Clipboard):
        found = clipboard.assess()
        assert (found.capability, found.available) == ("clipboard", True)

    @pytest.mark.parametrize("text", ["abc", "żółć 日本 😀", "two\nlines\n", " spaces ", "a" * 200_000])
    async def test_what_was_written_is_read(self, clipboard: Clipboard, text: str):
        await clipboard.write(text)
        assert await clipboard.read() == text

    async def test_the_last_text_stays(self, clipboard: Clipboard):
        await clipboard.write("first")
        await clipboard.write("second")
        assert await clipboard.read() == "second"

    async def test_half_of_a_character_is_refused(self, clipboard: Clipboard):
        await clipboard.write("before")
        with pytest.raises(ActionError) as caught:
            await clipboard.write("x\ud83d")
        assert caught.value.code == "unsupported_text"
        assert await clipboard.read() == "before"

    async def test_closing_twice_is_nothing(self, clipboard: Clipboard):
        await clipboard.write("stays")
        await clipboard.close()
        await clipboard.close()
