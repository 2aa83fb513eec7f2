"""English phrases for what is to be remembered, recalled and forgotten by name."""

from core.language.grammar import Phrase, VerbPhrases
from core.references import Reference

_WIFI = {"key": "wifi code"}
_NAME = {"key": "name"}

MEMORY = (
    VerbPhrases(
        "memory",
        "store",
        (
            Phrase(
                "(remember|memorize|memorise) that [the|my|our] {key:name} (is|are) {value:typed}",
                {
                    'remember that the wifi code is "hunter 2"': _WIFI | {"value": "hunter 2"},
                    "remember that my name is Ada": _NAME | {"value": "Ada"},
                    "memorize that the wifi code is 1234": _WIFI | {"value": "1234"},
                },
            ),
            Phrase(
                "(remember|memorize|memorise) [the|my|our] {key:name} (is|are) {value:typed}",
                {"remember my name is Ada": _NAME | {"value": "Ada"}},
            ),
            Phrase(
                "(remember|memorize|memorise|store) {value:quote} as [the|my|our] {key:name}",
                {'remember "hunter 2" as the wifi code': _WIFI | {"value": "hunter 2"}},
            ),
            Phrase(
                "(remember|memorize|memorise) {value:given} as [the|my|our] {key:name}",
                {"read notes.txt and remember it as the wifi code": _WIFI | {"value": Reference("g0", "text")}},
            ),
        ),
    ),
    VerbPhrases(
        "memory",
        "recall",
        (
            Phrase(
                "(what|which) [name|value] (do you remember|did i tell you|did i ask you to remember) (about|for|as|under) "
                "[the|my|our] {key:name}",
                {"what do you remember about my name": _NAME},
            ),
            Phrase(
                "recall [the|my|our] {key:name}",
                {"recall the wifi code": _WIFI, 'recall "wifi code"': _WIFI},
            ),
            Phrase(
                "remind me [of] what [the|my|our] {key:name} (is|was)",
                {"remind me what the wifi code is": _WIFI},
            ),
            Phrase("(what is|what's|what was) my {key:name} again", {"what's my wifi code again?": _WIFI}),
            Phrase(
                "(what is|what's|what was) [the|my|our] {key:name} (that|which) (i told you|i gave you|you remember|i asked you to remember)",
                {"what is the wifi code that I told you": _WIFI},
            ),
        ),
    ),
    VerbPhrases(
        "memory",
        "forget",
        (
            Phrase(
                "forget [about] (the|my|our) {key:name} [(that|which) (i told you|i gave you|you remember|i asked you to remember)]",
                {"forget the wifi code": _WIFI, "forget about my name": _NAME},
            ),
            Phrase(
                "forget [the|my|our] {key:quote}",
                {'forget "wifi code"': _WIFI},
            ),
            Phrase(
                "(forget|erase|delete) what (you remember|i told you) (about|as|under) [the|my|our] {key:name}",
                {"forget what you remember about my name": _NAME},
            ),
        ),
    ),
    VerbPhrases(
        "memory",
        "list",
        (
            Phrase(
                "(what|tell me what|show me what|list what|show what) (do you remember|you remember|have you remembered|you have remembered)",
                {"what do you remember?": {}, "tell me what you remember": {}},
            ),
            Phrase("(list|show|show me) (your memory|your memories|what is remembered)", {"show me your memory": {}}),
        ),
    ),
)
