"""What people call icons, beside the words that pages have for them."""

import re
from typing import Any

# Each group is one icon. A page's word in it is what is meant by every other word in it.
ICON_GROUPS: tuple[frozenset[str], ...] = tuple(
    frozenset(group.split())
    for group in (
        "trash delete remove bin garbage wastebasket dustbin discard destroy",
        "star favorite favourite important starred",
        "heart like love",
        "search find lookup magnifier magnify loupe lens",
        "settings gear cog preferences cogwheel",
        "menu hamburger bars",
        "more ellipsis kebab dots meatballs overflow",
        "close x times cross dismiss",
        "edit pencil pen",
        "add plus new create",
        "home house",
        "user profile person avatar account",
        "mail envelope email letter",
        "phone telephone call handset",
        "cart basket trolley",
        "bag shopping",
        "print printer",
        "save floppy disk diskette",
        "refresh reload sync",
        "help question",
        "info information",
        "send plane",
        "calendar date",
        "lock padlock",
        "attach attachment paperclip clip",
        "comment bubble chat speech",
        "retweet repost",
        "bell notification notifications alert",
        "picture image photo gallery",
        "camera photo",
        "eye view show preview",
        "map pin marker location",
        "mute muted",
        "volume speaker sound",
        "microphone mic",
        "expand maximize fullscreen",
        "collapse minimize",
        "logout signout",
        "login signin",
        "folder directory",
        "file document",
        "warning caution exclamation",
        "check tick checkmark",
        "filter funnel",
        "bookmark ribbon",
        "flag report",
        "globe world language",
        "clock time watch history",
        "key password",
        "link chain url",
        "undo revert",
    )
)
# What says that something is an icon, a button or a link, and not which.
NOISE = frozenset(
    ["icon", "icons", "ico", "fa", "fas", "far", "fab", "fal", "bi", "mdi", "glyphicon", "material", "symbols", "outlined", "btn", "button", "link", "action", "svg", "img", "image", "o", "the", "a", "an", "sign", "solid", "regular", "outline", "alt", "sm", "lg", "xs", "md", "sign", "symbol"]
)  # fmt: skip
_RUN = re.compile(r"[^\W\d_]+|\d+")


def split_words(text: str) -> tuple[str, ...]:
    """Return the words of a name as people or pages write it: ``fa-trash``, ``closeEmail``, ``Send reply``."""
    return tuple(hump.lower() for run in _RUN.findall(text) for hump in _split_humps(run))


def _split_humps(run: str) -> list[str]:
    """Split ``closeEmail`` and ``HTMLView`` where a word begins with a capital."""
    starts = [
        place
        for place in range(1, len(run))
        if run[place].isupper() and (run[place - 1].islower() or run[place + 1 : place + 2].islower())
    ]
    return [run[start:end] for start, end in zip([0, *starts], [*starts, len(run)], strict=True)]


def wanted_words(name: str) -> tuple[str, ...]:
    """Return the words that tell which icon is meant; all of them where none does."""
    words = split_words(name)
    return tuple(word for word in words if word not in NOISE) or words


def alike(word: str) -> tuple[str, ...]:
    """Return the other words for the same icon, in alphabetical order."""
    return tuple(sorted({other for group in ICON_GROUPS if word in group for other in group} - {word}))


# Icons that have a name of several words.
PHRASES = {
    "magnifying glass": "search", "hamburger menu": "menu", "three dots": "more", "three lines": "menu",
    "paper plane": "send", "shopping cart": "cart", "shopping bag": "bag", "shopping basket": "cart",
    "thumbs up": "like", "waste basket": "trash", "floppy disk": "save", "trash can": "trash", "rubbish bin": "trash",
    "speech bubble": "comment", "log out": "logout", "sign out": "logout", "log in": "login", "sign in": "login",
    "arrow left": "left arrow", "arrow right": "right arrow", "arrow up": "up arrow", "arrow down": "down arrow",
}  # fmt: skip


def icon_query(name: str) -> dict[str, Any]:
    """Return what to look for by a name such as ``trash``: the words of an icon, and others that mean the same, best first."""
    words = wanted_words(name)
    phrase = PHRASES.get(" ".join(words))
    likes = [wanted_words(phrase)] if phrase else []
    single = words if len(words) == 1 else likes[0] if likes and len(likes[0]) == 1 else ()
    likes += [tuple(split_words(other)) for word in single for other in alike(word)]
    return {"words": list(words), "likes": [list(like) for like in likes]}
