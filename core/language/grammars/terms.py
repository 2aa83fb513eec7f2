"""The words that belong to one family of slots: files, programs and windows, sound. All in lower case."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from core.selectors.selector_parts import Order, Relation


class DescriptionWords(NamedTuple):
    """Words that tell an element by something else than its name.

    Attributes:
        every: What means all of them, as a regular expression.
        everything: What means all there are, without saying of what.
        first: What means those at the beginning, in front of a number, as a regular expression.
        of: What may stand between a number and what is counted, as a regular expression.
        exceptions: What stands in front of those that are not meant, as a regular expression.
        relations: What says where an element is beside another one, and the word of selectors for it.
        ranked_by: What stands in front of a value that tells which one is meant, as a regular expression.
        orders: What says which of several values it is, and the word of selectors for it.
        superlatives: Single words for both: order and value ("the cheapest").
        rows: What several records are called ("posts").
        ones: What a record may be called behind a superlative, besides.
        drawn_things: The same for what is a drawing only where a colour or size is said as well ("a red item").
        aside: What behind an element says nothing that is needed ("the table below"), as a regular expression.
        middle: What in front of an element means the place where it is acted on anyway, as a regular expression.
        widgets: What follows the name of a kind of element ("a "checkbox" widget"), as a regular expression.
        grid_row: What a line of a grid is called, as a regular expression.
        grid_at: What stands in front of a place in a grid, besides what says that something is inside.
        grid_joint: What may stand between the two numbers of a place.
        grids: What a grid is called; empty where places in grids are not read.
    """

    every: str
    everything: frozenset[str]
    first: str
    of: str
    exceptions: str
    relations: Mapping[str, Relation]
    ranked_by: str
    orders: Mapping[str, Order]
    superlatives: Mapping[str, tuple[Order, str]]
    rows: tuple[str, ...]
    ones: frozenset[str]
    drawings: frozenset[str]
    drawn_things: frozenset[str]
    indefinite: frozenset[str]
    aside: str
    middle: str
    widgets: str
    grid_row: str = ""
    grid_column: str = ""
    grid_at: str = ""
    grid_joint: str = ""
    grid_corner: str = ""
    grids: str = ""


class SearchWords(NamedTuple):
    """Words about what is looked for among files.

    Attributes:
        hint: What tells that a search may be one for files, as a regular expression.
        heads: How the files are called, as regular expressions with the groups that ``file_searches.py`` reads; ``WORD``
            stands for a word or a quoted text.
        tails: What can stand behind them; likewise.
        parts: What ``<name>`` in these expressions stands for.
        behind: What stands between a folder in front and the files, as a regular expression.
        tree: What can stand behind a folder and says nothing, as a regular expression.
        places: What people call all of the disk and the like, and the paths.
        odd: Words that leave some of the files out, so that no kind of files is called so.
        odd_word: The same as a regular expression.
    """

    hint: str = "(?!)"
    heads: tuple[str, ...] = ()
    tails: tuple[str, ...] = ()
    parts: Mapping[str, str] = MappingProxyType({})
    behind: str = "(?!)"
    tree: str = "(?!)"
    places: Mapping[str, str] = MappingProxyType({})
    odd: frozenset[str] = frozenset()
    nouns: frozenset[str] = frozenset()
    odd_word: str = "(?!)"


class FileWords(NamedTuple):
    """Words about files and folders.

    Attributes:
        bare_anchors: Those of them that need no "folder" behind.
        files: What several are called, in front of a name only.
        owner: Words in front of a name that aren't part of it, as a regular expression.
        here: What means the working folder, as a regular expression.
        stand_in: What means the folder that was created last, as a regular expression.
        drive: How a drive is said, as a regular expression with a group for the letter.
        telling: Words that tell which file or folder rather than naming it, in front of what it is called.
        kinds: The same for files only.
        naming: Words in front of a name, as a regular expression.
        vague_owner: Words in front of a name that may as well be a part of it, as a regular expression.
        there: What means that folder without a word in front of it, as a regular expression with the group ``place``.
        several_files: Ways to name several files, as regular expressions with the groups that ``file_lists.py`` reads.
        several_parts: What ``<name>`` in these expressions stands for.
        shared_source: How a list of files ends that are all in one folder, as a regular expression.
        dotfiles: Known names of files that begin with a dot, in lower case and without it.
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
    there: str = "(?!)"
    several_files: tuple[str, ...] = ()
    several_folders: tuple[str, ...] = ()
    several_parts: Mapping[str, str] = MappingProxyType({})
    shared_source: str = "(?!)"
    dotfiles: frozenset[str] = frozenset()
    searching: SearchWords = SearchWords()


class ReferringWords(NamedTuple):
    """Words that stand for things that were spoken of.

    Attributes:
        kinds: What stands for a thing of a kind, as a regular expression, by the kind.
        names: How a thing of a kind is named in full, by the kind; ``{}`` is its name.
        others: What stands for the one of two things of a kind that wasn't spoken of last, as a regular expression, by the kind.
    """

    kinds: Mapping[str, str] = MappingProxyType({})
    names: Mapping[str, str] = MappingProxyType({})
    others: Mapping[str, str] = MappingProxyType({})
    called: Mapping[str, Sequence[str]] = MappingProxyType({})


class ProgramWords(NamedTuple):
    """Words about programs and windows.

    Attributes:
        current: Words that, in front, tell a window, program or device by its state rather than by its name.
        current_window: What means the window with the focus behind a verb that is about windows only.
        owner: Words in front of a name that aren't part of it, as a regular expression.
        bare: Known programs whose names mean nothing else, so that the name alone asks for the program.
        unlike: Words that are not misspelt names of programs, though they look like ones.
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
    bare: frozenset[str] = frozenset()
    unlike: frozenset[str] = frozenset()


class FillingWords(NamedTuple):
    """Words about the fields of a form and their values.

    Attributes:
        relation: What tells a field by what was done: "directed by"; a regular expression.
        lead: Words in front of the name of a field in a description: "from year 1974"; likewise.
        bare: Where the name may be left out, by that name: "from 1974"; likewise.
        link: Words between the name of a field and its value; likewise.
        also: Words between one field and the next; likewise.
        own: Words in front of the name of a field that aren't part of it; likewise.
        indefinite: Words in front of anything of a kind that is looked for; likewise.
        kinds: Words for what is looked for, in the plural; likewise.
    """

    labels: frozenset[str] = frozenset()
    relation: str = "(?!)"
    lead: str = "(?!)"
    bare: Mapping[str, str] = MappingProxyType({})
    link: str = "(?!)"
    also: str = "(?!)"
    own: str = "(?!)"
    sending: frozenset[str] = frozenset()
    indefinite: str = "(?!)"
    kinds: str = "(?!)"


class FieldWords(NamedTuple):
    """Words about what is set, ticked and chosen on a page.

    Attributes:
        of: What stands between what is set and the part of the page that it belongs to: "the age of Claude"; a regular
            expression.
        whose: What stands between an element and the part of the page that it belongs to; likewise.
        unowned: What belongs to no such part, since it is the name of something with what stands behind it: "number of guests".
        held: What is elsewhere as well, but rather on a page that was spoken of: its brightness, its calendar.
        timely: What is elsewhere as well, but on a page where a date or time is given to it.
        pledge: How a box is called that stands for a sentence: "I agree to the terms"; likewise.
        pledging: How such a sentence begins, so that only all of it is a name; likewise.
        editors: What the place of a page is called that longer texts are written in.
        pairs: Names of one thing with an "and" in them.
        joints: Words in front of a place, which no option holds that isn't quoted.
        endings: Words for parts of a page that names of fields end with as well: "age group".
        acts: How names begin that tell of an act: "Save as PDF".
        labels_of_many: How a field is called that takes several values: "the toppings"; likewise.
        secrets: How a field for a secret is called; likewise.
        lone_names: Words for a place that fields are called by where their kind is said: "the from field".
        refusing: How words begin that say what a value shall not be; likewise.
        into: What shows that an unquoted text goes on with where it is typed; likewise.
        filled_with: What stands between a field and what it is filled with; likewise.
        range: What stands between the first and the last of a range; likewise.
    """

    of: str = "(?!)"
    whose: str = "(?!)"
    unowned: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    timely: frozenset[str] = frozenset()
    pledge: str = "(?!)"
    pledging: str = "(?!)"
    editors: frozenset[str] = frozenset()
    pairs: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    joints: frozenset[str] = frozenset()
    purposes: frozenset[str] = frozenset()
    endings: frozenset[str] = frozenset()
    particles: frozenset[str] = frozenset()
    acts: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()
    labels_of_many: str = "(?!)"
    secrets: str = "(?!)"
    lone_names: frozenset[str] = frozenset()
    refusing: str = "(?!)"
    into: str = "(?!)"
    filled_with: str = "(?!)"
    range: str = "(?!)"


class SoundWords(NamedTuple):
    """Words about sound.

    Attributes:
        measures: Those of these words that mean nothing else.
        joint: Words between the volume and whose it is, as a regular expression.
        everything: What is heard anyway, so that nothing more is meant by it.
        places: What the device of a place is called ("the kitchen speaker").
        devices: What other devices are called ("the USB headset").
        levels: Words for levels, in percent.
        tracks: Those of ``volume`` that rather mean what is played: to turn off the music is to pause it.
        fillers: What says nothing behind a source, as a regular expression.
        params: The param that a source goes into, by domain; nothing where it names its param itself.
        pages: What means the pages that are shown, and the program that shows them.
        streams: What plays sound and is no program of its own, or none that is launched by name.
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
    makers: frozenset[str] = frozenset()
    tracks: frozenset[str] = frozenset()
    fillers: str = "(?!)"
    params: Mapping[str, str] = MappingProxyType({})
    pages: Mapping[str, str] = MappingProxyType({})
    streams: frozenset[str] = frozenset()
