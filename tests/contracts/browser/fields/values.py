"""What every back end does for values that people call by a name."""

import pytest

from core.base.errors import ExpectationError, TargetError
from tests.contracts.browser.bench import Bench
from tests.thoroughness import spread


class ValueConformance:
    """Finding the value that belongs to a label."""

    @pytest.mark.parametrize(
        ("selector", "text"),
        spread(
            [
                ('value "guests"', "4"),
                ('value "Balance"', "£12.50"),
                ('value "arrival"', "Friday"),
                ('value "Departure"', "Monday"),
                ('value "Total"', "£92.00"),
                ('value "Price" in row "Breakfast"', "£12.00"),
                ('value "Seats"', "9"),
                ('value "Booking"', "K7"),
                ('value "breakfast time"', "eight"),
                ('value "deposit"', "£20.00"),
                ('value "booking name"', "Ada"),
                ('value "Persons" in "Children"', "1"),
                ('value "Persons" nth 1', "3"),
            ],
            5,
        ),
    )
    async def test_values_are_read_by_what_people_call_them(self, bench: Bench, selector: str, text: str):
        await bench.open("values")
        outcome = await bench.call("read", target="text", selector=selector)
        assert outcome.output["text"] == text
        assert (await bench.call("read", target="value", selector=selector)).output["text"] == text

    @pytest.mark.parametrize("name", ["Price", "tax", "heating", "Thank you", "Remove"])
    async def test_a_label_without_a_value_is_missing_and_the_nearest_are_told(self, bench: Bench, name: str):
        bench.timeout_s = 3
        await bench.open("values")
        with pytest.raises(TargetError) as caught:
            await bench.call("read", target="text", selector=f'value "{name}"')
        assert caught.value.code == "target_missing"
        nearest = {each["selector"] for each in caught.value.evidence["nearest"]}
        assert len(nearest) == 5
        for selector in nearest:
            assert (await bench.call("read", target="text", selector=selector)).output["text"]

    async def test_two_values_of_one_name_are_listed(self, bench: Bench):
        bench.timeout_s = 3
        await bench.open("values")
        with pytest.raises(TargetError) as caught:
            await bench.call("read", target="text", selector='value "Persons"')
        assert caught.value.code == "target_ambiguous"
        first, second = caught.value.evidence["matches"]
        assert (first["in"], second["in"]) == ("Adults", "Children")
        assert (await bench.call("read", target="text", selector=second["selector"])).output["text"] == "1"

    async def test_what_is_expected_of_a_value_is_about_the_value_alone(self, bench: Bench):
        await bench.open("values")
        await bench.call("expect", selector='value "Booking"', text="K7", state="visible")
        with pytest.raises(ExpectationError):
            await bench.call("expect", selector='value "Booking"', text="Booking", timeout=0.2)

    async def test_records_are_made_of_values(self, bench: Bench):
        await bench.open("values")
        fields = {"total": 'value "Total"', "persons": {"selector": 'value "Persons" in "Adults"', "type": "integer"}}
        assert (await bench.call("extract", fields=fields)).output["rows"] == [{"total": "£92.00", "persons": 3}]
