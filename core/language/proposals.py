"""Proposals: a sentence that isn't understood, and what was probably meant, as a question that a yes answers.

Mended sentences are read like any others. Only where exactly one of the likeliest means something is it asked about, and only
the person's yes carries it out.
"""

from collections.abc import Callable
from dataclasses import replace

from core.language.grammars.grammar import Grammar
from core.language.meanings.interpretation import Choice, Interpretation
from core.language.meanings.readings import Reading
from core.language.sentences.excerpts import GAP, Excerpt
from core.language.sentences.literals import LongSentenceError, Sentence, UnclosedQuoteError, find_literals
from core.language.talk.filler_reader import FillerReader
from core.language.talk.slips import MendedPart, SlipMender, write_mended

_MOST_READ = 600
"""Characters of mended sentences that are read for one that isn't understood: a dozen short sentences."""


Read = Callable[[str], Reading | None]
"""Returns what a sentence means; None where it isn't understood."""


class Proposals:
    """Finds what a sentence that isn't understood may have been meant as; one for each language."""

    def __init__(self, grammar: Grammar, mender: SlipMender, fillers: FillerReader) -> None:
        """Take what is needed.

        Args:
            mender: Finds what words may have been.
            fillers: Leaves out what carries nothing.
        """
        self._wording = grammar.wording
        self._mender = mender
        self._fillers = fillers

    def propose(self, utterance: str, refused: Interpretation, read: Read) -> Interpretation:
        """Return a refusal with a question about what was probably meant; as it was where there is no such thing."""
        refusal = refused.refusal
        if refusal is None or refusal.code != "no_intent_match" or refusal.question:
            return refused
        meant = self._find_meant(utterance, read)
        if not meant:
            return refused
        question = self._wording.ask_meant.format(sentence=meant)
        choices = (Choice(meant, meant, is_whole=True),)
        return replace(refused, refusal=replace(refusal, question=question, choices=choices))

    def _find_meant(self, utterance: str, read: Read) -> str:
        """Return the one mended sentence that means something; empty where none does, or several that mean different things."""
        try:
            sentence = self._leave_out_talk(find_literals(utterance.strip()))
        except (UnclosedQuoteError, LongSentenceError):
            return ""
        left = _MOST_READ
        for ways in self._mender.list_ways(sentence):
            texts = [write_mended(sentence.source, way) for way in ways]
            left -= sum(map(len, texts))
            if left < 0:
                break
            found = {text: reading for text in texts if (reading := read(text))}
            doable = {text: reading for text, reading in found.items() if reading.is_goal} or found
            if doable:
                return next(iter(doable)) if len({reading.said for reading in doable.values()}) == 1 else ""
        return ""

    def _leave_out_talk(self, sentence: Sentence) -> Sentence:
        """Return a sentence without what can be nothing but talk, with single blanks in its place."""
        best: Excerpt | None = None
        for variant in self._fillers.list_variants(sentence):
            if not variant.is_sure:
                break
            best = variant.excerpt
        if best is None:
            return sentence
        gaps = [MendedPart(part.begin - len(GAP), part.begin, " ", 0) for part in best.parts if part.begin]
        return find_literals(write_mended(best.sentence.source, gaps))
