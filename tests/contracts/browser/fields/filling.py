"""What every back end does for fill."""

from typing import Any

import pytest

from core.base.errors import SurehandError
from tests.contracts.browser.bench import Bench


class FillConformance:
    """Filling in several fields by what they mean."""

    async def test_words_find_their_fields_and_what_they_hold_is_sent(self, bench: Bench):
        await bench.open("controls")
        fields = {"guest": "Ada", "guests": 4, "arriving": "24 December 2026", "room": "double", "the secret": "x y"}
        outcome = await bench.call("fill", fields=fields, submit=True)
        assert outcome.output["fields"] == {"Guest": "Ada", "Guests": "4", "Arrival": "2026-12-24", "Room": "Double"}
        assert outcome.evidence["matched"]["arriving"] == "Arrival"
        assert (outcome.effect, outcome.evidence["submitted_with"]) == ("confirmed", "Send")
        sent = await bench.far_end.sent()
        assert [sent[name] for name in ("guest", "guests", "arrival", "room", "secret")] == [
            ("Ada",), ("4",), ("2026-12-24",), ("d",), ("x y",)
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("args", "code"),
        [
            ({"fields": {"guest": "Ada", "sender": "Bob", "street": "A"}}, "target_missing"),
            ({"fields": {"guest": "Ada", "the guest": "Bob"}}, "target_ambiguous"),
            ({"from_page": True}, "target_missing"),
        ],
    )
    async def test_nothing_is_filled_in_where_one_field_is_not_clear(
        self, bench: Bench, args: dict[str, Any], code: str
    ):
        await bench.open("controls")
        bench.timeout_s = 2.0
        with pytest.raises(SurehandError) as caught:
            await bench.call("fill", **args)
        assert caught.value.code == code
        await bench.call("click", selector='button "Send"')
        assert (await bench.far_end.sent())["guest"] == ("nobody",)
