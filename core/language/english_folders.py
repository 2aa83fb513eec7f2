"""English phrases for looking at files and folders, and for opening them."""

from core.language.grammar import Phrase, VerbPhrases

_NOTES = {"path": "notes.txt"}
_DOCUMENTS = {"path": "documents:/"}
_PDF = {"pattern": "*.pdf"}

FOLDERS = (
    VerbPhrases(
        "file",
        "find",
        (
            Phrase(
                "<find> <files> [that] (containing|contain|that contain|with) [the] (text|word|words) {content:quote} [<where> {path:folder} [<below>]]",
                {'find files containing the word "mug" in Documents': _DOCUMENTS | {"content": "mug"}},
            ),
            Phrase(
                "<find> <files> [that are] [(newer than|changed in the last|modified in the last|from the last)] {newer:age} [old] [<where> {path:folder} [<below>]]",
                {"find files changed in the last 2 days in Documents": _DOCUMENTS | {"newer": "2d"}},
            ),
            Phrase(
                "<find> <files> [that are] older than {older:age} [<where> {path:folder} [<below>]]",
                {"find files older than a week in my downloads": {"path": "downloads:/", "older": "1w"}},
            ),
            Phrase(
                "<find> <files> <with_extension> {pattern:extension} [<where> {path:folder} [<below>]]",
                {"find all files with the extension .conf in Documents": _DOCUMENTS | {"pattern": "*.conf"}},
            ),
            Phrase(
                "<find> <files> with [the] {pattern:extension} extension [<where> {path:folder} [<below>]]",
                {"find files with .conf extension in Documents": _DOCUMENTS | {"pattern": "*.conf"}},
            ),
            Phrase(
                "<find> <files> [<where> {path:folder} [<below>]] <beginning> {pattern:name_start} [<where_after> {path_after:folder} [<below>]]",
                {"find files in Documents whose names begin with mug": _DOCUMENTS | {"pattern": "mug*"}},
            ),
            Phrase(
                "<find> <files> [<where> {path:folder} [<below>]] <ending> {pattern:name_end} [<where_after> {path_after:folder} [<below>]]",
                {'find all files that end with ".bash" in Documents': _DOCUMENTS | {"pattern": "*.bash"}},
            ),
            Phrase(
                "<find> <files> [<where> {path:folder} [<below>]] <holding> {pattern:name_part} in (their|its|the) (name|names|filename|filenames|file name) [<where_after> {path_after:folder} [<below>]]",
                {"find files with mug in their name in Documents": _DOCUMENTS | {"pattern": "*mug*"}},
            ),
            Phrase(
                "<find> <files> [<where> {path:folder} [<below>]] <named> {pattern:file_word} [<where_after> {path_after:folder} [<below>]]",
                {
                    'find files named "mug.txt" in Documents': _DOCUMENTS | {"pattern": "mug.txt"},
                    "find the file named mugs": {"pattern": "mugs"},
                },
            ),
            Phrase(
                "<find> (the file|the files|all files|files|file) {pattern:file_glob} [<where> {path:folder} [<below>]]",
                {'find the file "mugs" in Documents': _DOCUMENTS | {"pattern": "mugs"}},
            ),
            Phrase(
                "<find> [all] [the|of the|my] {pattern:file_glob} [regular] (files|file|files/directories) [<where> {path:folder} [<below>]]",
                {
                    "find all *.pdf files in Documents": _DOCUMENTS | _PDF,
                    "find mug.txt files in the current directory": {"path": ".", "pattern": "mug.txt"},
                },
            ),
            Phrase(
                "<find> [all] [the|of the|my] [regular] {pattern:file_kind} files [<where> {path:folder} [<below>]]",
                {
                    "find all pdf files in Documents": _DOCUMENTS | _PDF,
                    "show me the .pdf files on the desktop": {"path": "desktop:/"} | _PDF,
                },
            ),
            Phrase(
                "(find|find me|search for|look for|locate) [all|every] [the] [files] {pattern:file_glob} <where> {path:folder} [<below>]",
                {"find report.pdf in Documents": _DOCUMENTS | {"pattern": "report.pdf"}},
            ),
            Phrase(
                "search {path:folder} [<below>] for [the|all] [regular] (file|files) [<named>] {pattern:file_glob}",
                {"search Documents for the file report.pdf": _DOCUMENTS | {"pattern": "report.pdf"}},
            ),
            Phrase(
                "search {path:folder} [<below>] for [the|all] {pattern:file_glob} [files]",
                {"search my documents for *.pdf files": _DOCUMENTS | _PDF},
            ),
            Phrase(
                "search {path:folder} [<below>] for {pattern:file_kind} files",
                {"search my documents for pdf files": _DOCUMENTS | _PDF},
            ),
            Phrase(
                "search {path:folder} [<below>] for <files> <beginning> {pattern:name_start}",
                {'search Documents for files that begin with "mug"': _DOCUMENTS | {"pattern": "mug*"}},
            ),
            Phrase(
                "search {_path:folder} for {_what:name}",
                {"search Documents for mugs": {}},
                refuses="ambiguous",
                asks="Files that are called so, or files that hold the word?",
            ),
        ),
    ),
    VerbPhrases(
        "file",
        "list",
        (
            Phrase(
                "<list> [all|all of] [the|my] (files|folders|files and folders|everything|contents|content|directories|items) "
                "(in|on|of|inside|under) {path:folder} (recursively|and all folders below|and subfolders)",
                {"list the files in Documents recursively": _DOCUMENTS | {"recursive": True}},
                sets={"recursive": True},
            ),
            Phrase(
                "<list> [all|all of] [the|my] (files|folders|files and folders|everything|contents|content|directories|items) "
                "(in|on|of|inside|under) {path:folder}",
                {
                    "list the files in Documents": _DOCUMENTS,
                    "show me everything on the desktop": {"path": "desktop:/"},
                    "list the files in the folder Mugs": {"path": "Mugs"},
                },
            ),
            Phrase(
                "(what's|what is|what files are) (in|on|inside) {path:folder}",
                {"what's in my downloads folder": {"path": "downloads:/"}},
            ),
            Phrase("list {path:folder}", {"list my documents": _DOCUMENTS}),
            Phrase(
                "<list> [all] [the|my] (files|folders|files and folders)",
                {"list the files": {}},
                refuses="missing_slot",
                asks="In which folder?",
            ),
        ),
    ),
    VerbPhrases(
        "file",
        "read",
        (
            Phrase(
                "(read|read me|read out|print|display|show|show me|cat) [the] (contents|content) (of|in) {path:quoted_file}",
                {'display the contents of "notes"': {"path": "notes"}, "show me the contents of notes.txt": _NOTES},
            ),
            Phrase(
                "(read|read me|read out|print|show|show me|cat) {path:file}",
                {"read notes.txt": _NOTES, "read the file notes.txt in Documents": {"path": "documents:/notes.txt"}},
            ),
            Phrase("what does {path:file} say", {"what does notes.txt say": _NOTES}),
            Phrase("(what's|what is) in {path:file}", {"what's in notes.txt": _NOTES}),
        ),
    ),
    VerbPhrases(
        "file",
        "info",
        (
            Phrase(
                "(how big|how large|how old) is {path:file}",
                {"how big is notes.txt": _NOTES},
            ),
            Phrase("(how big|how large) is {path:named_folder}", {"how large is the folder Mugs": {"path": "Mugs"}}),
            Phrase(
                "(get|show|show me|tell me|give me) [the] (info|information|details|properties|size) (of|about|on|for) {path:file}",
                {"show me the details of notes.txt": _NOTES},
            ),
            Phrase(
                "when was {path:file} (changed|modified|created|last changed|last modified)",
                {"when was notes.txt changed": _NOTES},
            ),
            Phrase("does {path:file} exist", {"does notes.txt exist": _NOTES}),
        ),
    ),
    VerbPhrases(
        "file",
        "hash",
        (
            Phrase(
                "(compute|calculate|get|show|show me|what is|what's|tell me) the {algorithm:algorithm} [(hash|checksum|sum)] (of|for) {path:file}",
                {
                    "compute the md5 of notes.txt": _NOTES | {"algorithm": "md5"},
                    "what's the sha512 checksum of notes.txt": _NOTES | {"algorithm": "sha512"},
                },
            ),
            Phrase("(hash|checksum) {path:file}", {"hash notes.txt": _NOTES}),
            Phrase(
                "(compute|calculate|get|show|show me|what is|what's|tell me) the (hash|checksum) (of|for) {path:file}",
                {"what's the checksum of notes.txt": _NOTES},
            ),
        ),
    ),
    VerbPhrases(
        "file",
        "wait",
        (
            Phrase(
                "wait [<at_most> {timeout:seconds}] (for|until) {path:file} [to] (changes|change|is changed|be changed|is modified) [<at_most> {timeout_after:seconds}]",
                {"wait until notes.txt changes": _NOTES | {"state": "changed"}},
                sets={"state": "changed"},
            ),
            Phrase(
                "wait [<at_most> {timeout:seconds}] (for|until) {path:file} [to] (is gone|be gone|is deleted|be deleted|is removed|be removed|disappears|disappear) [<at_most> {timeout_after:seconds}]",
                {"wait until notes.txt is deleted": _NOTES | {"state": "removed"}},
                sets={"state": "removed"},
            ),
            Phrase(
                "wait [<at_most> {timeout:seconds}] (for|until) {path:file} [to] [(exists|exist|appears|appear|is there|be there|is created|be created|shows up)] [<at_most> {timeout_after:seconds}]",
                {
                    "wait for notes.txt in my downloads to appear": {"path": "downloads:/notes.txt"},
                    "wait until notes.txt exists, at most ten seconds": _NOTES | {"timeout": 10},
                },
            ),
        ),
    ),
    VerbPhrases(
        "file",
        "open",
        (
            Phrase(
                "(open|open up|show) {path:file}",
                {
                    "open notes.txt": _NOTES,
                    "open the file notes.txt on the desktop": {"path": "desktop:/notes.txt"},
                    'open "my notes.odt"': {"path": "my notes.odt"},
                },
            ),
            Phrase(
                "(open|open up|show me) (the|my) {path:said_folder}",
                {"open my documents folder": _DOCUMENTS, "open the folder Mugs": {"path": "Mugs"}},
                opens="inside",
            ),
            Phrase("(open|open up|show me) {path:known_folder}", {"open Documents": _DOCUMENTS}, opens="inside"),
        ),
    ),
)
