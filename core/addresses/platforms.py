"""Search platforms: where they live and how they are asked."""

from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import quote

from core.addresses.urls import judge_address
from core.base.errors import InputError, SurehandError
from core.base.late_dataclasses import dataclass

QUERY_SLOT = "{query}"


@dataclass(frozen=True, slots=True)
class SearchPlatform:
    """A site that can be searched; ``{query}`` in its address stands for the percent-encoded query."""

    name: str
    home_url: str
    search_url: str

    def __post_init__(self) -> None:
        """Refuse by an InputError a template that lacks ``{query}``, or has it twice."""
        if self.search_url.count(QUERY_SLOT) != 1:
            raise InputError(
                f"The search address of “{self.name}” must contain {QUERY_SLOT} exactly once, not “{self.search_url}”.",
                code="bad_platform",
                hint=f"Write it like https://example.com/search?q={QUERY_SLOT}.",
            )

    @property
    def host(self) -> str:
        """The host that a search goes to; the address where that can't be read."""
        try:
            return judge_address(self.build_search_url("")).host
        except SurehandError:
            return self.search_url

    def build_search_url(self, query: str) -> str:
        """Return the address of the results page; every byte that isn't unreserved (RFC 3986) is percent-encoded."""
        return self.search_url.replace(QUERY_SLOT, quote(query, safe=""))


_BUILT_IN = (
    SearchPlatform("google", "https://www.google.com/", "https://www.google.com/search?q={query}"),
    SearchPlatform("youtube", "https://www.youtube.com/", "https://www.youtube.com/results?search_query={query}"),
    SearchPlatform("bing", "https://www.bing.com/", "https://www.bing.com/search?q={query}"),
    SearchPlatform("duckduckgo", "https://duckduckgo.com/", "https://duckduckgo.com/?q={query}"),
    SearchPlatform("github", "https://github.com/", "https://github.com/search?q={query}"),
    SearchPlatform(
        "wikipedia",
        "https://en.wikipedia.org/",
        "https://en.wikipedia.org/w/index.php?title=Special:Search&search={query}",
    ),
    SearchPlatform("google images", "https://images.google.com/", "https://www.google.com/search?udm=2&q={query}"),
    SearchPlatform(
        "google maps", "https://www.google.com/maps", "https://www.google.com/maps/search/?api=1&query={query}"
    ),
    SearchPlatform("google news", "https://news.google.com/", "https://news.google.com/search?q={query}"),
    SearchPlatform("google scholar", "https://scholar.google.com/", "https://scholar.google.com/scholar?q={query}"),
    SearchPlatform("yahoo", "https://www.yahoo.com/", "https://search.yahoo.com/search?p={query}"),
    SearchPlatform("ecosia", "https://www.ecosia.org/", "https://www.ecosia.org/search?q={query}"),
    SearchPlatform("mdn", "https://developer.mozilla.org/", "https://developer.mozilla.org/en-US/search?q={query}"),
    SearchPlatform("stackoverflow", "https://stackoverflow.com/", "https://stackoverflow.com/search?q={query}"),
    SearchPlatform("reddit", "https://www.reddit.com/", "https://www.reddit.com/search/?q={query}"),
    SearchPlatform("twitter", "https://x.com/", "https://x.com/search?q={query}"),
    SearchPlatform("amazon", "https://www.amazon.com/", "https://www.amazon.com/s?k={query}"),
    SearchPlatform("ebay", "https://www.ebay.com/", "https://www.ebay.com/sch/i.html?_nkw={query}"),
    SearchPlatform("imdb", "https://www.imdb.com/", "https://www.imdb.com/find/?q={query}"),
)

SEARCH_PLATFORMS: Mapping[str, SearchPlatform] = MappingProxyType({platform.name: platform for platform in _BUILT_IN})
"""The platforms that are always there; a person's own settings may add to them or replace one."""


def find_platform(name: str, extra: Mapping[str, SearchPlatform]) -> SearchPlatform:
    """Return a platform by name, one in ``extra`` before a built-in; an InputError lists those there are."""
    known = {**SEARCH_PLATFORMS, **extra}
    if name not in known:
        raise InputError(
            f"Unknown search platform “{name}”.",
            code="unknown_platform",
            hint=f"Known: {', '.join(sorted(known))}. Settings can add more.",
        )
    return known[name]
