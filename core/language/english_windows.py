"""English phrases for windows, and for looking at the screen."""

from core.language.grammar import Phrase, VerbPhrases

_EDITOR = {"window": "editor"}
_ACTIVE = {"window": "active"}
_BEHIND = (
    "desktop.focus_window",
    "desktop.restore",
    "desktop.move_window",
    "desktop.resize_window",
    "desktop.type",
    "desktop.press",
    "desktop.click",
)

WINDOWS = (
    VerbPhrases(
        "desktop",
        "focus_window",
        (
            Phrase(
                "(focus|focus on|switch to|activate|go to|bring up|raise|change to|go back to) {window:window}",
                {
                    "focus the editor": _EDITOR,
                    "switch to the Foo window": {"window": "Foo"},
                    "focus chrome": {"window": "chrome"},
                },
            ),
            Phrase("bring {window:window} to the (front|foreground|top)", {"bring the editor to the front": _EDITOR}),
        ),
    ),
    VerbPhrases(
        "desktop",
        "minimize",
        (
            Phrase(
                "(minimize|minimise|hide|iconify) {window:any_window}",
                {"minimize the editor": _EDITOR, "minimise the window": _ACTIVE},
            ),
            Phrase(
                "(minimize|minimise|hide) it",
                {"focus the editor and minimize it": _ACTIVE},
                sets=_ACTIVE,
                after=_BEHIND,
            ),
            Phrase("(minimize|minimise) [this]", {"minimize": _ACTIVE}, sets=_ACTIVE),
            Phrase("window (hide|minimize|minimise)", {"window hide": _ACTIVE}, sets=_ACTIVE),
        ),
    ),
    VerbPhrases(
        "desktop",
        "maximize",
        (
            Phrase(
                "(maximize|maximise) {window:any_window}",
                {"maximize the editor": _EDITOR, "maximise the window": _ACTIVE},
            ),
            Phrase(
                "(maximize|maximise) it", {"focus the editor and maximize it": _ACTIVE}, sets=_ACTIVE, after=_BEHIND
            ),
            Phrase("(maximize|maximise) [this]", {"maximize": _ACTIVE}, sets=_ACTIVE),
            Phrase(
                "make {window:window} (full screen|fullscreen|as big as possible)",
                {"make the editor full screen": _EDITOR},
            ),
        ),
    ),
    VerbPhrases(
        "desktop",
        "restore",
        (
            Phrase(
                "(restore|unminimize|unminimise|unmaximize|unmaximise|unhide) {window:window}",
                {"restore the editor": _EDITOR, "unmaximize the Foo window": {"window": "Foo"}},
            ),
        ),
    ),
    VerbPhrases(
        "desktop",
        "close_window",
        (
            Phrase(
                "close {window:said_window}",
                {"close the Foo window": {"window": "Foo"}, 'close the window "Untitled 1"': {"window": "Untitled 1"}},
            ),
            Phrase(
                "close [the|this|that] window",
                {"focus the editor and close the window": _ACTIVE},
                sets=_ACTIVE,
                after=_BEHIND,
            ),
            Phrase(
                "close [the|this|that|my] window",
                {"close the window": {}},
                refuses="ambiguous",
                asks="A tab, or a window on the desktop, and which one?",
            ),
        ),
    ),
    VerbPhrases(
        "desktop",
        "move_window",
        (
            Phrase(
                "(move|put) {window:window} to [the] [position|point] {bounds:bounds}",
                {"move the editor window to 0, 20": _EDITOR | {"bounds": {"x": 0, "y": 20}}},
            ),
        ),
    ),
    VerbPhrases(
        "desktop",
        "resize_window",
        (
            Phrase(
                "(resize|size|make) {window:window} [to] {bounds:viewport} [pixels|px]",
                {
                    "resize the editor to 800x600": _EDITOR | {"bounds": {"width": 800, "height": 600}},
                    "make the editor window 800 by 600 pixels": _EDITOR | {"bounds": {"width": 800, "height": 600}},
                },
            ),
            Phrase(
                "(set|change) the size of {window:window} to {bounds:viewport} [pixels|px]",
                {"set the size of the editor to 800 by 600": _EDITOR | {"bounds": {"width": 800, "height": 600}}},
            ),
        ),
    ),
    VerbPhrases(
        "desktop",
        "list_windows",
        (
            Phrase("<list> [all] [the|my] [open] windows", {"list the windows": {}, "show me all my open windows": {}}),
            Phrase(
                "<list> [all] [the|my] [open] windows of {filter:program}",
                {"list the windows of Firefox": {"filter": "Firefox"}},
            ),
            Phrase("(which|what) windows (are open|do i have open)", {"which windows are open": {}}),
        ),
    ),
    VerbPhrases(
        "desktop",
        "active_window",
        (
            Phrase(
                "(which|what) window (is active|has the focus|is in front|am i in|has focus|is focused)",
                {"which window is active": {}, "what window has the focus": {}},
            ),
            Phrase(
                "(what is|what's|tell me|get) the (active|current|focused) window", {"what's the active window": {}}
            ),
        ),
    ),
    VerbPhrases(
        "desktop",
        "displays",
        (
            Phrase(
                "<list> [all] [the|my] (displays|monitors|screens)",
                {"list the displays": {}, "show me my monitors": {}},
            ),
            Phrase("how many (displays|monitors|screens) (are there|do i have)", {"how many monitors do i have": {}}),
        ),
    ),
    VerbPhrases(
        "desktop",
        "read",
        (
            Phrase(
                "(read|read out|get|read me) [all] [the] (text|content|contents) (of|in|on|from) {window:said_window}",
                {"read the text in the Foo window": {"window": "Foo"}},
            ),
            Phrase("(read|read out) {window:said_window}", {"read the Foo window": {"window": "Foo"}}),
            Phrase("what does {window:said_window} say", {"what does the Foo window say": {"window": "Foo"}}),
            Phrase("(read|read out|read me) [the text on] (the|my) (screen|desktop)", {"read the screen": {}}),
            Phrase("(what's|what is) on (the|my) screen", {"what's on my screen": {}}),
        ),
    ),
    VerbPhrases(
        "desktop",
        "find",
        (
            Phrase(
                "(find|look for|search for|locate) [the] [text|word|words] {text:quote} (on (the|my) (screen|desktop)|in {window:said_window})",
                {
                    'find "Save" on the screen': {"text": "Save"},
                    'look for "Save" in the Foo window': {"text": "Save", "window": "Foo"},
                },
            ),
        ),
    ),
    VerbPhrases(
        "desktop",
        "wait",
        (
            Phrase(
                "wait [<at_most> {timeout:seconds}] (for|until) [the] [text|word|words] {text:quote} [to] [appear|appears|shows|show up|is shown] (on (the|my) (screen|desktop)|in {window:said_window}) [<at_most> {timeout_after:seconds}]",
                {
                    'wait for "Done" on the screen': {"text": "Done"},
                    'wait until "Done" appears in the Foo window': {"text": "Done", "window": "Foo"},
                },
            ),
            Phrase(
                "wait [<at_most> {timeout:seconds}] (for|until) {window:said_window} [to] (closes|close|is closed|be closed|is gone|disappears|disappear) [<at_most> {timeout_after:seconds}]",
                {"wait until the Foo window closes": {"window": "Foo", "state": "hidden"}},
                sets={"state": "hidden"},
            ),
            Phrase(
                "wait [<at_most> {timeout:seconds}] (for|until) {window:said_window} [to] [appear|appears|open|opens|is open|be open|shows up] [<at_most> {timeout_after:seconds}]",
                {"wait for the Foo window to appear, at most ten seconds": {"window": "Foo", "timeout": 10}},
            ),
        ),
    ),
    VerbPhrases(
        "desktop",
        "snapshot",
        (
            Phrase(
                "(outline|describe|take a snapshot of|get an outline of) {window:said_window}",
                {"outline the Foo window": {"window": "Foo"}},
            ),
        ),
    ),
    VerbPhrases(
        "desktop",
        "screenshot",
        (
            Phrase(
                "<shoot> [of] (the|my|the whole|the entire|the full) (screen|desktop|display|laptop|computer) [<save_as> {path:quoted_file}]",
                {
                    "take a screenshot of the screen": {},
                    "take a screenshot of my desktop and save it as shot.png": {"path": "shot.png"},
                    "take a picture of the screen and save it to Documents as shot.png": {
                        "path": "documents:/shot.png"
                    },
                },
            ),
            Phrase(
                "(screenshot|capture) (the|my|the whole|the entire) (screen|desktop|display) [<save_as> {path:quoted_file}]",
                {"capture the screen": {}},
            ),
            Phrase(
                "(<shoot> of|screenshot|capture) {window:said_window} [<save_as> {path:quoted_file}]",
                {"take a screenshot of the Foo window": {"window": "Foo"}},
            ),
            Phrase(
                "(<shoot>|take screenshot|screenshot) [<save_as> {path:quoted_file}]",
                {"focus the editor and take a screenshot": {}},
                after=("desktop",),
            ),
        ),
    ),
)
