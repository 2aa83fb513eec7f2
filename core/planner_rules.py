"""VERB_ROWS: every (domain, verb) that Surehand knows, one row each.

This table is the public language of the project. Flow files name its verbs and params, the interpreter aims at them,
the tools carry them out, and docs/rules.md is generated from it. What a signature can say is said once, by the tool: which params
there are, their types, closed sets, ranges and defaults; ``core.rules.signatures`` joins both to a ``PlannerRule``.
``core.rules.rule_types`` says what the fields mean, and ``core.rules.rule_checks`` checks every rule.

Theory. A verb is its row and its tool's signature. Everything that the program does with a verb it reads from there, and nothing else
lists verbs or compares with one (tests/architecture/test_table_driven.py):

- what a goal may say: params, types, closed sets, defaults; a param of a type that aims names what the act is about;
- whether it may run: ``needs`` of the machine, ``approval``, ``action_class``, what a value that was read may touch;
- in which order: ``resource`` (held alone), what it takes from and gives to its context, the session that it opens;
- what is left: ``undo``, and after a crash ``repeat`` and ``recovery``.

A row is data. What most verbs of a kind have in common stands once, at the kind; a row says what is its own. What differs between two
verbs and isn't in a column belongs into their tools.
"""

from functools import partial
from typing import Annotated

from core.rules.rule_types import CommandLine, ContextProduction, FromWorld, MadeName, RuleKey, VerbRow

_BROWSER = "browser_control"
_PAGE = ("browser", "session:page")
_LANE = ("page:{lane}",)
_FILE = "file_operation"
_INPUT = "input_control"
_WINDOWS = "window_management"
_SCREEN = "screen_perception"
_DESKTOP = ("desktop",)
_SOUGHT = ("text", "role", "name", "image")
_AUDIO = "audio_control"
_SOUND = ("sound",)
_MEDIA = "media_control"
_PLAYERS = ("players",)
_MEMORY = "memory_operation"
_REMEMBERED = ("memory",)

_observes = partial(VerbRow, action_class="observe", repeat="safe", undo="inverse")
_acts_on_page = partial(
    VerbRow,
    intent=_BROWSER,
    action_class="actuate",
    reads="page",
    resource=_LANE,
    needs=_PAGE,
    timeout_s=15,
)
_goes_somewhere = partial(_acts_on_page, timeout_s=45)
_looks_at_page = partial(
    _observes,
    intent=_BROWSER,
    reads="page",
    resource=_LANE,
    needs=_PAGE,
    timeout_s=15,
)
_opens_page = partial(
    VerbRow,
    intent=_BROWSER,
    action_class="actuate",
    session_bootstraps=("page",),
    provides_substrate=True,
    resource=_LANE,
    needs=("browser",),
    timeout_s=45,
)
_visits = partial(_opens_page, reads="page", opens=MadeName("page", "url"))
_changes_files = partial(
    VerbRow,
    intent=_FILE,
    action_class="actuate",
    approval="apply_diff",
    recovery="compare",
    undo="journal",
    needs=("files",),
)
_changes_file = partial(_changes_files, resource=("file:{path}",))
_moves_files = partial(_changes_files, resource=("file:{source}", "file:{destination}"), timeout_s=300)
_uses_trash = partial(_changes_files, needs=("files", "trash"), timeout_s=60)
_looks_at_files = partial(
    _observes,
    intent=_FILE,
    reads="file",
    needs=("files",),
)
_asks_machine = partial(
    _observes,
    intent="system_query",
    reads="process",
)
_changes_machine = partial(
    VerbRow,
    intent="system_control",
    action_class="actuate",
    timeout_s=15,
)
_ends_session = partial(_changes_machine, approval="confirm", undo="inverse", needs=("power",))
_ends_program = partial(
    VerbRow,
    intent="application_control",
    action_class="actuate",
    choose_one=(("app", "pid"),),
    approval="confirm",
    reads="process",
    destroys=("app", "pid"),
    ends_programs=True,
    needs=("processes",),
)
_acts_on_screen = partial(
    VerbRow,
    intent=_INPUT,
    action_class="actuate",
    reads="screen",
    resource=_DESKTOP,
    holds_seat=True,
    needs=("input",),
)
_points = partial(_acts_on_screen, choose_one=(("target", "image"),))
_looks_at_screen = partial(
    _observes,
    intent=_SCREEN,
    reads="screen",
    resource=_DESKTOP,
)
_acts_on_window = partial(
    VerbRow,
    intent=_WINDOWS,
    action_class="actuate",
    repeat="safe",
    reads="window",
    undo="inverse",
    resource=_DESKTOP,
    holds_seat=True,
    needs=("windows",),
    timeout_s=15,
)
_looks_at_windows = partial(
    _observes,
    intent=_WINDOWS,
    reads="window",
    needs=("windows",),
    timeout_s=15,
)
_hears = partial(
    _observes,
    intent=_AUDIO,
    reads="device",
    needs=("audio",),
    timeout_s=10,
)
_changes_sound = partial(
    VerbRow,
    intent=_AUDIO,
    action_class="actuate",
    recovery="compare",
    reads="device",
    undo="inverse",
    resource=_SOUND,
    needs=("audio",),
    timeout_s=10,
)
_orders_player = partial(
    VerbRow,
    intent=_MEDIA,
    action_class="actuate",
    reads="player",
    resource=_PLAYERS,
    needs=("media",),
    timeout_s=15,
)
_remembers = partial(
    VerbRow,
    intent=_MEMORY,
    action_class="actuate",
    undo="journal",
    resource=_REMEMBERED,
    needs=("memory",),
)
_recalls = partial(_observes, intent=_MEMORY, reads="memory", resource=_REMEMBERED, needs=("memory",))

VERB_ROWS: dict[RuleKey, VerbRow] = {
    # --- browser: going somewhere ---------------------------------------------------------------------------------
    ("browser", "navigate"): _visits(
        summary="opened {url}",
        description_template="Open {url}",
        semantic_params={"platform": Annotated[str, FromWorld("platforms")]},
        allow_semantic_only=True,
        context_production=ContextProduction("browser", ("platform",)),
        repeat="safe",
    ),
    ("browser", "back"): _goes_somewhere(
        summary="went back",
        description_template="Go back one page",
    ),
    ("browser", "forward"): _goes_somewhere(
        summary="went forward",
        description_template="Go forward one page",
    ),
    ("browser", "reload"): _goes_somewhere(
        summary="reloaded the page",
        description_template="Reload the page",
    ),
    ("browser", "stop"): VerbRow(
        intent=_BROWSER,
        action_class="actuate",
        summary="stopped loading",
        description_template="Stop loading the page",
        repeat="safe",
        resource=_LANE,
        needs=_PAGE,
        timeout_s=10,
    ),
    ("browser", "search"): _visits(
        summary="searched {platform} for “{query}”",
        description_template="Search {platform} for “{query}”",
        context_consumption={"platform": ("browser", "platform")},
        context_production=ContextProduction("browser", ("platform",)),
        repeat="safe",
    ),
    ("browser", "wait"): _looks_at_page(
        summary="waited for[ {seconds} s][ {selector}][ ({state})][ to be {value}][ the address {url}][ the text “{text}”][ the page to load ({load_state})]",
        description_template="Wait for[ {seconds} s][ {selector}][ ({state})][ to be {value}][ the address {url}][ the text “{text}”][ the page to load ({load_state})]",
        choose_one=(("selector", "url", "text", "load_state", "seconds"),),
        timeout_s=30,
    ),
    # --- browser: acting with the pointer -------------------------------------------------------------------------
    ("browser", "click"): _acts_on_page(
        summary="clicked {selector}",
        description_template="Click {selector}[ in order: {order}][, revealing it by {reveal} if need be][ until {until}][ is {value}]",
    ),
    ("browser", "hover"): _acts_on_page(
        summary="pointed at {selector}[ for {seconds} s]",
        description_template="Point at {selector}[ for {seconds} s]",
    ),
    ("browser", "focus"): _acts_on_page(
        summary="focused[ {selector}][ the {move} field]",
        description_template="Focus[ {selector}][ the {move} field]",
        choose_one=(("selector", "move"),),
    ),
    ("browser", "mark"): _acts_on_page(
        summary="selected[ {text} in] {selector}",
        description_template="Select[ {text} in] {selector}",
    ),
    ("browser", "drag"): _acts_on_page(
        summary="dragged {selector}[ to {target}][ by {offset}]",
        description_template="Drag {selector}[ to {target}][ by {offset}][, {side} it]",
        choose_one=(("target", "offset"),),
        timeout_s=20,
    ),
    ("browser", "draw"): _acts_on_page(
        summary="drew a[ {shape}] line at {selector}",
        description_template="Draw a[ {shape}] line at {selector}",
        choose_one=(("shape", "points"),),
        timeout_s=20,
    ),
    ("browser", "arrange"): _acts_on_page(
        summary="put {selector} in order",
        description_template="Put {selector} in order: {order}",
        timeout_s=60,
    ),
    ("browser", "scroll"): _acts_on_page(
        summary="scrolled",
        description_template="Scroll[ to the {to}][ {direction}]",
    ),
    ("browser", "reveal"): _acts_on_page(
        summary="brought {selector} into sight",
        description_template="Bring {selector} into sight[, by {by}]",
        timeout_s=60,
    ),
    # --- browser: filling in --------------------------------------------------------------------------------------
    ("browser", "type"): _acts_on_page(
        summary="{selector:filled in|typed where the focus was}[ {selector}]",
        description_template="Type “{text}” {selector:into|where the focus is}[ {selector}]",
        timeout_s=20,
    ),
    ("browser", "press"): _acts_on_page(
        summary="pressed {key}",
        description_template="Press {key}",
    ),
    ("browser", "select"): _acts_on_page(
        summary="chose {value} in {selector}",
        description_template="Choose {value} in {selector}",
    ),
    ("browser", "check"): _acts_on_page(
        summary="{checked:ticked|unticked} {selector}",
        description_template="{checked:Tick|Untick} {selector}",
        repeat="safe",
    ),
    ("browser", "set"): _acts_on_page(
        summary="set {selector} to {value}",
        description_template="Set {selector} to {value}",
        timeout_s=30,
    ),
    ("browser", "fill"): _acts_on_page(
        summary="filled in[ {fields}][ what the page itself says, {from_page}]",
        description_template="Fill in[ {fields}][ what the page itself says, {from_page}]",
        choose_one=(("fields", "from_page"),),
        timeout_s=60,
    ),
    ("browser", "upload"): _acts_on_page(
        summary="put {path} into {selector}",
        description_template="Put {path} into {selector}",
        timeout_s=30,
    ),
    # --- browser: looking -----------------------------------------------------------------------------------------
    ("browser", "read"): _looks_at_page(
        summary="read the {target}[ of {selector}]",
        description_template="Read the {target}[ of {selector}]",
    ),
    ("browser", "extract"): _looks_at_page(
        summary="read the records",
        description_template="Read the records[ in {rows}]",
        timeout_s=30,
    ),
    ("browser", "snapshot"): _looks_at_page(
        summary="outlined the page",
        description_template="Outline the page[, only {scope}][, looking for “{find}”]",
        timeout_s=20,
    ),
    ("browser", "screenshot"): _looks_at_page(
        summary="took a screenshot[ of {selector}]",
        description_template="Take a screenshot[ of {selector}][ to the {to}][ into {path}]",
        timeout_s=30,
    ),
    ("browser", "pdf"): _looks_at_page(
        summary="saved the page as a PDF",
        description_template="Save the page as a PDF[ in {path}]",
        timeout_s=60,
    ),
    ("browser", "expect"): _looks_at_page(
        summary="checked[ {selector}][ ({state})][ for the text “{text}”][ for the value “{value}”][ for {count} of them][ for the address {url}][ for the title “{title}”]",
        description_template="Check[ {selector}][ ({state})][ for the text “{text}”][ for the value “{value}”][ for {count} of them][ for the address {url}][ for the title “{title}”]",
        choose_any=(("selector", "text", "url", "title"),),
        timeout_s=10,
    ),
    # --- browser: tabs, dialogs, files, sessions ------------------------------------------------------------------
    ("browser", "open_tab"): _visits(
        summary="opened[ {url} in] a new tab",
        description_template="Open[ {url} in] a new tab",
    ),
    ("browser", "switch_tab"): _acts_on_page(
        summary="switched to[ tab {tab}][ the tab with “{contains}” on it]",
        description_template="Switch to[ tab {tab}][ the tab with “{contains}” on it]",
        choose_one=(("tab", "contains"),),
    ),
    ("browser", "close_tab"): _acts_on_page(
        summary="closed[ the {which} tabs][ tab {tab}]",
        description_template="Close[ the {which} tabs][ tab {tab}]",
        destroys=("tab",),
    ),
    ("browser", "list_tabs"): _looks_at_page(
        summary="listed the tabs",
        description_template="List the open tabs",
    ),
    ("browser", "zoom"): _acts_on_page(
        summary="zoomed[ {direction}] the page[ to {level} %]",
        description_template="Zoom[ {direction}] the page[ to {level} %]",
        choose_one=(("direction", "level"),),
    ),
    ("browser", "dialog"): _acts_on_page(
        summary="answered the dialog[: {action}][ with the button {press}]",
        description_template="Answer the dialog[: {action}][ with the button {press}][, typing “{text}”]",
        choose_one=(("action", "press"),),
    ),
    ("browser", "download"): _acts_on_page(
        summary="downloaded[ {selector}][ {url}] to {path}",
        description_template="Download[ {selector}][ {url}] to {path}",
        choose_one=(("selector", "url"),),
        approval="apply_diff",
        undo="journal",
        destroys=("path",),
        resource=(*_LANE, "file:{path}"),
        timeout_s=300,
    ),
    ("browser", "save_session"): VerbRow(
        intent=_BROWSER,
        action_class="actuate",
        summary="saved cookies and storage to {path}",
        description_template="Save cookies and storage to {path}",
        approval="apply_diff",
        undo="journal",
        destroys=("path",),
        resource=(*_LANE, "file:{path}"),
        needs=_PAGE,
    ),
    ("browser", "load_session"): _opens_page(
        summary="loaded cookies and storage from {path}",
        description_template="Load cookies and storage from {path}",
        approval="apply_diff",
        repeat="safe",
    ),
    ("browser", "emulate"): _opens_page(
        summary="pretended to be another browser[: {device}]",
        description_template="Pretend to be another browser[: {device}][, language {locale}][, time zone {timezone}][, {color_scheme} colours][, window {viewport}][, offline: {offline}][, at {geolocation}]",
        choose_any=(("device", "viewport", "locale", "timezone", "geolocation", "color_scheme", "offline"),),
        repeat="safe",
    ),
    ("browser", "route"): _opens_page(
        summary="took over requests for {url}",
        description_template="Answer requests for {url} instead of the site: {action}",
        repeat="safe",
        timeout_s=15,
    ),
    # --- file: making and changing --------------------------------------------------------------------------------
    ("file", "create"): _changes_files(
        summary="created {name}",
        description_template="Create the {object_type} {name}",
        resource=("file:{name}",),
        makes=MadeName("file", "path"),
    ),
    ("file", "write"): _changes_file(
        summary="wrote {path}",
        description_template="Write {path}",
        repeat="safe",
        destroys=("path",),
        makes=MadeName("file", "path"),
    ),
    ("file", "append"): _changes_file(
        summary="added to {path}",
        description_template="Add to {path}",
    ),
    ("file", "edit"): _changes_file(
        summary="edited {path}",
        description_template="Replace “{find}” with “{replace}” in {path}",
    ),
    # --- file: moving and removing --------------------------------------------------------------------------------
    ("file", "copy"): _moves_files(
        summary="copied {source} to {destination}",
        description_template="Copy {source} to {destination}",
        makes=MadeName("file", "path"),
    ),
    ("file", "move"): _moves_files(
        summary="moved {source} to {destination}",
        description_template="Move {source} to {destination}",
        makes=MadeName("file", "path"),
    ),
    ("file", "rename"): _changes_files(
        summary="renamed {source} to {target}",
        description_template="Rename {source} to {target}",
        resource=("file:{source}",),
        makes=MadeName("file", "path"),
    ),
    ("file", "delete"): _uses_trash(
        summary="moved {name} to the trash",
        description_template="Move the {object_type} {name} to the trash",
        destroys=("name",),
        resource=("file:{name}",),
    ),
    ("file", "purge"): VerbRow(
        intent=_FILE,
        action_class="actuate",
        summary="deleted {path} for good",
        description_template="Delete {path} for good",
        approval="confirm",
        recovery="compare",
        destroys=("path",),
        resource=("file:{path}",),
        needs=("files",),
        timeout_s=60,
    ),
    ("file", "restore"): _uses_trash(
        summary="restored {path} from the trash",
        description_template="Restore {path} from the trash",
        resource=("file:{path}",),
    ),
    ("file", "zip"): _moves_files(
        summary="packed {source}[ into {destination}]",
        description_template="Pack {source}[ into {destination}]",
        makes=MadeName("file", "path"),
    ),
    ("file", "unzip"): _moves_files(
        summary="unpacked {source}[ into {destination}]",
        description_template="Unpack {source}[ into {destination}]",
        reads="file",
    ),
    # --- file: looking --------------------------------------------------------------------------------------------
    ("file", "read"): _looks_at_files(
        summary="read {path}",
        description_template="Read {path}",
        resource=("file:{path}",),
    ),
    ("file", "list"): _looks_at_files(
        summary="listed {path}",
        description_template="List {path}[, only {pattern}]",
        reads="folder",
        timeout_s=60,
    ),
    ("file", "find"): _looks_at_files(
        summary="searched {path}[ for {pattern}][ for files with “{content}” in them]",
        description_template="Search {path}[ for {pattern}][ for files with “{content}” in them][, newer than {newer}][, older than {older}]",
        reads="folder",
        timeout_s=120,
    ),
    ("file", "info"): _looks_at_files(
        summary="looked up {path}",
        description_template="Look up {path}",
    ),
    ("file", "hash"): _looks_at_files(
        summary="computed the {algorithm} of {path}",
        description_template="Compute the {algorithm} of {path}",
        resource=("file:{path}",),
        timeout_s=300,
    ),
    ("file", "wait"): _looks_at_files(
        summary="waited for {path}: {state}",
        description_template="Wait for {path}: {state}",
    ),
    ("file", "open"): VerbRow(
        intent=_FILE,
        action_class="actuate",
        summary="opened {path}",
        description_template="Open {path} with its program",
        opens=MadeName("file", "path"),
        needs=("files", "opener"),
    ),
    # --- system: programs -----------------------------------------------------------------------------------------
    ("system", "launch"): VerbRow(
        intent="application_launch",
        action_class="actuate",
        summary="started {app}",
        description_template="Start {app}[ {args:words}][ in {cwd}]",
        command=CommandLine("app", "args", "system.run"),
        approval="run_job",
        reads="command",
        undo="inverse",
        opens=MadeName("app", "app"),
        needs=("launcher",),
    ),
    ("system", "run"): VerbRow(
        intent="application_launch",
        action_class="actuate",
        summary="ran {argv:words}",
        description_template="Run {argv:words}[ in {cwd}]",
        approval="run_job",
        reads="command",
        needs=("processes",),
        opt_in=True,
    ),
    ("system", "close"): _ends_program(
        summary="closed {app}[process {pid}]",
        description_template="Close {app}[process {pid}]",
    ),
    ("system", "kill"): _ends_program(
        summary="forced {app}[process {pid}] to end",
        description_template="Force {app}[process {pid}] to end",
    ),
    ("system", "list_apps"): _asks_machine(
        summary="listed the programs",
        description_template="List the programs[ with “{filter}” in their names]",
        needs=("processes",),
    ),
    ("system", "list_processes"): _asks_machine(
        summary="listed the processes",
        description_template="List the processes[ with “{filter}” in their names]",
        needs=("processes",),
    ),
    # --- system: the machine --------------------------------------------------------------------------------------
    ("system", "get"): _asks_machine(
        summary="read the {target}",
        description_template="Read the {target}",
        reads="machine",
        resource=("{target}",),
        timeout_s=15,
    ),
    ("system", "set"): _changes_machine(
        summary="set the {target} to “{value}”",
        description_template="Set the {target} to “{value}”",
        repeat="safe",
        reads="machine",
        undo="inverse",
        resource=("{target}",),
        holds_seat=True,  # typing may be using the clipboard
    ),
    ("system", "open"): _changes_machine(
        summary="opened {target}",
        description_template="Open {target} with its program",
        opens=MadeName("target", "target"),
        needs=("opener",),
        timeout_s=30,
    ),
    ("system", "notify"): _changes_machine(
        summary="showed the notification “{title}”",
        description_template="Show the notification “{title}”[: {message}]",
        needs=("notifications",),
    ),
    ("system", "lock"): _changes_machine(
        summary="locked the screen[; only cancelled it: {abort}]",
        description_template="Lock the screen[ in {delay} s][; only cancel it: {abort}]",
        needs=("session_lock",),
    ),
    ("system", "sleep"): _changes_machine(
        summary="put the machine to sleep[; only cancelled it: {abort}]",
        description_template="Put the machine to sleep[ in {delay} s][; only cancel it: {abort}]",
        needs=("power",),
    ),
    ("system", "shutdown"): _ends_session(
        summary="ordered the machine to shut down[; only cancelled that: {abort}]",
        description_template="Shut the machine down[ in {delay} s][; only cancel it: {abort}]",
    ),
    ("system", "restart"): _ends_session(
        summary="ordered the machine to restart[; only cancelled that: {abort}]",
        description_template="Restart the machine[ in {delay} s][; only cancel it: {abort}]",
    ),
    # --- desktop: pointer and keyboard ----------------------------------------------------------------------------
    ("desktop", "click"): _points(
        summary="clicked {target}[the picture {image}]",
        description_template="Click {target}[the picture {image}] on the desktop[ in the window {window}][ with {modifiers} held]",
    ),
    ("desktop", "double_click"): _points(
        summary="double-clicked {target}[the picture {image}]",
        description_template="Double-click {target}[the picture {image}] on the desktop[ in the window {window}][ with {modifiers} held]",
    ),
    ("desktop", "right_click"): _points(
        summary="right-clicked {target}[the picture {image}]",
        description_template="Right-click {target}[the picture {image}] on the desktop[ in the window {window}][ with {modifiers} held]",
    ),
    ("desktop", "move"): _points(
        summary="pointed at {target}[the picture {image}]",
        description_template="Move the pointer to {target}[the picture {image}][ in the window {window}]",
        repeat="safe",
    ),
    ("desktop", "drag"): _points(
        summary="dragged {target}[the picture {image}] to {to}",
        description_template="Drag {target}[the picture {image}] to {to}[ in the window {window}]",
    ),
    ("desktop", "scroll"): _acts_on_screen(
        summary="scrolled {direction}",
        description_template="Scroll {direction} by {amount} notches[ at {target}][ at the picture {image}][ in the window {window}]",
    ),
    ("desktop", "type"): _acts_on_screen(
        summary="typed “{text}”",
        description_template="Type “{text}”[ into {target}][ in the window {window}]",
        timeout_s=60,
    ),
    ("desktop", "press"): _acts_on_screen(
        summary="pressed {keys}",
        description_template="Press {keys}[ in the window {window}]",
        timeout_s=15,
    ),
    ("desktop", "invoke"): _acts_on_screen(  # it may open what takes the focus
        summary="pressed {target}",
        description_template="Press {target}[ in the window {window}]",
        reads="window",
        needs=("accessibility",),
    ),
    ("desktop", "set_value"): _acts_on_screen(  # it may open what takes the focus
        summary="set {target} to {value}",
        description_template="Set {target} to {value}[ in the window {window}]",
        repeat="safe",
        reads="window",
        undo="inverse",
        needs=("accessibility",),
    ),
    # --- desktop: windows -----------------------------------------------------------------------------------------
    ("desktop", "list_windows"): _looks_at_windows(
        summary="listed the windows",
        description_template="List the windows[ with “{filter}” in their titles]",
        resource=_DESKTOP,
    ),
    ("desktop", "active_window"): _looks_at_windows(
        summary="found out which window has the focus",
        description_template="Find out which window has the focus",
        resource=_DESKTOP,
    ),
    ("desktop", "displays"): _looks_at_windows(
        summary="listed the displays",
        description_template="List the displays",
        reads="machine",
    ),
    ("desktop", "focus_window"): _acts_on_window(
        summary="focused the window {window}",
        description_template="Focus the window {window}",
    ),
    ("desktop", "move_window"): _acts_on_window(
        summary="moved the window {window}",
        description_template="Move the window {window} to {bounds}",
    ),
    ("desktop", "resize_window"): _acts_on_window(
        summary="resized the window {window}",
        description_template="Resize the window {window} to {bounds}",
    ),
    ("desktop", "minimize"): _acts_on_window(
        summary="minimized the window {window}",
        description_template="Minimize the window {window}",
    ),
    ("desktop", "maximize"): _acts_on_window(
        summary="maximized the window {window}",
        description_template="Maximize the window {window}",
    ),
    ("desktop", "restore"): _acts_on_window(
        summary="restored the window {window}",
        description_template="Restore the window {window}",
    ),
    ("desktop", "close_window"): VerbRow(
        intent=_WINDOWS,
        action_class="actuate",
        summary="closed the window {window}",
        description_template="Close the window {window}",
        reads="window",
        destroys=("window",),
        resource=_DESKTOP,
        holds_seat=True,
        ends_programs=True,
        needs=("windows",),
        timeout_s=15,
    ),
    # --- desktop: looking -----------------------------------------------------------------------------------------
    ("desktop", "find"): _looks_at_screen(
        summary="searched the screen[ for “{text}”][ for the {role}][ named “{name}”][ for the picture {image}]",
        description_template="Search the screen[ for “{text}”][ for the {role}][ named “{name}”][ for the picture {image}][ in the window {window}]",
        choose_any=(_SOUGHT,),
    ),
    ("desktop", "read"): _looks_at_screen(
        summary="read the screen[, only the {role}][ named “{name}”]",
        description_template="Read the screen[, only the {role}][ named “{name}”][ in the window {window}]",
        needs=("screen",),
    ),
    ("desktop", "wait"): _looks_at_screen(
        summary="waited until[ the window {window}][ “{text}”][ {role}][ “{name}”][ the picture {image}] was {state}",
        description_template="Wait until[ the window {window}][ “{text}”][ {role}][ “{name}”][ the picture {image}] is {state}",
        choose_any=((*_SOUGHT, "window"),),
        resource=(),
    ),
    ("desktop", "snapshot"): _looks_at_screen(
        summary="outlined the window[ {window}]",
        description_template="Outline the window[ {window}][, only {scope}][, looking for “{find}”]",
        reads="window",
        needs=("accessibility",),
    ),
    ("desktop", "screenshot"): _looks_at_screen(
        summary="took a screenshot of the screen",
        description_template="Take a screenshot of the screen[, only the window {window}][, only display {display}][ into {path}]",
        needs=("screen",),
    ),
    # --- audio ----------------------------------------------------------------------------------------------------
    ("audio", "get_volume"): _hears(
        summary="read the {target} volume[ of {device}{app}]",
        description_template="Read the {target} volume[ of {device}{app}]",
    ),
    ("audio", "set_volume"): _changes_sound(
        summary="set the {target} volume[ of {device}{app}] to {level} %",
        description_template="Set the {target} volume[ of {device}{app}] to {level} %",
        repeat="safe",
    ),
    ("audio", "volume_up"): _changes_sound(
        summary="turned the {target} volume[ of {device}{app}] up by {amount} %",
        description_template="Turn the {target} volume[ of {device}{app}] up by {amount} %",
    ),
    ("audio", "volume_down"): _changes_sound(
        summary="turned the {target} volume[ of {device}{app}] down by {amount} %",
        description_template="Turn the {target} volume[ of {device}{app}] down by {amount} %",
    ),
    ("audio", "mute"): _changes_sound(
        summary="muted the {target}[ of {device}{app}][ for {duration} s]",
        description_template="Mute the {target}[ of {device}{app}][ for {duration} s]",
        repeat="safe",
    ),
    ("audio", "unmute"): _changes_sound(
        summary="unmuted the {target}[ of {device}{app}][ for {duration} s]",
        description_template="Unmute the {target}[ of {device}{app}][ for {duration} s]",
        repeat="safe",
    ),
    ("audio", "toggle_mute"): _changes_sound(
        summary="switched mute of the {target}[ of {device}{app}][ for {duration} s]",
        description_template="Switch mute of the {target}[ of {device}{app}][ for {duration} s]",
    ),
    ("audio", "list_devices"): _hears(
        summary="listed the sound devices",
        description_template="List the sound devices[ for {target}]",
    ),
    ("audio", "list_apps"): _hears(
        summary="listed the programs with {target} sound",
        description_template="List the programs with {target} sound",
    ),
    ("audio", "set_default"): _changes_sound(
        summary="made {device} the default {target}",
        description_template="Make {device} the default {target}",
        repeat="safe",
        timeout_s=15,
    ),
    ("audio", "route_app"): _changes_sound(
        summary="sent the sound of {app} to {device}",
        description_template="Send the sound of {app} to {device}",
        repeat="safe",
        timeout_s=15,
        recovery=None,
    ),
    ("audio", "play_sound"): VerbRow(
        intent=_AUDIO,
        action_class="actuate",
        summary="played the sound {path}",
        description_template="Play the sound {path}",
        needs=("audio", "files"),
        timeout_s=600,
    ),
    # --- media ----------------------------------------------------------------------------------------------------
    ("media", "play"): _orders_player(
        summary="started playing[ in {player}]",
        description_template="Start playing[ in {player}]",
        repeat="safe",
        undo="inverse",
    ),
    ("media", "pause"): _orders_player(
        summary="paused[ {player}]",
        description_template="Pause[ {player}]",
        repeat="safe",
        undo="inverse",
    ),
    ("media", "play_pause"): _orders_player(
        summary="switched between playing and pausing[ in {player}]",
        description_template="Play or pause[ {player}]",
        recovery="compare",
        undo="inverse",
    ),
    ("media", "stop"): _orders_player(
        summary="stopped playing[ in {player}]",
        description_template="Stop playing[ in {player}]",
        repeat="safe",
    ),
    ("media", "next"): _orders_player(
        summary="went to the next track[ in {player}]",
        description_template="Go to the next track[ in {player}]",
    ),
    ("media", "previous"): _orders_player(
        summary="went to the previous track[ in {player}]",
        description_template="Go to the previous track[ in {player}]",
    ),
    ("media", "seek"): _orders_player(
        summary="went to {position} s[ in {player}]",
        description_template="Go to {position} s[ in {player}]",
        repeat="safe",
        undo="inverse",
    ),
    ("media", "status"): _observes(
        intent=_MEDIA,
        summary="found out what is playing[ in {player}]",
        description_template="Find out what is playing[ in {player}]",
        reads="player",
        needs=("media",),
        timeout_s=15,
    ),
    # --- memory ---------------------------------------------------------------------------------------------------
    ("memory", "store"): _remembers(
        summary="remembered {value} as {key}",
        description_template="Remember {value} as {key}",
        repeat="safe",
    ),
    ("memory", "recall"): _recalls(
        summary="recalled {key}",
        description_template="Recall {key}",
    ),
    ("memory", "forget"): _remembers(
        summary="forgot {key}",
        description_template="Forget {key}",
        recovery="compare",
        destroys=("key",),
    ),
    ("memory", "list"): _recalls(
        summary="listed what is remembered",
        description_template="List what is remembered",
    ),
    # --- project --------------------------------------------------------------------------------------------------
    ("project", "summarize"): _observes(
        intent="project_overview",
        summary="summed up the project",
        description_template="Sum up the project",
        reads="folder",
        needs=("project",),
        timeout_s=15,
    ),
}
