"""What every back end says an act aims at, before it."""

import pytest

from core.base.errors import TargetError
from tests.contracts.browser.bench import Bench


class AimingConformance:
    """Looking at what would be acted on, without touching it."""

    async def test_a_button_is_told_with_its_role_name_tag_and_page(self, bench: Bench):
        await bench.open()
        seen = await bench.identify("click", selector='button "Plain button"')
        assert seen["address"] == bench.url()
        assert (seen["role"], seen["name"], seen["tag"]) == ("button", "Plain button", "button")

    async def test_a_link_is_told_with_where_it_leads(self, bench: Bench):
        await bench.open()
        seen = await bench.identify("click", selector='link "Second page" nth 1')
        assert (seen["role"], seen["leads_to"]) == ("link", bench.url("second"))

    async def test_a_field_is_told_with_where_its_form_goes(self, bench: Bench):
        await bench.open("form")
        seen = await bench.identify("type", selector='field "Name"', text="Ada")
        assert seen["role"] == "textbox"
        assert seen["form_sends_to"].endswith("/elements/fields")
        assert seen["form_method"] == "post"

    async def test_nothing_is_touched(self, bench: Bench):
        await bench.open()
        first = await bench.identify("click", selector="#plain")
        assert await bench.identify("click", selector="#plain") == first
        await bench.call("click", selector="#plain")
        assert await bench.clicked() == ["plain"]

    async def test_what_looks_is_told_with_its_page_alone(self, bench: Bench):
        await bench.open("second")
        for verb, args in (
            ("read", {"target": "title"}),
            ("wait", {"url": "second"}),
            ("reload", {}),
            ("list_tabs", {}),
        ):
            assert await bench.identify(verb, **args) == {"address": bench.url("second")}

    @pytest.mark.parametrize("verb", ["navigate", "open_tab"])
    async def test_what_opens_an_address_aims_at_no_page(self, bench: Bench, verb: str):
        await bench.open()
        assert await bench.identify(verb, url=bench.url("second")) == {}

    async def test_without_a_page_there_is_nothing_to_aim_at(self, bench: Bench):
        assert await bench.identify("press", key="Enter") == {}

    async def test_a_search_aims_at_the_address_that_it_opens(self, bench: Bench):
        seen = await bench.identify("search", query="two mugs", platform="google")
        assert seen["address"].startswith("https://www.google.com/search?")

    async def test_an_element_that_is_not_there_is_told_beforehand(self, bench: Bench):
        await bench.open()
        bench.timeout_s = 1.0
        with pytest.raises(TargetError) as caught:
            await bench.identify("click", selector='button "No such button"')
        assert caught.value.code == "target_missing"
