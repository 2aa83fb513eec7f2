"""What every back end does for navigate, back, forward, reload, stop, search and wait."""

from typing import Any

import pytest

from core.base.errors import ActionError, DeadlineError, InputError, NavigationError, PolicyError
from core.policy.policy import Policy
from tests.contracts.browser.bench import Bench
from tests.contracts.browser.simulated import not_simulated

ARRIVAL = {"url", "title", "status"}


class NavigationConformance:
    """Going to pages and waiting for them."""

    async def test_navigate_opens_a_page_and_reads_it_back(self, bench: Bench):
        outcome = await bench.call("navigate", url=bench.url("second"))
        assert outcome.output == {"url": bench.url("second"), "title": "Second page", "status": 200}
        assert outcome.effect == "confirmed"
        assert outcome.evidence.keys() >= ARRIVAL
        assert outcome.undo
        assert bench.far_end.paths() == ["second"]

    async def test_navigate_follows_redirects_and_names_them(self, bench: Bench):
        start = f"{bench.far_end.url}/redirect?to=/conformance/second"
        outcome = await bench.call("navigate", url=start)
        assert outcome.output["url"] == bench.url("second")
        assert outcome.evidence["redirects"] == [start]

    @pytest.mark.parametrize(
        ("url", "code"),
        [
            ("{site}/status/404", "http_status"),
            ("http://nowhere.example/", "dns_failed"),
            ("{site}/dialogs/report", "became_download"),
            ("{site}/slow/never", "navigation_timeout"),
        ],
    )
    async def test_a_page_that_is_not_reached_is_an_error_with_a_code(self, bench: Bench, url: str, code: str):
        bench.timeout_s = 1.5
        with pytest.raises(NavigationError) as caught:
            await bench.call("navigate", url=url.format(site=bench.far_end.url))
        assert caught.value.code == code
        assert caught.value.hint

    async def test_a_page_that_never_finishes_can_be_opened_without_waiting_for_it(self, bench: Bench):
        url = f"{bench.far_end.url}/slow/never"
        outcome = await bench.call("navigate", url=url, wait_until="commit")
        assert outcome.output["url"] == url
        stopped = await bench.call("stop")
        assert stopped.output.keys() == {"url", "title"}
        assert (stopped.output["url"], stopped.effect) == (url, "confirmed")

    @pytest.mark.parametrize("url", ["no address", "file:///etc/passwd"])
    async def test_an_address_that_is_none_or_not_of_the_web_is_refused(self, bench: Bench, url: str):
        with pytest.raises((InputError, PolicyError)) as caught:
            await bench.call("navigate", url=url)
        assert caught.value.code in {"bad_url", "scheme_refused"}
        assert bench.far_end.paths() == []

    async def test_a_host_outside_the_policy_is_refused(self, bench: Bench):
        bench.policy = Policy(hosts=("example.com",))
        with pytest.raises(PolicyError) as caught:
            await bench.call("navigate", url=bench.url())
        assert caught.value.code == "refused_by_policy"
        assert bench.far_end.paths() == []

    async def test_back_and_forward_move_in_the_history(self, bench: Bench):
        await bench.open("second")
        await bench.open("people")
        back = await bench.call("back")
        assert (back.output["url"], back.output["title"], back.effect) == (
            bench.url("second"),
            "Second page",
            "confirmed",
        )
        forward = await bench.call("forward")
        assert (forward.output["url"], forward.output["title"]) == (bench.url("people"), "People")
        assert back.output.keys() == forward.output.keys() == ARRIVAL

    @pytest.mark.parametrize("verb", ["back", "forward"])
    async def test_there_is_nothing_before_the_first_page_and_nothing_after_the_last(self, bench: Bench, verb: str):
        await bench.open()
        with pytest.raises(NavigationError) as caught:
            await bench.call(verb)
        assert caught.value.code == "no_history"
        assert (await bench.call("read", target="url")).output["value"] == bench.url()

    async def test_reload_asks_the_server_again(self, bench: Bench):
        await bench.open("second")
        outcome = await bench.call("reload")
        assert outcome.output == {"url": bench.url("second"), "title": "Second page", "status": 200}
        assert bench.far_end.paths() == ["second", "second"]

    async def test_search_opens_the_results_of_a_platform(self, bench: Bench):
        outcome = await bench.call("search", query="a & b", platform="echo")
        assert outcome.output.keys() == ARRIVAL
        assert outcome.output["url"] == bench.url("second?q=a%20%26%20b")
        assert outcome.effect == "confirmed"
        with pytest.raises(InputError):
            await bench.call("search", query="a", platform="altavista")

    @pytest.mark.parametrize(
        "args",
        [
            {"selector": 'button "Late button"'},
            {"selector": 'button "Hidden button"', "state": "hidden"},
            {"selector": 'button "No such button"', "state": "detached"},
            {"url": "*/conformance/"},
            {"text": "every back end"},
            {"load_state": "load"},
            {"seconds": 0.1},
            {"selector": 'button "Plain button"', "value": "Plain button"},
        ],
    )
    async def test_wait_returns_when_it_has_come_to_pass(self, bench: Bench, args: dict[str, Any]):
        await bench.open()
        outcome = await bench.call("wait", **args)
        assert outcome.output.keys() == {"waited_s", "url"}
        assert outcome.output["url"] == bench.url()
        assert outcome.effect == "none"
        assert outcome.evidence

    @pytest.mark.parametrize("args", [{"selector": 'button "Hidden button"'}, {"url": "*/other"}, {"text": "Nowhere"}])
    async def test_what_does_not_come_to_pass_ends_in_time_and_says_what_is_there(
        self, bench: Bench, args: dict[str, Any]
    ):
        await bench.open()
        with pytest.raises(DeadlineError) as caught:
            await bench.call("wait", timeout=0.3, **args)
        assert caught.value.code == "timed_out"
        assert caught.value.evidence["url"] == bench.url()
        assert caught.value.evidence.keys() >= {"url", "title", "nearest", "waited_s"}

    @pytest.mark.parametrize(
        ("verb", "args"),
        [
            ("back", {}),
            ("reload", {}),
            ("stop", {}),
            ("wait", {"text": "x"}),
            ("read", {"target": "title"}),
            ("click", {"selector": "#plain"}),
            pytest.param("dialog", {"action": "accept"}, marks=not_simulated),
        ],
    )
    async def test_without_a_page_it_says_how_to_start(self, bench: Bench, verb: str, args: dict[str, Any]):
        with pytest.raises(ActionError) as caught:
            await bench.call(verb, **args)
        assert caught.value.code == "no_page"
        assert "browser.navigate" in caught.value.hint

    async def test_lanes_have_pages_of_their_own(self, bench: Bench):
        await bench.call("navigate", url=bench.url("second"))
        await bench.call("navigate", lane="g1", url=bench.url("people"))
        assert (await bench.call("read", target="title")).output["value"] == "Second page"
        assert (await bench.call("read", lane="g1", target="title")).output["value"] == "People"
