"""English phrases for making files and folders, and for writing into them."""

from core.language.grammar import Phrase, VerbPhrases
from core.references import Reference

_FILE = {"object_type": "file"}
_FOLDER = {"object_type": "folder"}
_NOTES = {"path": "notes.txt"}
_READ = Reference("g0", "text")

WRITING = (
    VerbPhrases(
        "file",
        "create",
        (
            Phrase(
                "<make> <new> (folder|directory|subfolder|subdirectory|folders|directories) [<called>] {name:entry} <if_needed>",
                {'make a folder "Mugs" if it doesn\'t exist': _FOLDER | {"name": "Mugs", "exist_ok": True}},
                sets=_FOLDER | {"exist_ok": True},
                opens="folder",
            ),
            Phrase(
                "<make> <new> (folder|directory|subfolder|subdirectory|dir) [<called>] {name:plain_entry}",
                {
                    "create a folder Mugs": _FOLDER | {"name": "Mugs"},
                    "create the directory build/out": _FOLDER | {"name": "build/out"},
                },
                sets=_FOLDER,
                opens="folder",
            ),
            Phrase(
                "<make> <new> (folder|directory|subfolder|subdirectory|dir) [<called>] {name:entry}",
                {
                    "create a folder called Summer Photos on the desktop": _FOLDER | {"name": "desktop:/Summer Photos"},
                    'make a new directory "a b" in my documents folder': _FOLDER | {"name": "documents:/a b"},
                    "make a folder Mugs on drive D": _FOLDER | {"name": "Mugs"},
                },
                sets=_FOLDER,
                opens="placed",
            ),
            Phrase(
                "<make> <new> (folders|directories) [<called>] {name:plain_entry}",
                {"create directories mugs": _FOLDER | {"name": "mugs"}},
                sets=_FOLDER,
                opens="folder",
            ),
            Phrase(
                "<new> (folder|directory|subfolder) [<called>] {name:inner_entry}",
                {"create a folder Mugs on the desktop and a folder Cups inside it": _FOLDER | {"name": "Cups"}},
                sets=_FOLDER,
                opens="placed",
                after=("file.create",),
            ),
            Phrase(
                "<new> [text|empty] file [<called>] {name:inner_entry}",
                {"create a folder Mugs and a file b.txt inside it": _FILE | {"name": "b.txt"}},
                sets=_FILE,
                opens="placed",
                after=("file.create",),
            ),
            Phrase(
                "<new> [text] file [<called>] {name:inner_entry} (with|containing|that says|saying) [<the_text>] {content:content}",
                {
                    'create a folder Mugs and a file b.txt inside it saying "Hello"': _FILE
                    | {"name": "b.txt", "content": "Hello"}
                },
                sets=_FILE,
                opens="placed",
                after=("file.create",),
            ),
            Phrase(
                "(in|inside) {_below:folder} (<make> <new>|a|an|another) [text|new|empty] file [<called>] {name:plain_entry} "
                "[(with|containing|that says|saying) [<the_text>] {content:content}]",
                {
                    'create a folder Mugs and in it a file b.txt saying "Hello"': _FILE
                    | {"name": "b.txt", "content": "Hello"},
                },
                sets=_FILE,
                opens="placed",
                after=("file.create",),
            ),
            Phrase(
                "(in|inside|on) {_below:folder} <make> <new> (folder|directory|subfolder) [<called>] {name:plain_entry}",
                {"in Documents, create a folder Mugs": _FOLDER | {"name": "documents:/Mugs"}},
                sets=_FOLDER,
                opens="placed",
            ),
            Phrase(
                "(in|inside|on) {_below:folder} <make> <new> [text|empty] file [<called>] {name:plain_entry} "
                "[(with|containing|that says|saying) [<the_text>] {content:content}]",
                {
                    "in Documents, create a file b.txt": _FILE | {"name": "documents:/b.txt"},
                    'on the desktop create a file b.txt with "Hello"': _FILE
                    | {"name": "desktop:/b.txt", "content": "Hello"},
                },
                sets=_FILE,
                opens="placed",
            ),
            Phrase(
                "<new> (folder|directory) [<called>] {name:plain_entry}",
                {"create a folder Mugs and a folder Cups": _FOLDER | {"name": "Cups"}},
                sets=_FOLDER,
                opens="folder",
                after=("file.create.folder", "file.create.file"),
            ),
            Phrase(
                "<new> [text|empty] file [<called>] {name:plain_entry}",
                {"create a folder Mugs and a file b.txt": _FILE | {"name": "b.txt"}},
                sets=_FILE,
                opens="file",
                after=("file.create.folder", "file.create.file"),
            ),
            Phrase(
                "{name:quote} <if_needed>",
                {'create the folders "a" and "b" as needed': _FOLDER | {"name": "b", "exist_ok": True}},
                sets=_FOLDER | {"exist_ok": True},
                opens="folder",
                after=("file.create.folder",),
            ),
            Phrase(
                "{name:quote}",
                {'create the folders "a" and "b"': _FOLDER | {"name": "b"}},
                sets=_FOLDER,
                opens="folder",
                after=("file.create.folder",),
            ),
            Phrase(
                "<make> <new> [text|empty|blank] file [<called>] {name:entry} (with|containing|that says) [<the_text>] {content:content}",
                {
                    'create a file notes.txt with the text "Hello"': _FILE | {"name": "notes.txt", "content": "Hello"},
                    'create a file notes.txt in Documents containing "Hello"': _FILE
                    | {"name": "documents:/notes.txt", "content": "Hello"},
                },
                sets=_FILE,
                opens="placed",
            ),
            Phrase(
                "<make> <new> [text] file (with|containing|that says|saying) [<the_text>] {content:quote} <called> {name:entry}",
                {
                    'create a file with the text "Hello" called notes.txt': _FILE
                    | {"name": "notes.txt", "content": "Hello"}
                },
                sets=_FILE,
                opens="placed",
            ),
            Phrase(
                "<make> <new> [text|empty|blank] file [<called>] {name:plain_entry}",
                {"create a file called notes.txt": _FILE | {"name": "notes.txt"}},
                sets=_FILE,
                opens="file",
            ),
            Phrase(
                "<make> <new> [text|empty|blank] file [<called>] {name:entry}",
                {
                    "create an empty file notes.txt on the desktop": _FILE | {"name": "desktop:/notes.txt"},
                },
                sets=_FILE,
                opens="placed",
            ),
            Phrase(
                "(create|make) {name:one_file} (with|containing) [<the_text>] {content:content}",
                {'create notes.txt with "Hello"': _FILE | {"name": "notes.txt", "content": "Hello"}},
                sets=_FILE,
                opens="placed",
            ),
            Phrase(
                "(create|make) {name:one_file}",
                {"create notes.txt in Documents": _FILE | {"name": "documents:/notes.txt"}},
                sets=_FILE,
                opens="placed",
            ),
            Phrase(
                "<make> <new> (file|folder|directory) [(in|on|inside) {_place:folder}]",
                {"create a new folder": {}},
                refuses="missing_slot",
                asks="What shall it be called?",
            ),
        ),
    ),
    VerbPhrases(
        "file",
        "append",
        (
            Phrase(
                "(append|add) [<the_text>] {content:content} (to|at) [the end of] {path:quoted_file}",
                {
                    'append "Hello" to notes.txt': _NOTES | {"content": "Hello"},
                    'add the line "Hello" to notes.txt': _NOTES | {"content": "Hello"},
                    "read the page and append it to notes.txt": _NOTES | {"content": _READ},
                },
            ),
            Phrase(
                "(append|add|write) [<the_text>] {content:jotted} to the end of {path:one_file}",
                {"write hello world to the end of notes.txt": _NOTES | {"content": "hello world"}},
            ),
            Phrase(
                "append [<the_text>] {content:jotted} to {path:one_file}",
                {"append hello world to notes.txt": _NOTES | {"content": "hello world"}},
            ),
        ),
    ),
    VerbPhrases(
        "file",
        "write",
        (
            Phrase(
                "(save|write|store|put|export) [<the_text>] {content:content} (to|in|into|as|under) {path:quoted_file}",
                {
                    'write "Hello" to notes.txt': _NOTES | {"content": "Hello"},
                    'save "Hello" in Documents as notes.txt': {"path": "documents:/notes.txt", "content": "Hello"},
                    "read the page and save it as notes.txt": _NOTES | {"content": _READ},
                    "read the page and save it to Documents as notes.txt": {
                        "path": "documents:/notes.txt",
                        "content": _READ,
                    },
                    "read the title and write the title to notes.txt": _NOTES | {"content": _READ},
                },
            ),
            Phrase(
                "write [<the_text>] {content:jotted} (to|into|in) {path:one_file}",
                {"write hello world to notes.txt": _NOTES | {"content": "hello world"}},
            ),
            Phrase(
                "(overwrite|replace) [the (contents|content|text) of] {path:one_file} with [<the_text>] {content:content}",
                {'overwrite notes.txt with "Hello"': _NOTES | {"content": "Hello"}},
            ),
            Phrase(
                "(save|write|store) {content:given}",
                {"read the page and save it": {}},
                refuses="missing_slot",
                asks="Which file shall I save it to?",
            ),
        ),
    ),
    VerbPhrases(
        "file",
        "edit",
        (
            Phrase(
                "(replace|change) [<the_text>] {find:quote} (with|by|to|into) [<the_text>] {replace:quote} in {path:quoted_file}",
                {'replace "mug" with "cup" in notes.txt': _NOTES | {"find": "mug", "replace": "cup"}},
            ),
            Phrase(
                "in {path:one_file}[,] (replace|change) [<the_text>] {find:quote} (with|by|to) [<the_text>] {replace:quote}",
                {'in notes.txt change "mug" to "cup"': _NOTES | {"find": "mug", "replace": "cup"}},
            ),
        ),
    ),
)
