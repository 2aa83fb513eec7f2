"""English. The phrases of each verb are in the ``english_…`` modules beside this one."""

from core.language.english_forms import FORMS
from core.language.english_navigation import NAVIGATION
from core.language.english_pointer import POINTER
from core.language.english_reading import READING
from core.language.english_session import SESSION
from core.language.english_waiting import WAITING
from core.language.english_words import ENGLISH_WORDS
from core.language.grammar import Clauses, Grammar, Wording

_FRAGMENTS = {
    "page": "(the|this|my|that|the current|this current|current) (page|web page|webpage|site|website|tab)",
    "view": "(the page|this page|page|the tab|this tab|tab|the article|this article|article|the screen|it|this)",
    "url_word": "(url|address|web address|location)",
    "click": "(click|tap)",
    "at_most": "(up to|at most|for up to|for at most|for no more than|no longer than)",
    "check_that": "(check|make sure|verify|ensure|assert|expect|confirm|check if|check whether) [that]",
    "says": "(says|contains|shows|has|includes|displays|reads)",
    "full": "(full page|full-page|whole page|entire page|full)",
    "save_as": "(as|to|in|into|at)",
    "tell": "(read|get|tell me|give me|show me|show|what is|what's|what are|find out|fetch|grab)",
}

_CLAUSES = Clauses(
    strong=r"\s*;\s*|[.!?]+\s+(?=\S)|\s*\n\s*|,?\s*(?:\band\s+)?\b(?:after\s+that|afterwards|and\s+then)\b,?\s*|,\s*then\b,?\s*",
    weak=r"\s*,\s*(?:and\b\s*)?|\s+and\s+|\s+then\s+|\s+&\s+",
    abbreviation=r"\b(?:Mr|Mrs|Ms|Dr|St|Prof|No|Nr|vs|etc|e\.g|i\.e|approx|[A-Z])",
    lead_in=r"please|kindly|now|just|then|next(?=,)|first(?=,)|second(?=,)|finally|lastly|also|so|ok|okay|hey|hi|alright|right"
    r"|and|after\s+that|afterwards|and\s+then|go\s+ahead\s+and|i\s+(?:want|need|would\s+like)\s+you\s+to|i'd\s+like\s+you\s+to|i\s+want\s+to|let's|let\s+us"
    r"|(?:can|could|would|will)\s+you(?:\s+please)?|(?:would|do)\s+you\s+mind|try\s+to|quickly",
    lead_out=r"please|for\s+me|(?<=,\s)thanks|(?<=[.,!]\s)thank\s+you|will\s+you|would\s+you|if\s+you\s+(?:please|would)",
    late_filler=r"now|right\s+now|quickly|again|once\s+more|next|first|immediately",
    foreign=r"(?:mute|unmute|turn|launch|close|play|pause|delete|remove|create|copy|rename|move|send|remind|call|book|order|email"
    r"|tell|schedule|record|install|start|run|quit|kill|minimi[sz]e|maximi[sz]e|lock|shut|restart|set|share|show)\s+"
    r"(?:the|my|a|an|all|it|this|that|your|me|up|down|on|off|every)|mute|unmute|volume",
    ordinary=frozenset(
        [
            "a",
            "an",
            "the",
            "what",
            "how",
            "is",
            "go",
            "back",
            "next",
            "first",
            "last",
            "my",
            "current",
            "page",
            "it",
            "i",
            "number",
            "to",
            "at",
            "in",
        ]
    ),
    condition=r"if|when|whenever|unless|while|as\s+soon\s+as|each\s+time|every|once\s+(?:the|it|i|my|you)|tomorrow|tonight|daily|hourly"
    r"|at\s+\d{1,2}(?::\d\d)?\s*(?:am|pm|o'clock)|in\s+(?:\d+|an?|half\s+an)\s+(?:seconds?|minutes?|hours?|days?)|until|before"
    r"|on\s+(?:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?)",
)

_WORDING = Wording(
    empty="Nothing was said.",
    too_long="That is too long, or has too much empty space in it, to be understood as one request; say it in several.",
    unclear_quote="It isn't clear where the quoted text at character {position} begins or ends.",
    ask_quote="Where does the quoted text end?",
    not_understood="“{clause}” is not understood, so nothing was done.",
    ambiguous="“{clause}” can mean more than one thing, so nothing was done.",
    two_readings="“{clause}” can be read in two ways, so nothing was done. Quotes around the text make it clear.",
    ask_quotes="Can you put quotes around the text or name?",
    two_steps="It isn't clear where a step ends in “{clause}”, so nothing was done. Quotes around the text or name make it clear.",
    condition="“{clause}” holds a condition or a schedule. Those are not supported, so nothing was done.",
    missing="“{clause}” lacks something, so nothing was done.",
    unsupported="“{clause}” can't be done as said: {reason}",
)

ENGLISH = Grammar(
    language="en",
    verbs=(*SESSION, *WAITING, *NAVIGATION, *POINTER, *FORMS, *READING),
    fragments=_FRAGMENTS,
    vocabulary=ENGLISH_WORDS,
    clauses=_CLAUSES,
    wording=_WORDING,
)
