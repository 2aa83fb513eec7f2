"""English phrases for waiting and for asserting. Asserting comes before ticking: "check that …" ticks nothing."""

from core.language.grammar import Phrase, VerbPhrases

_SAVE = {"selector": 'button "Save"'}
_TITLE = {"title": "Basket"}
_TWO_MUGS = {"selector": 'text "2 mugs" in "basket"'}

WAITING = (
    VerbPhrases(
        "browser",
        "expect",
        (
            Phrase(
                "<check_that> the [page] title (is|equals|reads|says) {title:stated} [<at_most> {timeout:seconds}]",
                {'check that the title is "Basket"': _TITLE, "make sure the page title is Basket": _TITLE},
            ),
            Phrase(
                "<check_that> the [page] title (contains|includes|has) {title:title_part}",
                {"verify that the title contains Basket": {"title": "*Basket*"}},
            ),
            Phrase(
                "<check_that> the <url_word> (is|contains|includes|matches|has|equals) {url:pattern}",
                {'verify the url contains "/basket"': {"url": "/basket"}},
            ),
            Phrase(
                "<check_that> (i am|i'm|we are|we're) (on|at) {url:address}",
                {"make sure we are on http://localhost:8000/basket": {"url": "http://localhost:8000/basket"}},
            ),
            Phrase(
                "<check_that> {selector:input} (has the value|has value|is set to|contains|equals|shows|has|says) {value:stated}",
                {
                    'check that the email field contains "a@b.example"': {
                        "selector": 'field "email"',
                        "value": "a@b.example",
                    }
                },
            ),
            Phrase(
                "<check_that> the <url_word> (ends with|ends in) {url:url_end}",
                {"check that the url ends with /basket": {"url": "*/basket"}},
            ),
            Phrase(
                "<check_that> {selector:input} is {value:figure}",
                {"check that the Quantity field is 2": {"selector": 'field "Quantity"', "value": "2"}},
            ),
            Phrase(
                "<check_that> {selector:input} is (empty|blank)",
                {"check that the email field is empty": {"selector": 'field "email"', "value": ""}},
                sets={"value": ""},
            ),
            Phrase(
                "<check_that> <page> <says> [exactly] {count:count} {selector:named_kind}",
                {"check that the page shows 3 links": {"selector": "role=link", "count": 3}},
            ),
            Phrase(
                "<check_that> (<page>|the page|it|this) <says> [the] [text|words|word] {text:quote} [somewhere] [<at_most> {timeout:seconds}]",
                {
                    'check that it says "Thank you"': {"text": "Thank you"},
                    'verify that the page shows "Thank you" within 5 seconds': {"text": "Thank you", "timeout": 5},
                },
            ),
            Phrase(
                "<check_that> <page> <says> [the] [text|words|word] {text:text} [<at_most> {timeout:seconds}]",
                {"make sure the page says Thank you": {"text": "Thank you"}},
            ),
            Phrase(
                "<check_that> {selector:named} (has the text|<says>) {text:text} [<at_most> {timeout:seconds}]",
                {'verify that the Total cell says "€ 12"': {"selector": 'cell "Total"', "text": "€ 12"}},
            ),
            Phrase(
                "<check_that> {selector:named} (is|equals) {text:figure}",
                {"check that the Total cell is £12.00": {"selector": 'cell "Total"', "text": "£12.00"}},
            ),
            # A part of the page that is said without its kind: the text is looked for in there.
            Phrase(
                "<check_that> {_in:part} (shows|show|displays|says|reads|contains) {selector:figure_text}",
                {"verify that the basket shows 2 mugs": _TWO_MUGS | {"state": "visible"}},
                sets={"state": "visible"},
            ),
            Phrase(
                "<check_that> {_in:part} (is|equals|comes to) {selector:figure_text}",
                {
                    "open example.com and check that the quantity is 2": {
                        "selector": 'text "2" in "quantity"',
                        "state": "visible",
                    }
                },
                sets={"state": "visible"},
                after=("browser",),
            ),
            Phrase(
                "<check_that> {_in:part} (is|equals|comes to) {selector:price_text}",
                {
                    "verify the price is £12.00": {"selector": 'text "£12.00" in "price"', "state": "visible"},
                    'check that the total is "12 €"': {"selector": 'text "12 €" in "total"', "state": "visible"},
                },
                sets={"state": "visible"},
            ),
            Phrase(
                "<check_that> {_in:part} (says|reads) {selector:said_text}",
                {
                    "open example.com and check that the banner says Thank you": {
                        "selector": 'text "Thank you" in "banner"',
                        "state": "visible",
                    }
                },
                sets={"state": "visible"},
                after=("browser",),
            ),
            Phrase(
                "<check_that> there is (a|an|the) {selector:named_kind}",
                {"check there is a Save button": _SAVE | {"state": "visible"}},
                sets={"state": "visible"},
            ),
            Phrase(
                "<check_that> there (are|is) [exactly] {count:count} {selector:named_kind}",
                {
                    "check that there are 3 links": {"selector": "role=link", "count": 3},
                    'expect there are two "Delete" buttons': {"selector": 'button "Delete"', "count": 2},
                },
            ),
            Phrase(
                "<check_that> there (is no|are no|isn't a|is not a) {selector:named}",
                {"make sure there is no Delete button": {"selector": 'button "Delete"', "state": "hidden"}},
                sets={"state": "hidden"},
            ),
            Phrase(
                "(<check_that>|wait until|wait for) {selector:named_box} (is|to be) {state:ticked}",
                {"make sure the Terms box is ticked": {"selector": 'checkbox "Terms"', "state": "checked"}},
            ),
            Phrase(
                "<check_that> [the (text|words|word|message)] {text:quote} "
                "((is|are) (visible|shown|displayed|there|on <page>)|appears|appear|shows up|shows) [<at_most> {timeout:seconds}]",
                {
                    'check that "Order placed" is visible': {"text": "Order placed"},
                    'verify "Done" appears': {"text": "Done"},
                },
            ),
            Phrase(
                "<check_that> {selector:quoted_text} is {state:state}",
                {'check that "Sold out" is not visible': {"selector": 'text "Sold out"', "state": "hidden"}},
            ),
            Phrase(
                "<check_that> {selector:named} is {state:state}",
                {"ensure the Save button is greyed out": _SAVE | {"state": "disabled"}},
            ),
            Phrase(
                "<check_that> {selector:shown_named} (isn't|is no longer|is not|are not|aren't) (visible|shown|displayed|there|on <page>) [anymore|any more]",
                {"make sure the Save button isn't visible": _SAVE | {"state": "hidden"}},
                sets={"state": "hidden"},
            ),
            Phrase(
                "(wait until|wait for) {selector:named} (is|to be) {state:readiness}",
                {"wait until the Save button is enabled": _SAVE | {"state": "enabled"}},
            ),
            Phrase(
                "(<check_that>|see whether) (i|you|we) (can see|see) [the text] {text:quote}",
                {'make sure I can see "Welcome back"': {"text": "Welcome back"}},
            ),
            Phrase(
                "[that] the [page] title is {title:stated}",
                {'verify the url contains "/basket" and the title is "Basket"': _TITLE},
                after=("browser.expect",),
            ),
            Phrase(
                "[that] the <url_word> (is|contains|includes|matches) {url:pattern}",
                {'check that the title is "Basket" and the url contains "/basket"': {"url": "/basket"}},
                after=("browser.expect",),
            ),
            Phrase(
                "[that] <page> <says> [the text] {text:text}",
                {'check that the title is "Basket" and that the page says "1 mug"': {"text": "1 mug"}},
                after=("browser.expect",),
            ),
            Phrase(
                "[that] {selector:named} is {state:state}",
                {
                    'check that the title is "Basket" and the Pay button is disabled': {
                        "selector": 'button "Pay"',
                        "state": "disabled",
                    }
                },
                after=("browser.expect",),
            ),
            # As testers write it: "the title should be …".
            Phrase(
                "the [page] title should (be|equal|read) {title:stated}",
                {'the title should be "Basket"': _TITLE},
            ),
            Phrase(
                "the [page] title should (contain|include) {title:title_part}",
                {"the page title should contain Basket": {"title": "*Basket*"}},
            ),
            Phrase(
                "the <url_word> should [now] (be|contain|include|match) {url:pattern}",
                {"the url should contain /basket": {"url": "/basket"}},
            ),
            Phrase(
                "((i|you|we|the user) should [now] (see|be able to see)|<page> should [now] (say|show|display|contain)) "
                "[the] [text|message|words] {text:quote}",
                {
                    'you should see "Thank you"': {"text": "Thank you"},
                    'the page should show the text "Thank you"': {"text": "Thank you"},
                },
            ),
            Phrase(
                "{selector:named_box} should [now] be {state:ticked}",
                {"the Terms checkbox should be ticked": {"selector": 'checkbox "Terms"', "state": "checked"}},
            ),
            Phrase(
                "{selector:shown_named} should [now] be {state:state}",
                {"the Save button should be enabled": _SAVE | {"state": "enabled"}},
            ),
            Phrase(
                "{selector:shown_named} (should not|should no longer|shouldn't) be (visible|shown|displayed|there|on <page>)",
                {"the Save button should not be visible": _SAVE | {"state": "hidden"}},
                sets={"state": "hidden"},
            ),
            Phrase("expect to see [the text] {text:quote}", {'expect to see "Welcome back"': {"text": "Welcome back"}}),
            Phrase(
                "(make sure|verify|assert) [that]",
                {"make sure that": {}},
                refuses="missing_slot",
                asks="What shall I make sure of?",
            ),
        ),
    ),
    VerbPhrases(
        "browser",
        "wait",
        (
            Phrase(
                "wait [for] [about] {_time:seconds}",
                {"wait 5 seconds": {}},
                refuses="not_supported_here",
                asks="there is no waiting for a time alone. What shall I wait for?",
            ),
            Phrase(
                "wait [[<at_most>] {timeout:seconds}] (for|until) [<page>|the load|it] [to] "
                "(load|be loaded|finish loading|is loaded|has loaded|loads|finishes loading|has finished loading) "
                "[<at_most> {timeout_after:seconds}]",
                {
                    "wait for the page to load": {"load_state": "load"},
                    "wait until the page has loaded, up to 20 seconds": {"load_state": "load", "timeout": 20},
                },
                sets={"load_state": "load"},
            ),
            Phrase(
                "wait (for|until) (the dom|the document|the content) [to] (load|be loaded|be ready|is ready|is loaded)",
                {"wait until the document is ready": {"load_state": "domcontentloaded"}},
                sets={"load_state": "domcontentloaded"},
            ),
            Phrase(
                "wait (for|until) [the] network [traffic] [to] (be idle|is idle|be quiet|is quiet|idle)",
                {"wait for the network to be idle": {"load_state": "networkidle"}},
                sets={"load_state": "networkidle"},
            ),
            Phrase(
                "wait [[<at_most>] {timeout:seconds}] (for|until) the <url_word> [to] "
                "(be|is|contain|contains|match|matches|include|includes|become|becomes|change to|changes to) "
                "{url:pattern} [<at_most> {timeout_after:seconds}]",
                {'wait for the url to contain "/done"': {"url": "/done"}},
            ),
            Phrase(
                "wait (for|until) [(i am|i'm|we are|we're) (on|at)] [the] [page|url|address] {url:address} [to load]",
                {"wait for http://localhost:8000/done": {"url": "http://localhost:8000/done"}},
            ),
            Phrase(
                "wait [[<at_most>] {timeout:seconds}] (for|until) {_in:part} [to] (show|shows|say|says|read|reads|display|displays) "
                "{selector:figure_text} [<at_most> {timeout_after:seconds}]",
                {"wait until the basket shows 2 mugs": _TWO_MUGS},
            ),
            Phrase(
                "wait [[<at_most>] {timeout:seconds}] (for|until) {selector:shown_element} [to] "
                "(disappear|disappears|go away|goes away|vanish|vanishes|be hidden|is hidden|be gone|is gone|has gone|has disappeared|(is no longer|is not|isn't|not to be) (there|visible|shown|displayed)|close|closes) "
                "[<at_most> {timeout_after:seconds}]",
                {
                    "wait until the Loading message disappears": {"selector": 'text "Loading"', "state": "hidden"},
                    'wait until "Loading" disappears, within half a minute': {
                        "selector": 'text "Loading"',
                        "state": "hidden",
                        "timeout": 30,
                    },
                    "wait up to 10 seconds for the spinner to go away": {
                        "selector": 'control "spinner"',
                        "state": "hidden",
                        "timeout": 10,
                    },
                },
                sets={"state": "hidden"},
            ),
            Phrase(
                "wait [[<at_most>] {timeout:seconds}] (for|until) [the] (text|words|word) {text:shown} "
                "[to] [appear|appears|show up|shows up|is shown|be shown] [<at_most> {timeout_after:seconds}]",
                {"wait up to 10 seconds for the text Welcome": {"text": "Welcome", "timeout": 10}},
            ),
            Phrase(
                "wait [[<at_most>] {timeout:seconds}] (for|until) [there is|there's] {selector:named_kind} [to] "
                "[appear|appears|be visible|is visible|show up|shows up|show|be shown|is shown|be there|is there|come up] "
                "[<at_most> {timeout_after:seconds}]",
                {
                    "wait for the Save button": _SAVE,
                    "wait until the Save button appears, for at most two minutes": _SAVE | {"timeout": 120},
                },
            ),
            Phrase(
                "wait (for|until) {selector:named} [to] (be attached|is attached|exist|exists|be in the page)",
                {"wait for the Save button to exist": _SAVE | {"state": "attached"}},
                sets={"state": "attached"},
            ),
            Phrase(
                "wait (for|until) {selector:named} [to] (be removed|is removed|be detached|is detached)",
                {"wait until the Save button is removed": _SAVE | {"state": "detached"}},
                sets={"state": "detached"},
            ),
            Phrase(
                "wait [[<at_most>] {timeout:seconds}] (for|until) [(i|you|we) (see|can see)] [the|a|an] "
                "{text:shown} [page|screen] [to] [appear|appears|show up|shows up|show|is shown|be shown|load|loads|open|opens|come up] "
                "[<at_most> {timeout_after:seconds}]",
                {
                    "wait for the dashboard": {"text": "dashboard"},
                    'wait until "Thank you, Ada!" appears': {"text": "Thank you, Ada!"},
                    "wait 10 seconds for the dashboard": {"text": "dashboard", "timeout": 10},
                    "wait for a greeting to appear, up to 3 s": {"text": "greeting", "timeout": 3},
                },
            ),
            Phrase("wait [a moment|a bit|for it]", {"wait": {}}, refuses="missing_slot", asks="What shall I wait for?"),
        ),
    ),
)
