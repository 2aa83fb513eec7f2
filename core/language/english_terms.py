"""English: the words for files, programs and sound. Data only; ``core.language.terms`` says what each field means."""

from core.language.terms import FileWords, ProgramWords, SoundWords

_OWNER = r"(?:the\s+user's|the|my|our|your|this|that|an?)(?:\s+(?:own|new))?"
_FILE_ANCHORS = {
    "documents": "documents:/", "document": "documents:/", "docs": "documents:/", "desktop": "desktop:/",
    "downloads": "downloads:/", "download": "downloads:/", "home": "home:/", "temp": "temp:/",
    "temporary": "temp:/", "tmp": "temp:/", "workspace": "workspace:/", "root": "/", "entire filesystem": "/", "entire file system": "/",
    "whole filesystem": "/", "whole file system": "/", "~": "home:/",
}  # fmt: skip
_FILE_PLACING = (
    "in", "inside", "into", "within", "on", "onto", "from", "under", "beneath", "below", "in to",
)  # fmt: skip
_FILE_NO_NAME = (
    "folder", "directory",
    "needed", "required", "usual", "possible", "space", "spaces", "whitespace", "nothing", "something", "anything",
    "all", "every", "everything", "some", "any", "file", "files", "folders", "directories", "it", "them", "that",
    "this", "and", "or", "if", "as", "in", "on", "to", "from", "by", "for", "with", "of", "is", "are", "my",
    "your", "their", "called", "named", "what", "which", "who", "how", "one", "ones", "there", "here", "me", "new",
    "about", "regarding", "permanently", "forever", "completely", "entirely", "recursively", "immediately", "again",
    "first", "now", "later", "soon", "not", "never", "only", "quickly", "yet", "too", "dot", "slash", "backslash", "underscore",
    "after", "before", "until", "while", "when", "kidding", "weekend", "at",
)  # fmt: skip
_FILE_TELLING = (
    "first", "second", "third", "fourth", "last", "latest", "newest", "oldest", "old", "older", "newer", "recent", "previous", "next",
    "biggest", "largest", "big", "large", "small", "smallest", "empty", "wrong", "right", "correct", "selected",
    "highlighted", "downloaded", "created", "duplicate", "other", "another", "same", "whole", "entire", "hidden",
    "current", "open", "opened", "left", "random", "unused", "corrupt", "corrupted", "broken", "zipped", "attached",
    "trash", "recycle",
)  # fmt: skip
_FILE_KINDS = (
    "text", "word", "excel", "powerpoint", "image", "picture", "photo", "video", "audio", "sound", "music", "archive",
    "google", "temp", "temporary", "backup", "binary", "executable", "config",
)  # fmt: skip
_PROGRAM_KNOWN = (
    "firefox", "chrome", "google chrome", "chromium", "brave", "edge", "microsoft edge", "safari", "opera",
    "vivaldi", "browser", "web browser", "spotify", "vlc", "rhythmbox", "itunes", "winamp", "audacity",
    "audacious", "mpv", "calculator", "gnome calculator", "galculator", "kcalc", "libreoffice",
    "libreoffice writer", "libreoffice calc", "openoffice", "word", "microsoft word", "excel", "microsoft excel",
    "powerpoint", "outlook", "onenote", "microsoft office", "notepad", "notepad++", "wordpad", "gedit", "kate", "mousepad",
    "leafpad", "text editor", "editor", "vim", "emacs", "sublime text", "vs code", "vscode", "visual studio code",
    "visual studio", "pycharm", "intellij", "eclipse", "terminal", "xterm", "konsole", "gnome terminal",
    "terminator", "powershell", "command prompt", "task manager", "file manager", "file explorer",
    "windows explorer", "explorer", "finder", "nautilus", "dolphin", "thunar", "thunderbird", "slack", "discord",
    "zoom", "teams", "microsoft teams", "skype", "telegram", "signal", "whatsapp", "steam", "gimp", "inkscape",
    "blender", "krita", "paint", "photoshop", "obs", "obs studio", "kodi", "evince", "okular", "acrobat",
    "adobe reader", "system settings", "control panel", "system monitor", "keepassxc", "transmission",
)  # fmt: skip
_PROGRAM_CURRENT = (
    "active", "current", "this", "that", "other", "next", "previous", "last", "new", "first", "same", "all",
    "every", "open", "second", "third", "fourth", "fifth", "old", "oldest", "newest", "latest", "wrong", "left", "right", "both",
    "top", "bottom", "front", "back", "background", "behind", "above", "below", "big", "bigger", "biggest", "small", "smaller",
    "smallest", "whole", "entire", "topmost", "focused", "following", "least", "most", "idle", "unused", "random",
)  # fmt: skip
_PROGRAM_CURRENT_WINDOW = (
    "window", "this", "the window", "this window", "that window", "current window", "the current window",
    "active window", "the active window", "my window",
)  # fmt: skip
_PROGRAM_NOT_WINDOWS = (
    "browser", "web browser", "dialog", "popup", "page", "tab", "site", "search", "menu",
)  # fmt: skip
_PROGRAM_NO_NAME = (
    "dont", "avoid", "never", "must", "should", "let's", "you", "i", "we", "want", "keep", "again", "when", "while", "until",
    "all", "every", "everything", "some", "any", "it", "them", "that", "this", "and", "or", "if", "not", "up",
    "down", "off", "on", "out", "me", "my", "your", "what", "which", "who", "how", "one", "ones", "there", "here",
    "new", "other", "another", "in", "to", "for", "with", "of", "from", "by", "at", "as", "then", "please", "apps",
    "windows", "programs", "process", "processes", "pid", "task", "tasks", "after", "before", "later", "never", "kidding", "weekend", "yourself", "himself", "herself", "themselves",
)  # fmt: skip
_SOUND_VOLUME = (
    "volume", "sound", "audio", "music", "speaker volume", "song", "loudness", "sound level", "volume level", "audio level", "sound volume",
    "audio volume", "music volume", "system volume", "master volume", "sound setting", "playback volume",
)  # fmt: skip
_SOUND_EVERYTHING = (
    "speaker", "speakers", "music", "sound", "sounds", "audio", "system", "computer", "pc", "laptop", "machine",
    "song", "video", "music player", "media player", "music system", "media", "playback", "everything", "output",
    "track", "movie", "yourself", "system sound", "system sounds", "sound output", "computer speakers",
    "computer's", "sound system", "stereo", "master",
)  # fmt: skip
_SOUND_OUTPUTS = (
    "headphones", "headset", "earphones", "earbuds", "hdmi", "tv", "monitor", "soundbar", "line out", "bluetooth",
)  # fmt: skip
_SOUND_DEVICES = (
    "headphones", "headset", "earphones", "earbuds", "hdmi", "tv", "monitor", "soundbar", "sink", "device",
    "sound card",
)  # fmt: skip
_SOUND_ROOMS = (
    "kitchen", "living room", "bedroom", "bathroom", "office", "garage", "dining room", "hallway", "study",
    "basement", "first floor", "second floor", "ground floor", "upstairs", "downstairs", "kids room", "guest room",
)  # fmt: skip
_SOUND_LEVELS = {
    "half": 50, "half volume": 50, "50/50": 50, "a quarter": 25, "one quarter": 25, "three quarters": 75,
    "max": 100, "the max": 100, "maximum": 100, "the maximum": 100, "full": 100, "full volume": 100,
    "full blast": 100, "the highest": 100, "highest level": 100, "the highest level": 100, "highest": 100,
    "maximum volume": 100, "max volume": 100, "minimum": 0, "the minimum": 0, "zero": 0, "nothing": 0,
    "a hundred": 100, "one hundred": 100, "hundred": 100, "the lowest": 0, "the lowest level": 0, "lowest": 0,
}  # fmt: skip

_WHOLE = ("entire filesystem", "entire file system", "whole filesystem", "whole file system")

FILE_WORDS = FileWords(
    anchors=_FILE_ANCHORS,
    bare_anchors=frozenset(["documents", "docs", "desktop", "downloads", *_WHOLE]),
    folder=("folder", "directory", "directory tree", "folder tree", "dir", "subfolder", "subdirectory"),
    file=("file", "text file", "document", "text document", "csv file", "log file", "spreadsheet"),
    files=("files",),
    placing=_FILE_PLACING,
    owner=_OWNER,
    here=r"here|(?:in\s+)?(?:(?:the|this|my|a)\s+)?(?:current|present|working|current\s+working)\s+(?:folder|directory)(?:\s+tree)?(?:\s+recursively)?"
    r"|(?:the|my)\s+workspace|this\s+(?:folder|directory)",
    stand_in=r"it|there|(?:that|this|the|the\s+new|that\s+new)\s+(?:folder|directory)",
    drive=r"(?:drive|disk)\s+([a-z]):?|([a-z]):?\s+drive|([a-z]):",
    no_name=frozenset(_FILE_NO_NAME),
    telling=frozenset(_FILE_TELLING),
    kinds=frozenset(_FILE_KINDS),
    naming=r"(?:(?:that|which)\s+is\s+)?(?:named|called|titled)|with\s+the\s+(?:name|title)",
    vague_owner=r"an?|(?:the|my|our|your|this|that|an?)\s+(?:own|new)",
)

PROGRAM_WORDS = ProgramWords(
    known=frozenset(_PROGRAM_KNOWN),
    nouns=("app", "application", "program", "programme"),
    windows=("window",),
    active=frozenset(["the active window", "active window", "the current window", "current window"]),
    current=frozenset(_PROGRAM_CURRENT),
    current_window=frozenset(_PROGRAM_CURRENT_WINDOW),
    not_windows=frozenset(_PROGRAM_NOT_WINDOWS),
    owner=_OWNER,
    no_name=frozenset(_PROGRAM_NO_NAME),
)

SOUND_WORDS = SoundWords(
    volume=_SOUND_VOLUME,
    measures=("volume", "loudness", "sound level", "audio level"),
    joint=r"of|on|in|for|from|to|at|that\s+is\s+coming\s+from|coming\s+from",
    everything=frozenset(_SOUND_EVERYTHING),
    inputs=frozenset(["microphone", "mic", "mike", "microphones", "input", "sound input", "audio input"]),
    outputs=frozenset(_SOUND_OUTPUTS),
    places=("tv", "television", "speaker", "speakers"),
    devices=_SOUND_DEVICES,
    rooms=frozenset(_SOUND_ROOMS),
    players=("player", "media player", "music player", "video player"),
    levels=_SOUND_LEVELS,
)
