"""Search platforms and the addresses of their results."""

from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.addresses.platforms import SEARCH_PLATFORMS, SearchPlatform, find_platform
from core.addresses.urls import judge_address
from core.base.errors import InputError


def test_the_platforms_of_the_verb_table_are_there():
    assert list(SEARCH_PLATFORMS)[:6] == ["google", "youtube", "bing", "duckduckgo", "github", "wikipedia"]


@pytest.mark.parametrize("name", SEARCH_PLATFORMS)
@given(query=st.text(st.characters(exclude_categories=("Cs",)), min_size=1))
def test_any_query_comes_out_of_the_address_as_it_went_in(name: str, query: str):
    address = SEARCH_PLATFORMS[name].build_search_url(query)
    assert address.isascii()
    assert judge_address(address).href == address
    assert query in [value for _, value in parse_qsl(urlsplit(address).query, keep_blank_values=True)]


def test_every_home_address_is_one_that_may_be_opened():
    for platform in SEARCH_PLATFORMS.values():
        assert judge_address(platform.home_url).href == platform.home_url


def test_settings_add_platforms_and_replace_built_in_ones():
    own = SearchPlatform("google", "https://intranet/", "https://intranet/find?w={query}")
    assert find_platform("google", {"google": own}) is own
    assert find_platform("bing", {"google": own}).name == "bing"


def test_an_unknown_platform_is_refused_with_the_known_ones():
    with pytest.raises(InputError, match="altavista") as caught:
        find_platform("altavista", {})
    assert "duckduckgo" in caught.value.hint


@pytest.mark.parametrize("template", ["https://x/", "https://x/?q={query}&r={query}", "https://x/?q={text}"])
def test_a_template_without_just_one_place_for_the_query_is_refused(template: str):
    with pytest.raises(InputError, match="exactly once"):
        SearchPlatform("x", "https://x/", template)
