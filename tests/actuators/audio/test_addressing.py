"""Which device or application is meant."""

import unicodedata
from collections.abc import Callable
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.audio.mixing.addressing import Sound, check_address, find_app, find_device, fold
from actuators.audio.mixing.reports import say_apps, say_devices, say_percent, say_volume
from actuators.audio.ports import AudioDevice, AudioStream
from core.base.errors import DeviceError, InputError

Found = TypeVar("Found")


def device(device_id: str, name: str, *, default: bool = False, level: float | None = 40.0) -> AudioDevice:
    return AudioDevice(device_id, name, "output", level, muted=False, is_default=default)


def stream(
    stream_id: str, app: str, binary: str = "player", *, level: float = 100.0, muted: bool = False
) -> AudioStream:
    return AudioStream(stream_id, app, binary, 7, "output", "a", level, muted)


def find_or_code(find: Callable[[], Found]) -> Found | str:
    """Return what is found, or the error's code."""
    try:
        return find()
    except DeviceError as error:
        return error.code


ROOM = (
    device("a", "Built-in Speakers", default=True),
    device("b", "USB Headset"),
    device("c", "USB Headset Pro"),
    device("d", "Café 3"),
)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("a", "a"),
        ("built-in speakers", "a"),
        ("speak", "a"),
        ("default", "a"),
        ("DEFAULT", "a"),
        ("usb headset", "b"),  # the whole name comes before a part of another
        ("pro", "c"),
        ("  Pro ", "c"),
        (unicodedata.normalize("NFD", "CAFÉ"), "d"),
        ("３", "d"),
    ],
)
def test_a_device_is_found(words: str, found: str) -> None:
    assert find_device(ROOM, words, "output").id == found


@pytest.mark.parametrize(
    ("words", "code", "listed"),
    [
        ("headset p", "", "c"),
        ("headse", "device_ambiguous", "bc"),
        ("gramophone", "device_missing", "abcd"),
        ("", "device_missing", "abcd"),
        ("A", "device_ambiguous", "abcd"),  # ids are exact; a part of all names
        ("  ", "device_missing", "abcd"),
    ],
)
def test_what_is_no_one_device_lists_what_there_is(words: str, code: str, listed: str) -> None:
    if not code:
        assert find_device(ROOM, words, "output").id == listed
        return
    with pytest.raises(DeviceError) as caught:
        find_device(ROOM, words, "output")
    assert caught.value.code == code
    assert "".join(each["id"] for each in caught.value.evidence["devices"]) == listed
    assert all(each.name in caught.value.message for each in ROOM if each.id in listed)
    assert caught.value.hint


def test_two_devices_of_one_name_are_told_apart_by_id() -> None:
    twins = (device("x", "Monitor"), device("y", "Monitor"))
    with pytest.raises(DeviceError) as caught:
        find_device(twins, "monitor", "output")
    assert caught.value.code == "device_ambiguous"
    assert find_device(twins, "y", "output").id == "y"


def test_where_nothing_is_the_default_that_is_said() -> None:
    with pytest.raises(DeviceError, match=r"There is no default output device. Available: Monitor \(x\)"):
        find_device([device("x", "Monitor")], "default", "output")
    with pytest.raises(DeviceError, match=r"none"):
        find_device([], "default", "input")


def test_a_device_whose_id_is_the_word_default_wins_by_its_id() -> None:
    assert find_device([*ROOM, device("default", "Odd")], "default", "output").id == "default"


@given(
    st.lists(st.tuples(st.text(max_size=8), st.text(max_size=8)), unique_by=lambda pair: pair[0]), st.text(max_size=8)
)
def test_whatever_things_are_called_one_is_found_or_the_error_says_why(
    pairs: list[tuple[str, str]], words: str
) -> None:
    devices = [device(f"id:{key}", name) for key, name in pairs]
    found = find_or_code(lambda: find_device(devices, words, "output"))
    if isinstance(found, str):
        assert found in {"device_missing", "device_ambiguous"}
        return
    assert found.id == words or fold(words) in fold(found.name)
    assert [each for each in devices if fold(each.name) == fold(words)] in ([found], [])


@given(st.lists(st.tuples(st.sampled_from(["Tone", "tone", "Bell", "Ton"]), st.sampled_from(["p", "q.exe", ""]))))
def test_an_application_is_all_its_streams_and_no_other(pairs: list[tuple[str, str]]) -> None:
    streams = [stream(str(number), app, binary) for number, (app, binary) in enumerate(pairs)]
    found = find_or_code(lambda: find_app(streams, "TONE", "output"))
    if isinstance(found, str):
        kinds = {binary for app, binary in pairs if fold(app) == "tone"}
        assert len(kinds) != 1
        assert found == ("app_ambiguous" if kinds else "app_missing")
    else:
        assert found.ids == {each.id for each in streams if fold(each.app) == "tone"}


def test_an_application_is_found_by_its_program_with_or_without_its_ending() -> None:
    streams = [stream("1", "Music", "tuner.exe"), stream("2", "Calls", "phone")]
    assert find_app(streams, "tuner", "output").ids == {"1"}
    assert find_app(streams, "Tuner.exe", "output").ids == {"1"}
    assert find_app(streams, "all", "output").app == "Calls"


def test_a_device_and_an_application_together_make_no_sense() -> None:
    check_address(None, "Tone")
    check_address("a", None)
    with pytest.raises(InputError):
        check_address("a", "Tone")


def test_of_several_streams_the_loudest_counts_and_all_must_be_silent() -> None:
    sound = Sound("output", (stream("1", "Tone", level=20), stream("2", "Tone", level=70, muted=True)), app="Tone")
    assert (sound.level_percent, sound.muted) == (70, False)


def test_what_is_said_can_be_spoken() -> None:
    assert say_percent(40.04) == "40 %"
    assert say_percent(37.46) == "37.5 %"
    assert say_volume(Sound("output", (ROOM[0],), by_default=True)) == "The volume is 40 %."
    assert say_volume(Sound("output", (ROOM[1],))) == "The volume of USB Headset is 40 %."
    assert (
        say_volume(Sound("output", (device("x", "Television", level=None),)))
        == "The volume of Television is not known."
    )
    assert say_devices([], "input") == "No sound input found."
    assert say_devices(ROOM[:1], "output") == "1 output: Built-in Speakers (the default, 40 %)."
    assert say_apps([], "output") == "No application plays sound."
    assert say_apps(["Tone"], "input") == "Tone records sound."
    assert say_apps(["Tone", "Bell", "Call"], "output") == "Tone, Bell and Call play sound."


def test_a_browser_goes_by_what_it_is_where_only_one_has_sound() -> None:
    streams = [stream("1", "Chromium", "chrome"), stream("2", "Calls", "phone")]
    assert find_app(streams, "browser", "output").ids == {"1"}
    more = [*streams, stream("3", "Firefox", "firefox")]
    assert find_or_code(lambda: find_app(more, "browser", "output")) == "app_ambiguous"
    assert find_or_code(lambda: find_app(streams[1:], "browser", "output")) == "app_missing"


def test_a_program_that_is_called_browser_comes_before_those_of_that_kind() -> None:
    streams = [stream("1", "Chromium", "chrome"), stream("2", "Browser", "own")]
    assert find_app(streams, "browser", "output").ids == {"2"}
