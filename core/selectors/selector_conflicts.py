"""What a plain selector must not say at once."""

from core.selectors.selector_parts import PlainSelector


def find_conflict(plain: PlainSelector) -> tuple[str, str] | None:
    """Return why a form says two things at once, and what to do; None where it doesn't."""
    is_near = any(each.relation == "near" for each in plain.placements)
    is_chosen = plain.names_several or plain.nth is not None or plain.ranking is not None
    if plain.names_several and plain.nth is not None:
        return "nth means one element, every and first mean several", "Leave one of them out."
    if plain.quantity == "every" and plain.ranking:
        return f"with {plain.ranking.order} means one element, and every all of them", "Leave one out."
    if is_near and is_chosen:
        return (
            "near means the one nearest element, and the rest says another one",
            "Use above, below, left of, right of, or a region.",
        )
    if plain.spot and is_chosen:
        return "at means one place, and the rest says another one", "Leave one of them out."
    if plain.kind == "ref" and _says_more(plain):
        return "a ref names one element already", "Write the ref alone."
    return None


def _says_more(plain: PlainSelector) -> bool:
    told = (plain.exceptions, plain.placements, plain.ranking, plain.texts, plain.likes, plain.spot)
    return plain.names_several or any(told)
