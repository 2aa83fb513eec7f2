"""What every back end does for snapshot."""

import pytest

from core.base.errors import TargetError
from tests.contracts.browser.bench import Bench
from tests.contracts.browser.simulated import not_simulated


class OutlineConformance:
    """Outlines of pages, whose lines are selectors."""

    @not_simulated
    async def test_each_line_of_a_snapshot_is_a_selector_that_acts(self, bench: Bench):
        await bench.open()
        outcome = await bench.call("snapshot")
        assert outcome.output.keys() == {"text", "truncated", "tokens", "lines"}
        assert outcome.output["truncated"] is False
        assert outcome.evidence == {"url": bench.url()}
        line = next(each for each in outcome.output["lines"] if "Plain button" in each["text"])
        assert line["selector"] == 'button "Plain button"'
        await bench.call("click", selector=line["text"].strip())
        assert await bench.clicked() == ["plain"]

    @not_simulated
    async def test_a_ref_acts_as_long_as_its_element_lives(self, bench: Bench):
        bench.timeout_s = 3
        await bench.open()
        lines = (await bench.call("snapshot")).output["lines"]
        ref = next(each["ref"] for each in lines if "Plain button" in each["text"])
        await bench.call("snapshot")
        await bench.call("click", selector=f"ref={ref}")
        assert await bench.clicked() == ["plain"]
        await bench.open("second")
        await bench.call("snapshot")
        with pytest.raises(TargetError, match="surehand look") as caught:
            await bench.call("click", selector=f"ref={ref}")
        assert caught.value.code == "target_missing"

    @not_simulated
    async def test_a_snapshot_keeps_to_its_part_and_size(self, bench: Bench):
        await bench.open()
        part = await bench.call("snapshot", scope='region "Billing"')
        assert "Edit" in part.output["text"]
        assert "Plain button" not in part.output["text"]
        cut = await bench.call("snapshot", max_tokens=50)
        assert cut.output["truncated"] is True
        assert 0 < cut.output["tokens"] <= 50
