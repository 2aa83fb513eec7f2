"""Documents, for those who know them by their older place; ``agent.requests.words.documents`` has them."""

from agent.requests.words.documents import (
    TOO_LARGE,
    Document,
    DocumentPath,
    parse_document,
    read_document,
)

__all__ = ["TOO_LARGE", "Document", "DocumentPath", "parse_document", "read_document"]
