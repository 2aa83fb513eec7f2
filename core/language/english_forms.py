"""English phrases for filling in forms."""

from core.language.grammar import Phrase, VerbPhrases
from core.references import Reference

_EMAIL = {"selector": 'field "email"'}
_TERMS = {"selector": 'checkbox "Terms"'}
_PHOTO = {"selector": 'field "Photo"'}

FORMS = (
    VerbPhrases(
        "browser",
        "select",
        (
            Phrase(
                "(select|choose|pick) [the] {value:index} (option|entry|item) (from|in|of) {selector:list}",
                {"choose the second option from the Colour list": {"selector": 'field "Colour"', "value": 1}},
            ),
            Phrase(
                "(select|choose|pick) [the option] {value:options} (from|in|out of) {selector:list}",
                {
                    "choose Express from the Delivery list": {"selector": 'field "Delivery"', "value": "Express"},
                    'select "Red, dark" in the Colour dropdown': {"selector": 'field "Colour"', "value": "Red, dark"},
                    'pick "Tea" and "Milk" from the Extras list': {
                        "selector": 'field "Extras"',
                        "value": ["Tea", "Milk"],
                    },
                },
            ),
            Phrase(
                "(in|from) {selector:named_list}, (select|choose|pick) [the option] {value:options}",
                {"in the Country dropdown, choose Norway": {"selector": 'field "Country"', "value": "Norway"}},
            ),
            Phrase(
                "(in|from) {selector:named_list} (select|choose|pick) [the option] {value:options}",
                {"from the Country dropdown select Norway": {"selector": 'field "Country"', "value": "Norway"}},
            ),
            Phrase(
                "(select|choose|pick) [the option] {value:quote} (as|for) {selector:list}",
                {'choose "Norway" as the country': {"selector": 'field "country"', "value": "Norway"}},
            ),
            Phrase(
                "(set|change) {selector:named_list} to {value:options}",
                {"set the Country dropdown to Norway": {"selector": 'field "Country"', "value": "Norway"}},
            ),
            Phrase(
                "(select|choose|pick) [the option] {value:quote}",
                {'choose "Express"': {}},
                refuses="missing_slot",
                asks="From which list shall I choose it?",
            ),
        ),
    ),
    VerbPhrases(
        "browser",
        "upload",
        (
            Phrase(
                "(upload|attach) [the] [file|files] {path:paths} (to|into|in|on|using|via|through|with) {selector:uploader}",
                {
                    "upload /home/ada/cat.png to the Photo field": _PHOTO | {"path": "/home/ada/cat.png"},
                    r'attach "C:\Users\ada\a b.txt" using the Browse button': {
                        "selector": 'button "Browse"',
                        "path": r"C:\Users\ada\a b.txt",
                    },
                },
            ),
            Phrase(
                "(put|choose|select|pick) the (file|files) {path:paths} (in|into|for|in to) {selector:uploader}",
                {"choose the files a.png and b.png for the Photo field": _PHOTO | {"path": ["a.png", "b.png"]}},
            ),
            Phrase(
                "(upload|attach) [the] [file|files] {path:paths}",
                {"upload cat.png": {}},
                refuses="missing_slot",
                asks="Which field or button shall I upload it with?",
            ),
            Phrase(
                "(upload|attach) (a|the|my) file [(to|into) {selector:uploader}]",
                {"upload a file to the Photo field": {}},
                refuses="missing_slot",
                asks="Which file shall I upload?",
            ),
        ),
    ),
    VerbPhrases(
        "browser",
        "type",
        (
            Phrase(
                "(type|enter|input|put|write|paste) {text:given} (into|in|in to) {selector:field}",
                {"read the title and type it into the email field": _EMAIL | {"text": Reference("g0", "text")}},
            ),
            Phrase(
                "(type|enter|input) [the (text|word|words|value)] {text:typed} (into|in|in to) {selector:field} "
                "(key by key|one key at a time|letter by letter|character by character)",
                {
                    'type "abc" into the code field key by key': {
                        "selector": 'field "code"',
                        "text": "abc",
                        "mode": "keys",
                    }
                },
                sets={"mode": "keys"},
            ),
            Phrase(
                "(in|into|inside) {selector:named_field}, (type|enter|write|put|input|key in) [the (text|word|words|value)] {text:typed}",
                {"in the email field, type a@b.example": _EMAIL | {"text": "a@b.example"}},
            ),
            Phrase(
                "(in|into|inside) {selector:named_field} (type|enter|write|put|input|key in) [the (text|word|words|value)] {text:typed}",
                {"in the search box type mugs": {"selector": 'field "search"', "text": "mugs"}},
            ),
            Phrase(
                "(type|enter|input) {text:typed} (as|for) {selector:form_field}",
                {"enter ada@example.com as the email": _EMAIL | {"text": "ada@example.com"}},
                opens="as",
            ),
            Phrase(
                "(use|put|fill in|fill) {text:quote} (as|for) {selector:form_field}",
                {'use "a, b" as the email': _EMAIL | {"text": "a, b"}},
                opens="as",
            ),
            Phrase(
                "{text:quote} (as|for) {selector:field}",
                {'enter "a" as the email and "b" as the user name': {"selector": 'field "user name"', "text": "b"}},
                after=("browser.type.as",),
                opens="as",
            ),
            Phrase(
                "(type|enter|input|key in) {_label:said_field} {text:quote} (into|in|in to) {selector:field}",
                {'type the password "a, b" into the password field': {"selector": 'field "password"', "text": "a, b"}},
            ),
            Phrase(
                "(type|enter|input|key in|fill in|fill) {selector:said_field}[:] {text:quote}",
                {
                    'enter the email "a@b.example"': _EMAIL | {"text": "a@b.example"},
                    'enter username "a, b"': {"selector": 'field "username"', "text": "a, b"},
                },
                opens="form",
            ),
            # "fill in the form: email …, password …", and the fields behind it.
            Phrase(
                "(fill|fill in|fill out|complete) (the|this) form [with|using] {selector:field}[:] {text:quote}",
                {'fill in the form: email "a@b.example"': _EMAIL | {"text": "a@b.example"}},
                opens="form",
            ),
            Phrase(
                "(fill|fill in|fill out|complete) (the|this) form [with|using] {selector:field}: {text:filling}",
                {"fill out the form with email: a@b.example": _EMAIL | {"text": "a@b.example"}},
                opens="form",
            ),
            Phrase(
                "{selector:form_field}[:] [with|to|is|as] {text:quote}",
                {
                    'fill in the form: Name "Ada", email "a@b.example"': _EMAIL | {"text": "a@b.example"},
                    'fill Name with "Ada" and the email field with "B"': _EMAIL | {"text": "B"},
                },
                after=("browser.type.form",),
                opens="form",
            ),
            Phrase(
                "{selector:field} (with|to|as) {text:quote}",
                {'fill Name with "Ada", Colour with "red"': {"selector": 'field "Colour"', "text": "red"}},
                after=("browser.type.form",),
                opens="form",
            ),
            Phrase(
                "{selector:field}: {text:filling}",
                {"fill in the form: Name: Ada, City: B": {"selector": 'field "City"', "text": "B"}},
                after=("browser.type.form",),
                opens="form",
            ),
            Phrase(
                "{selector:form_field} (with|to|as) {text:filling}",
                {
                    "fill the Name field with A and the email field with B": _EMAIL | {"text": "B"},
                    "fill Email with a, Password with b": {"selector": 'field "Password"', "text": "b"},
                },
                after=("browser.type.form",),
                opens="form",
            ),
            Phrase(
                "(type|enter|input|key in|fill in|fill) [the (text|word|words|value)] [text|number] {text:typed} "
                "(into|in|in to) {selector:field} and submit [it|that|the form]",
                {
                    "enter 42 in the Amount field and submit the form": {
                        "selector": 'field "Amount"',
                        "text": "42",
                        "submit": True,
                    }
                },
                sets={"submit": True},
            ),
            Phrase(
                "(type|enter|input|key in|fill in) [the (text|word|words|value)] [text|number] {text:typed} "
                "(into|in|in to|inside) {selector:field}",
                {
                    'type "s3cret: ok?" into the password field': {
                        "selector": 'field "password"',
                        "text": "s3cret: ok?",
                    },
                    "type hello world into the search field": {"selector": 'field "search"', "text": "hello world"},
                    "type a, b and c into the notes field": {"selector": 'field "notes"', "text": "a, b and c"},
                    "enter ada@example.com in Email": {"selector": 'field "Email"', "text": "ada@example.com"},
                },
            ),
            Phrase(
                "(write|put|insert|fill) [the (text|word|words|value)] {text:typed} (into|in|in to|inside) {selector:named_field}",
                {
                    "write see you at noon into the Message box": {
                        "selector": 'field "Message"',
                        "text": "see you at noon",
                    }
                },
            ),
            Phrase(
                "fill [in|out] {selector:field} with {text:typed} and submit [it|that|the form]",
                {
                    'fill the email field with "a@b.example" and submit it': _EMAIL
                    | {"text": "a@b.example", "submit": True}
                },
                sets={"submit": True},
            ),
            Phrase(
                "(fill|fill in|fill out|complete|populate) {selector:field} with {text:quote}",
                {
                    'fill the subject with "Hello"': {"selector": 'field "subject"', "text": "Hello"},
                    "fill in the email box with 'it's me'": _EMAIL | {"text": "it's me"},
                },
                opens="form",
            ),
            Phrase(
                "(fill|fill in|fill out|complete|populate) {selector:page_field} with {text:filling}",
                {"open example.com and fill the subject with hello": {"selector": 'field "subject"', "text": "hello"}},
                after=("browser",),
                opens="form",
            ),
            Phrase(
                "(fill|fill in|fill out|complete|populate) {selector:fill_field} with {text:filling}",
                {
                    "fill the email field with ada@example.com": _EMAIL | {"text": "ada@example.com"},
                },
                opens="form",
            ),
            Phrase(
                "(set|change|update) [the value of] {selector:form_field} to {text:filling}",
                {
                    "set the Quantity field to 2": {"selector": 'field "Quantity"', "text": "2"},
                    "change the quantity to 2": {"selector": 'field "quantity"', "text": "2"},
                },
                opens="form",
            ),
            Phrase(
                "(set|change|update) {selector:page_field} to {text:filling}",
                {"open example.com and set Colour to red": {"selector": 'field "Colour"', "text": "red"}},
                after=("browser",),
                opens="form",
            ),
            Phrase(
                "(append|add) {text:typed} to [the end of] {selector:named_field}",
                {
                    'append " (copy)" to the Name field': {
                        "selector": 'field "Name"',
                        "text": " (copy)",
                        "mode": "append",
                    }
                },
                sets={"mode": "append"},
            ),
            Phrase(
                "(clear|empty|blank|erase) [out] [the (text|contents|content) of] {selector:named_field}",
                {"clear the email field": _EMAIL | {"text": ""}},
                sets={"text": ""},
            ),
            Phrase(
                "{text:typed} (into|in|in to) {selector:named_field}",
                {'type "A" into the Name field, "B" into the email field': _EMAIL | {"text": "B"}},
                after=("browser.type",),
            ),
            Phrase(
                "(type|enter|input|write|put|insert|fill|fill in) {_text:described} (into|in|in to|inside) {selector:field}",
                {"type my password into the password field": {}, "enter the code 1234 in the code field": {}},
                refuses="missing_slot",
                asks="What exactly shall I type?",
            ),
            Phrase(
                "(fill|fill in|fill out|complete|populate|set|change|update) {selector:fill_field} (with|to) {_text:described}",
                {"fill the password field with my password": {}},
                refuses="missing_slot",
                asks="What exactly shall I type?",
            ),
            Phrase(
                "{text:quote} (into|in|in to) {selector:field}",
                {'type "1" into the Name field, "2" in expiry': {"selector": 'field "expiry"', "text": "2"}},
                after=("browser.type",),
            ),
            Phrase(
                "(fill|fill in|fill out|type into|type in|write into) {selector:named_field}",
                {"fill in the email field": {}},
                refuses="missing_slot",
                asks="What shall I type into it?",
            ),
            Phrase(
                "(type|enter|input|key in) {text:typed}",
                {'type "hello"': {}},
                refuses="missing_slot",
                asks="Which field shall I type it into?",
            ),
            Phrase(
                "(write|put|insert) {text:quote}",
                {'write "hello"': {}},
                refuses="missing_slot",
                asks="Which field shall I write it into?",
            ),
        ),
    ),
    VerbPhrases(
        "browser",
        "check",
        (
            Phrase(
                "(check|tick|mark|tick off) {selector:named_box}",
                {"tick the Terms checkbox": _TERMS, 'check "Terms"': _TERMS},
            ),
            Phrase("tick [off] {selector:box}", {"tick Terms": _TERMS}),
            Phrase(
                "check {selector:box}",
                {"open example.com and check Terms": _TERMS},
                after=("browser",),
            ),
            Phrase("(enable|turn on|switch on|toggle on) {selector:tick_box}", {"enable the Terms checkbox": _TERMS}),
            Phrase(
                "(select|choose|pick) {selector:radio}",
                {"select the Express radio button": {"selector": 'radio "Express"'}},
            ),
            Phrase(
                "(uncheck|untick|unmark|deselect) {selector:box}",
                {"untick Terms": _TERMS | {"checked": False}},
                sets={"checked": False},
            ),
            Phrase(
                "(clear|disable|turn off|switch off|toggle off) {selector:tick_box}",
                {"clear the Terms checkbox": _TERMS | {"checked": False}},
                sets={"checked": False},
            ),
            Phrase("(tick|untick|uncheck)", {"tick": {}}, refuses="missing_slot", asks="Which box is meant?"),
        ),
    ),
)
