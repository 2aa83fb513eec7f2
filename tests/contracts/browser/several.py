"""What every back end does for selectors that name several elements, or one by what it is beside, in, or worth."""

from typing import Any

import pytest

from core.base.errors import ExpectationError, TargetError
from tests.contracts.browser.bench import Bench
from tests.thoroughness import spread


class SeveralConformance:
    """Selectors with more than a name."""

    async def test_every_element_is_clicked_and_told(self, bench: Bench):
        await bench.open("several")
        outcome = await bench.call("click", selector='every button "Like"')
        assert outcome.effect == "confirmed"
        assert outcome.evidence["count"] == 3
        received = [each["received_by"]["id"] for each in outcome.evidence["elements"]]
        assert received == ["like-1", "like-2", "like-3"] == await bench.clicked(3)

    async def test_the_first_few_are_clicked_and_no_more(self, bench: Bench):
        await bench.open("several")
        await bench.call("click", selector='first 2 button "Like"')
        assert await bench.clicked(2) == ["like-1", "like-2"]

    async def test_too_few_are_told_and_none_is_clicked(self, bench: Bench):
        bench.timeout_s = 3
        await bench.open("several")
        with pytest.raises(TargetError, match="Only 3 of the 5") as caught:
            await bench.call("click", selector='first 5 button "Like"')
        assert caught.value.code == "target_missing"
        assert caught.value.evidence["count"] == 3
        assert await bench.clicked(0) == []

    async def test_elements_that_vanish_upon_their_click_are_all_clicked_until_one_cannot_be(self, bench: Bench):
        bench.timeout_s = 3
        await bench.open("several")
        with pytest.raises(TargetError, match="2 of 3 elements were changed") as caught:
            await bench.call("click", selector='every button "Bin"')
        assert caught.value.code == "target_disabled"
        assert caught.value.evidence["done"] == 2
        assert [each["received_by"]["id"] for each in caught.value.evidence["elements"]] == ["bin-1", "bin-2"]
        assert await bench.clicked(2) == ["bin-1", "bin-2"]

    async def test_what_is_left_behind_with_the_page_is_not_looked_for_on_the_next_one(self, bench: Bench):
        bench.timeout_s = 3
        await bench.open("several")
        with pytest.raises(TargetError, match="1 of 2 elements were changed"):
            await bench.call("click", selector='every button "Leave"')
        assert (await bench.call("read", target="url")).output["value"] == bench.url("second")

    async def test_every_box_is_ticked_except_those_that_are_named(self, bench: Bench):
        await bench.open("several")
        outcome = await bench.call("check", selector='every checkbox in "Toppings" except "Salt"')
        assert outcome.effect == "confirmed"
        assert outcome.output == {"checked": True}
        assert [each["already"] for each in outcome.evidence["elements"]] == [False, True]
        await bench.call("expect", selector='checkbox "Milk"', state="checked")
        await bench.call("expect", selector='checkbox "Salt"', state="unchecked")

    async def test_an_exception_that_is_not_there_leaves_nothing_to_act_on(self, bench: Bench):
        bench.timeout_s = 3
        await bench.open("several")
        with pytest.raises(TargetError) as caught:
            await bench.call("check", selector='every checkbox in "Toppings" except "Pepper"')
        assert caught.value.code == "target_missing"
        assert (await bench.call("read", target="value", selector='checkbox "Milk"')).output["value"] is False

    async def test_every_element_is_dragged(self, bench: Bench):
        await bench.open("several")
        outcome = await bench.call("drag", selector='every button "Crate"', target='region "Hold"')
        assert outcome.effect == "confirmed"
        dropped = [(each["id"], each["on"]) for each in await bench.far_end.events("dropped", 2)]
        assert dropped == [("crate-1", "hold"), ("crate-2", "hold")]

    async def test_several_texts_are_read_counted_and_expected(self, bench: Bench):
        await bench.open("several")
        texts = await bench.call("read", target="text", selector='every heading in "Posts"')
        assert texts.output["value"] == ["First post", "Second post", "Third post"]
        assert texts.output["text"] == "First post\nSecond post\nThird post"
        count = await bench.call("read", target="count", selector='every button "Like"')
        assert count.output["value"] == 3
        await bench.call("expect", selector='every button "Book"', count=3)
        with pytest.raises(ExpectationError):
            await bench.call("expect", selector='every button "Book"', count=2, timeout=0.5)

    @pytest.mark.parametrize(
        ("verb", "args"),
        [
            ("hover", {}),
            ("type", {"text": "a"}),
            ("read", {"target": "value"}),
            ("read", {"target": "html"}),
            ("expect", {}),
            ("wait", {}),
            ("screenshot", {}),
        ],
    )
    async def test_several_elements_are_refused_where_only_one_can_be_meant(
        self, bench: Bench, verb: str, args: dict[str, Any]
    ):
        await bench.open("several")
        with pytest.raises(TargetError) as caught:
            await bench.call(verb, selector='every button "Like"', **args)
        assert caught.value.code == "bad_selector"

    @pytest.mark.parametrize(
        ("selector", "clicked"),
        spread(
            [
                ('button "Like" nth last', "like-3"),
                ('button "Like" in (record "Second post")', "like-2"),
                ('button in record "Third post"', "like-3"),
                ('button "Like" in (record in "Posts" with highest "Likes")', "like-2"),
                ('button "Like" in (record nth 1 in "Posts")', "like-1"),
                ('button "Book" in (record with lowest "Price")', "book-b"),
                ('button "Book" in (record in "Flights" with highest "Price")', "book-c"),
                ('button "Book" in (row with oldest "Day")', "book-b"),
                ('button "Book" in (row with newest "Day")', "book-c"),
                ('button "Book" in (row with newest "Day" nth 2)', "book-a"),
                ('button "Book" in (record nth last in "Flights")', "book-c"),
                ('field near "Zip"', "zip-field"),
                ('field in "Placed" below "Zip"', "town-field"),
                ('field right of "Town"', "town-field"),
                ('field above "Town" in "Placed"', "zip-field"),
                ('button left of "Half" in "Placed"', "up"),
                ('button in "Placed" right of (button "Up")', "down"),
            ],
            6,
        ),
    )
    async def test_one_element_is_named_by_what_it_is_in_worth_or_beside(
        self, bench: Bench, selector: str, clicked: str
    ):
        await bench.open("several")
        await bench.call("click", selector=selector)
        assert await bench.clicked() == [clicked]

    @pytest.mark.parametrize(
        ("selector", "code"),
        [
            ('button in "Placed" near "Half"', "target_ambiguous"),
            ('button "Like" in (record "post")', "target_ambiguous"),
            ('button "Like" in (record "Fourth post")', "target_missing"),
            ('button "Book" in (record with lowest "Weight")', "target_missing"),
            ('field left of "Zip"', "target_missing"),
            ('field near "Street"', "target_missing"),
            ('button "Like" nth 4', "target_missing"),
        ],
    )
    async def test_what_is_not_one_element_is_not_acted_on(self, bench: Bench, selector: str, code: str):
        bench.timeout_s = 3
        await bench.open("several")
        with pytest.raises(TargetError) as caught:
            await bench.call("click", selector=selector)
        assert caught.value.code == code
        assert await bench.clicked(0) == []

    @pytest.mark.parametrize(
        ("selector", "without"),
        [
            ('button "Like" nth 4', {"nth 4": 3}),
            ('button "Like" in "Drafts"', {'in "Drafts"': 3}),
            ('record in "Posts" with lowest "Weight"', {'in "Posts"': 0, 'with lowest "Weight"': 3}),
            ('every checkbox in "Toppings" except "Pepper"', {'in "Toppings"': 0, 'except "Pepper"': 3}),
            ('field in "Placed" near "Street"', {'in "Placed"': 0, 'near "Street"': 2}),
        ],
    )
    async def test_what_is_missing_is_told_with_the_part_that_nothing_fits(
        self, bench: Bench, selector: str, without: dict[str, int]
    ):
        bench.timeout_s = 3
        await bench.open("several")
        with pytest.raises(TargetError) as caught:
            await bench.call("click", selector=selector)
        assert caught.value.code == "target_missing"
        assert caught.value.evidence["without"] == without
        part = next(part for part, count in without.items() if count)
        assert f"without {part} it matches {without[part]}" in caught.value.message

    async def test_what_would_be_acted_on_is_told_for_each(self, bench: Bench):
        await bench.open("several")
        facts = await bench.identify("click", selector='every button "Like"')
        assert facts["address"] == bench.url("several")
        assert facts["count"] == 3
        assert facts["role"] == ["button", "button", "button"]
