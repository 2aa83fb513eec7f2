"""What every screen does."""

import pytest

from actuators.desktop.ports.desktop import Rect
from core.base.errors import TargetError
from tests.contracts.desktop.bench import DesktopBench


class ScreenConformance:
    """The port ``Screen``, and the screenshots that points may name."""

    def test_the_screen_is_available(self, bench: DesktopBench):
        found = bench.parts.screen.assess()
        assert (found.capability, found.available) == ("screen", True)

    async def test_the_whole_screen_covers_all_displays(self, bench: DesktopBench):
        picture = await bench.parts.screen.grab()
        for display in await bench.parts.windows.displays():
            assert picture.bounds.contains(display.bounds.x, display.bounds.y)
        assert len(picture.rgb) == 3 * picture.width * picture.height

    async def test_a_part_is_of_the_size_that_was_asked_for(self, bench: DesktopBench):
        picture = await bench.parts.screen.grab(Rect(10, 20, 30, 40))
        assert picture.bounds == Rect(10, 20, 30, 40)
        assert len(picture.rgb) == 3 * picture.width * picture.height

    async def test_what_hangs_over_the_edge_is_cut_off(self, bench: DesktopBench):
        assert (await bench.parts.screen.grab(Rect(-10, -10, 30, 40))).bounds == Rect(0, 0, 20, 30)

    async def test_what_is_not_on_the_screen_is_refused(self, bench: DesktopBench):
        with pytest.raises(TargetError) as caught:
            await bench.parts.screen.grab(Rect(-100, -100, 30, 40))
        assert caught.value.code == "target_off_screen"

    async def test_a_point_of_a_screenshot_is_a_pixel_of_the_screen(self, bench: DesktopBench):
        window = await bench.open_window("one")
        shot = await bench.parts.screenshots.keep(await bench.parts.screen.grab(window.bounds))
        found = await bench.parts.screenshots.resolve(shot, 120, 110)
        assert found == (window.bounds.x + 120, window.bounds.y + 110)

    async def test_a_screenshot_is_stale_once_its_window_has_moved(self, bench: DesktopBench):
        window = await bench.open_window("one")
        shot = await bench.parts.screenshots.keep(await bench.parts.screen.grab(window.bounds))
        await bench.call("move_window", window="one", bounds={"x": window.bounds.x + 40})
        with pytest.raises(TargetError, match="out of date") as caught:
            await bench.parts.screenshots.resolve(shot, 120, 110)
        assert caught.value.evidence["screenshot"] == shot

    async def test_a_screenshot_is_stale_once_another_window_is_there(self, bench: DesktopBench):
        window = await bench.open_window("one")
        shot = await bench.parts.screenshots.keep(await bench.parts.screen.grab())
        await bench.open_window("two")
        await bench.call("move_window", window="two", bounds={"x": window.bounds.x, "y": window.bounds.y})
        with pytest.raises(TargetError, match="out of date"):
            await bench.parts.screenshots.resolve(shot, *window.bounds.center)

    async def test_points_outside_a_screenshot_and_unknown_screenshots_are_refused(self, bench: DesktopBench):
        shot = await bench.parts.screenshots.keep(await bench.parts.screen.grab(Rect(0, 0, 50, 50)))
        for name, x, code in ((shot, 50, "target_off_screen"), ("shot-0", 1, "target_missing")):
            with pytest.raises(TargetError) as caught:
                await bench.parts.screenshots.resolve(name, x, 1)
            assert caught.value.code == code
