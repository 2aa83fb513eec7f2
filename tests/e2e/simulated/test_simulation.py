"""The whole program on a machine in memory: one sentence over all families, and faults on purpose."""

import json
from dataclasses import replace
from pathlib import Path

from actuators.audio.platforms.fake import FakeSound, SoundFault
from actuators.audio.ports import AudioDevice
from actuators.base import Environment
from actuators.browser.fake.browser import FakeBrowser
from actuators.browser.fake.pages import FakeElement, FakePage, FakeWeb
from actuators.desktop.fake.state import FakeDesktop, FakeWindow
from actuators.desktop.ports.desktop import Rect
from actuators.simulation import SimulatedMachine
from agent.assembly import make_simulated_session
from agent.requests.requests import Request
from core.addresses.platforms import SEARCH_PLATFORMS, SearchPlatform
from core.approvals.approvals import ApprovalRequest
from core.results.records import to_data

SHOP = "http://shop.test/"
PLATFORMS = {**SEARCH_PLATFORMS, "shop": SearchPlatform("shop", SHOP, SHOP + "?q={query}")}
HOME = Path("/home/ada")
ENVIRONMENT = Environment(
    platform="linux",
    workspace=HOME / "work",
    state_dir=HOME / "work" / ".surehand",
    anchors={"workspace": str(HOME / "work"), "home": str(HOME), "documents": str(HOME / "Documents")},
)
SENTENCE = (
    "open the shop, read the total, save it to Documents as total.txt, turn the volume down to 20 "
    "and press ctrl+s in the editor"
)


class Person:
    """Somebody who looks at what would be done, and says yes."""

    def __init__(self) -> None:
        self.asked: list[ApprovalRequest] = []

    async def decide(self, request: ApprovalRequest) -> bool:
        self.asked.append(request)
        return True


def make_machine(*faults: SoundFault) -> SimulatedMachine:
    """Return a machine with a shop, speakers at 80 % and an editor in the background."""
    total = FakeElement(role="textbox", name="Total", value="£24.00", id="total")
    speakers = AudioDevice("speakers", "Speakers", "output", 80.0, muted=False, is_default=True)
    editor = FakeWindow("notes.txt - Editor", "editor", Rect(0, 0, 600, 400))
    browser = FakeWindow("Shop - Browser", "browser", Rect(100, 100, 600, 400))
    return SimulatedMachine(
        browser=FakeBrowser(FakeWeb({SHOP: FakePage(title="Shop", elements=(total,))}), platforms=PLATFORMS),
        sound=FakeSound(devices=[speakers]),
        sound_faults=faults,
        desktop=FakeDesktop(browser, editor),
    )


async def test_one_sentence_crosses_browser_files_sound_and_desktop():
    machine, person = make_machine(), Person()
    machine.files.store.make_folders(str(HOME / "Documents"))
    async with make_simulated_session(machine, ENVIRONMENT, PLATFORMS) as session:
        result = await session.run(Request(utterance=SENTENCE, gate=person))
    assert [(log.name, log.result.status) for log in result.step_logs] == [
        ("browser.navigate", "ok"),
        ("browser.read", "ok"),
        ("file.write", "ok"),
        ("audio.set_volume", "ok"),
        ("desktop.press", "ok"),
    ], result.reply
    (asked,) = person.asked
    assert (asked.kind, asked.sources) == (
        "confirm",
        {"content": ("${g1.text}, read from the page at http://shop.test/",)},
    )
    assert "£24.00" in asked.text
    assert asked.preview is not None
    assert "+£24.00" in asked.preview.diff
    assert machine.sound.devices[0].level_percent == 20
    assert machine.desktop.active is not None
    assert machine.desktop.active.app == "editor"
    json.dumps(to_data(result))


async def test_a_server_that_is_gone_fails_its_own_branch_and_no_other():
    machine, person = make_machine(SoundFault("set_level", "server_gone")), Person()
    machine.files.store.make_folders(str(HOME / "Documents"))
    async with make_simulated_session(machine, ENVIRONMENT, PLATFORMS) as session:
        result = await session.run(Request(utterance=SENTENCE, gate=person))
    statuses = {log.name: log.result.status for log in result.step_logs}
    assert statuses.pop("audio.set_volume") == "failed"
    assert set(statuses.values()) == {"ok"}
    assert result.outcome == "partial"


async def test_what_a_machine_lacks_is_refused_before_anything_is_done():
    machine = make_machine()
    machine.system.missing["notifications"] = "nobody shows any"
    async with make_simulated_session(machine, replace(ENVIRONMENT), PLATFORMS) as session:
        result = await session.run(Request(utterance='mute the sound and show the notification "Done"'))
    assert [error.code for error in result.errors] == ["not_supported_here"]
    assert "nobody shows any" in result.errors[0].message
    assert not machine.sound.devices[0].muted
