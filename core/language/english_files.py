"""English phrases for making, changing and removing files and folders."""

from core.language.grammar import Phrase, VerbPhrases
from core.references import Reference

_FILE = {"object_type": "file"}
_FOLDER = {"object_type": "folder"}
_NOTES = {"path": "notes.txt"}
_READ = Reference("g0", "text")

FILES = (
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
                "<make> <new> (folder|directory|subfolder|subdirectory|dir) [<called>] {name:entry}",
                {
                    "create a folder Mugs": _FOLDER | {"name": "Mugs"},
                    "create a folder called Summer Photos on the desktop": _FOLDER | {"name": "desktop:/Summer Photos"},
                    'make a new directory "a b" in my documents folder': _FOLDER | {"name": "documents:/a b"},
                    "create the directory build/out": _FOLDER | {"name": "build/out"},
                    "make a folder Mugs on drive D": _FOLDER | {"name": "Mugs"},
                },
                sets=_FOLDER,
                opens="folder",
            ),
            Phrase(
                "<make> <new> (folders|directories) [<called>] {name:entry}",
                {"create directories mugs": _FOLDER | {"name": "mugs"}},
                sets=_FOLDER,
                opens="folder",
            ),
            Phrase(
                "<new> (folder|directory) [<called>] {name:entry}",
                {"create a folder Mugs and a folder Cups inside it": _FOLDER | {"name": "Cups"}},
                sets=_FOLDER,
                opens="folder",
                after=("file.create",),
            ),
            Phrase(
                "<new> [text|empty] file [<called>] {name:entry}",
                {"create a folder Mugs and a file b.txt inside it": _FILE | {"name": "b.txt"}},
                sets=_FILE,
                opens="file",
                after=("file.create",),
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
                opens="file",
            ),
            Phrase(
                "<make> <new> [text|empty|blank] file [<called>] {name:entry}",
                {
                    "create a file called notes.txt": _FILE | {"name": "notes.txt"},
                    "create an empty file notes.txt on the desktop": _FILE | {"name": "desktop:/notes.txt"},
                },
                sets=_FILE,
                opens="file",
            ),
            Phrase(
                "<make> {name:file} (with|containing) [<the_text>] {content:content}",
                {'create notes.txt with "Hello"': _FILE | {"name": "notes.txt", "content": "Hello"}},
                sets=_FILE,
                opens="file",
            ),
            Phrase(
                "<make> {name:file}",
                {"create notes.txt in Documents": _FILE | {"name": "documents:/notes.txt"}},
                sets=_FILE,
                opens="file",
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
                "(append|add|write) [<the_text>] {content:typed} to the end of {path:file}",
                {"write hello world to the end of notes.txt": _NOTES | {"content": "hello world"}},
            ),
            Phrase(
                "append [<the_text>] {content:typed} to {path:file}",
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
                "write [<the_text>] {content:typed} (to|into|in) {path:file}",
                {"write hello world to notes.txt": _NOTES | {"content": "hello world"}},
            ),
            Phrase(
                "(overwrite|replace) [the (contents|content|text) of] {path:file} with [<the_text>] {content:content}",
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
                "in {path:file}[,] (replace|change) [<the_text>] {find:quote} (with|by|to) [<the_text>] {replace:quote}",
                {'in notes.txt change "mug" to "cup"': _NOTES | {"find": "mug", "replace": "cup"}},
            ),
        ),
    ),
    VerbPhrases(
        "file",
        "copy",
        (
            Phrase(
                "(copy|duplicate) {source:quoted_file} (to|into|in|as|onto) {destination:spot}",
                {
                    "copy notes.txt to Documents": {"source": "notes.txt", "destination": "documents:/"},
                    "copy the file notes.txt on the desktop to my documents folder": {
                        "source": "desktop:/notes.txt",
                        "destination": "documents:/",
                    },
                    "copy a.txt to b.txt": {"source": "a.txt", "destination": "b.txt"},
                },
            ),
            Phrase(
                "copy {source:named_folder} (to|into|onto) {destination:folder}",
                {"copy the Mugs folder to the desktop": {"source": "Mugs", "destination": "desktop:/"}},
            ),
            Phrase(
                "make a copy of {source:quoted_file} (in|to|as|called|named) {destination:spot}",
                {"make a copy of a.txt in Documents": {"source": "a.txt", "destination": "documents:/"}},
            ),
            Phrase(
                "copy {source:file}", {"copy notes.txt": {}}, refuses="missing_slot", asks="Where shall I copy it to?"
            ),
        ),
    ),
    VerbPhrases(
        "file",
        "rename",
        (
            Phrase(
                "(rename|change the name of) {source:quoted_file} (to|as|into) {target:new_name}",
                {
                    "rename a.txt to b.txt": {"source": "a.txt", "target": "b.txt"},
                    'rename "old" to "new"': {"source": "old", "target": "new"},
                    "rename the file a.txt in Documents to b.txt": {"source": "documents:/a.txt", "target": "b.txt"},
                },
            ),
            Phrase(
                "(rename|change the name of) {source:named_folder} (to|as|into) {target:new_name}",
                {"rename the folder Mugs to Cups": {"source": "Mugs", "target": "Cups"}},
            ),
            Phrase(
                "rename {source:file}",
                {"rename notes.txt": {}},
                refuses="missing_slot",
                asks="What shall it be called?",
            ),
        ),
    ),
    VerbPhrases(
        "file",
        "move",
        (
            Phrase(
                "move {source:quoted_file} (to|into|in|onto) {destination:spot}",
                {
                    "move notes.txt to Documents": {"source": "notes.txt", "destination": "documents:/"},
                    "move notes.txt from the desktop to my downloads": {
                        "source": "desktop:/notes.txt",
                        "destination": "downloads:/",
                    },
                },
            ),
            Phrase(
                "move {source:named_folder} (to|into|onto) {destination:folder}",
                {"move the folder Mugs to the desktop": {"source": "Mugs", "destination": "desktop:/"}},
            ),
            Phrase(
                "move {source:file}", {"move notes.txt": {}}, refuses="missing_slot", asks="Where shall I move it to?"
            ),
        ),
    ),
    VerbPhrases(
        "file",
        "purge",
        (
            Phrase(
                "(permanently delete|purge|shred) {path:file}",
                {"permanently delete notes.txt": _NOTES, "purge notes.txt": _NOTES},
            ),
            Phrase(
                "(delete|remove|erase) {path:file} (permanently|for good|forever)",
                {"delete notes.txt for good": _NOTES},
            ),
        ),
    ),
    VerbPhrases(
        "file",
        "delete",
        (
            Phrase(
                "<delete> {name:named_folder}",
                {
                    "delete the folder Mugs": _FOLDER | {"name": "Mugs"},
                    "delete the Mugs folder on the desktop": _FOLDER | {"name": "desktop:/Mugs"},
                },
                sets=_FOLDER,
                opens="folder",
            ),
            Phrase(
                "<delete> {name:file}",
                {
                    "delete notes.txt": _FILE | {"name": "notes.txt"},
                    "delete the file notes.txt in my downloads folder": _FILE | {"name": "downloads:/notes.txt"},
                },
                sets=_FILE,
                opens="file",
            ),
            Phrase(
                "(move|put|throw) {name:file} (to|into|in) the (trash|bin|recycle bin|rubbish)",
                {"move notes.txt to the trash": _FILE | {"name": "notes.txt"}},
                sets=_FILE,
            ),
            Phrase(
                "{name:file}",
                {"delete a.txt and b.txt": _FILE | {"name": "b.txt"}},
                sets=_FILE,
                opens="file",
                after=("file.delete.file",),
            ),
            Phrase(
                "<delete> {_name:quote}",
                {'delete "notes"': {}},
                refuses="ambiguous",
                asks="The file or the folder of that name?",
            ),
            Phrase(
                "<delete> (a|the|this|that|my) (file|folder|directory)",
                {"delete the file": {}},
                refuses="missing_slot",
                asks="Which one?",
            ),
        ),
    ),
    VerbPhrases(
        "file",
        "restore",
        (
            Phrase(
                "(restore|undelete|recover|bring back|get back) {path:file} [from the (trash|bin|recycle bin)]",
                {"restore notes.txt": _NOTES, "bring back notes.txt from the trash": _NOTES},
            ),
            Phrase(
                "(restore|undelete|recover|bring back) {path:named_folder} [from the (trash|bin|recycle bin)]",
                {"restore the folder Mugs": {"path": "Mugs"}},
            ),
        ),
    ),
    VerbPhrases(
        "file",
        "zip",
        (
            Phrase(
                "(zip|zip up|compress|pack|archive) {source:quoted_file} (to|into|as|in) {destination:quoted_file}",
                {"zip notes.txt into notes.zip": {"source": "notes.txt", "destination": "notes.zip"}},
            ),
            Phrase(
                "(zip|zip up|compress|pack|archive) {source:folder} (to|into|as|in) {destination:quoted_file}",
                {
                    "zip the Mugs folder into mugs.zip": {"source": "Mugs", "destination": "mugs.zip"},
                    "zip my documents as docs.zip on the desktop": {
                        "source": "documents:/",
                        "destination": "desktop:/docs.zip",
                    },
                },
            ),
            Phrase(
                "(zip|zip up|compress|pack) ({_source:file}|{_folder:folder})",
                {"zip notes.txt": {}},
                refuses="missing_slot",
                asks="What shall the archive be called?",
            ),
        ),
    ),
    VerbPhrases(
        "file",
        "unzip",
        (
            Phrase(
                "(unzip|extract|unpack|decompress) {source:file} (to|into|in) {destination:folder}",
                {
                    "unzip mugs.zip to Documents": {"source": "mugs.zip", "destination": "documents:/"},
                    "extract mugs.zip into the folder Mugs": {"source": "mugs.zip", "destination": "Mugs"},
                },
            ),
            Phrase(
                "unzip {source:file} here",
                {"unzip mugs.zip here": {"source": "mugs.zip", "destination": "."}},
                sets={"destination": "."},
            ),
            Phrase(
                "(unzip|unpack|decompress) {source:file}",
                {"unzip mugs.zip": {}},
                refuses="missing_slot",
                asks="Which folder shall I unpack it into?",
            ),
        ),
    ),
)
