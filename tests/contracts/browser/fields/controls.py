"""What every back end does for set."""

from typing import Any

import pytest

from core.base.errors import SurehandError
from tests.contracts.browser.bench import Bench
from tests.thoroughness import spread


class ControlConformance:
    """Giving controls a value, whatever they are made of."""

    @pytest.mark.parametrize(
        ("selector", "value", "output", "sent"),
        spread([
            ('field "Guest"', "Ada", ("text", "Ada"), ("guest", "Ada")),
            ('field "Guests"', 4, ("number", "4"), ("guests", "4")),
            ('slider "Volume"', "75%", ("range", "75"), ("volume", "75")),
            ('field "Accent"', "orange", ("color", "#ffa500"), ("accent", "#ffa500")),
            ('field "Arrival"', "24 December 2026", ("date", "2026-12-24"), ("arrival", "2026-12-24")),
            ('field "Arrival"', "03/05/2026", ("date", "2026-03-05"), ("arrival", "2026-03-05")),
            ('field "Waking"', "6:30 pm", ("time", "18:30"), ("waking", "18:30")),
            ('field "Room"', "double", ("select", "Double"), ("room", "d")),
            ('field "Room"', 2, ("select", "Suite"), ("room", "2")),
            ('group "Meals"', "Dinner too", ("radios", "Dinner too"), ("meals", "d")),
            ('radio "Dinner too"', "on", ("radios", "Dinner too"), ("meals", "d")),
            ('radio "Breakfast"', "Dinner too", ("radios", "Dinner too"), ("meals", "d")),
            ('checkbox "Newsletter"', "on", ("box", "on"), ("letter", "yes")),
            ('checkbox "Newsletter"', True, ("box", "on"), ("letter", "yes")),
        ], 7),
    )  # fmt: skip
    async def test_a_control_of_any_make_gets_its_value_and_sends_it(
        self, bench: Bench, selector: str, value: Any, output: tuple[str, str], sent: tuple[str, str]
    ):
        await bench.open("controls")
        outcome = await bench.call("set", selector=selector, value=value)
        assert (outcome.output["kind"], outcome.output["value"]) == output
        assert (outcome.effect, outcome.evidence["already"]) == ("confirmed", False)
        await bench.call("click", selector='button "Send"')
        assert (await bench.far_end.sent())[sent[0]] == (sent[1],)

    @pytest.mark.parametrize(
        ("selector", "value", "before"),
        [
            ('field "Guest"', "nobody", "nobody"), ('field "Guests"', "2", "2"), ('slider "Volume"', 50, "50"),
            ('field "Room"', "Single", "Single"), ('group "Meals"', "Breakfast", "Breakfast"), ('checkbox "Newsletter"', "off", "off"),
        ],
    )  # fmt: skip
    async def test_a_control_that_has_the_value_already_says_so(
        self, bench: Bench, selector: str, value: Any, before: str
    ):
        await bench.open("controls")
        outcome = await bench.call("set", selector=selector, value=value)
        assert (outcome.evidence["already"], outcome.evidence["before"], outcome.effect) == (True, before, "confirmed")

    @pytest.mark.parametrize(
        ("selector", "value", "code"),
        spread(
            [
                ('field "Guests"', 10, "bad_value"),
                ('field "Guests"', "many", "bad_value"),
                ('slider "Volume"', 77, "bad_value"),
                ('field "Accent"', "loud", "bad_value"),
                ('field "Arrival"', "31/02/2026", "bad_value"),
                ('field "Waking"', "25:00", "bad_value"),
                ('checkbox "Newsletter"', "maybe", "bad_value"),
                ('field "Room"', 1, "target_missing"),
                ('group "Meals"', "Lunch", "target_missing"),
                ('field "Closed"', "x", "target_readonly"),
                ('button "Send"', "x", "target_unsuitable"),
                ('field "Gest"', "x", "target_missing"),
            ],
            4,
        ),
    )
    async def test_a_value_that_does_not_fit_changes_nothing(self, bench: Bench, selector: str, value: Any, code: str):
        bench.timeout_s = 3
        await bench.open("controls")
        with pytest.raises(SurehandError) as caught:
            await bench.call("set", selector=selector, value=value)
        assert caught.value.code == code
        await bench.call("click", selector='button "Send"')
        sent = await bench.far_end.sent()
        held = {name: sent.get(name) for name in ("guests", "volume", "accent", "arrival", "room", "meals", "letter")}
        assert held == {
            "guests": ("2",), "volume": ("50",), "accent": ("#000000",), "arrival": ("",), "room": ("s",), "meals": ("b",), "letter": None,
        }  # fmt: skip

    async def test_what_a_password_field_holds_is_not_told(self, bench: Bench):
        await bench.open("controls")
        outcome = await bench.call("set", selector='field "Secret"', value="hush")
        assert "hush" not in f"{outcome.output}{outcome.evidence}"
        assert outcome.effect == "confirmed"
