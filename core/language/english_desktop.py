"""English phrases for the pointer and the keyboard outside a page.

They say so: "on the screen", "in the … window", "in the editor"; or they stand behind a step on the desktop, such as
"open the editor". Without either, "click OK" and "press enter" are about the page.
"""

from core.language.grammar import Phrase, VerbPhrases
from core.references import Reference

_CTRL_S = {"keys": "ctrl+s"}
_OK = {"target": 'button "OK"'}
_FOO = {"window": "Foo"}
_HERE = ("desktop",)

DESKTOP = (
    VerbPhrases(
        "desktop",
        "press",
        (
            Phrase(
                "<press_key> [the] {keys:keys} [key|keys] (in|on|inside|into) {window:window}",
                {
                    "press ctrl+s in the editor": _CTRL_S | {"window": "editor"},
                    "press enter in the Foo window": {"keys": "Enter"} | _FOO,
                    "hit control shift end in Firefox": {"keys": "Control+Shift+End", "window": "Firefox"},
                },
            ),
            Phrase(
                "<press_key> [the] {keys:keys} [key|keys] on <the_screen>",
                {"press ctrl shift f5 on the desktop": {"keys": "Control+Shift+F5"}},
            ),
            Phrase(
                "(in|on) {window:window} <press_key> [the] {keys:keys} [key|keys]",
                {"in the editor, press ctrl+s": _CTRL_S | {"window": "editor"}},
            ),
            Phrase(
                "(use|send) (the [keyboard] (shortcut|key|combination)|the keys) {keys:keys} (in|to) {window:window}",
                {"send the shortcut ctrl+s to the editor": _CTRL_S | {"window": "editor"}},
            ),
            Phrase(
                "<press_key> [the] {keys:keys} [key|keys] [on the keyboard]",
                {"open the editor and press ctrl+s": _CTRL_S},
                after=_HERE,
            ),
        ),
    ),
    VerbPhrases(
        "desktop",
        "type",
        (
            Phrase(
                "(type|write|put|enter|input|paste) {text:content} (into|in|in to) {window:window}",
                {
                    'type "Hello" into the editor': {"text": "Hello", "window": "editor"},
                    "read the page and type it into the editor": {"text": Reference("g0", "text"), "window": "editor"},
                },
            ),
            Phrase(
                "(type|enter|input) [<the_text>] {text:typed} (into|in|in to) {target:named_on_screen} (of|in) {window:window}",
                {'type "Ada" into the Name field in the Foo window': {"text": "Ada", "target": 'field "Name"'} | _FOO},
            ),
            Phrase(
                "(in|into) {window:window} (type|enter|input) [<the_text>] {text:typed}",
                {"in the Foo window, type hello": {"text": "hello"} | _FOO},
            ),
            Phrase(
                "(type|enter|input) [<the_text>] {text:typed} (into|in|in to) {window:window}",
                {
                    "type hello into the Foo window": {"text": "hello"} | _FOO,
                },
            ),
            Phrase(
                "(type|enter|input) [<the_text>] {text:typed} (into|in|in to) {target:named_on_screen}",
                {'open the editor and type "Ada" into the Name field': {"text": "Ada", "target": 'field "Name"'}},
                after=_HERE,
            ),
            Phrase(
                "(type|enter|input) [<the_text>] {text:typed}",
                {'open the editor and type "Hello"': {"text": "Hello"}},
                after=_HERE,
            ),
        ),
    ),
    VerbPhrases(
        "desktop",
        "double_click",
        (
            Phrase(
                "<click> [on] {target:on_screen} twice (in|on|of) ({window:window}|<the_screen>)",
                {"click OK twice in the Foo window": {"target": 'control "OK"'} | _FOO},
            ),
            Phrase(
                "<click> [on] {target:on_screen} (in|on|of) ({window:window}|<the_screen>) twice",
                {"click OK on the screen twice": {"target": 'control "OK"'}},
            ),
            Phrase(
                "<click> [on] {target:on_screen} twice",
                {'open the editor and click "OK" twice': {"target": 'control "OK"'}},
                after=_HERE,
            ),
            Phrase(
                "<double_click> [on] {target:on_screen} (in|on|of) ({window:window}|<the_screen>)",
                {
                    "double-click the Mugs icon on the desktop": {"target": 'control "Mugs"'},
                    "double click OK in the Foo window": {"target": 'control "OK"'} | _FOO,
                },
            ),
            Phrase(
                "<double_click> [on] {target:on_screen}",
                {'open the editor and double-click "OK"': {"target": 'control "OK"'}},
                after=_HERE,
            ),
        ),
    ),
    VerbPhrases(
        "desktop",
        "right_click",
        (
            Phrase(
                "(<click>|<right_click>|<double_click>) [on] [the|my] (desktop|taskbar|task bar|window|dock|system tray|start menu|screen)",
                {"right-click on the desktop": {}},
                refuses="ambiguous",
                asks="What on it, by its name, or at which point?",
            ),
            Phrase(
                "<right_click> [on] {target:on_screen} (in|on|of) ({window:window}|<the_screen>)",
                {
                    "right-click the Mugs icon on the desktop": {"target": 'control "Mugs"'},
                    "right click OK in the Foo window": {"target": 'control "OK"'} | _FOO,
                },
            ),
            Phrase(
                "<right_click> [on] {target:on_screen}",
                {'open the editor and right-click "OK"': {"target": 'control "OK"'}},
                after=_HERE,
            ),
        ),
    ),
    VerbPhrases(
        "desktop",
        "click",
        (
            Phrase(
                "<click> [at|on] [the point|position] {target:point} on <the_screen>",
                {"click at 100, 200 on the screen": {"target": {"point": [100, 200]}}},
            ),
            Phrase(
                "(in|on) {window:window} <click> [on] {target:on_screen}",
                {"in the Foo window, click the OK button": _OK | _FOO},
            ),
            Phrase(
                "(press|push) [on] {target:named_on_screen} (in|on|of) ({window:window}|<the_screen>)",
                {"press the OK button in the calculator": _OK | {"window": "calculator"}},
            ),
            Phrase(
                "<click> [on] {target:on_screen} (in|on|of) ({window:window}|<the_screen>)",
                {
                    "click OK on the screen": {"target": 'control "OK"'},
                    "click the OK button in the Foo window": _OK | _FOO,
                },
            ),
            Phrase(
                "<click> [on] {target:on_screen}", {"open the calculator and click the OK button": _OK}, after=_HERE
            ),
            Phrase(
                "(press|push) [on] {target:named_on_screen}",
                {"open the calculator and press the OK button": _OK},
                after=_HERE,
            ),
        ),
    ),
    VerbPhrases(
        "desktop",
        "move",
        (
            Phrase(
                "move the (mouse|pointer|cursor) to [the point|position] {target:point} [on <the_screen>]",
                {"move the mouse to 100, 200": {"target": {"point": [100, 200]}}},
            ),
            Phrase(
                "move the (mouse|pointer|cursor) (to|over|onto) {target:on_screen} (in|on|of) ({window:window}|<the_screen>)",
                {"move the mouse to the OK button in the Foo window": _OK | _FOO},
            ),
        ),
    ),
    VerbPhrases(
        "desktop",
        "drag",
        (
            Phrase(
                "drag {target:on_screen} (to|onto|on) {to:on_screen} (in|on) ({window:window}|<the_screen>)",
                {"drag Mugs to Cups in the Foo window": {"target": 'control "Mugs"', "to": 'control "Cups"'} | _FOO},
            ),
        ),
    ),
    VerbPhrases(
        "desktop",
        "scroll",
        (
            Phrase(
                "scroll {direction:direction} [{amount:count} (notches|steps|lines|clicks)] (in|inside) {window:window}",
                {
                    "scroll down in the editor": {"direction": "down", "window": "editor"},
                    "scroll up 5 notches in the Foo window": {"direction": "up", "amount": 5} | _FOO,
                },
            ),
            Phrase(
                "scroll {direction:direction} [a bit|a little]",
                {"open the editor and scroll down": {"direction": "down"}},
                after=_HERE,
            ),
        ),
    ),
    VerbPhrases(
        "desktop",
        "set_value",
        (
            Phrase(
                "(set|change|move|put) {target:named_on_screen} to {value:number} in {window:window}",
                {"set the Size slider to 5 in the Foo window": {"target": 'slider "Size"', "value": 5} | _FOO},
            ),
        ),
    ),
    VerbPhrases(
        "desktop",
        "invoke",
        (
            Phrase(
                "(activate|invoke|trigger) {target:named_on_screen} (in|of) {window:window}",
                {"activate the OK button in the Foo window": _OK | _FOO},
            ),
        ),
    ),
)
