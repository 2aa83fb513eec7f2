from itertools import islice

import pytest
from Xlib import XK, X
from Xlib.display import Display

from actuators.base import Environment
from actuators.media.back_end import AbsentPlayers
from actuators.media.platforms.fake import FakeMedia, FakePlayer, make_fake_back_end
from actuators.media.platforms.linux import make_back_end
from actuators.media.platforms.macos import make_back_end as make_macos_back_end
from actuators.media.platforms.windows import make_back_end as make_windows_back_end
from actuators.media.ports import Player, PlayerOrder
from core.base.errors import DeviceError, UnsupportedError
from core.tools.ports import ActionContext
from fixtures.machine.desktop import PrivateDesktop
from tests.contracts.media.bench import find_tools

CONTEXT = ActionContext("a1")


async def test_where_no_player_runs_the_key_is_pressed_and_nothing_is_claimed(desk: PrivateDesktop):
    back_end = make_back_end(Environment(platform="linux", variables=desk.environ))
    display = Display(desk.environ["DISPLAY"])
    XK.load_keysym_group("xf86")
    code = display.keysym_to_keycode(XK.string_to_keysym("XF86_AudioNext"))
    display.screen().root.grab_key(code, X.AnyModifier, True, X.GrabModeAsync, X.GrabModeAsync)
    display.sync()
    outcome = await find_tools(back_end).next(CONTEXT)
    events = iter(display.next_event, None)
    seen = list(islice(((each.type, each.detail) for each in events if each.type in {X.KeyPress, X.KeyRelease}), 2))
    display.close()
    await back_end.close()
    assert seen == [(X.KeyPress, code), (X.KeyRelease, code)]
    assert (outcome.effect, outcome.output["key"]) == ("unverified", "XF86AudioNext")


async def test_a_display_that_is_gone_is_missing():
    back_end = make_back_end(Environment(platform="linux", variables={"DISPLAY": ":4999"}))
    assert not back_end.assess("media").available
    with pytest.raises(DeviceError) as caught:
        await find_tools(back_end).play(CONTEXT)
    assert caught.value.code == "server_missing"
    await back_end.close()


async def test_keys_are_pressed_only_where_no_player_is_named_and_none_runs():
    world = FakeMedia([FakePlayer(name="Radio")], has_keys=True)
    tools = find_tools(make_fake_back_end(world))
    assert (await tools.play(CONTEXT)).effect == "confirmed"
    world.players.clear()
    with pytest.raises(DeviceError):
        await tools.play(CONTEXT, player="Radio")
    assert world.pressed == []
    assert (await tools.play_pause(CONTEXT)).effect == "unverified"
    assert world.pressed == ["XF86AudioPlay"]


async def test_no_key_means_a_place_in_a_track():
    tools = find_tools(make_fake_back_end(FakeMedia(has_keys=True)))
    with pytest.raises(UnsupportedError, match="no media key means seek"):
        await tools.seek(CONTEXT, position=3.0)


async def test_a_system_without_players_says_why():
    for make in (make_macos_back_end, make_windows_back_end):
        back_end = make(Environment(platform="other"))
        assert not back_end.assess("media").available
        assert back_end.assess("media").reason
        await back_end.close()
    with pytest.raises(UnsupportedError):
        await AbsentPlayers("none").act(Player("a", "a", "stopped"), PlayerOrder("play"), lambda _: True, 1.0)
