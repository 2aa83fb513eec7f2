"""English phrases for programs and for the machine itself."""

from core.language.grammar import Phrase, VerbPhrases
from core.references import Reference

_FIREFOX = {"app": "Firefox"}
_ABORT = {"abort": True}

PROGRAMS = (
    VerbPhrases(
        "system",
        "launch",
        (
            Phrase(
                "(launch|fire up) [up] {app:any_program}",
                {"launch Firefox": _FIREFOX, "launch my Foo app": {"app": "Foo"}},
            ),
            Phrase(
                "(open|open up|start|start up|run|execute|bring up) {app:program}",
                {
                    "open Firefox": _FIREFOX,
                    "start the calculator": {"app": "calculator"},
                    "open the Foo app": {"app": "Foo"},
                },
            ),
            Phrase(
                "open {_what:word}",
                {"open foo": {}},
                refuses="ambiguous",
                asks="Is that a site, with its address, a file, with its ending, or a program, as in “the … app”?",
            ),
        ),
    ),
    VerbPhrases(
        "system",
        "kill",
        (
            Phrase(
                "(kill|end) [the] (process|pid|process id|process number|process with [the] (pid|id|number)) {pid:count}",
                {"kill process 1234": {"pid": 1234}},
            ),
            Phrase("kill {pid:count}", {"kill 1234": {"pid": 1234}}),
            Phrase(
                "(kill|end) the process (called|named) {app:any_program}",
                {"kill the process called foo": {"app": "foo"}},
            ),
            Phrase(
                "(kill|force quit|force close|force-quit|force-close) {app:any_program}",
                {"kill Firefox": _FIREFOX, "force quit the calculator": {"app": "calculator"}},
            ),
        ),
    ),
    VerbPhrases(
        "system",
        "close",
        (
            Phrase(
                "(close|close down|quit|exit|terminate|end|shut down|shutdown) {app:program}",
                {
                    "close Firefox": _FIREFOX,
                    "quit the calculator": {"app": "calculator"},
                    "exit the Foo app": {"app": "Foo"},
                },
            ),
            Phrase("(close|quit) [the] process {pid:count}", {"close process 1234": {"pid": 1234}}),
        ),
    ),
)

MACHINE = (
    VerbPhrases(
        "system",
        "list_processes",
        (
            Phrase(
                "<list> [all] [the|my] [running] processes [(called|named|matching) {filter:name}]",
                {"list the running processes": {}, "list the processes called foo": {"filter": "foo"}},
            ),
            Phrase("(what|which) processes are running", {"which processes are running": {}}),
        ),
    ),
    VerbPhrases(
        "system",
        "list_apps",
        (
            Phrase(
                "<list> [all] [the|my] [installed] (apps|applications|programs) [(called|named|matching) {filter:name}]",
                {"list the installed apps": {}, "list the programs named foo": {"filter": "foo"}},
            ),
            Phrase(
                "(what|which) (apps|applications|programs) (are installed|do i have|can you open)",
                {"which apps are installed": {}},
            ),
        ),
    ),
    VerbPhrases(
        "system",
        "get",
        (
            Phrase(
                "(what's|what is|tell me) (the date|today's date) [today]",
                {"what's today's date": {"target": "time"}},
                sets={"target": "time"},
            ),
            Phrase(
                "[the|my] {target:machine_figure}",
                {"cpu usage": {"target": "cpu"}, "my battery level": {"target": "battery"}},
            ),
            Phrase("what time is it [now]", {"what time is it": {"target": "time"}}, sets={"target": "time"}),
            Phrase(
                "(what's|what is|tell me|show me|get|check|read) (the|my|the current|the remaining) {target:machine_part}",
                {
                    "what's the time": {"target": "time"},
                    "tell me the battery level": {"target": "battery"},
                    "check the disk space": {"target": "disk"},
                    "read the clipboard": {"target": "clipboard"},
                },
            ),
            Phrase(
                "how much {target:machine_part} (is left|is free|is used|is there|do i have|do i have left|have i got left|is in use|is being used)",
                {"how much battery is left": {"target": "battery"}, "how much memory is free": {"target": "memory"}},
            ),
            Phrase(
                "(what's|what is) (in|on) (the|my) clipboard",
                {"what's on the clipboard": {"target": "clipboard"}},
                sets={"target": "clipboard"},
            ),
            Phrase(
                "how long has (the|my|this) (computer|machine|system|pc|laptop) been (on|running|up)",
                {"how long has the computer been on": {"target": "uptime"}},
                sets={"target": "uptime"},
            ),
            Phrase(
                "how bright is (the|my) screen",
                {"how bright is the screen": {"target": "brightness"}},
                sets={"target": "brightness"},
            ),
            Phrase(
                "(what|which) (os|operating system) (is this|am i on|am i running|do i have)",
                {"which operating system is this": {"target": "os"}},
                sets={"target": "os"},
            ),
        ),
    ),
    VerbPhrases(
        "system",
        "set",
        (
            Phrase(
                "(set|change|turn|put|adjust) [the|my] [screen] brightness [(up|down)] (to|at) {value:percent}",
                {"set the brightness to 40 percent": {"target": "brightness", "value": 40}},
                sets={"target": "brightness"},
            ),
            Phrase(
                "(copy|put|write|save) [<the_text>] {value:content} (to|into|on|in|onto) [the|my] clipboard",
                {
                    'copy "Hello" to the clipboard': {"target": "clipboard", "value": "Hello"},
                    "read the page and copy it to the clipboard": {
                        "target": "clipboard",
                        "value": Reference("g0", "text"),
                    },
                },
                sets={"target": "clipboard"},
            ),
            Phrase(
                "set (the|my) clipboard to [<the_text>] {value:content}",
                {'set the clipboard to "Hello"': {"target": "clipboard", "value": "Hello"}},
                sets={"target": "clipboard"},
            ),
            Phrase(
                "(clear|empty) (the|my) clipboard",
                {"clear the clipboard": {"target": "clipboard", "value": ""}},
                sets={"target": "clipboard", "value": ""},
            ),
            Phrase(
                "copy {value:given}",
                {"read the page and copy it": {"target": "clipboard", "value": Reference("g0", "text")}},
                sets={"target": "clipboard"},
            ),
        ),
    ),
    VerbPhrases(
        "system",
        "notify",
        (
            Phrase(
                "(show|show me|send|send me|display|pop up|post|create) [a|an] [desktop] (notification|message|alert) (titled|with the title|called) {title:quote} [(and|with|saying|that says)] [the] [text|message] {message:content}",
                {'show a notification titled "Tea" saying "It is ready"': {"title": "Tea", "message": "It is ready"}},
            ),
            Phrase(
                "(show|show me|send|send me|display|pop up|post|create) (a|an) (urgent|critical) [desktop] notification [<saying>] {title:quote}",
                {'show an urgent notification "Tea is ready"': {"title": "Tea is ready", "urgency": "critical"}},
                sets={"urgency": "critical"},
            ),
            Phrase(
                "(show|show me|send|send me|display|pop up|post|create) (a|an|the) [desktop] notification [<saying>] {title:content}",
                {'show a notification "Tea is ready"': {"title": "Tea is ready"}},
            ),
            Phrase(
                "notify me [<saying>] {title:content}", {'notify me that "Tea is ready"': {"title": "Tea is ready"}}
            ),
            Phrase(
                "(show|send) (a|me a) notification",
                {"show a notification": {}},
                refuses="missing_slot",
                asks="What shall it say?",
            ),
        ),
    ),
    VerbPhrases(
        "system",
        "lock",
        (
            Phrase(
                "lock (the|my|this) <machine> (in|after) {delay:seconds}",
                {"lock the screen in 10 seconds": {"delay": 10}},
            ),
            Phrase(
                "lock [the|my|this] [<machine>]", {"lock the screen": {}, "lock my pc": {}, "lock the computer": {}}
            ),
            Phrase("<abort> (locking|the lock)", {"cancel the lock": _ABORT}, sets=_ABORT),
        ),
    ),
    VerbPhrases(
        "system",
        "sleep",
        (
            Phrase(
                "(put|send) (the|my|this) (<computer>|system) to sleep (in|after) {delay:seconds}",
                {"put the computer to sleep in 10 minutes": {"delay": 600}},
            ),
            Phrase("(put|send) (the|my|this) (<computer>|system) to sleep", {"put the computer to sleep": {}}),
            Phrase(
                "(suspend|sleep) (the|my|this) (<computer>|system) [(in|after) {delay:seconds}]",
                {"suspend the laptop": {}},
            ),
            Phrase("<abort> (sleeping|the sleep|the suspend)", {"cancel the sleep": _ABORT}, sets=_ABORT),
        ),
    ),
    VerbPhrases(
        "system",
        "shutdown",
        (
            Phrase(
                "(shut down|shutdown|power off|power down|turn off|switch off) (the|my|this) <computer> (in|after) {delay:seconds}",
                {"shut down the computer in 10 minutes": {"delay": 600}},
            ),
            Phrase(
                "(shut down|shutdown|power off|power down|turn off|switch off) (the|my|this) <computer>",
                {"shut down the computer": {}, "turn off my laptop": {}},
            ),
            Phrase(
                "(shut|turn|switch|power) (the|my|this) <computer> (down|off) [(in|after) {delay:seconds}]",
                {"turn my computer off": {}, "shut the computer down in half an hour": {"delay": 1800}},
            ),
            Phrase("<abort> (the|that) (shutdown|shut down)", {"cancel the shutdown": _ABORT}, sets=_ABORT),
        ),
    ),
    VerbPhrases(
        "system",
        "restart",
        (
            Phrase(
                "(restart|reboot) (the|my|this) <computer> [(in|after) {delay:seconds}]",
                {"restart the computer": {}, "reboot my laptop in 5 minutes": {"delay": 300}},
            ),
            Phrase("<abort> (the|that) (restart|reboot)", {"cancel the restart": _ABORT}, sets=_ABORT),
        ),
    ),
    VerbPhrases(
        "system",
        "open",
        (
            Phrase(
                "open {target:url} (in|with) (the|my) default (browser|program|app)",
                {"open example.com in my default browser": {"target": "https://example.com"}},
            ),
        ),
    ),
)
