"""English phrases for keys, clicking, pointing, dragging and scrolling."""

from core.language.grammar import Phrase, VerbPhrases

_SAVE = {"selector": 'button "Save"'}
_MUGS = {"selector": 'link "Mugs"'}

POINTER = (
    # Keys before buttons: "press enter".
    VerbPhrases(
        "browser",
        "press",
        (
            Phrase(
                "(press|hit|push|strike|tap) [the] {key:key} [key|keys] [on the keyboard]",
                {
                    "press enter": {"key": "Enter"},
                    "hit the escape key": {"key": "Escape"},
                    "press ctrl+a": {"key": "Control+a"},
                },
            ),
            Phrase(
                "(press|hit) [the] {key:key} [key] (in|on|inside) {selector:named_field}",
                {
                    "press control shift end in the Notes field": {
                        "key": "Control+Shift+End",
                        "selector": 'field "Notes"',
                    }
                },
            ),
            Phrase(
                "(use|send) the [keyboard] (shortcut|key|combination) {key:key}",
                {"use the keyboard shortcut alt+f4": {"key": "Alt+F4"}},
            ),
            Phrase(
                "(press|hit) [a key|the key]", {"press": {}}, refuses="missing_slot", asks="Which key shall I press?"
            ),
        ),
    ),
    VerbPhrases(
        "browser",
        "click",
        (
            Phrase(
                "(double-click|double click|doubleclick) [on] {selector:element}",
                {"double-click the photo": {"selector": 'control "photo"', "count": 2}},
                sets={"count": 2},
            ),
            Phrase(
                "<click> ([on] {selector:element} twice|twice on {selector_after:element})",
                {
                    "click the Save button twice": _SAVE | {"count": 2},
                    "click twice on the Save button": _SAVE | {"count": 2},
                },
                sets={"count": 2},
            ),
            Phrase(
                "(triple-click|triple click) [on] {selector:element}",
                {"triple click the Notes field": {"selector": 'field "Notes"', "count": 3}},
                sets={"count": 3},
            ),
            Phrase(
                "(right-click|right click|rightclick) [on] {selector:element}",
                {'right-click "Report.pdf"': {"selector": 'control "Report.pdf"', "button": "right"}},
                sets={"button": "right"},
            ),
            Phrase(
                "<click> [on] {selector:element} with the right [mouse] button",
                {"click the Mugs link with the right mouse button": _MUGS | {"button": "right"}},
                sets={"button": "right"},
            ),
            Phrase(
                "(middle-click|middle click) [on] {selector:element}",
                {"middle-click the Mugs link": _MUGS | {"button": "middle"}},
                sets={"button": "middle"},
            ),
            Phrase(
                "<click> [on] {selector:element} with the middle [mouse] button",
                {"click the Mugs link with the middle button": _MUGS | {"button": "middle"}},
                sets={"button": "middle"},
            ),
            Phrase(
                "(ctrl-click|control-click|ctrl click|control click|ctrl+click) [on] {selector:element}",
                {"ctrl-click the Mugs link": _MUGS | {"modifiers": ["Control"]}},
                sets={"modifiers": ["Control"]},
            ),
            Phrase(
                "(shift-click|shift click|shift+click) [on] {selector:element}",
                {"shift-click the third row": {"selector": "role=row >> nth=2", "modifiers": ["Shift"]}},
                sets={"modifiers": ["Shift"]},
            ),
            Phrase(
                "<click> [on] {selector:element} (with|while holding|holding|while pressing) "
                "[down] [the] {modifiers:modifiers} [key|keys] [held] [down|pressed]",
                {
                    "click Mugs with ctrl held": {"selector": 'control "Mugs"', "modifiers": ["Control"]},
                    "click the Mugs link while holding down the shift key": _MUGS | {"modifiers": ["Shift"]},
                },
            ),
            Phrase(
                "<click> [on] {selector:element}",
                {
                    "click Sign in": {"selector": 'control "Sign in"'},
                    "click the Save button": _SAVE,
                    'tap on the second "Delete" button': {"selector": 'button "Delete" nth 2'},
                    "click Save and Continue": {"selector": 'control "Save and Continue"'},
                    "click the Edit link in the Billing section": {"selector": 'link "Edit" in "Billing"'},
                    "click Pay now in the Card frame": {"selector": 'frame "Card" >> control "Pay now"'},
                    "click the button labelled Place order": {"selector": 'button "Place order"'},
                    "click `#save > .icon`": {"selector": "#save > .icon"},
                },
            ),
            Phrase(
                "(press|push|hit|activate|follow) [on] {selector:named}",
                {"press the Save button": _SAVE, "follow the Mugs link": _MUGS},
            ),
            Phrase(
                "(press|push|hit) [on] {selector:element}",
                {"open example.com and press Sign in": {"selector": 'control "Sign in"'}},
                after=("browser",),
            ),
            Phrase("(open|go to|visit) {selector:opener}", {"open the Mugs link": _MUGS}),
            Phrase(
                "(sign in|log in|login|sign up) (as|with|using) {_who:text}",
                {"sign in as Ada": {}},
                refuses="not_supported_here",
                asks="say what to type into which field, and what to click then.",
            ),
            Phrase("{selector:account}", {"sign in": {"selector": 'control "sign in"'}}),
            Phrase(
                "close the (dialog|dialog box|dialogue|popup|pop-up|window|message) by (clicking|pressing) [on] {selector:element}",
                {'close the dialog by clicking "Done"': {"selector": 'control "Done"'}},
            ),
            Phrase(
                "<click> [on] [it|this|that|here|there|something]",
                {"click here": {}},
                refuses="missing_slot",
                asks="What shall I click?",
            ),
        ),
    ),
    VerbPhrases(
        "browser",
        "hover",
        (
            Phrase(
                "hover [over|on|above] {selector:element}",
                {"hover over the Account menu": {"selector": 'menu "Account"'}},
            ),
            Phrase("(point at|mouse over) {selector:named}", {"point at the Mugs link": _MUGS}),
            Phrase(
                "move the (mouse|pointer|cursor) (to|over|onto|on) {selector:element}",
                {"move the mouse over the Save button": _SAVE},
            ),
            Phrase("hover", {"hover": {}}, refuses="missing_slot", asks="What shall I point at?"),
        ),
    ),
    VerbPhrases(
        "browser",
        "focus",
        (
            Phrase(
                "focus [on|in|into] {selector:named_field}", {"focus the email field": {"selector": 'field "email"'}}
            ),
            Phrase(
                "(put|place|set|move) [the] (focus|cursor|keyboard focus) (in|into|on|to) {selector:field}",
                {"put the cursor into the Notes field": {"selector": 'field "Notes"'}},
            ),
            Phrase("give {selector:named} the [keyboard] focus", {"give the Save button the focus": _SAVE}),
            Phrase("focus [on]", {"focus": {}}, refuses="missing_slot", asks="Which field shall get the focus?"),
        ),
    ),
    VerbPhrases(
        "browser",
        "drag",
        (
            Phrase(
                "drag [and drop] {selector:element} [by] {offset:offset}",
                {
                    "drag the Volume slider 100 pixels to the right": {
                        "selector": 'slider "Volume"',
                        "offset": [100, 0],
                    },
                    "drag the map by -30, 40": {"selector": 'control "map"', "offset": [-30, 40]},
                },
            ),
            Phrase(
                "(drag|drag and drop) {selector:element} [and drop it] (to|onto|on|on to|into|over) {target:element}",
                {
                    'drag "Card A" onto the Done section': {"selector": 'control "Card A"', "target": 'region "Done"'},
                    'drag the "Tea" item and drop it on "Basket"': {
                        "selector": 'listitem "Tea"',
                        "target": 'control "Basket"',
                    },
                    'drag the card "Tea" to the "Done" column': {
                        "selector": 'control "Tea"',
                        "target": 'control "Done"',
                    },
                },
            ),
            Phrase(
                "drag {selector:element}",
                {"drag the Tea item": {}},
                refuses="missing_slot",
                asks="Where shall I drag it to?",
            ),
        ),
    ),
    VerbPhrases(
        "browser",
        "scroll",
        (
            Phrase(
                "scroll [<view>] [back] [up|down] [all the way] to [the] [very] {to:end} [of <view>]",
                {"scroll to the bottom": {"to": "bottom"}, "scroll back up to the very top of the page": {"to": "top"}},
            ),
            Phrase(
                "(jump|go) to the [very] {to:end} of <page>",
                {"jump to the top of the page": {"to": "top"}},
            ),
            Phrase(
                "scroll {selector:scrolled} [all the way] to the [very] {to:end}",
                {'scroll the "Results" table to the bottom': {"selector": 'table "Results"', "to": "bottom"}},
            ),
            Phrase(
                "scroll [<view>] {direction:direction} [by] {amount:number} (pixels|pixel|px)",
                {"scroll down 300 pixels": {"direction": "down", "amount": 300, "unit": "pixel"}},
                sets={"unit": "pixel"},
            ),
            Phrase(
                "scroll [<view>] {direction:direction} [by] {amount:number}px",
                {"scroll right by 200px": {"direction": "right", "amount": 200, "unit": "pixel"}},
                sets={"unit": "pixel"},
            ),
            Phrase(
                "scroll [<view>] {direction:direction} [by] {amount:number} (pages|page|screens|screen)",
                {"scroll up two pages": {"direction": "up", "amount": 2, "unit": "page"}},
                sets={"unit": "page"},
            ),
            Phrase(
                "scroll [<view>] [by] {amount:number} (pixels|pixel|px) {direction:direction}",
                {"scroll 250 pixels to the right": {"amount": 250, "direction": "right", "unit": "pixel"}},
                sets={"unit": "pixel"},
            ),
            Phrase(
                "scroll [<view>] [by] {amount:number} (pages|page|screens|screen) {direction:direction}",
                {"scroll a page down": {"amount": 1, "direction": "down", "unit": "page"}},
                sets={"unit": "page"},
            ),
            Phrase(
                "scroll [<view>] {direction:direction} {amount:number} (times|time)",
                {
                    "scroll down 3 times": {"direction": "down", "amount": 3, "unit": "page"},
                    "scroll down two times": {"direction": "down", "amount": 2, "unit": "page"},
                },
                sets={"unit": "page"},
            ),
            Phrase(
                "scroll [<view>] {direction:direction} [(once|one time)] [a bit|a little|some more|more|further]",
                {"scroll down": {"direction": "down"}, "scroll the page up a bit": {"direction": "up"}},
            ),
            Phrase(
                "scroll [down|up] [all the way] to [the] [very] {to:end} of {selector:scrolled}",
                {
                    "scroll to the end of the list": {"to": "bottom", "selector": "role=list"},
                    "scroll down to the bottom of the Terms section": {"to": "bottom", "selector": 'region "Terms"'},
                },
            ),
            Phrase("scroll all the way down", {"scroll all the way down": {"to": "bottom"}}, sets={"to": "bottom"}),
            Phrase("scroll all the way up", {"scroll all the way up": {"to": "top"}}, sets={"to": "top"}),
            Phrase("page {direction:direction}", {"page down": {"direction": "down"}}),
            Phrase(
                "scroll {selector:scrolled} {direction:direction}",
                {"scroll the Results list down": {"selector": 'list "Results"', "direction": "down"}},
            ),
            Phrase(
                "scroll {direction:direction} [a bit|a little|some more|further] (in|within|inside) {selector:scrolled}",
                {"scroll down in the Terms section": {"selector": 'region "Terms"', "direction": "down"}},
            ),
            Phrase("scroll [<view>]", {"scroll the page": {}}),
            Phrase(
                "scroll [down|up] (to|until) {selector:element}",
                {"scroll to the Save button": {}},
                refuses="not_supported_here",
                asks="scrolling goes by a direction, an amount, or to the top or bottom; acting on an element scrolls to it.",
            ),
        ),
    ),
)
