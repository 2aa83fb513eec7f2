"""How many tokens a text has at most, without the vocabulary of a model."""

import re

_PIECE = re.compile(r"[^\r\nA-Za-z0-9]?[A-Za-z]+|[0-9]{1,3}| ?[^\sA-Za-z0-9]+[\r\n/]*|\s+")


def bound_tokens(text: str) -> int:
    """Return a number that the tokens of a text (o200k) never exceed.

    Args:
        text: Any text.
    """
    return len(_PIECE.findall(text)) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def cut_to_tokens(text: str, most: int) -> str:
    """Return the beginning of a text that has at most so many tokens; an ellipsis stands for the rest.

    Args:
        text: Any text, however long.
        most: How many, at least 2.
    """
    if len(text) <= most * _CHARS_A_TOKEN and bound_tokens(text) <= most:
        return text
    low, high = 0, min(len(text), most * _CHARS_A_TOKEN)
    while low < high:
        middle = (low + high + 1) // 2
        if bound_tokens(f"{text[:middle]}…") <= most:
            low = middle
        else:
            high = middle - 1
    return f"{text[:low].rstrip()}…"


_CHARS_A_TOKEN = 12
