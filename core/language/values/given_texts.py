"""Reading words that stand for a text of an earlier step: "it", "the text", "the total"."""

from core.goals.references import Reference
from core.language.grammars.grammar import Vocabulary
from core.language.meanings.contexts import Context
from core.language.sentences.spans import Span, UnreadableError


class GivenReader:
    """Reads what refers to an earlier step."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._words = vocabulary.given

    def read_given(self, span: Span, context: Context) -> Reference:
        """Return the text that was read last, or the one that was called so."""
        words = span.words
        if not context.given or span.quoted is not None:
            raise UnreadableError
        called = context.find_given(words.removeprefix("the "))
        if called is None and words not in self._words:
            raise UnreadableError
        return (called or context.given[-1]).reference

    def read_content(self, span: Span, context: Context) -> str | Reference:
        """Return quoted content, or the text of an earlier step."""
        return span.quoted if span.quoted is not None else self.read_given(span, context)
