"""Secrets on the desktop: typed by keys or accessibility, never by the clipboard, and black on every picture."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.base import Environment
from actuators.desktop.fake.state import FakeDesktop, FakeDesktopElement, FakeWindow
from actuators.desktop.platforms.fake import make_fake_back_end
from actuators.desktop.ports.desktop import Picture, Rect
from actuators.desktop.ports.secret_fields import UNSURE, black_out
from agent.secrets.keyring_secrets import KeyringSecrets
from agent.secrets.secret_file import SecretEntry, SecretFile
from agent.secrets.vaults import SecretSources, SessionVault
from core.base.errors import ActionError, PolicyError, SurehandError, TargetError
from core.goals.secret_values import Secret
from core.results.tool_results import ToolOutcome
from core.tools.ports import ActionContext, Toolset
from core.tools.registry import list_verbs
from tests.spies import find_leaks
from tests.vaults import make_vault

VALUE = "correct horse battery"
HANDLE = Secret("phrase")
PLAIN = {"enabled", "visible", "editable"}


class Hands:
    """Calls the tools of one desktop in memory, all with the same vault."""

    def __init__(self, desktop: FakeDesktop, folder: Path, vault: SessionVault) -> None:
        self.desktop = desktop
        self.folder = folder
        self.vault = vault
        self.back_end = make_fake_back_end(desktop, Environment(platform="linux", state_dir=folder))
        self._verbs = _list_verbs(self.back_end.toolsets)

    async def call(self, verb: str, **args: Any) -> ToolOutcome:
        context = ActionContext(f"g0_{verb}_1", timeout_s=3, vault=self.vault)
        return await getattr(self._verbs[verb], verb)(context, **args)


def _list_verbs(toolsets: Mapping[type[Toolset], Toolset]) -> dict[str, Toolset]:
    return {verb: tools for kind, tools in toolsets.items() for verb in list_verbs(kind)}


@pytest.fixture
def field() -> FakeDesktopElement:
    return FakeDesktopElement("textbox", "Phrase", Rect(10, 10, 200, 30), "", set(PLAIN))


@pytest.fixture
def password() -> FakeDesktopElement:
    return FakeDesktopElement("textbox", "Password", Rect(10, 60, 200, 30), "", {*PLAIN, "password"})


@pytest.fixture
def hands(field: FakeDesktopElement, password: FakeDesktopElement, tmp_path: Path) -> Hands:
    window = FakeWindow("Form", "Editor", Rect(100, 100, 400, 300), [field, password])
    return Hands(FakeDesktop(window), tmp_path, make_vault(phrase=VALUE))


def check_told(outcome: ToolOutcome) -> None:
    assert find_leaks(VALUE, repr((outcome.output, outcome.evidence, outcome.undo, outcome.undo_record)).encode()) == []
    assert outcome.evidence["secret"] == "phrase"


async def test_a_named_field_gets_it_and_is_read_back_without_telling(hands: Hands, field: FakeDesktopElement) -> None:
    outcome = await hands.call("type", text=HANDLE, target='textbox "Phrase"')
    assert (field.value, outcome.effect, outcome.evidence["matches"]) == (VALUE, "confirmed", True)
    check_told(outcome)


async def test_keys_type_it_into_what_has_the_focus(hands: Hands, field: FakeDesktopElement) -> None:
    field.value = "before "
    hands.desktop.focused = field
    outcome = await hands.call("type", text=HANDLE)
    assert (field.value, outcome.output["way"], outcome.effect) == (f"before {VALUE}", "keys", "confirmed")
    check_told(outcome)


async def test_what_a_password_field_holds_is_not_read_back(hands: Hands, password: FakeDesktopElement) -> None:
    hands.desktop.focused = password
    outcome = await hands.call("type", text=HANDLE)
    assert outcome.effect == "unverified"
    check_told(outcome)


async def test_it_never_comes_on_the_clipboard(hands: Hands, field: FakeDesktopElement) -> None:
    hands.desktop.typable = "xyz"
    field.value = "x"
    hands.desktop.focused = field
    with pytest.raises(ActionError) as caught:
        await hands.call("type", text=HANDLE)
    assert caught.value.code == "unsupported_text"
    assert not any(letter in caught.value.message.removeprefix("secret:phrase") for letter in ("correct", "horse"))
    assert dict(caught.value.evidence) == {"secret": "phrase"}
    assert field.value == "x"


async def test_an_element_is_set_to_it(hands: Hands, field: FakeDesktopElement, password: FakeDesktopElement) -> None:
    outcome = await hands.call("set_value", target='textbox "Phrase"', value=HANDLE)
    assert (field.value, outcome.effect, outcome.output) == (VALUE, "confirmed", {"value": None, "before": None})
    assert outcome.undo_record is None
    check_told(outcome)
    assert (await hands.call("set_value", target='textbox "Password"', value=HANDLE)).effect == "unverified"


async def test_what_takes_no_text_takes_no_secret(hands: Hands) -> None:
    window = hands.desktop.windows[0]
    window.elements.append(FakeDesktopElement("slider", "Volume", Rect(10, 110, 200, 30), "5", lowest=0, highest=10))
    with pytest.raises(TargetError) as caught:
        await hands.call("set_value", target='slider "Volume"', value=HANDLE)
    assert VALUE not in repr(caught.value.info())


async def test_a_secret_for_pages_is_not_typed_into_windows(
    hands: Hands, field: FakeDesktopElement, tmp_path: Path
) -> None:
    file = SecretFile(tmp_path / "secrets.toml")
    file.write({"phrase": SecretEntry(VALUE, hosts=("shop.example",))})
    hands.vault = SessionVault(SecretSources({}, KeyringSecrets(), file))
    for verb, args in (("type", {"text": HANDLE}), ("set_value", {"target": 'textbox "Phrase"', "value": HANDLE})):
        with pytest.raises(PolicyError):
            await hands.call(verb, **args)
    assert (field.value, hands.desktop.events) == ("", [])


# --- pictures ----------------------------------------------------------------------------------------------------------


async def take(hands: Hands, name: str) -> ToolOutcome:
    return await hands.call("screenshot", path=str(hands.folder / f"{name}.png"))


async def test_a_password_field_is_black_on_a_picture(hands: Hands) -> None:
    outcome = await take(hands, "a")
    assert outcome.evidence["blacked_out"] == 1
    assert "secrets" not in outcome.evidence


async def test_a_field_with_a_secret_is_black_on_a_picture_also_after_it_moved(
    hands: Hands, field: FakeDesktopElement
) -> None:
    await hands.call("type", text=HANDLE, target='textbox "Phrase"')
    field.bounds = Rect(50, 200, 200, 30)
    field.value = "changed by the application"
    outcome = await take(hands, "a")
    assert outcome.evidence["blacked_out"] == 2


async def test_whatever_shows_a_secret_is_black_on_a_picture(hands: Hands) -> None:
    await hands.call("type", text=HANDLE, target='textbox "Phrase"')
    hands.desktop.windows[0].elements.append(FakeDesktopElement("label", f"You typed {VALUE}", Rect(10, 200, 200, 30)))
    assert (await take(hands, "a")).evidence["blacked_out"] == 3


async def test_where_a_secret_is_not_known_to_be_the_picture_says_so(hands: Hands, field: FakeDesktopElement) -> None:
    hands.desktop.windows[0].elements.clear()
    await hands.call("type", text=HANDLE)
    assert (await take(hands, "a")).evidence["secrets"] == UNSURE


async def test_an_outline_shows_a_field_with_a_secret_only_redacted(hands: Hands) -> None:
    await hands.call("type", text=HANDLE, target='textbox "Phrase"')
    told = hands.vault.redact((await hands.call("snapshot")).output)
    assert find_leaks(VALUE, repr(told).encode()) == []


RECTS = st.builds(Rect, st.integers(-20, 40), st.integers(-20, 40), st.integers(1, 40), st.integers(1, 40))


@given(st.lists(RECTS, max_size=3), st.sampled_from([1, 2]))
def test_exactly_what_is_hidden_is_black(hidden: list[Rect], scale: int) -> None:
    bounds = Rect(5, 7, 20, 15)
    picture = Picture(bounds, 20 * scale, 15 * scale, b"\xff" * (3 * 20 * 15 * scale * scale))
    shown = black_out(picture, tuple(hidden))
    assert (shown.width, shown.height, len(shown.rgb)) == (picture.width, picture.height, len(picture.rgb))
    for row in range(picture.height):
        for column in range(picture.width):
            x, y = bounds.x + column // scale, bounds.y + row // scale
            black = shown.rgb[3 * (row * picture.width + column)] == 0
            assert black == any(each.contains(x, y) for each in hidden)


async def test_a_desktop_without_accessibility_says_that_it_can_not_tell(hands: Hands) -> None:
    await hands.call("type", text=HANDLE, target='textbox "Phrase"')
    hands.desktop.faults["accessibility.elements"] = TargetError("It is gone.")
    try:
        outcome = await take(hands, "a")
    except SurehandError as error:
        pytest.fail(str(error))
    assert outcome.evidence["secrets"] == UNSURE
