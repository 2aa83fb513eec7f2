"""What every back end does about the machine itself."""

from datetime import datetime, timedelta

import pytest

from core.base.errors import ActionError, FileError, InputError, PolicyError
from core.policy.policy import Policy
from tests.contracts.system.bench import SystemBench

SPOKEN = ("time", "cpu", "memory", "disk", "network", "os", "uptime")


class MachineConformance:
    """Facts, settings, notifications and power."""

    @pytest.mark.parametrize("target", SPOKEN)
    async def test_a_fact_is_told_as_a_sentence(self, bench: SystemBench, target: str):
        outcome = await bench.call("get", target=target)
        assert outcome.output["text"].endswith(".")
        assert len(outcome.output) > 1
        assert outcome.effect == "none"

    async def test_figures_have_units_in_their_names(self, bench: SystemBench):
        memory = (await bench.call("get", target="memory")).output
        assert 0 < memory["available_bytes"] <= memory["total_bytes"]
        assert 0 <= memory["used_percent"] <= 100
        assert 0 <= (await bench.call("get", target="cpu")).output["load_percent"] <= 100
        assert (await bench.call("get", target="uptime")).output["uptime_s"] > 0

    async def test_the_time_has_a_zone(self, bench: SystemBench):
        output = (await bench.call("get", target="time")).output
        assert datetime.fromisoformat(output["iso"]).tzinfo is not None
        assert output["zone"]

    async def test_the_clipboard_is_set_read_back_and_taken_back(self, bench: SystemBench):
        first = await bench.call("set", target="clipboard", value="before")
        outcome = await bench.call("set", target="clipboard", value="żółć 日本 😀\n\ttwo")
        assert (outcome.output["value"], outcome.output["before"]) == ("żółć 日本 😀\n\ttwo", "before")
        assert (first.effect, outcome.effect) == ("confirmed", "confirmed")
        assert (await bench.call("get", target="clipboard")).output["text"] == "żółć 日本 😀\n\ttwo"
        await bench.undo(outcome)
        assert (await bench.call("get", target="clipboard")).output["text"] == "before"

    async def test_a_clipboard_that_somebody_filled_since_is_left_alone(self, bench: SystemBench):
        await bench.call("set", target="clipboard", value="before")
        outcome = await bench.call("set", target="clipboard", value="ours")
        await bench.call("set", target="clipboard", value="theirs")
        with pytest.raises(ActionError) as caught:
            await bench.undo(outcome)
        assert caught.value.code == "changed_since"
        assert (await bench.call("get", target="clipboard")).output["text"] == "theirs"

    async def test_the_brightness_is_set_and_read_back(self, bench: SystemBench):
        bench.need("brightness")
        before = (await bench.call("get", target="brightness")).output["level_percent"]
        outcome = await bench.call("set", target="brightness", value=30)
        assert outcome.output == {"value": 30, "before": round(before)}
        assert outcome.effect == "confirmed"
        assert (await bench.call("get", target="brightness")).output["level_percent"] == pytest.approx(30, abs=1)
        await bench.undo(outcome)
        assert (await bench.call("get", target="brightness")).output["level_percent"] == pytest.approx(before, abs=1)

    @pytest.mark.parametrize("value", ["bright", 101, "-1", "３０", ""])
    async def test_what_is_no_percentage_is_no_brightness(self, bench: SystemBench, value: str | int):
        with pytest.raises(InputError):
            await bench.call("set", target="brightness", value=value)

    async def test_displays_are_told_in_pixels(self, bench: SystemBench):
        displays = (await bench.call("get", target="displays")).output["displays"]
        assert displays[0]["index"] == 0
        assert displays[0]["width_px"] > 100

    async def test_a_notification_is_confirmed_by_its_server(self, bench: SystemBench):
        bench.need("notifications")
        outcome = await bench.call("notify", title="Done", message="a < b & <b>c</b>", urgency="low")
        assert outcome.effect == "confirmed"
        assert outcome.output["id"] > 0
        assert outcome.output["server"]

    async def test_locking_is_confirmed_by_the_system(self, bench: SystemBench):
        bench.need("lock")
        outcome = await bench.call("lock")
        assert (outcome.output, outcome.effect) == ({"locked": True}, "confirmed")

    @pytest.mark.parametrize("verb", ["shutdown", "restart"])
    async def test_a_shutdown_is_ordered_read_back_and_called_off(self, bench: SystemBench, verb: str):
        bench.need("shutdown")
        now = datetime.fromisoformat((await bench.call("get", target="time")).output["iso"])
        outcome = await bench.call(verb, delay=3600.0)
        assert outcome.effect == "confirmed"
        at = datetime.fromisoformat(outcome.output["at"])
        assert timedelta(minutes=59) < at - now < timedelta(minutes=61)
        undo = outcome.undo_record
        assert undo is not None
        assert (undo.operation, dict(undo.params)) == (verb, {"abort": True})
        assert (await bench.undo(outcome)).output == {"ordered": False, "aborted": True}
        with pytest.raises(ActionError) as caught:
            await bench.undo(outcome)
        assert caught.value.code == "changed_since"
        assert (await bench.call(verb, abort=True)).output == {"ordered": False, "aborted": False}

    async def test_sleep_is_ordered_and_nothing_is_claimed(self, bench: SystemBench):
        outcome = await bench.call("sleep")
        assert (outcome.output, outcome.effect) == ({"ordered": True}, "unverified")

    async def test_a_delay_that_is_called_off_locks_nothing(self, bench: SystemBench):
        assert (await bench.call("lock", abort=True)).output["aborted"] is False


class OpeningConformance:
    """What is opened and what isn't, and what the back end says of itself."""

    @pytest.mark.parametrize(
        ("name", "content"),
        [
            ("run.sh", b"echo"),
            ("x.desktop", b""),
            ("PICTURE.PNG.EXE", b""),
            ("page.txt", b"#!/bin/sh\n"),
            ("a.txt", b"\x7fELF"),
        ],
    )
    async def test_programs_and_scripts_are_not_opened(self, bench: SystemBench, name: str, content: bytes):
        (bench.workspace / name).write_bytes(content)
        with pytest.raises(PolicyError) as caught:
            await bench.call("open", target=name)
        assert caught.value.code == "program_refused"

    async def test_a_link_to_a_program_is_not_opened(self, bench: SystemBench):
        bench.need("links")
        (bench.workspace / "tool.sh").write_text("true")
        (bench.workspace / "letter.txt").symlink_to(bench.workspace / "tool.sh")
        with pytest.raises(PolicyError):
            await bench.call("open", target="letter.txt")

    async def test_a_file_that_is_not_there_is_not_opened(self, bench: SystemBench):
        with pytest.raises(FileError) as caught:
            await bench.call("open", target="nothing.txt")
        assert caught.value.code == "not_found"

    async def test_what_lies_outside_the_folders_of_the_run_is_not_opened(self, bench: SystemBench):
        (bench.workspace / "in").mkdir()
        (bench.workspace / "letter.txt").write_text("x")
        bench.policy = Policy(roots=(str(bench.workspace / "in"),), hosts=("example.com",))
        for target in ("letter.txt", "in/../letter.txt", "https://example.org/"):
            with pytest.raises(PolicyError):
                await bench.call("open", target=target)

    async def test_an_address_of_another_scheme_is_a_path_that_is_not_there(self, bench: SystemBench):
        for target in ("file:///etc/hostname", "javascript:alert(1)"):
            with pytest.raises(FileError):
                await bench.call("open", target=target)

    async def test_a_document_is_handed_over(self, bench: SystemBench):
        (bench.workspace / "letter.txt").write_text("Dear Ada")
        outcome = await bench.call("open", target="letter.txt")
        assert outcome.output["target"] == str((bench.workspace / "letter.txt").resolve())
        assert outcome.effect == "unverified"

    async def test_every_capability_is_assessed_with_a_reason(self, bench: SystemBench):
        for capability in ("launcher", "processes", "opener", "notifications", "session_lock", "power", "machine"):
            found = bench.back_end.assess(capability)
            assert (found.capability, found.available) == (capability, True), found
            assert found.reason

    async def test_closing_twice_is_allowed(self, bench: SystemBench):
        await bench.back_end.close()
        await bench.back_end.close()
