"""Relative addresses of goals hang below the session's base address."""

from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.requests.session_wishes import SessionWishes
from agent.sessions.planned_requests import join_addresses
from core.base.errors import InputError
from core.goals.meta_goals import Goal
from core.goals.scopes import build_meta_goal

BASE = "http://127.0.0.1:8000/app/"


def join(goal: Goal, base: str = BASE) -> Goal:
    return join_addresses(build_meta_goal([goal]), base).goals[0]


@given(st.sampled_from(["/", "./", "../", "?", "#"]), st.text("abc/?=#.", max_size=12))
def test_a_relative_address_is_joined_as_a_browser_joins_it(start: str, rest: str) -> None:
    relative = start + rest
    if relative.startswith("//"):
        return
    joined = join(Goal("browser", "navigate", {"url": relative})).params["url"]
    assert joined == urljoin(BASE, relative)
    assert urlsplit(joined).netloc == "127.0.0.1:8000"


@pytest.mark.parametrize("url", ["https://example.com/x", "//example.com/x", "about:blank", "example.com", ""])
def test_a_whole_address_stays_as_it_is(url: str) -> None:
    assert join(Goal("browser", "navigate", {"url": url})).params["url"] == url


def test_what_is_no_address_stays_as_it_is() -> None:
    assert join(Goal("file", "open", {"path": "/etc/hosts"})).params == {"path": "/etc/hosts"}
    assert join(Goal("browser", "expect", {"url": "/basket"})).params == {"url": "/basket"}


def test_without_a_base_address_nothing_is_joined() -> None:
    assert join(Goal("browser", "navigate", {"url": "/shop"}), "").params == {"url": "/shop"}


@pytest.mark.parametrize("base", ["shop", "/shop", "ftp://127.0.0.1/", "http://"])
def test_a_base_address_is_whole(base: str) -> None:
    with pytest.raises(InputError) as refused:
        SessionWishes(base_url=base)
    assert refused.value.code == "bad_base_url"


def test_to_attach_takes_the_browser_and_the_page() -> None:
    with pytest.raises(InputError):
        SessionWishes(attach="http://127.0.0.1:9222")
