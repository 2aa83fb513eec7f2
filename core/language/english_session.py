"""English phrases for tabs, dialogs, downloads, stored sessions, emulation and routes."""

from core.language.grammar import Phrase, VerbPhrases

_SHOP = {"url": "http://localhost:8000/shop/"}
_ACCEPT = {"action": "accept"}
_DISMISS = {"action": "dismiss"}

SESSION = (
    VerbPhrases(
        "browser",
        "open_tab",
        (
            Phrase(
                "(open|create|start|launch|make) [up] [a|another|the] [new|blank|empty] tab [(with|at|on|to|for|and (go to|open)) {url:url}]",
                {"open a new tab": {}, "open a new tab with localhost:8000/shop/": _SHOP},
            ),
            Phrase("new [blank|empty] tab", {"new tab": {}}),
            Phrase(
                "(open|load|visit|go to) {url:url} in (a|another) [new] tab",
                {"open http://localhost:8000/shop/ in a new tab": _SHOP},
            ),
        ),
    ),
    VerbPhrases(
        "browser",
        "switch_tab",
        (
            Phrase(
                "(switch|go|change|jump|move|return) [back] to [the] {tab:tab_word} tab",
                {"switch to the next tab": {"tab": "next"}, "go back to the previous tab": {"tab": "previous"}},
            ),
            Phrase("[the] {tab:tab_word} tab", {"next tab": {"tab": "next"}}),
            Phrase(
                "(switch|go|change|jump) [to] [the] tab (to the|on the) left",
                {"go to the tab on the left": {"tab": "previous"}},
                sets={"tab": "previous"},
            ),
            Phrase(
                "(switch|go|change|jump) [to] [the] tab (to the|on the) right",
                {"switch to the tab to the right": {"tab": "next"}},
                sets={"tab": "next"},
            ),
            Phrase(
                "(switch|go|change|jump) [to] [the] {tab:tab} tab",
                {"switch to the second tab": {"tab": 1}, "switch to the Orders tab": {"tab": "Orders"}},
            ),
            Phrase(
                "(switch|go|change|jump) [to] [the] tab [number|named|called|titled|with the title] {tab:tab}",
                {"go to tab 3": {"tab": 2}, 'switch to the tab titled "My orders"': {"tab": "My orders"}},
            ),
            Phrase("find [the|my] {tab:tab} tab", {"find my Orders tab": {"tab": "Orders"}}),
            Phrase(
                "[(switch|go|change|jump)] to [the] {tab:tab_place} one",
                {"switch to the first tab and then to the last one": {"tab": "last"}},
                after=("browser.switch_tab", "browser.list_tabs"),
            ),
            Phrase("tab [number] {tab:tab_place}", {"tab two": {"tab": 1}}),
            Phrase("tab {tab:tab_word}", {"tab previous": {"tab": "previous"}}),
            Phrase(
                "(switch|change) tabs", {"switch tabs": {}}, refuses="missing_slot", asks="Which tab shall I switch to?"
            ),
        ),
    ),
    VerbPhrases(
        "browser",
        "close_tab",
        (
            Phrase(
                "close [the|this|the current|current|the active|active|that] tab",
                {"close the tab": {}, "close this tab": {}},
            ),
            Phrase("tab close", {"tab close": {}}),
            Phrase(
                "close [all|every|the|this|these|my|all the|all my|all of the] [active|open|selected|other|current] (tabs|pages)",
                {"close all tabs": {}, "close my other tabs": {}},
                refuses="not_supported_here",
                asks="tabs are closed one at a time. Which one shall I close?",
            ),
            Phrase(
                "close [the] {tab:tab_place} one",
                {"switch to the first tab and close the last one": {"tab": "last"}},
                after=("browser.switch_tab", "browser.list_tabs"),
            ),
            Phrase(
                "close (it|that one|this one)",
                {"switch to the second tab and close it": {}},
                after=("browser.switch_tab", "browser.open_tab"),
            ),
            Phrase(
                "close [the] {tab:tab} tab", {"close the last tab": {"tab": "last"}, "close the third tab": {"tab": 2}}
            ),
            Phrase(
                "close [the] tab [number|named|called|titled] {tab:tab}",
                {"close tab 2": {"tab": 1}, 'close the tab "Orders"': {"tab": "Orders"}},
            ),
        ),
    ),
    VerbPhrases(
        "browser",
        "list_tabs",
        (
            Phrase(
                "(list|show|show me|count) [all] [my|the] [open] tabs [(i have|that are) open]",
                {"list my open tabs": {}},
            ),
            Phrase("(which|what|how many) tabs (are|do i have) open", {"which tabs are open?": {}}),
            Phrase("how many [open] tabs (are there|do i have) [open]", {"how many open tabs are there": {}}),
        ),
    ),
    VerbPhrases(
        "browser",
        "dialog",
        (
            Phrase(
                "(answer|reply to|fill in) the (dialog|dialogue|prompt|alert) with {text:typed}",
                {'answer the prompt with "Ada"': _ACCEPT | {"text": "Ada"}},
                sets=_ACCEPT,
            ),
            Phrase(
                "accept the [next] (dialog|dialogue|alert|prompt|confirmation|message box) [with {text:text}]",
                {
                    "accept the dialog": _ACCEPT,
                    'accept the prompt with "yes, please"': _ACCEPT | {"text": "yes, please"},
                },
                sets=_ACCEPT,
            ),
            Phrase(
                "(click|press|say) (ok|okay|yes) (in|on|to) the (dialog|dialogue|alert|prompt|confirmation)",
                {"press OK in the alert": _ACCEPT},
                sets=_ACCEPT,
            ),
            Phrase(
                "(dismiss|cancel|decline|reject) the [next] (dialog|dialogue|alert|prompt|confirmation|message box)",
                {"dismiss the alert": _DISMISS, "cancel the dialog": _DISMISS},
                sets=_DISMISS,
            ),
            Phrase(
                "(click|press|say) (cancel|no) (in|on|to) the (dialog|dialogue|alert|prompt|confirmation)",
                {"say no to the confirmation": _DISMISS},
                sets=_DISMISS,
            ),
        ),
    ),
    VerbPhrases(
        "browser",
        "download",
        (
            Phrase(
                "download [the file] [at|from] {url:url} <save_as> {path:quoted_file}",
                {
                    "download http://localhost:8000/a.pdf to /home/ada/a.pdf": {
                        "url": "http://localhost:8000/a.pdf",
                        "path": "/home/ada/a.pdf",
                    }
                },
            ),
            Phrase(
                "download [the file behind|the file from|with|via|from] {selector:element} <save_as> {path:quoted_file}",
                {
                    "download the Receipt link to out/receipt.pdf": {
                        "selector": 'link "Receipt"',
                        "path": "out/receipt.pdf",
                    },
                    "download the Receipt link, and save it as receipt.pdf": {
                        "selector": 'link "Receipt"',
                        "path": "receipt.pdf",
                    },
                    'download "Invoice" as invoice.pdf': {"selector": 'control "Invoice"', "path": "invoice.pdf"},
                },
            ),
            Phrase(
                "download ({url:url}|[the file behind] {selector:named})",
                {"download the Receipt link": {}},
                refuses="missing_slot",
                asks="Where shall I save it?",
            ),
        ),
    ),
    VerbPhrases(
        "browser",
        "save_session",
        (
            Phrase(
                "(save|store|export) [the|this|my] (session|cookies|cookies and storage|login|browser session) <save_as> {path:quoted_file}",
                {"save the session to state/ada.json": {"path": "state/ada.json"}},
            ),
            Phrase(
                "(save|store) [the|this|my] (session|cookies)",
                {"save the session": {}},
                refuses="missing_slot",
                asks="Which file shall I save it to?",
            ),
        ),
    ),
    VerbPhrases(
        "browser",
        "load_session",
        (
            Phrase(
                "(load|restore|import) [the|this|my] (session|cookies|cookies and storage|login|browser session) (from|in|at) {path:quoted_file}",
                {"load the session from state/ada.json": {"path": "state/ada.json"}},
            ),
            Phrase(
                "(load|restore) [the|my] (session|cookies)",
                {"load the session": {}},
                refuses="missing_slot",
                asks="Which file shall I load it from?",
            ),
        ),
    ),
    VerbPhrases(
        "browser",
        "emulate",
        (
            Phrase(
                "(pretend to be|emulate|simulate|act like|act as|behave like) [the|a|an] {device:device}",
                {"pretend to be an iPhone 15": {"device": "iPhone 15"}, 'emulate "Pixel 7"': {"device": "Pixel 7"}},
            ),
            Phrase(
                "(set|change|resize|make) the (viewport|window size|viewport size|browser window|browser) [to] {viewport:viewport} [pixels|px]",
                {
                    "set the viewport to 800 by 600": {"viewport": {"width": 800, "height": 600}},
                    "resize the viewport to 1280x720": {"viewport": {"width": 1280, "height": 720}},
                },
            ),
            Phrase(
                "(set|change) the (locale|language of the browser|browser language) to {locale:word}",
                {"set the locale to de-DE": {"locale": "de-DE"}},
            ),
            Phrase(
                "(set|change) the (time zone|timezone) [of the browser] to {timezone:pattern}",
                {"set the time zone to Europe/Berlin": {"timezone": "Europe/Berlin"}},
            ),
            Phrase(
                "(set|change) the (geolocation|location|position) to {geolocation:place}",
                {"set the geolocation to 52.5, 13.4": {"geolocation": {"latitude": 52.5, "longitude": 13.4}}},
            ),
            Phrase(
                "(emulate|simulate|use|prefer|pretend to prefer|browse in|emulate a|emulate the) {color_scheme:colors} (mode|colours|colors|theme)",
                {"emulate dark mode": {"color_scheme": "dark"}, "prefer light colours": {"color_scheme": "light"}},
            ),
            Phrase(
                "set the (colour|color) scheme to {color_scheme:colors}",
                {"set the colour scheme to dark": {"color_scheme": "dark"}},
            ),
            Phrase(
                "(go|pretend to be|take the browser|switch the browser) offline",
                {"go offline": {"offline": True}},
                sets={"offline": True},
            ),
            Phrase(
                "(go|pretend to be|take the browser|switch the browser) [back] online [again]",
                {"go back online": {"offline": False}},
                sets={"offline": False},
            ),
        ),
    ),
    VerbPhrases(
        "browser",
        "route",
        (
            Phrase(
                "(answer|fulfil|fulfill) [all] requests (to|for) {url:glob} with [the body] {body:quote} [and] "
                "[[with] [the] status {status:count}]",
                {
                    'answer requests to **/api/cart with "[]"': {
                        "url": "**/api/cart",
                        "body": "[]",
                        "action": "fulfil",
                    },
                    'answer requests to **/api/cart with "no" and status 404': {
                        "url": "**/api/cart",
                        "body": "no",
                        "status": 404,
                        "action": "fulfil",
                    },
                },
                sets={"action": "fulfil"},
            ),
            Phrase(
                "(answer|fulfil|fulfill|mock|stub) [all] [requests (to|for)] {url:glob} with [the] status {status:count}",
                {
                    "answer requests to **/api/cart with status 503": {
                        "url": "**/api/cart",
                        "status": 503,
                        "action": "fulfil",
                    }
                },
                sets={"action": "fulfil"},
            ),
            Phrase(
                "(block|abort) [all] requests (to|for) {url:glob}",
                {"block requests to **/ads/*": {"url": "**/ads/*", "action": "abort"}},
                sets={"action": "abort"},
            ),
            Phrase(
                "(delay|slow down) [all] requests (to|for) {url:glob} by {delay_s:seconds}",
                {"delay requests to **/api/* by 2 seconds": {"url": "**/api/*", "action": "delay", "delay_s": 2}},
                sets={"action": "delay"},
            ),
            Phrase(
                "(stop (blocking|delaying|answering|intercepting)|unblock) [all] requests (to|for) {url:glob}",
                {"stop blocking requests to **/ads/*": {"url": "**/ads/*", "action": "remove"}},
                sets={"action": "remove"},
            ),
        ),
    ),
)
