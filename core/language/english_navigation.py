"""English phrases for going to pages and searching the web."""

from core.language.grammar import Phrase, VerbPhrases
from core.references import Reference

_HOME = {"platform": "youtube", "url": "https://www.youtube.com/"}

NAVIGATION = (
    VerbPhrases(
        "browser",
        "navigate",
        (
            Phrase(
                "(go|navigate|browse|head|surf|jump) [over] to <address_word> {url:url}",
                {
                    "go to http://localhost:8000/shop/": {"url": "http://localhost:8000/shop/"},
                    "navigate to example.com/login": {"url": "https://example.com/login"},
                },
            ),
            Phrase(
                "(open|visit|load|show|show me|launch|bring up|pull up|open up|start at|go|goto) <address_word> {url:url} [in (the|my|a) browser]",
                {
                    "open 127.0.0.1:8123/shop/": {"url": "http://127.0.0.1:8123/shop/"},
                    "please visit the website https://example.org.": {"url": "https://example.org"},
                },
            ),
            Phrase(
                "(open|open up|visit|load|show|show me|bring up|pull up|go to|navigate to|take me to) {_name:name} (at|under) <address_word> {url:url}",
                {
                    "open the shop at http://localhost:8000/shop/": {"url": "http://localhost:8000/shop/"},
                    "go to the sign-in page at the address localhost:8000": {"url": "http://localhost:8000"},
                },
            ),
            Phrase(
                "(take|bring|get) me to {url:url}", {"take me to www.example.com": {"url": "https://www.example.com"}}
            ),
            Phrase(
                "(open|visit|load|launch|go to|navigate to|head to|take me to|bring up|pull up) {*:site} [website|site]",
                {"open YouTube": _HOME, "could you take me to youtube": _HOME},
            ),
            Phrase("(go|navigate) to", {"go to": {}}, refuses="missing_slot", asks="Which address shall I go to?"),
        ),
    ),
    VerbPhrases(
        "browser",
        "back",
        (
            Phrase(
                "[go|navigate|move|step] back [(one|a) (page|step)]",
                {"go back": {}, "back": {}, "go back one page": {}},
            ),
            Phrase(
                "(press|hit|push|click|use|tap) [on] (the browser's back button|the back button (of|in) [the|my|your] browser)",
                {"press the browser's back button": {}, "click the back button of the browser": {}},
            ),
            Phrase(
                "(hit|use) the back button",
                {"hit the back button": {}},
                refuses="ambiguous",
                asks="The browser's back button, or a button named Back on the page?",
            ),
            Phrase("[(go|return|navigate) [back] to] [the] (previous|last) page", {"return to the previous page": {}}),
        ),
    ),
    VerbPhrases(
        "browser",
        "forward",
        (
            Phrase(
                "[go|navigate|move|step] (forward|forwards) [(one|a) (page|step)]",
                {"go forward": {}, "move forward a page": {}},
            ),
            Phrase(
                "(press|hit|push|click|use|tap) [on] (the browser's forward button|the forward button (of|in) [the|my|your] browser)",
                {"use the forward button of the browser": {}},
            ),
            Phrase("[go to] [the] next page in [the] history", {"go to the next page in the history": {}}),
        ),
    ),
    VerbPhrases(
        "browser",
        "reload",
        (
            Phrase(
                "(reload|refresh) [it|this|page|tab|<page>|the active (page|tab)]",
                {"reload": {}, "refresh the page": {}, "reload this tab now": {}},
            ),
            Phrase(
                "(press|hit|push|click|use|tap) [on] (the browser's (reload|refresh) button|the (reload|refresh) button (of|in) [the|my|your] browser)",
                {"press the browser's reload button": {}},
            ),
            Phrase(
                "(reload|refresh) [all] [the|of the|my] [all] [selected|open|other] (pages|tabs|selected)",
                {"reload the selected tabs": {}, "refresh all tabs": {}},
                refuses="not_supported_here",
                asks="tabs are reloaded one at a time. Which one shall I switch to and reload?",
            ),
            Phrase("load <page> again", {"load the page again": {}}),
        ),
    ),
    VerbPhrases(
        "browser",
        "stop",
        (
            Phrase("(stop|cancel|abort) loading [it|<page>]", {"stop loading": {}, "stop loading this page": {}}),
            Phrase("stop <page> [from] loading", {"stop the page from loading": {}}),
        ),
    ),
    # To search in a field of the page is to type there; this must be known before "search for …" is.
    VerbPhrases(
        "browser",
        "type",
        (
            Phrase(
                "(search|search for|look for|look up|find) {text:text} (in|using|with) {selector:input}",
                {
                    'search for "blue mug" in the Products field': {
                        "selector": 'field "Products"',
                        "text": "blue mug",
                        "submit": True,
                    }
                },
                sets={"submit": True},
            ),
        ),
    ),
    VerbPhrases(
        "browser",
        "search",
        (
            Phrase(
                "(search|search for|look up|google) {query:given}",
                {"read the title and search for it": {"query": Reference("g0", "text")}},
            ),
            Phrase(
                "search [on] {platform:platform} for {query:query}",
                {"search YouTube for steam trains": {"platform": "youtube", "query": "steam trains"}},
            ),
            Phrase(
                "search (the web|the internet|online) for {query:query}",
                {"search the web for tide tables": {"query": "tide tables"}},
            ),
            Phrase(
                "(search|search for|look up|look for|find|find me) {query:query} on {platform:platform}",
                {
                    'search for "Ada Lovelace" on Wikipedia': {"query": "Ada Lovelace", "platform": "wikipedia"},
                    "find playwright on github": {"query": "playwright", "platform": "github"},
                },
            ),
            Phrase(
                "(search|search for|look up|look for|find|find me) {query:query} (online|on the web|on the internet)",
                {"find second-hand looms online": {"query": "second-hand looms"}},
            ),
            Phrase(
                "(search|search for|look up|do a search for) {query:query}",
                {
                    "search for salt and pepper": {"query": "salt and pepper"},
                    'look up "what is 7 * 6?"': {"query": "what is 7 * 6?"},
                },
            ),
            Phrase(
                "(google [for]|do a google search for) {query:query}",
                {"google lighthouse keepers": {"query": "lighthouse keepers", "platform": "google"}},
                sets={"platform": "google"},
            ),
            Phrase(
                "(search|search for|search the web)",
                {"search the web": {}},
                refuses="missing_slot",
                asks="What shall I search for?",
            ),
        ),
    ),
)
