import pytest

from tests.architecture import habits
from tests.architecture.sources import Source, read_shipped, read_sources

# May only fall. Whoever removes a waiver lowers the number.
WAIVERS_ALLOWED = 3


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [complaint for source in read_sources() for complaint in habits.find_forbidden_names(source)] == []


def test_names_are_imported_from_their_modules() -> None:
    assert [complaint for source in read_sources() for complaint in habits.find_whole_imports(source)] == []


def test_no_module_takes_what_another_keeps_to_itself() -> None:
    assert [complaint for source in read_shipped() for complaint in habits.find_private_imports(source)] == []


def test_the_core_reaches_for_no_network() -> None:
    core = [source for source in read_sources() if source.is_in("core")]
    assert [complaint for source in core for complaint in habits.find_network_imports(source)] == []


def test_no_test_sleeps() -> None:
    tests = [source for source in read_sources() if source.is_in("tests")]
    assert [complaint for source in tests for complaint in habits.find_sleeps(source)] == []


def test_what_is_shipped_loses_no_stop() -> None:
    assert [complaint for source in read_shipped() for complaint in habits.find_lost_stops(source)] == []


def list_waivers() -> list[str]:
    here = "tests/architecture/"  # these files spell waivers out in order to find them
    return [waiver for source in read_sources() if here not in source.name for waiver in habits.find_waivers(source)]


def test_every_waiver_names_a_code_and_a_reason() -> None:
    assert [waiver for waiver in list_waivers() if not habits.is_explained(waiver)] == []


def test_the_number_of_waivers_only_falls() -> None:
    waivers = list_waivers()
    assert len(waivers) == WAIVERS_ALLOWED, waivers


@pytest.mark.parametrize(
    ("line", "explained"),
    [
        ("x = 1  # noqa", False),
        ("x = 1  # noqa: E501", False),
        ("x = 1  # noqa: E501 - a literal that must stay whole", True),
        ("x = 1  # type: ignore", False),
        ("x = 1  # type: ignore[attr-defined]", False),
        ("x = 1  # type: ignore[attr-defined]  # the library has no types", True),
        ("x = 1  # pyright: ignore[reportPrivateUsage] - no public way to ask", True),
        ("x = 1  # pragma: no cover", False),
        ("x = 1  # pragma: no cover - Windows only", True),
    ],
)
def test_a_waiver_is_seen_and_judged(line: str, explained: bool) -> None:
    waivers = list(habits.find_waivers(Source("core/sample.py", line)))
    assert [habits.is_explained(waiver) for waiver in waivers] == [explained]


@pytest.mark.parametrize(
    ("text", "complaints"),
    [
        ("import time\ntime.sleep(0.1)", 1),
        ("import asyncio\nasync def f():\n    await asyncio.sleep(1)", 1),
        ("import asyncio\nasync def f():\n    await asyncio.sleep(0)", 0),
        ("from time import sleep as rest\nrest(1)", 1),
        ("page.sleep(1)", 0),
    ],
)
def test_a_sleep_is_seen(text: str, complaints: int) -> None:
    assert len(list(habits.find_sleeps(Source("tests/sample.py", text)))) == complaints


@pytest.mark.parametrize(
    ("text", "complaints"),
    [
        ("import core.planning.plans", 1),
        ("import agent", 1),
        ("import corelib", 0),
        ("from core.planning.plans import PlanResult", 0),
    ],
)
def test_a_whole_import_is_seen(text: str, complaints: int) -> None:
    assert len(list(habits.find_whole_imports(Source("agent/sample.py", text)))) == complaints


def test_a_private_import_and_an_empty_name_are_seen() -> None:
    assert (
        len(list(habits.find_private_imports(Source("agent/sample.py", "from core.planning.plans import _digest"))))
        == 1
    )
    assert len(list(habits.find_forbidden_names(Source("core/helpers.py", "")))) == 1


@pytest.mark.parametrize(
    ("text", "complaints"),
    [
        ("from urllib.parse import quote", 0),
        ("import urllib.parse", 0),
        ("import urllib.request", 1),
        ("from urllib import request", 1),
        ("from urllib.request import urlopen", 1),
    ],
)
def test_a_network_import_is_seen(text: str, complaints: int) -> None:
    assert len(list(habits.find_network_imports(Source("core/sample.py", text)))) == complaints


@pytest.mark.parametrize(
    ("text", "complaints"),
    [
        ("async def f(work):\n    return await asyncio.wait_for(work, 1)", 1),
        ("from asyncio import wait_for", 1),
        ("page.wait_for(1)\nasync def f():\n    async with asyncio.timeout(1):\n        pass", 0),
    ],
)
def test_the_check_of_lost_stops_finds_them(text: str, complaints: int) -> None:
    assert len(list(habits.find_lost_stops(Source("agent/sample.py", text)))) == complaints
