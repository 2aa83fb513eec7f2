"""The words that belong to one family of slots: files, programs and windows, sound. All in lower case."""

from collections.abc import Mapping
from typing import NamedTuple


class FileWords(NamedTuple):
    """Words about files and folders.

    Attributes:
        anchors: What people call the known folders, and the anchors.
        bare_anchors: Those of them that need no "folder" behind.
        folder: What a folder is called.
        file: What a file is called.
        files: What several are called, in front of a name only.
        placing: Words in front of a folder.
        owner: Words in front of a name that aren't part of it, as a regular expression.
        here: What means the working folder, as a regular expression.
        stand_in: What means the folder that was created last, as a regular expression.
        drive: How a drive is said, as a regular expression with a group for the letter.
        no_name: Words that no unquoted name of a file holds.
        telling: Words that tell which file or folder rather than naming it, in front of what it is called.
        kinds: The same for files only.
        naming: Words in front of a name, as a regular expression.
        vague_owner: Words in front of a name that may as well be a part of it, as a regular expression.
    """

    anchors: Mapping[str, str]
    bare_anchors: frozenset[str]
    folder: tuple[str, ...]
    file: tuple[str, ...]
    files: tuple[str, ...]
    placing: tuple[str, ...]
    owner: str
    here: str
    stand_in: str
    drive: str
    no_name: frozenset[str]
    telling: frozenset[str]
    kinds: frozenset[str]
    naming: str
    vague_owner: str


class ProgramWords(NamedTuple):
    """Words about programs and windows.

    Attributes:
        known: Names of programs.
        nouns: What a program is called.
        windows: What a window is called.
        active: What means the window with the focus.
        current: Words that, in front, tell a window, program or device by its state rather than by its name.
        current_window: What means the window with the focus behind a verb that is about windows only.
        not_windows: Programs that a window isn't meant by.
        owner: Words in front of a name that aren't part of it, as a regular expression.
        no_name: Words that no unquoted name of a program holds.
    """

    known: frozenset[str]
    nouns: tuple[str, ...]
    windows: tuple[str, ...]
    active: frozenset[str]
    current: frozenset[str]
    current_window: frozenset[str]
    not_windows: frozenset[str]
    owner: str
    no_name: frozenset[str]


class SoundWords(NamedTuple):
    """Words about sound.

    Attributes:
        volume: What the volume is called.
        measures: Those of these words that mean nothing else.
        joint: Words between the volume and whose it is, as a regular expression.
        everything: What is heard anyway, so that nothing more is meant by it.
        inputs: What means the microphone.
        outputs: Devices that have a name of their own.
        places: What the device of a place is called ("the kitchen speaker").
        devices: What other devices are called ("the USB headset").
        rooms: Places that have a device.
        players: What a media player is called.
        levels: Words for levels, in percent.
    """

    volume: tuple[str, ...]
    measures: tuple[str, ...]
    joint: str
    everything: frozenset[str]
    inputs: frozenset[str]
    outputs: frozenset[str]
    places: tuple[str, ...]
    devices: tuple[str, ...]
    rooms: frozenset[str]
    players: tuple[str, ...]
    levels: Mapping[str, float]
