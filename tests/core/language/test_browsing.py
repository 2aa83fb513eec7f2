"""What people say to a browser: tabs, size, sites, searching, and what must not be taken for any of it."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from core.addresses.platforms import SEARCH_PLATFORMS
from core.addresses.urls import judge_address
from core.language.interpreter import GrammarInterpreter
from core.language.talk.languages import load_language
from tests.cases import each_case

INTERPRETER = GrammarInterpreter()
VOCABULARY = load_language("en").vocabulary


def goals(sentence: str) -> list[tuple[str, dict[str, Any]]]:
    """Return verbs and params of a sentence; none if it is refused."""
    made = INTERPRETER.interpret(sentence).meta_goal
    return [(goal.name, dict(goal.params)) for goal in made.goals] if made else []


@each_case(
    ("sentence", "name", "params"),
    [
        ("could you close all of my tabs please", "browser.close_tab", {"which": "all"}),
        ("close every tab but this one", "browser.close_tab", {"which": "others"}),
        ("get rid of all the other tabs", "browser.close_tab", {"which": "others"}),
        ("close the tabs to the left of this one", "browser.close_tab", {"which": "left"}),
        ("kill this tab", "browser.close_tab", {}),
        ("go to the left tab", "browser.switch_tab", {"tab": "previous"}),
        ("flip to the fourth tab", "browser.switch_tab", {"tab": 3}),
        ('go to the tab that says "Paid in full"', "browser.switch_tab", {"contains": "Paid in full"}),
        ("please zoom way out", "browser.zoom", {"direction": "out"}),
        ("make the letters on this page bigger", "browser.zoom", {"direction": "in"}),
        ("set the page zoom to one hundred and ten percent", "browser.zoom", {"level": 110}),
        ("put the zoom level back to normal", "browser.zoom", {"direction": "reset"}),
        ("skip to the next text box", "browser.focus", {"move": "next"}),
        ("silence all my tabs", "audio.mute", {"app": "browser"}),
        ("refresh the selected tabs", "browser.reload", {}),
        (
            "copy the whole page screenshot to my clipboard",
            "browser.screenshot",
            {"full_page": True, "to": "clipboard"},
        ),
    ],
)
def test_one_wish_is_one_goal(sentence: str, name: str, params: dict[str, Any]) -> None:
    assert goals(sentence) == [(name, params)]


@each_case(
    "sentence",
    [
        "zoom in on the map of the second floor",
        "close the last two tabs",
        "close everything",
        "open images",
        "open the news",
        "reopen the tab that I closed",
        "open a private tab",
        "refresh all tabs",
        "make it bigger",
        "reset the page",
        "navigate to Berlin",
        "go home",
        "youtube pause",
        "focus the next song",
        "open the report in another tab",
        "open a private window tab",
        "find pictures of cats in downloads",
        "show me photos of Ada from my documents",
        "remove the page",
        "wikipedia is great",
    ],
)
def test_what_no_verb_does_or_what_may_be_something_else_is_refused(sentence: str) -> None:
    assert goals(sentence) == []


def test_searching_a_page_is_no_search_of_the_web() -> None:
    assert [name for name, _ in goals("search this page for mushrooms")] == ["browser.reveal"]
    assert [name for name, _ in goals("find mushrooms on this page")] == ["browser.reveal"]


def test_known_programs_are_opened_and_visited_as_sites() -> None:
    assert goals("open Spotify") == [("system.launch", {"app": "Spotify"})]
    assert goals("visit Spotify") == [("browser.navigate", {"url": VOCABULARY.sites["spotify"]})]


@each_case("name", VOCABULARY.sites)
def test_every_site_has_an_address_that_may_be_opened_and_is_visited_by_its_name(name: str) -> None:
    url = VOCABULARY.sites[name]
    assert judge_address(url).href == url
    assert goals(f"visit {name}") == [("browser.navigate", {"url": url})]
    assert goals(f"open {name} in a new tab") == [("browser.open_tab", {"url": url})]


def test_every_other_name_of_a_platform_is_that_of_one() -> None:
    assert set(VOCABULARY.platform_names.values()) <= set(SEARCH_PLATFORMS)
    assert not set(VOCABULARY.platform_names) & set(SEARCH_PLATFORMS)


@given(
    query=st.text(
        st.characters(exclude_categories=("Cs", "Cc"), exclude_characters='"\\“”„«»'), min_size=1, max_size=30
    ),
    platform=st.sampled_from(sorted([*SEARCH_PLATFORMS, *VOCABULARY.platform_names])),
)
def test_a_quoted_query_comes_out_byte_for_byte_whatever_is_searched(query: str, platform: str) -> None:
    name = VOCABULARY.platform_names.get(platform, platform)
    assert goals(f'search {platform} for "{query}"') == [("browser.search", {"query": query, "platform": name})]
