"""No page of a session reaches a service of Surehand, whatever names it and whichever way it takes."""

import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser

from actuators.browser.egress.networks import find_addresses
from actuators.browser.egress.own_services import OwnServices
from actuators.browser.egress.rules import parse_literal
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.launching import BrowserSettings
from actuators.own_services import ServiceAt, find_service, keep_hands_off
from core.addresses.urls import judge_address
from core.base.errors import PolicyError
from core.policy.policy import Policy
from core.tools.ports import ActionContext
from fixtures.egress.site import can_listen
from fixtures.egress.trials import ALLOWED, FORBIDDEN, Stage, try_routes
from fixtures.machine.network import DeclaredNetwork
from tests.actuators.browser.egress.test_egress import QUICK, visits
from tests.actuators.browser.hands import Hands

HERE = ("127.0.0.1", "localhost", "[::1]", "127.1", "2130706433", "0x7f000001", "x.localhost", "127.0.0.9")


def serves_at_forbidden(port: int) -> ServiceAt:
    """Take what listens at the forbidden place for a service."""
    with socket.socket() as trial:
        try:
            trial.bind((FORBIDDEN, port))
        except OSError:
            return "own"
    return ""


async def check(services: OwnServices, url: str) -> None:
    address = judge_address(url)
    await services.check(address, await find_addresses(address.hostname, DeclaredNetwork({}, {})))


@pytest.fixture
async def session(browser: Browser, tmp_path: Path) -> AsyncIterator[PlaywrightSession]:
    named = ("127.0.0.1", FORBIDDEN, ALLOWED)
    settings = BrowserSettings(artifacts_dir=tmp_path, named_hosts=named, find_service=serves_at_forbidden)
    session = PlaywrightSession.over(browser, settings)
    yield session
    await session.close()


@pytest.mark.skipif(not can_listen("127.0.0.2"), reason="this machine has no loopback address 127.0.0.2")
async def test_no_way_out_of_a_page_leads_to_a_service_though_its_host_was_named(session: PlaywrightSession) -> None:
    context = ActionContext("g0_test_1", timeout_s=10.0, policy=Policy(hosts=("127.0.0.1", ALLOWED, FORBIDDEN)))
    trials = await try_routes(QUICK[::3], visits(session, context), Stage())
    assert [trial.route.name for trial in trials if trial.leaked] == []
    assert [trial.route.name for trial in trials if not trial.arrived] == []


@pytest.mark.skipif(not can_listen("127.0.0.2"), reason="this machine has no loopback address 127.0.0.2")
async def test_a_step_that_goes_to_a_service_is_told_why_not(session: PlaywrightSession) -> None:
    with socket.create_server((FORBIDDEN, 0)) as service:
        url = f"http://{FORBIDDEN}:{service.getsockname()[1]}/console/"
        with pytest.raises(PolicyError) as caught:
            await Hands(session).navigate(ActionContext("g0_test_1", timeout_s=10.0), url)
    assert caught.value.code == "own_service"


@pytest.mark.parametrize("host", HERE)
async def test_every_name_of_this_machine_is_known_as_long_as_the_service_listens(host: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        services, url = OwnServices(find_service, ("127.0.0.1", f"127.0.0.1:{port}")), f"http://{host}:{port}/"
        await check(services, url)
        with keep_hands_off(port), pytest.raises(PolicyError):
            await check(services, url)
        await check(services, url)


@pytest.mark.parametrize(
    ("named", "is_open"), [("127.0.0.1", False), ("127.0.0.1:8138", False), ("127.0.0.1:8137", True)]
)
async def test_another_folders_service_is_opened_by_host_and_port_and_nothing_less(named: str, is_open: bool) -> None:
    services = OwnServices(lambda _: "other", (named,))
    if is_open:
        await check(services, "http://127.0.0.1:8137/")
    else:
        with pytest.raises(PolicyError, match="service of Surehand"):
            await check(services, "http://127.0.0.1:8137/")
    with pytest.raises(PolicyError):
        await check(OwnServices(lambda _: "own", (named,)), "http://127.0.0.1:8137/")


async def test_the_same_port_of_another_machine_is_nobodys() -> None:
    there = parse_literal("93.184.215.14")
    assert there
    await OwnServices(lambda _: "own").check(judge_address("http://site.example:8137/"), [there])
