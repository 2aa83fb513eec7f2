"""Plain words: what a part of a sentence says, without the marks around its words."""

EDGES = ",;:.!?…\"'()"
"""What may stand around a word and is no part of it."""


def list_plain_words(said: str) -> list[str]:
    """Return the words of a part of a sentence, in lower case and without marks around them."""
    words = (word.strip(EDGES) for word in said.lower().replace("’", "'").split())
    return [word for word in words if word]
