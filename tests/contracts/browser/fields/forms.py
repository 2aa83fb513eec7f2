"""What every back end does for type, press, select, check and upload."""

from pathlib import Path

import pytest

from core.base.errors import ActionError, SurehandError, TargetError
from core.goals.secret_values import Secret
from tests.contracts.browser.bench import PIN, Bench
from tests.contracts.browser.simulated import not_simulated

EXACT = "Zażółć \"gęślą\" & <jaźń>, 日本 😀 'x'\\n %20"


class FormConformance:
    """Filling in."""

    async def test_what_is_typed_is_read_back_and_sent_byte_for_byte(self, bench: Bench):
        await bench.open("form")
        outcome = await bench.call("type", selector='field "Name"', text=EXACT)
        assert outcome.output == {"value": EXACT}
        assert outcome.evidence == {"value": EXACT, "length": len(EXACT)}
        assert outcome.effect == "confirmed"
        await bench.call("click", selector='button "Send"')
        assert (await bench.far_end.sent())["name"] == (EXACT,)

    @pytest.mark.parametrize(
        ("mode", "value"),
        [("replace", "lente"), ("append", "Festinalente"), pytest.param("keys", "Festinalente", marks=not_simulated)],
    )
    async def test_the_mode_decides_what_becomes_of_what_is_there(self, bench: Bench, mode: str, value: str):
        await bench.open("form")
        outcome = await bench.call("type", selector='field "Motto"', text="lente", mode=mode)
        assert outcome.output["value"] == value

    async def test_submitting_sends_the_form(self, bench: Bench):
        await bench.open("form")
        outcome = await bench.call("type", selector='field "Name"', text="Ada", submit=True)
        assert outcome.evidence["submitted"] is True
        assert (await bench.far_end.sent())["name"] == ("Ada",)

    @not_simulated
    async def test_a_field_that_keeps_something_else_shows_the_difference(self, bench: Bench):
        await bench.open("form")
        with pytest.raises(ActionError) as caught:
            await bench.call("type", selector='field "At most five"', text="123456789", mode="keys")
        assert caught.value.code == "value_differs"
        assert (caught.value.evidence["expected"], caught.value.evidence["actual"]) == ("123456789", "12345")

    @pytest.mark.parametrize(
        ("selector", "code"),
        [
            ('field "Fixed"', "target_readonly"),
            ('field "Nome"', "target_missing"),
            ('button "Send"', "target_unsuitable"),
        ],
    )
    async def test_what_takes_no_text_is_refused(self, bench: Bench, selector: str, code: str):
        bench.timeout_s = 3
        await bench.open("form")
        with pytest.raises(TargetError) as caught:
            await bench.call("type", selector=selector, text="x")
        assert caught.value.code == code

    @not_simulated
    async def test_a_field_in_a_frame_is_reached_by_the_frame_or_alone(self, bench: Bench):
        await bench.open()
        for selector in ('frame "Inner" >> field "Inner note"', 'field "Inner note"'):
            outcome = await bench.call("type", selector=selector, text=selector)
            assert outcome.output["value"] == selector

    async def test_a_key_goes_to_the_element_and_is_known_by_what_people_call_it(self, bench: Bench):
        await bench.open("form")
        outcome = await bench.call("press", key="return", selector='field "Name"')
        assert outcome.evidence["key"] == "Enter"
        assert outcome.evidence["received_by"]["id"] == "name"
        assert outcome.effect == "confirmed"
        assert "name" in await bench.far_end.sent()

    @not_simulated
    async def test_a_key_without_an_element_goes_to_what_has_the_focus(self, bench: Bench):
        await bench.open("form")
        await bench.call("focus", selector='field "Motto"')
        outcome = await bench.call("press", key="!")
        assert outcome.evidence["received_by"]["id"] == "motto"
        with pytest.raises(ActionError) as caught:
            await bench.call("press", key="nokey")
        assert caught.value.code == "unknown_key"

    @pytest.mark.parametrize(
        ("selector", "value", "chosen", "name", "sent"),
        [
            ('field "Colour"', "Green", ["Green"], "colour", ("g",)),
            ('field "Colour"', "b", ["Blue"], "colour", ("b",)),
            ('field "Colour"', 1, ["Green"], "colour", ("g",)),
            ('field "Extras"', ("Milk", "Honey"), ["Milk", "Honey"], "extras", ("Milk", "Honey")),
        ],
    )
    async def test_options_are_chosen_by_label_value_or_number(
        self, bench: Bench, selector: str, value: str, chosen: list[str], name: str, sent: tuple[str, ...]
    ):
        await bench.open("form")
        outcome = await bench.call("select", selector=selector, value=value)
        assert outcome.output == {"selected": chosen}
        assert outcome.evidence == {"selected": chosen}
        assert outcome.effect == "confirmed"
        await bench.call("click", selector='button "Send"')
        assert (await bench.far_end.sent())[name] == sent

    async def test_an_option_that_is_not_there_lists_those_that_are(self, bench: Bench):
        bench.timeout_s = 3
        await bench.open("form")
        with pytest.raises(TargetError) as caught:
            await bench.call("select", selector='field "Colour"', value="Mauve")
        assert caught.value.code == "target_missing"
        assert caught.value.evidence["options"] == ["Red", "Green", "Blue"]
        with pytest.raises(TargetError) as unsuitable:
            await bench.call("select", selector='field "Name"', value="Mauve")
        assert unsuitable.value.code == "target_unsuitable"

    async def test_boxes_are_ticked_and_cleared(self, bench: Bench):
        await bench.open("form")
        ticked = await bench.call("check", selector='checkbox "I accept the terms"')
        assert (ticked.output, ticked.effect) == ({"checked": True}, "confirmed")
        assert ticked.evidence == {"checked": True, "already": False}
        again = await bench.call("check", selector='checkbox "I accept the terms"')
        assert again.evidence == {"checked": True, "already": True}
        await bench.call("check", selector='radio "Fast"')
        await bench.call("click", selector='button "Send"')
        sent = await bench.far_end.sent()
        assert (sent["terms"], sent["speed"]) == (("yes",), ("fast",))

    async def test_what_can_not_be_ticked_is_refused(self, bench: Bench):
        await bench.open("form")
        for selector, checked in (('radio "Slow"', False), ('field "Name"', True)):
            with pytest.raises(TargetError) as caught:
                await bench.call("check", selector=selector, checked=checked)
            assert caught.value.code == "target_unsuitable"

    @not_simulated
    async def test_a_file_is_put_into_its_field(self, bench: Bench, tmp_path: Path):
        photo = tmp_path / "photo of me.png"
        photo.write_bytes(b"12345")
        await bench.open("form")
        outcome = await bench.call("upload", selector='label="Photo"', path=str(photo))
        assert outcome.output == {"files": [{"name": "photo of me.png", "size": 5}]}
        assert outcome.evidence == outcome.output
        assert outcome.effect == "confirmed"

    @not_simulated
    async def test_a_file_that_is_not_there_or_one_too_many_is_an_error(self, bench: Bench, tmp_path: Path):
        photo = tmp_path / "photo.png"
        photo.write_bytes(b"12345")
        await bench.open("form")
        with pytest.raises(ActionError) as missing:
            await bench.call("upload", selector='label="Photo"', path=str(tmp_path / "none.png"))
        assert missing.value.code == "file_missing"
        with pytest.raises(TargetError) as many:
            await bench.call("upload", selector='label="Photo"', path=(str(photo), str(photo)))
        assert many.value.code == "target_unsuitable"


class SecretFieldConformance:
    """Typing what nobody may see."""

    @not_simulated
    async def test_a_password_is_typed_exactly_and_never_shown(self, bench: Bench):
        secret = "s3cret: ok?"
        await bench.open("form")
        outcome = await bench.call("type", selector='field "Password"', text=secret)
        assert outcome.output == {}
        assert outcome.evidence == {"matches": True, "length": len(secret)}
        assert outcome.effect == "confirmed"
        assert (await bench.call("read", target="value", selector="#password")).output["value"] is None
        assert secret not in (await bench.call("snapshot")).output["text"]
        await bench.call("click", selector='button "Send"')
        assert (await bench.far_end.sent())["password"] == (secret,)

    @pytest.mark.parametrize("selector", ['field "Password"', 'field "Name"'])
    async def test_a_secret_arrives_and_is_never_told(self, bench: Bench, selector: str):
        await bench.open("form")
        outcome = await bench.call("type", selector=selector, text=Secret("pin"), submit=True)
        told = {
            name: value for name, value in outcome.evidence.items() if name in {"value", "length", "matches", "secret"}
        }
        assert (outcome.output, told) == ({}, {"matches": True, "secret": "pin"})
        assert outcome.effect == "confirmed"
        assert (PIN,) in (await bench.far_end.sent()).values()

    @not_simulated
    async def test_a_field_that_got_a_secret_is_read_as_a_password(self, bench: Bench):
        await bench.open("form")
        await bench.call("type", selector='field "Name"', text=Secret("pin"))
        read = (await bench.call("read", target="value", selector='field "Name"')).output
        assert (read["value"], read["text"]) == (None, "")
        assert PIN not in (await bench.call("snapshot")).output["text"]

    @not_simulated
    async def test_a_field_that_cuts_a_secret_tells_nothing_of_it(self, bench: Bench):
        await bench.open("form")
        with pytest.raises(ActionError) as caught:
            await bench.call("type", selector='field "At most five"', text=Secret("pin"), mode="keys")
        assert caught.value.code == "value_differs"
        assert PIN[:5] not in repr(caught.value.info())

    async def test_a_secret_that_there_is_not_is_refused(self, bench: Bench):
        await bench.open("form")
        with pytest.raises(SurehandError) as caught:
            await bench.call("type", selector='field "Name"', text=Secret("pan"))
        assert caught.value.code == "missing_secret"
