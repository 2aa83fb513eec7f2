"""What every back end does for things that are named by what they look like, and for icons."""

import pytest

from core.base.errors import TargetError
from tests.contracts.browser.bench import Bench
from tests.thoroughness import spread


class LookConformance:
    """Finding what has no name."""

    @pytest.mark.parametrize(
        ("selector", "element_id"),
        spread(
            [
                ('look "large red circle"', "big-red"),
                ('look "small red circle"', "small-red"),
                ('look "the blue dot"', "big-blue"),
                ('look "green square"', "green-square"),
                ('look "green rectangle"', "green-square"),
                ('look "triangle"', "triangle"),
                ('look "5-sided shape"', "pentagon"),
                ('look "purple item"', "pentagon"),
                ('look "q"', "letter"),
                ('look "Q"', "letter"),
                ('look "magenta digit"', "digit"),
                ('look "20px circle"', "small-red"),
                ('look "circle" nth 3', "big-blue"),
                ('look "smallest circle"', "small-red"),
                ('icon "trash" in "Ada"', "ada-trash"),
                ('icon "delete" in "Grace"', "grace-trash"),
                ('icon "favourite" in "Grace"', "grace-star"),
                ('icon "more tools"', "more-tool"),
                ('icon "find"', "find-tool"),
                ('icon "magnifying glass"', "find-tool"),
                ('control "more tools"', "more-tool"),
                ('button "find a letter"', "find-tool"),
                ('control "Star" in "Ada"', "ada-star"),
                ('control "x"', "close-tool"),
                ('button "X"', "close-tool"),
                ('control "×"', "close-tool"),
            ],
            9,
        ),
    )
    async def test_a_click_reaches_what_was_described(self, bench: Bench, selector: str, element_id: str):
        await bench.open("looks")
        outcome = await bench.call("click", selector=selector)
        assert outcome.effect == "confirmed"
        assert outcome.evidence["received_by"]["id"] == element_id
        assert await bench.clicked() == [element_id]

    @pytest.mark.parametrize(
        ("selector", "count"),
        [('look "circle"', 3), ('look "red thing"', 2), ('look "shape"', 7), ('icon "star"', 2)],
    )
    async def test_several_that_look_alike_are_ambiguous_and_none_is_clicked(
        self, bench: Bench, selector: str, count: int
    ):
        bench.timeout_s = 3
        await bench.open("looks")
        with pytest.raises(TargetError) as caught:
            await bench.call("click", selector=selector)
        assert caught.value.code == "target_ambiguous"
        assert caught.value.evidence["count"] >= count
        for match in caught.value.evidence["matches"]:
            assert (await bench.call("click", selector=match["selector"])).effect == "confirmed"

    @pytest.mark.parametrize(
        ("selector", "nearest"),
        [('look "yellow circle"', "circle"), ('look "letter X"', "letter"), ('icon "camera"', "icon")],
    )
    async def test_what_looks_like_nothing_here_is_missing_and_what_is_here_is_told(
        self, bench: Bench, selector: str, nearest: str
    ):
        bench.timeout_s = 2
        await bench.open("looks")
        with pytest.raises(TargetError) as caught:
            await bench.call("click", selector=selector)
        assert caught.value.code == "target_missing"
        assert any(nearest in each["selector"] for each in caught.value.evidence["nearest"])

    async def test_a_look_in_words_that_tell_no_look_is_refused_before_the_page_is_asked(self, bench: Bench):
        await bench.open("looks")
        with pytest.raises(TargetError, match="'cheerful' is not a colour, size or shape") as caught:
            await bench.call("click", selector='look "cheerful circle"')
        assert caught.value.code == "bad_selector"
