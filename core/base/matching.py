"""How an address or a title is compared with what somebody expects of it."""


def matches_address(actual: str, wanted: str) -> bool:
    """Tell whether an address is what was wanted: exactly, as a glob where ``*`` stands for anything, or as a part.

    A trailing slash after the host makes no difference. Everything but ``*`` stands for itself.
    """
    if "*" in wanted:
        return matches_glob(actual, wanted)
    return wanted in actual or wanted == actual.removesuffix("/")


def matches_title(actual: str, wanted: str) -> bool:
    """Tell whether a title is what was wanted: exactly, or as a glob; white space is folded as browsers show it."""
    actual, wanted = fold_space(actual), fold_space(wanted)
    return matches_glob(actual, wanted) if "*" in wanted else actual == wanted


def matches_glob(actual: str, glob: str) -> bool:
    """Tell whether the whole of a text matches a glob; ``*`` stands for any characters, and any number of them."""
    first, *others = glob.split("*")
    if not others:
        return actual == first
    last = others.pop()
    if not actual.startswith(first) or not actual.endswith(last) or len(actual) < len(first) + len(last):
        return False
    place, end = len(first), len(actual) - len(last)
    for part in others:  # where each comes first: if there is a way at all, this is one
        found = actual.find(part, place, end)
        if found < 0:
            return False
        place = found + len(part)
    return True


def fold_space(text: str) -> str:
    """Make each run of white space one space, and cut it off at both ends."""
    return " ".join(text.split())
