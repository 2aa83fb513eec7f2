"""What every back end does about programs and processes."""

import os
from dataclasses import replace

import pytest

from core.base.errors import ActionError, DeadlineError, DeviceError, FileError, PolicyError
from tests.contracts.system.bench import SystemBench


class LaunchConformance:
    """Starting programs."""

    async def test_an_application_is_started_by_its_name_in_any_case(self, bench: SystemBench):
        outcome = await bench.call("launch", app="sLEEper")
        assert outcome.effect == "confirmed"
        assert bench.lives(outcome.output["pid"])
        assert outcome.output["app"] == "Sleeper"
        assert bench.is_program(outcome.output["executable"], "sleeper")

    async def test_an_application_is_started_by_its_other_names(self, bench: SystemBench):
        for name in bench.other_names:
            assert (await bench.call("launch", app=name)).output["app"] == "Sleeper"

    async def test_an_executable_is_started_that_the_desktop_does_not_know(self, bench: SystemBench):
        outcome = await bench.call("launch", app=f"hello{bench.tag}")
        assert bench.is_program(outcome.output["executable"], "hello")

    async def test_what_was_started_is_taken_back_by_closing_it(self, bench: SystemBench):
        started = await bench.call("launch", app="Sleeper")
        await bench.undo(started)
        assert not bench.lives(started.output["pid"])
        with pytest.raises(ActionError) as caught:
            await bench.undo(started)
        assert caught.value.code == "changed_since"

    async def test_another_process_of_the_same_number_is_never_closed(self, bench: SystemBench):
        started = await bench.call("launch", app="Sleeper")
        record = started.undo_record
        assert record is not None
        for guard in ({**record.guard, "started_s": 1.0}, {**record.guard, "executable": "/bin/other"}):
            with pytest.raises(ActionError) as caught:
                await bench.undo(replace(started, undo_record=replace(record, guard=guard)))
            assert caught.value.code == "changed_since"
        assert bench.lives(started.output["pid"])

    async def test_an_unknown_name_is_an_error_with_the_nearest(self, bench: SystemBench):
        with pytest.raises(DeviceError) as caught:
            await bench.call("launch", app="sleepr")
        assert caught.value.code == "app_missing"
        assert "Sleeper" in caught.value.evidence["nearest"]

    async def test_two_applications_of_one_name_are_listed(self, bench: SystemBench):
        with pytest.raises(DeviceError) as caught:
            await bench.call("launch", app="Twin")
        assert caught.value.code == "app_ambiguous"
        assert {each["id"] for each in caught.value.evidence["applications"]} == set(bench.twins)
        launched = await bench.call("launch", app=bench.twins[1])
        assert bench.is_program(launched.output["executable"], "twin2")

    async def test_one_that_fails_at_once_is_an_error_with_its_last_words(self, bench: SystemBench):
        with pytest.raises(ActionError, match="no way") as caught:
            await bench.call("launch", app="Failing")
        assert (caught.value.code, caught.value.evidence["exit_code"]) == ("app_failed", 3)

    async def test_one_that_ends_at_once_without_an_error_is_not_claimed_to_run(self, bench: SystemBench):
        outcome = await bench.call("launch", app="Quick")
        assert (outcome.effect, outcome.output["exit_code"]) == ("unverified", 0)

    async def test_the_exit_is_waited_for_and_told(self, bench: SystemBench):
        outcome = await bench.call("launch", app="Quick", wait="exit")
        assert (outcome.effect, outcome.output["exit_code"]) == ("confirmed", 0)

    async def test_a_wait_for_an_exit_that_does_not_come_says_that_it_runs(self, bench: SystemBench):
        with pytest.raises(DeviceError, match="is still running") as caught:
            await bench.call("launch", app="Sleeper", wait="exit", timeout=0.5)
        assert bench.lives(caught.value.evidence["pid"])

    async def test_a_window_that_does_not_come_is_missing(self, bench: SystemBench):
        with pytest.raises(DeviceError) as caught:
            await bench.call("launch", app=bench.windowless, wait="window", timeout=1.0)
        assert caught.value.code == "window_missing"

    async def test_a_folder_that_is_not_there_is_refused_before_anything_is_started(self, bench: SystemBench):
        with pytest.raises(FileError) as caught:
            await bench.call("launch", app="Sleeper", cwd="nowhere")
        assert caught.value.code == "not_found"
        with pytest.raises(DeviceError):
            await bench.call("close", app="Sleeper")


class ProcessConformance:
    """Ending and listing programs, and running commands."""

    async def test_close_waits_until_all_of_an_application_have_ended(self, bench: SystemBench):
        pids = [(await bench.call("launch", app="Sleeper")).output["pid"] for _ in range(2)]
        outcome = await bench.call("close", app="Sleeper")
        assert sorted(each["pid"] for each in outcome.output["closed"]) == sorted(pids)
        assert outcome.output["remaining"] == []
        assert not any(bench.lives(pid) for pid in pids)

    async def test_one_that_does_not_end_is_told_to_remain(self, bench: SystemBench):
        pid = (await bench.call("launch", app="Stubborn")).output["pid"]
        with pytest.raises(ActionError) as caught:
            await bench.call("close", pid=pid, timeout_s=2.0)
        assert caught.value.code == "still_running"
        assert [each["pid"] for each in caught.value.evidence["remaining"]] == [pid]
        killed = await bench.call("kill", pid=pid)
        assert [each["pid"] for each in killed.output["killed"]] == [pid]
        assert not bench.lives(pid)

    async def test_nothing_of_that_name_runs(self, bench: SystemBench):
        for verb in ("close", "kill"):
            with pytest.raises(DeviceError) as caught:
                await bench.call(verb, app="no such program")
            assert caught.value.code == "process_missing"
        with pytest.raises(DeviceError) as caught:
            await bench.call("close", pid=4_000_000_000)
        assert caught.value.code == "process_missing"

    async def test_the_first_process_may_not_be_ended(self, bench: SystemBench):
        bench.need("first process")
        for verb in ("close", "kill"):
            with pytest.raises(PolicyError) as caught:
                await bench.call(verb, pid=1)
            assert caught.value.code == "process_protected"

    async def test_applications_are_listed_and_say_whether_they_run(self, bench: SystemBench):
        await bench.call("launch", app="Sleeper")
        outcome = await bench.call("list_apps", filter="sle")
        assert [(each["name"], each["running"]) for each in outcome.output["apps"]] == [("Sleeper", True)]
        cut = await bench.call("list_apps", limit=1)
        assert (len(cut.output["apps"]), cut.output["truncated"]) == (1, True)
        assert cut.output["count"] >= 6

    async def test_processes_are_listed_with_figures_in_units(self, bench: SystemBench):
        pid = (await bench.call("launch", app="Stubborn")).output["pid"]
        outcome = await bench.call("list_processes", limit=100_000)
        mine = next(each for each in outcome.output["processes"] if each["pid"] == pid)
        assert set(mine) == {"pid", "name", "user", "cpu_percent", "memory_bytes", "started"}
        assert outcome.output["count"] == len(outcome.output["processes"])
        none = await bench.call("list_processes", filter="no such name at all")
        assert (none.output["processes"], none.output["text"]) == ([], "0 processes.")

    async def test_a_command_is_run_to_its_end(self, bench: SystemBench):
        outcome = await bench.call("run", argv=(f"hello{bench.tag}",))
        assert (outcome.output["exit_code"], outcome.output["text"]) == (0, "hello")
        assert outcome.output["stdout"] == "hello\n"
        assert not outcome.output["truncated"]

    async def test_a_command_that_fails_is_an_error_with_its_output(self, bench: SystemBench):
        with pytest.raises(ActionError, match="broken") as caught:
            await bench.call("run", argv=(f"broken{bench.tag}",))
        assert (caught.value.code, caught.value.evidence["exit_code"]) == ("command_failed", 2)

    async def test_a_command_that_takes_too_long_is_ended(self, bench: SystemBench):
        with pytest.raises(DeadlineError):
            await bench.call("run", argv=(f"endless{bench.tag}",), timeout=0.5)
        with pytest.raises(DeviceError):
            await bench.call("close", app=f"endless{bench.tag}")

    async def test_a_command_that_is_not_there_is_missing(self, bench: SystemBench):
        with pytest.raises(DeviceError) as caught:
            await bench.call("run", argv=(f"hello; echo {os.sep}",))
        assert caught.value.code == "app_missing"

    async def test_the_output_of_a_command_is_cut(self, bench: SystemBench):
        outcome = await bench.call("run", argv=(f"loud{bench.tag}",))
        assert (len(outcome.output["stdout"]), outcome.output["truncated"]) == (1_000_000, True)
