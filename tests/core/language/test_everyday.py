"""What people say every day: places in front, rows, lists of steps, short forms, and what sounds alike and isn't meant."""

from typing import Any

from core.language.interpreter import GrammarInterpreter
from tests.cases import each_case

INTERPRETER = GrammarInterpreter()


def list_steps(utterance: str) -> list[tuple[str, dict[str, Any]]]:
    interpretation = INTERPRETER.interpret(utterance)
    assert interpretation.meta_goal is not None, interpretation.refusal
    return [(goal.verb, dict(goal.params)) for goal in interpretation.meta_goal.goals]


def click(selector: str) -> tuple[str, dict[str, Any]]:
    return ("click", {"selector": selector})


def fill(selector: str, text: str) -> tuple[str, dict[str, Any]]:
    return ("type", {"selector": selector, "text": text})


SAVE = click('control "Save"')
BACK: tuple[str, dict[str, Any]] = ("back", {})


@each_case(
    ("utterance", "steps"),
    [
        ("in the Billing section, click Save", [click('control "Save" in "Billing"')]),
        ("In the Billing section click Save", [click('control "Save" in "Billing"')]),
        ('in the "Billing" section: please click Save', [click('control "Save" in "Billing"')]),
        ("in the Billing section click Save, then click Save", [click('control "Save" in "Billing"'), SAVE]),
        (
            'in the frame "Pay" type 4242 into the card number field',
            [fill('frame "Pay" >> field "card number"', "4242")],
        ),
        (
            "in the Pay frame, fill the card number field with 4242 and click Pay",
            [fill('frame "Pay" >> field "card number"', "4242"), click('control "Pay"')],
        ),
        ("in the Billing section of the Pay frame, click Save", [click('frame "Pay" >> control "Save" in "Billing"')]),
        ("in the Pay frame, click #save", [click('frame "Pay" >> #save')]),
        ("on this page, click Save", [SAVE]),
        ("in Ada's row, click Edit", [click('control "Edit" in (record "Ada")')]),
        ("for the user @ada, click the Block button", [click('button "Block" in (record "@ada")')]),
    ],
)
def test_a_place_in_front_is_that_of_its_own_step_only(utterance: str, steps: list[tuple[str, dict[str, Any]]]) -> None:
    assert list_steps(utterance) == steps


def test_short_forms_are_about_the_same_place() -> None:
    assert list_steps("in the Pay frame, fill Email with a and Password with b") == [
        fill('frame "Pay" >> field "Email"', "a"),
        fill('frame "Pay" >> field "Password"', "b"),
    ]


@each_case(
    ("words", "selector"),
    [
        ("the second Delete button in the row of Ada", 'button "Delete" in (record "Ada") nth 2'),
        ("the Delete button in Ada's row", 'button "Delete" in (record "Ada")'),
        ("Delete in James' row", 'control "Delete" in (record "James")'),
        ('Delete in the row "Ada"', 'control "Delete" in "Ada"'),
        ("Delete in the row that contains Ada Lovelace", 'control "Delete" in (record "Ada Lovelace")'),
        ('the Remove link in the card with "Blue mug"', 'link "Remove" in (record "Blue mug")'),
        ("the row of Ada", 'row "Ada"'),
        ('the second row with "Ada"', 'row "Ada" nth 2'),
        ('the card "Tea"', 'control "Tea"'),
        ('the "Done" column', 'control "Done"'),
        ("the thirteenth link", "link nth 13"),
    ],
)
def test_rows_go_by_what_they_hold_and_things_by_their_quoted_name(words: str, selector: str) -> None:
    assert list_steps(f"click {words}") == [click(selector)]


@each_case(
    "utterance",
    [
        "1. click Save\n2. go back",
        "1. Click Save.\n2. Go back.",
        "1. click Save 2. go back",
        "1) click Save, 2) go back",
        "- click Save\n- go back",
        "• click Save\n• go back",
        "step 1: click Save; step two: go back",
        "please do the following:\n1. click Save\n2. go back",
        "first click Save, second go back",
        "next click Save, and, finally, go back",
        "Hey, can you click Save real quick, then could you please go back for me? Thank you very much!",
        "go ahead and click Save, once that's done go back",
    ],
)
def test_lists_of_steps_and_fillers_are_all_the_same(utterance: str) -> None:
    assert list_steps(utterance) == [SAVE, BACK]


def test_a_long_sentence_with_many_separators_is_divided_rightly() -> None:
    utterance = (
        'Go to http://localhost:8000/shop/, type "a, b; and c. Then go back" into the Name field, type "x" into the Email '
        "field, tick Terms; choose Express from the Delivery list and click Save. Then wait for the dashboard, and take a "
        "full page screenshot, and save it as out/shop.png, and go back"
    )
    assert [verb for verb, _ in list_steps(utterance)] == [
        *("navigate", "type", "type", "check", "select", "click", "wait", "screenshot", "back")
    ]
    assert list_steps(utterance)[1] == fill('field "Name"', "a, b; and c. Then go back")
    assert list_steps(utterance)[7] == ("screenshot", {"full_page": True, "path": "out/shop.png"})


@each_case(
    ("utterance", "steps"),
    [
        ("fill Email with a, Password with b", [fill('field "Email"', "a"), fill('field "Password"', "b")]),
        (
            'fill in the form: email "a, b", the Notes field "c" and click Save',
            [fill('field "email"', "a, b"), fill('field "Notes"', "c"), SAVE],
        ),
        ("fill Notes with bread and butter", [fill('field "Notes"', "bread and butter")]),
        ("in the search box, type mugs and go back", [fill('field "search"', "mugs"), BACK]),
        (
            'put "x" in the search box and hit enter',
            [fill('field "search"', "x"), ("press", {"key": "Enter"})],
        ),
        (
            "wait for the dashboard within half a minute",
            [("wait", {"text": "dashboard", "timeout": 30.0})],
        ),
        ('wait for "Done" for twenty-five seconds', [("wait", {"text": "Done", "timeout": 25})]),
        ("switch to the first tab and close it", [("switch_tab", {"tab": "first"}), ("close_tab", {})]),
        ("click the Back button", [click('button "Back"')]),
        ("click Yes", [click('control "Yes"')]),
        ("click Not now", [click('control "Not now"')]),
        ("click the no button", [click('button "no"')]),
        ("click Save - go back", [SAVE, BACK]),
        ("click Sign in - Google", [click('control "Sign in - Google"')]),
        ("right click Save", [("click", {"selector": 'control "Save"', "button": "right"})]),
        ('check that "x" isn\'t visible', [("expect", {"selector": 'text "x"', "state": "hidden"})]),
        ('wait until "x" is no longer shown', [("wait", {"selector": 'text "x"', "state": "hidden"})]),
        ("wait until there is a Save button", [("wait", {"selector": 'button "Save"'})]),
        ('type "it" into the Notes field', [fill('field "Notes"', "it")]),
        ("click page 2. then go back", [click('control "page 2"'), BACK]),
    ],
)
def test_everyday_steps(utterance: str, steps: list[tuple[str, dict[str, Any]]]) -> None:
    assert list_steps(utterance) == steps


@each_case(
    ("utterance", "code"),
    [
        # A place that isn't one, or that the step has no use for.
        ("in the kitchen, click Save", "no_intent_match"),
        ("for the record, click Save", "no_intent_match"),
        ("in the Pay frame, go back", "no_intent_match"),
        ("in the Billing section, click #save", "no_intent_match"),
        ("click Delete in the first row", "no_intent_match"),
        ("click Delete in row 2", "no_intent_match"),
        ("click Save in my section", "no_intent_match"),
        ("click the Delete button for Ada", "no_intent_match"),
        ("drag the card A to the column Done", "no_intent_match"),
        # One step or two?
        ("fill Notes with Bread, Butter with salt", "no_intent_match"),
        ("click Receipt and save it as receipt.pdf", "no_intent_match"),
        ('wait for "x" and save it as b.txt', "no_intent_match"),
        # Which one?
        ("close the last one", "no_intent_match"),
        ("click the Save button and then the last one", "no_intent_match"),
        ("open a new tab and close the first one", "no_intent_match"),
        ("close the first tab and the second one", "no_intent_match"),
        ("hit the back button", "ambiguous"),
        ("what does the total say", "ambiguous"),
        # Not on a page.
        ("make sure the fridge has 2 eggs", "no_intent_match"),
        ("make sure the meeting is 30 minutes", "no_intent_match"),
        ("tell me the price", "no_intent_match"),
        ("fill the tank with gas", "no_intent_match"),
        ("save the page as notes.txt", "no_intent_match"),
        ("open the shop at noon", "not_supported_here"),
        ("open a new tab to the harbour gazette", "no_intent_match"),
        ("wait until there are 3 rows", "not_supported_here"),
        ("wait until noon", "not_supported_here"),
        ("take a screenshot of the page and put it in the Notes field", "no_intent_match"),
        # The contrary.
        ("verify that the basket doesn't show 2 mugs", "no_intent_match"),
        ("verify that the basket no longer shows 2 mugs", "no_intent_match"),
        ('check that the page does not contain "x"', "no_intent_match"),
        ("check that the title is not Basket", "no_intent_match"),
        ("make sure no button is visible", "no_intent_match"),
        ("click Save instead of Close", "no_intent_match"),
        ("click not Save", "no_intent_match"),
        # Not at all.
        ("make sure not to click Save", "no_intent_match"),
        ("let's not click Save", "no_intent_match"),
        ("don't forget to click Save", "no_intent_match"),
        ("sign in with ada@example.com and password x", "not_supported_here"),
        ("wait for 5 seconds", "not_supported_here"),
    ],
)
def test_what_sounds_alike_and_is_not_meant_is_refused(utterance: str, code: str) -> None:
    interpretation = INTERPRETER.interpret(utterance)
    assert interpretation.meta_goal is None
    assert interpretation.refusal is not None
    assert interpretation.refusal.code == code
