"""English phrases for copying, moving, removing and packing files and folders."""

from core.language.grammar import Phrase, VerbPhrases

_FILE = {"object_type": "file"}
_FOLDER = {"object_type": "folder"}
_NOTES = {"path": "notes.txt"}

MOVING = (
    VerbPhrases(
        "file",
        "copy",
        (
            Phrase(
                "(copy|duplicate) {source:quoted_file} (to|into|as|onto) {destination:spot}",
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
                "move {source:quoted_file} (to|into|onto) {destination:spot}",
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
                "drag {_source:file} (to|into|onto|in) (the (trash|bin|recycle bin)|[the|my] {_place:known_folder})",
                {"drag notes.txt to the desktop": {}},
                refuses="ambiguous",
                asks="Shall I move the file, or drag what is on the page or the screen?",
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
                "(permanently delete|purge|shred) {path:one_file}",
                {"permanently delete notes.txt": _NOTES, "purge notes.txt": _NOTES},
            ),
            Phrase(
                "(delete|remove|erase) {path:one_file} (permanently|for good|forever)",
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
                "<delete> {name:plain_file}",
                {"delete notes.txt": _FILE | {"name": "notes.txt"}},
                sets=_FILE,
                opens="file",
            ),
            Phrase(
                "<delete> {name:one_file}",
                {
                    "delete the file notes.txt in my downloads folder": _FILE | {"name": "downloads:/notes.txt"},
                },
                sets=_FILE,
            ),
            Phrase(
                "(move|put|throw) {name:one_file} (to|into|in) the (trash|bin|recycle bin|rubbish)",
                {"move notes.txt to the trash": _FILE | {"name": "notes.txt"}},
                sets=_FILE,
            ),
            Phrase(
                "{name:plain_file}",
                {"delete a.txt and b.txt": _FILE | {"name": "b.txt"}},
                sets=_FILE,
                opens="file",
                after=("file.delete.file",),
            ),
            Phrase(
                "{name:quote}",
                {'delete the files "a" and "b"': _FILE | {"name": "b"}},
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
                "(zip|zip up|compress|pack) {_source:file}",
                {"zip notes.txt": {}},
                refuses="missing_slot",
                asks="What shall the archive be called?",
            ),
            Phrase(
                "(zip|zip up|compress|pack) {_source:folder}",
                {"zip the folder Mugs": {}},
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
                "(unzip|extract|unpack|decompress) {source:file} (to|into) {destination:folder}",
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
