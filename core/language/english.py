"""English. The phrases of each verb are in the ``english_…`` modules beside this one."""

from core.language.contexts import Traces
from core.language.english_audio import AUDIO
from core.language.english_desktop import DESKTOP
from core.language.english_folders import FOLDERS
from core.language.english_forms import FORMS
from core.language.english_media import MEDIA
from core.language.english_memory import MEMORY
from core.language.english_moving import MOVING
from core.language.english_navigation import NAVIGATION
from core.language.english_pointer import POINTER
from core.language.english_reading import READING
from core.language.english_session import SESSION
from core.language.english_system import MACHINE, PROGRAMS
from core.language.english_waiting import WAITING
from core.language.english_windows import WINDOWS
from core.language.english_words import ENGLISH_WORDS
from core.language.english_writing import WRITING
from core.language.grammar import Clauses, Grammar, Wording

_FRAGMENTS = {
    "page": "(the|this|my|that|the current|this current|current|the active|active|the whole|the entire) "
    "(page|web page|webpage|site|website|tab)",
    "view": "(the page|this page|page|the tab|this tab|tab|the article|this article|article|the screen|it|this)",
    "url_word": "(url|address|web address|location)",
    "click": "(click|tap)",
    "address_word": "[the|my|our] [page|site|website|web site|web page] [url|address|link] [at|under]",
    "at_most": "(up to|at most|for up to|for at most|for no more than|no longer than|within|for a maximum of|for|in under)",
    "check_that": "(check|make sure|verify|ensure|assert|expect|confirm|check if|check whether) [that]",
    "says": "(says|contains|shows|has|includes|displays|reads|say|contain|show|have|include|display|read)",
    "full": "(full page|full-page|whole page|entire page|full)",
    "save_as": "([under the name|with the name] (as|to|in|into|at|under|named|called)|<then_save_it>)",
    "then_save_it": "[and|then|and then] (save|store|put|write|export|name|call) "
    "(it|that|this|the (file|picture|image|screenshot|pdf|document)) [as|to|in|into|at|under|under the name]",
    "make": "(create|make|make me|create me|add)",
    "new": "[a|an|the|one|another] [new]",
    "called": "(called|named|with the name|titled)",
    "if_needed": "(if it doesn't exist|if it does not exist|if needed|as needed|unless it exists)",
    "the_text": "[the] (text|line|words|word|content|contents)",
    "delete": "(delete|deletes|remove|removes|erase|trash|bin|discard|get rid of)",
    "find": "(find|find me|search|search for|look for|locate|list|show|show me|display|print a list of|print the list of|get)",
    "files": "[all|every] [of] [the|my] [regular] (files|file|folders|files and folders|files and directories|files/directories|directories|documents|filenames)",
    "where": "[that are|which are|located|somewhere|anywhere|starting] (in|on|inside|under|within|beneath|below|from|throughout|recursively in|under and below|recursively under)",
    "where_after": "<where>",
    "all_over": "(in|on|inside|under)",
    "with_extension": "(with|having) [the|an] (extension|ending|file extension)",
    "below": "(and below|and its sub-directories|and its subfolders|and all subfolders|and directories below|and folders below|recursively)",
    "beginning": "[that|which|whose name|whose names|whose filename] (begin|begins|beginning|start|starts|starting) with",
    "ending": "[that|which|whose name|whose names|whose filename] (end|ends|ending) (with|in)",
    "holding": "(with|containing|having|that contain|that contains|that have|whose names contain)",
    "named": "(named|called|with the name|whose name is|whose names are|by the name of|that match|matching|matching the pattern|that match the pattern|that match pattern|with the pattern|like)",
    "press_key": "(press|hit|push|strike|tap)",
    "double_click": "(double-click|double click|doubleclick)",
    "right_click": "(right-click|right click|rightclick)",
    "the_screen": "(the|my) (screen|desktop)",
    "shoot": "(take|make|capture|grab|get|save) (a|the) (screenshot|picture|screen shot)",
    "machine": "(screen|computer|machine|system|pc|laptop|session|workstation|desktop)",
    "computer": "(computer|machine|system|pc|laptop|workstation)",
    "abort": "(cancel|abort|stop|call off)",
    "saying": "(saying|that says|with the text|with|reading|that|titled|of)",
    "heard_on": "(on|in|for|of|from|to|at)",
    "by": "[by]",
    "by_after": "[by]",
    "a_bit": "(a bit|a little|a little bit|a tad|a notch|some|slightly|more|some more|a bit more|a lot)",
    "quieter_or_louder": "(increase|raise|boost|rise|bump|decrease|lower|reduce|drop|crank|cut)",
    "list": "(list|show|show me|tell me|give me|what are|get)",
    "track": "(track|song|video|item|title|episode|tune|piece)",
    "media": "[the|my|this|that|some] (music|song|video|track|media|audio|playback|show|movie|film|podcast|radio|media player|music player) [(in|on) (this|the) (page|tab)]",
    "on_player": "(on|in|with|using)",
    "tell_value": "(read|read me|read out|get|get me|tell me|give me|what is|what's|find out|fetch|grab|report)",
    "tell": "(read|read me|read out|get|get me|tell me|give me|show me|show|what is|what's|what are|find out|fetch|grab|report)",
}

_CLAUSES = Clauses(
    strong=r"\s*;\s*|[.!?]+\s+(?=\S)(?!(?-i:into|as|to|with)\s)|\s*\n\s*|,?\s*(?:\band\s+)?\b(?:after\s+that|afterwards|and\s+then)\b,?\s*|,\s*then\b,?\s*",
    weak=r"\s*,\s*(?:and\b\s*)?|\s+(?:[-–—]+|[-=]+>|→|⇒)\s+|\s+and\s+|\s+then\s+|\s+&\s+",
    abbreviation=r"\b(?:Mr|Mrs|Ms|Dr|St|Prof|No|Nr|vs|etc|e\.g|i\.e|approx|[A-Z])",
    completion=r"(?:save|store|put|write|export|name|call)\s+(?:it|that|this|the\s+(?:file|picture|image|screenshot|pdf|document))|drop\s+it",
    numbered=r"\(?\d{1,2}[.)]",
    lead_in=r"please|kindly|u[hm]+|er+m?|now|just|then|(?:next|first|second|third)(?=[,:])|finally|lastly|also|so|ok|okay|hey|hey\s+(?:there|computer)|hi|hello"
    r"|alright|right(?=,)|well|yes(?=,)|and|after\s+that|afterwards|and\s+then|first\s+of\s+all|to\s+(?:start|begin)\s+with|go\s+ahead\s+and"
    r"|(?:i|we)\s+(?:want|need|would\s+like)\s+(?:you\s+)?to|(?:i|we)'d\s+like\s+(?:you\s+)?to|i\s+wanna|let's|let\s+us"
    r"|(?:can|could|would|will)\s+(?:you|we)(?:\s+please)?|(?:would|do)\s+you\s+mind|try\s+to|quickly|make\s+sure\s+to|be\s+sure\s+to"
    r"|remember\s+to|help\s+me(?:\s+to)?|(?:when|once)\s+(?:you're\s+done|that's\s+done|that\s+is\s+done|done)"
    r"|(?:please\s+)?(?:do|follow)\s+(?:the\s+following|these|this)(?:\s+steps)?(?=:)|steps?(?=:)"
    r"|\(?\d{1,2}[.)]|step\s+(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)(?=[:.)])|[-*•–]",
    lead_out=r"please|for\s+me|(?<=,\s)(?:thanks|cheers)(?:\s+a\s+lot)?|(?<=[.,!?]\s)thank\s+you(?:\s+very\s+much)?|will\s+you|would\s+you"
    r"|if\s+you\s+(?:please|would|could)|real(?:ly)?\s+quick(?:ly)?|when\s+you\s+can|ok(?:ay)?\?",
    late_lead_in=r"next|first|second|third|last|then",
    late_filler=r"pls|plz|thx|asap|thanks\s+a\s+lot|now|right\s+now|right\s+away|quickly|again|once\s+more|next|first|immediately|thanks|thank\s+you|straight\s+away",
    foreign=r"(?:mute|unmute|turn|launch|close|play|pause|delete|remove|create|copy|rename|move|send|remind|call|book|order|email"
    r"|tell|schedule|record|install|start|run|quit|kill|minimi[sz]e|maximi[sz]e|lock|shut|restart|set|share|show)\s+"
    r"(?:the|my|a|an|all|it|this|that|your|me|up|down|on|off|every)|mute|unmute|volume"
    # What denies or corrects a step: "and don't click Pay", "no, Cancel", "actually go back".
    r"|(?:don't|dont|do\s+not|never|avoid|skip|not|no\s+wait|scratch\s+that|actually|rather|otherwise|instead|maybe|perhaps|preferably)\s",
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
            "inside",
            "on",
            "up",
            "down",
            "sound",
            "audio",
            "volume",
            "previous",
            "new",
            "another",
            "one",
        ]
    ),
    condition=r"if|when|whenever|unless|while|as\s+soon\s+as|each\s+time|every|once\s+(?:the|it|i|my|you)|tomorrow|tonight|daily|hourly"
    r"|at\s+\d{1,2}(?::\d\d)?\s*(?:am|pm|o'clock)|in\s+(?:\d+|an?|half\s+an)\s+(?:seconds?|minutes?|hours?|days?)|until|before"
    r"|on\s+(?:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?)",
    order=r"\b(?:then|after\s+that|afterwards|next|finally|lastly|(?:when|once)\s+(?:you're|that's|that\s+is)?\s*done)\b"
    r"|(?:^|\s)\(?\d{1,2}[.)]\s|\bstep\s+\w+[:.)]|→|[-=]+>",
    free=frozenset(["audio", "media"]),
)

_TRACES = Traces(
    surfaces={"browser": "browser", "desktop": "desktop", "system.launch": "desktop", "file.open": "desktop"},
    outputs={
        "browser.read": "text",
        "file.read": "text",
        "memory.recall": "text",
        "desktop.read": "text",
        "system.get": "text",
        "system.list_apps": "text",
        "system.list_processes": "text",
        "browser.list_tabs": "text",
        "desktop.list_windows": "text",
    },
    telling={"browser.read": ("selector",)},
    folder=("file.create", "name"),
    settling={"system.launch": {"wait": "window"}},
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
    verbs=(
        *AUDIO,
        *MEDIA,
        *DESKTOP,
        *WINDOWS,
        *MACHINE,
        *WRITING,
        *MOVING,
        *FOLDERS,
        *SESSION,
        *WAITING,
        *NAVIGATION,
        *POINTER,
        *FORMS,
        *READING,
        *MEMORY,
        *PROGRAMS,
    ),
    fragments=_FRAGMENTS,
    vocabulary=ENGLISH_WORDS,
    clauses=_CLAUSES,
    wording=_WORDING,
    traces=_TRACES,
)
