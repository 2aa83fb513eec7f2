"""What every window system does, and the tools over it."""

import re

import pytest

from core.base.errors import ActionError, DeviceError, InputError
from tests.contracts.desktop.bench import DesktopBench


class WindowSystemConformance:
    """The port ``WindowSystem``."""

    def test_windows_are_available(self, bench: DesktopBench):
        found = bench.parts.windows.assess()
        assert (found.capability, found.available) == ("windows", True)
        assert found.reason

    async def test_an_open_window_is_listed_with_what_it_is(self, bench: DesktopBench):
        window = await bench.open_window("Zażółć — 日本")
        assert window.title == "Zażółć — 日本"
        assert window.app
        assert window.pid > 0
        assert window.bounds.width > 50
        assert window.active
        assert (window.minimized, window.maximized) == (False, False)

    async def test_the_front_window_is_listed_first(self, bench: DesktopBench):
        await bench.open_window("back")
        await bench.open_window("front")
        titles = [each.title for each in await bench.parts.windows.windows()]
        assert titles.index("front") < titles.index("back")

    async def test_there_is_one_primary_display_or_more(self, bench: DesktopBench):
        displays = await bench.parts.windows.displays()
        assert [each.index for each in displays] == list(range(len(displays)))
        assert displays[0].bounds.width > 100

    async def test_the_window_at_a_pixel_is_the_one_in_front(self, bench: DesktopBench):
        await bench.open_window("back")
        await bench.open_window("front")
        await bench.call("move_window", window="back", bounds={"x": 50, "y": 60, "width": 400, "height": 300})
        await bench.call("move_window", window="front", bounds={"x": 80, "y": 90})
        front = await bench.now("front")
        found = await bench.parts.windows.window_at(*front.bounds.center)
        assert found is not None
        assert (found.id, found.title) == (front.id, "front")

    async def test_the_title_bar_belongs_to_its_window(self, bench: DesktopBench):
        window = await bench.open_window("one")
        found = await bench.parts.windows.window_at(window.bounds.x + window.bounds.width // 2, window.bounds.y + 2)
        assert found is not None
        assert found.id == window.id

    async def test_orders_about_a_closed_window_are_refused(self, bench: DesktopBench):
        window = await bench.open_window("one")
        await bench.call("close_window", window="one")
        with pytest.raises(DeviceError) as caught:
            await bench.parts.windows.focus(window)
        assert caught.value.code == "window_missing"

    async def test_waiting_for_a_change_ends(self, bench: DesktopBench):
        await bench.parts.windows.windows()
        await bench.parts.windows.wait_for_change(0.05)


class WindowToolsConformance:
    """The tools for windows."""

    async def test_windows_are_listed_and_filtered(self, bench: DesktopBench):
        await bench.open_window("first")
        await bench.open_window("second")
        outcome = await bench.call("list_windows", filter="FIRS")
        assert outcome.output["count"] == 1
        assert outcome.output["windows"][0]["title"] == "first"
        assert outcome.output["windows"][0]["display"] == 0
        assert outcome.output["text"].startswith("first (")
        assert outcome.effect == "none"

    async def test_the_active_window_is_told(self, bench: DesktopBench):
        await bench.open_window("first")
        await bench.open_window("second")
        assert (await bench.call("active_window")).output["text"] == "second"

    async def test_without_windows_none_has_the_focus(self, bench: DesktopBench):
        with pytest.raises(DeviceError) as caught:
            await bench.call("active_window")
        assert caught.value.code == "window_missing"

    async def test_the_displays_are_listed(self, bench: DesktopBench):
        outcome = await bench.call("displays")
        assert outcome.output["count"] == len(outcome.output["displays"]) > 0
        assert outcome.output["displays"][0].keys() >= {
            "index",
            "name",
            "x",
            "y",
            "width",
            "height",
            "scale",
            "primary",
        }

    async def test_a_window_gets_the_focus_and_gives_it_back(self, bench: DesktopBench):
        await bench.open_window("first")
        await bench.open_window("second")
        outcome = await bench.call("focus_window", window="first")
        assert outcome.effect == "confirmed"
        assert (await bench.now("first")).active
        await bench.undo(outcome)
        assert (await bench.now("second")).active

    async def test_a_minimized_window_comes_back_when_it_gets_the_focus(self, bench: DesktopBench):
        await bench.open_window("first")
        await bench.call("minimize", window="first")
        assert (await bench.now("first")).minimized
        outcome = await bench.call("focus_window", window="first")
        assert (outcome.output["minimized"], outcome.output["active"]) == (False, True)


class PlacingConformance:
    """The tools that place windows, and change what becomes of them."""

    async def test_a_window_is_moved_and_put_back(self, bench: DesktopBench):
        before = await bench.open_window("first")
        outcome = await bench.call("move_window", window="first", bounds={"x": 333, "y": 222})
        assert outcome.effect == "confirmed"
        after = (await bench.now("first")).bounds
        assert (after.x, after.y) == (333, 222)
        assert (after.width, after.height) == (before.bounds.width, before.bounds.height)
        assert outcome.output["before"]["x"] == before.bounds.x
        await bench.undo(outcome)
        assert (await bench.now("first")).bounds == before.bounds

    async def test_a_window_that_somebody_moved_since_is_left_alone(self, bench: DesktopBench):
        await bench.open_window("first")
        outcome = await bench.call("move_window", window="first", bounds={"x": 50, "y": 60})
        await bench.call("move_window", window="first", bounds={"x": 90, "y": 80})
        with pytest.raises(ActionError) as caught:
            await bench.undo(outcome)
        assert caught.value.code == "changed_since"
        there = (await bench.now("first")).bounds
        assert (there.x, there.y) == (90, 80)

    async def test_a_window_that_is_gone_is_not_taken_back(self, bench: DesktopBench):
        await bench.open_window("first")
        outcome = await bench.call("maximize", window="first")
        await bench.call("close_window", window="first")
        with pytest.raises(ActionError) as caught:
            await bench.undo(outcome)
        assert caught.value.code == "changed_since"

    async def test_a_window_is_resized_with_its_frame(self, bench: DesktopBench):
        before = await bench.open_window("first")
        outcome = await bench.call("resize_window", window="first", bounds={"width": 500, "height": 350})
        assert (outcome.output["width"], outcome.output["height"]) == (500, 350)
        assert (outcome.output["x"], outcome.output["y"]) == (before.bounds.x, before.bounds.y)

    async def test_moving_to_where_it_is_changes_nothing(self, bench: DesktopBench):
        before = await bench.open_window("first")
        outcome = await bench.call("move_window", window="first", bounds={"x": before.bounds.x})
        assert outcome.undo_record is None
        assert (await bench.now("first")).bounds == before.bounds

    async def test_bounds_that_say_nothing_are_refused(self, bench: DesktopBench):
        await bench.open_window("first")
        with pytest.raises(InputError):
            await bench.call("move_window", window="first", bounds={})

    async def test_a_window_is_maximized_and_restored(self, bench: DesktopBench):
        before = await bench.open_window("first")
        outcome = await bench.call("maximize", window="first")
        assert outcome.output["maximized"]
        assert outcome.output["width"] > before.bounds.width
        await bench.undo(outcome)
        after = await bench.now("first")
        assert not after.maximized
        assert after.bounds == before.bounds

    async def test_a_window_is_minimized_and_restored(self, bench: DesktopBench):
        await bench.open_window("first")
        outcome = await bench.call("minimize", window="first")
        assert outcome.output["minimized"]
        assert outcome.undo_record is not None
        assert outcome.undo_record.operation == "restore"
        restored = await bench.call("restore", window="first")
        assert not restored.output["minimized"]

    async def test_a_maximized_window_that_is_moved_is_restored_first(self, bench: DesktopBench):
        await bench.open_window("first")
        await bench.call("maximize", window="first")
        outcome = await bench.call("move_window", window="first", bounds={"x": 50, "y": 60})
        assert (outcome.output["x"], outcome.output["y"], outcome.output["maximized"]) == (50, 60, False)

    async def test_a_window_is_closed(self, bench: DesktopBench):
        window = await bench.open_window("first")
        outcome = await bench.call("close_window", window="first")
        assert outcome.output["closed"]["id"] == window.id
        assert all(each.id != window.id for each in await bench.parts.windows.windows())

    async def test_a_window_that_asks_before_it_closes_is_reported_with_its_question(self, bench: DesktopBench):
        await bench.open_window("letter", asks=True)
        with pytest.raises(DeviceError, match="It asks: ") as caught:
            await bench.call("close_window", window="letter")
        assert caught.value.code == "not_settled"
        assert len(caught.value.evidence["dialogs"]) == 1


class FindingConformance:
    """Which window is meant."""

    async def test_a_missing_window_is_an_error_that_lists_those_that_are_there(self, bench: DesktopBench):
        await bench.open_window("first")
        with pytest.raises(DeviceError, match="first") as caught:
            await bench.call("focus_window", window="nowhere")
        assert caught.value.code == "window_missing"
        assert [each["title"] for each in caught.value.evidence["windows"]] == ["first"]

    async def test_two_windows_of_a_name_are_an_error_that_lists_both(self, bench: DesktopBench):
        await bench.open_window("letter one")
        await bench.open_window("letter two")
        with pytest.raises(DeviceError) as caught:
            await bench.call("focus_window", window="letter")
        assert caught.value.code == "window_ambiguous"
        ids = re.findall(r"id=([^)]+)", caught.value.message)
        assert (await bench.call("focus_window", window=f"id={ids[-1]}")).output["active"]
