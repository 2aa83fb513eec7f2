"""English phrases for reading pages, and for pictures and outlines of them."""

from core.language.grammar import Phrase, VerbPhrases

_FULL = {"full_page": True}

READING = (
    VerbPhrases(
        "browser",
        "read",
        (
            Phrase(
                "<tell> (the page title|the title of <page>|the title|<page>'s title)",
                {"read the title": {"target": "title"}, "what's the title of this page?": {"target": "title"}},
                sets={"target": "title"},
            ),
            Phrase(
                "<tell> (the|the current|this page's) (url|page address|web address|page url) [of <page>]",
                {"what is the current url": {"target": "url"}},
                sets={"target": "url"},
            ),
            Phrase(
                "the title",
                {"read the url and the title": {"target": "title"}},
                sets={"target": "title"},
                after=("browser.read",),
            ),
            Phrase(
                "the url",
                {"read the title and the url": {"target": "url"}},
                sets={"target": "url"},
                after=("browser.read",),
            ),
            Phrase(
                "<tell> the address of <page>",
                {"tell me the address of this page": {"target": "url"}},
                sets={"target": "url"},
            ),
            Phrase(
                "((what|which) (page|url|address)|where) am i on",
                {"which page am I on": {"target": "url"}},
                sets={"target": "url"},
            ),
            Phrase(
                "<tell> (<page>|[all] the text of <page>|[all] the text on <page>|the page text)",
                {"read the page": {"target": "text"}, "get all the text on this page": {"target": "text"}},
                sets={"target": "text"},
            ),
            Phrase(
                "what does <page> say",
                {"what does this page say?": {"target": "text"}},
                sets={"target": "text"},
            ),
            Phrase(
                "<tell> the text (of|in|from|inside) {selector:page_element}",
                {"read the text of `.total`": {"target": "text", "selector": ".total"}},
                sets={"target": "text"},
            ),
            Phrase(
                "what does {selector:named} say",
                {"what does the Total cell say?": {"target": "text", "selector": 'cell "Total"'}},
                sets={"target": "text"},
            ),
            Phrase(
                "what (does|do) the {selector:part_element} say",
                {"open example.com and what does the total say?": {"target": "text", "selector": 'value "total"'}},
                sets={"target": "text"},
                after=("browser",),
            ),
            Phrase(
                "[tell me] what the {selector:part_element} (says|shows)",
                {"open example.com and tell me what the total says": {"target": "text", "selector": 'value "total"'}},
                sets={"target": "text"},
                after=("browser",),
            ),
            Phrase(
                "what (does|do) {selector:page_element} say",
                {"open example.com and what does Sign in say?": {"target": "text", "selector": 'control "Sign in"'}},
                sets={"target": "text"},
                after=("browser",),
            ),
            Phrase(
                "[tell me] what {selector:page_element} says",
                {"open example.com and tell me what Sign in says": {"target": "text", "selector": 'control "Sign in"'}},
                sets={"target": "text"},
                after=("browser",),
            ),
            Phrase(
                "[tell me] what {selector:named} (says|shows)",
                {"tell me what the Total cell says": {"target": "text", "selector": 'cell "Total"'}},
                sets={"target": "text"},
            ),
            Phrase(
                "what does the {_name:part} say",
                {"what does the total say?": {}},
                refuses="ambiguous",
                asks="Which element of the page is that, by its kind or with its name in quotes?",
            ),
            Phrase(
                "<tell_value> the {selector:part_element}",
                {
                    "open example.com and read the total": {"target": "text", "selector": 'value "total"'},
                    "open example.com and tell me the price": {"target": "text", "selector": 'value "price"'},
                },
                sets={"target": "text"},
                after=("browser",),
            ),
            Phrase(
                "<tell> the {_name:part}",
                {"open example.com and show me the price": {}},
                refuses="ambiguous",
                asks="Which element of the page is that, by its kind or with its name in quotes?",
                after=("browser",),
            ),
            Phrase(
                "(read|read out|read me|get|get me|give me|tell me|fetch|grab) {selector:readable}",
                {
                    "tell me the Total cell": {"target": "text", "selector": 'cell "Total"'},
                    "read the Terms section": {"target": "text", "selector": 'region "Terms"'},
                },
                sets={"target": "text"},
            ),
            Phrase(
                "<tell> the value (of|in|from) {selector:field}",
                {"get the value of the Quantity field": {"target": "value", "selector": 'field "Quantity"'}},
                sets={"target": "value"},
            ),
            Phrase(
                "<tell> (in|the content of|the contents of) {selector:input}",
                {"what is in the Quantity field": {"target": "value", "selector": 'field "Quantity"'}},
                sets={"target": "value"},
            ),
            Phrase(
                "<tell> the (html|source|markup) of {selector:named}",
                {"get the html of the Terms section": {"target": "html", "selector": 'region "Terms"'}},
                sets={"target": "html"},
            ),
            Phrase(
                "<tell> (the page's|the page|the) (html|page source|source code) [of <page>]",
                {"get the html of the page": {"target": "html"}},
                sets={"target": "html"},
            ),
            Phrase(
                "<tell> the {attribute:word} attribute (of|from) {selector:element}",
                {
                    "get the href attribute of the Mugs link": {
                        "target": "attribute",
                        "attribute": "href",
                        "selector": 'link "Mugs"',
                    }
                },
                sets={"target": "attribute"},
            ),
            Phrase("<tell> the table [on <page>]", {"read the table": {"target": "table"}}, sets={"target": "table"}),
            Phrase(
                "(read|get|show me|fetch|grab) {selector:table}",
                {"get the Prices table": {"target": "table", "selector": 'table "Prices"'}},
                sets={"target": "table"},
            ),
            Phrase(
                "(list|get|read|show|show me|give me|what are|collect) [all] [the|of the] links [(on|of) <page>]",
                {"list all links on this page": {"target": "links"}},
                sets={"target": "links"},
            ),
            Phrase(
                "(list|get|read|show|show me|collect) [all] [the|of the] links (in|inside|within|of) {selector:named}",
                {"list the links in the Help section": {"target": "links", "selector": 'region "Help"'}},
                sets={"target": "links"},
            ),
            Phrase(
                "how many {selector:named_kind} (are there|are on <page>|does <page> have|do you see) [on <page>]",
                {
                    "how many links are there?": {"target": "count", "selector": "role=link"},
                    'how many "Delete" buttons are on the page': {"target": "count", "selector": 'button "Delete"'},
                },
                sets={"target": "count"},
            ),
            Phrase(
                "count [all] [the] {selector:named_kind} [on <page>]",
                {"count the rows": {"target": "count", "selector": "role=row"}},
                sets={"target": "count"},
            ),
            Phrase(
                "<tell_value> the {selector:part_element} on <page>",
                {"what is the total on this page?": {"target": "text", "selector": 'value "total"'}},
                sets={"target": "text"},
            ),
        ),
    ),
    VerbPhrases(
        "browser",
        "extract",
        (
            Phrase(
                "(extract|collect|scrape) [the] {fields:fields} [(for|from|in) (each|every|all) {rows:code}]",
                {
                    "extract name from `.name` and price from `.price` for each `.item`": {
                        "fields": {"name": ".name", "price": ".price"},
                        "rows": ".item",
                    },
                    'extract total from "#total"': {"fields": {"total": "#total"}},
                },
            ),
            Phrase(
                "(extract|scrape) [the] [data|records|everything] [from <page>]",
                {"extract the data": {}},
                refuses="missing_slot",
                asks="Which fields shall I extract, and by which selectors?",
            ),
        ),
    ),
    VerbPhrases(
        "browser",
        "snapshot",
        (
            Phrase("[(take|make|get) (a|an)] (snapshot|outline) of <page>", {"take a snapshot of the page": {}}),
            Phrase("(outline|snapshot|describe) <page>", {"outline this page": {}}),
            Phrase(
                "(take|make|get) (a|an) (snapshot|outline) of {scope:named}",
                {"get an outline of the Billing section": {"scope": 'region "Billing"'}},
            ),
            Phrase(
                "(show|show me|get) the (outline|accessibility tree) [of <page>]",
                {"show me the accessibility tree": {}},
            ),
            Phrase("[(take|make)] [a] snapshot", {"open example.com and take a snapshot": {}}, after=("browser",)),
        ),
    ),
    VerbPhrases(
        "browser",
        "screenshot",
        (
            Phrase(
                "(take|make|capture|grab|get|save|download) [a|the] <full> screenshot [[of] (<page>|tab|page|[the] active)] [<save_as> {path:quoted_file}]",
                {
                    "take a full page screenshot": _FULL,
                    "take a full page screenshot and save it as out.png": _FULL | {"path": "out.png"},
                    "take a full-page screenshot as /home/ada/shop.png": _FULL | {"path": "/home/ada/shop.png"},
                },
                sets=_FULL,
            ),
            Phrase(
                "(take|make|capture|grab|get|save|download) [a|the] screenshot of (the|this) (whole|entire|full) page [<save_as> {path:quoted_file}]",
                {"take a screenshot of the whole page": _FULL},
                sets=_FULL,
            ),
            Phrase(
                "(take|make|capture|grab|get|save|download) [a|the] screenshot [of] (<page>|tab|page|[the] active) [<save_as> {path:quoted_file}]",
                {
                    "take a screenshot of the page": {},
                    "take a screenshot of this page, then save it to out/shop.png": {"path": "out/shop.png"},
                    "save a screenshot of this page to out/shop.png": {"path": "out/shop.png"},
                },
            ),
            Phrase(
                "(capture|screenshot) (the|this) (whole|entire|full) page [<save_as> {path:quoted_file}]",
                {"capture the whole page as full.png": _FULL | {"path": "full.png"}},
                sets=_FULL,
            ),
            Phrase("screenshot (page|<page>) [<save_as> {path:quoted_file}]", {"screenshot this page": {}}),
            Phrase(
                "(take|make|capture|grab|get|save) [a|the] screenshot of {selector:named} [<save_as> {path:quoted_file}]",
                {"take a screenshot of the Prices table": {"selector": 'table "Prices"'}},
            ),
            Phrase(
                "save [a|the] screenshot [<save_as> {path:quoted_file}]",
                {"save a screenshot as shop.png": {"path": "shop.png"}},
            ),
            Phrase(
                "[(take|make|capture|grab|get)] [a] screenshot [[<save_as>] {path:quoted_file}]",
                {
                    "open example.com and take a screenshot": {},
                    "go back, take screenshot shop.png": {"path": "shop.png"},
                },
                after=("browser",),
            ),
            Phrase(
                "[(take|make|capture|grab|get) a] screenshot [<save_as> {_path:path}]",
                {"take a screenshot": {}},
                refuses="ambiguous",
                asks="Of the page in the browser, or of the screen?",
            ),
            Phrase(
                "(copy|copy the|copy a) [full|whole|entire] [page] screenshot [of (<page>|tab|page|the article)] [to [the] clipboard]",
                {"copy a screenshot of the page to the clipboard": {}},
                refuses="not_supported_here",
                asks="screenshots go to files, not to the clipboard.",
            ),
        ),
    ),
    VerbPhrases(
        "browser",
        "pdf",
        (
            Phrase(
                "(save|print|export) [it|<page>|page|tab|current] (as|to|into) [a] pdf [file] [<save_as> {path:quoted_file}]",
                {"save the page as a PDF": {}, "print this page to pdf as out/page.pdf": {"path": "out/page.pdf"}},
            ),
            Phrase(
                "(save|print|export|write) (<page>|page|tab) <save_as> {path:pdf_path}",
                {
                    "save the page as report.pdf": {"path": "report.pdf"},
                    "print this page to out/a.pdf": {"path": "out/a.pdf"},
                },
            ),
            Phrase(
                "(make|create) a pdf (of|from) <page> [<save_as> {path:quoted_file}]", {"make a pdf of this page": {}}
            ),
        ),
    ),
)
