"""Typing, choosing, ticking, uploading and pressing keys, as the server received it."""

import asyncio
from pathlib import Path

import pytest

from actuators.browser.playwright.controls.entering import judge_value
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError, TargetError
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands
from tests.actuators.browser.pens import Pen
from tests.cases import each_case

SECRET = 's3cret: "ok?" 日本'


@pytest.fixture
def pen(session: PlaywrightSession, context: ActionContext, site: SiteServer) -> Pen:
    return Pen(Hands(session), session, context, site)


@pytest.fixture
async def fields(pen: Pen) -> Pen:
    await pen.open("/elements/fields")
    return pen


KEPT = [
    ('field "Text"', 'Zażółć 日本語 😀 "q" \' \\ \t<b>&amp; ${x}', None),
    ('field "Filled"', "after", None),
    ('field "Filled"', "", None),
    ('field "Email"', "ada+x@example.com", None),
    ('field "Number"', "3.5", None),
    ('field "Date"', "2026-11-21", None),
    ('field "Time"', "12:30", None),
    ('field "Colour"', "#FFAA00", "#ffaa00"),
    ('field "Range"', "70", None),
    ('field "Text area"', "one\n\n two  three\n", None),
    ('field "Text area"', "a\r\nb", "a\nb"),
    ('field "Editable"', "one\ntwo  three\n\nfour", None),
    ('field "Controlled"', "x y", None),
    ('field "At most five"', "12345", None),
    ('field "With suggestions"', "Kyoto", None),
]


@pytest.mark.parametrize(("selector", "text", "kept"), KEPT)
async def test_what_is_typed_is_kept_and_read_back(fields: Pen, selector: str, text: str, kept: str | None) -> None:
    outcome = await fields.type(selector, text)
    assert outcome.effect == "confirmed"
    assert outcome.output["value"] == (kept if kept is not None else text)


LISTENING = """<label>Note <textarea></textarea></label><script>
  const field = document.querySelector('textarea');
  field.addEventListener('keydown', () => {});
  field.addEventListener('input', () => setTimeout(() => { document.title = field.value }, 100));
</script>"""


async def test_a_field_that_listens_to_keys_and_keeps_its_text_in_its_own_way_is_read_once_the_page_has_settled(
    pen: Pen, session: PlaywrightSession, context: ActionContext
) -> None:
    page = await session.open_page(context)
    await page.route("**/note", lambda route: route.fulfill(body=LISTENING, content_type="text/html"))
    await pen.open("/note")
    outcome = await pen.type('field "Note"', "a\r\nb")
    assert (outcome.output["value"], outcome.effect) == ("a\nb", "confirmed")


async def test_the_server_receives_exactly_what_was_typed(fields: Pen) -> None:
    await fields.type('field "Text"', 'Zażółć 日本語 😀 "q" \' \\ <b>&amp;')
    await fields.type('field "Password"', SECRET)
    await fields.type('field "Text area"', "one\ntwo")
    await fields.forms.press(fields.context, "Enter", 'button "Send"')
    (sent,) = await asyncio.to_thread(fields.site.received.wait_for_requests, "/elements/fields", 2) and [
        request for request in fields.site.received if request.method == "POST"
    ]
    assert sent.field("text") == 'Zażółć 日本語 😀 "q" \' \\ <b>&amp;'
    assert sent.field("password") == SECRET
    assert sent.field("textarea") == "one\r\ntwo"


CHANGED = [
    ('field "At most five"', "1234567", "at most 5 characters"),
    ('field "Capitals"', "abc", "expected 'abc', found 'ABC'"),
    ('field "Range"', "700", "found '100'"),
    ('field "Date"', "21.11.2026", "it is empty"),
    ('field "Text"', "a\nb", "from character 2"),
]


@pytest.mark.parametrize(("selector", "text", "words"), CHANGED)
async def test_what_a_field_changes_is_an_error_that_shows_the_difference(
    fields: Pen, selector: str, text: str, words: str
) -> None:
    with pytest.raises(ActionError) as caught:
        await fields.type(selector, text)
    assert caught.value.code == "value_differs"
    assert words in str(caught.value)
    assert caught.value.evidence["expected"] == text


async def test_grouping_by_the_field_is_unverified_and_said(fields: Pen) -> None:
    outcome = await fields.type('field "Card number"', "4242424242424242")
    assert outcome.effect == "unverified"
    assert outcome.evidence["value"] == "4242 4242 4242 4242"
    assert outcome.evidence["reformatted_from"] == "4242424242424242"


@each_case(
    ("kind", "wanted", "kept", "verdict"),
    [
        ("text", "a", "a", "same"),
        ("text", "12/30", "12 / 30", "reformatted"),
        ("text", "(030) 12-34", "0301234", "reformatted"),
        ("text", "1234.5", "1,234.5", "reformatted"),
        ("text", "2500", "$2,500.00", "reformatted"),
        ("text", "1234.5", "12,345", "different"),
        ("text", "01234", "1234", "different"),
        ("tel", "+4912", "4912", "different"),
        ("text", "#ff8800", "FF8800", "reformatted"),
        ("text", "#ff8800", "FF8801", "different"),
        ("text", "-5", "5", "different"),
        ("tel", "0301234", "030-1234", "reformatted"),
        ("number", "-5", "5", "different"),
        ("text", "ab", "AB", "different"),
        ("textarea", "a\r\nb", "a\nb", "same"),
        ("textarea", "a\nb", "a b", "different"),
        ("editable", "a b", "a\u00a0b\n", "same"),
        ("text", "a b", "a\u00a0b", "reformatted"),
        ("color", "#AABBCC", "#aabbcc", "same"),
        ("password", "a b", "ab", "different"),
    ],
)
def test_values_are_judged(kind: str, wanted: str, kept: str, verdict: str) -> None:
    assert judge_value(kind, wanted, kept) == verdict


async def test_a_field_that_vanishes_when_it_is_filled_is_unverified(pen: Pen) -> None:
    page = await pen.session.open_page(pen.context)
    await page.set_content('<label>Name <input oninput="document.body.textContent = this.value"></label>')
    outcome = await pen.type('field "Name"', "Ada")
    assert outcome.effect == "unverified"
    assert outcome.evidence["field_gone"] is True
    assert await page.inner_text("body") == "Ada"


async def test_text_is_appended_to_what_is_there(fields: Pen) -> None:
    assert (await fields.type('field "Filled"', "++", mode="append")).output["value"] == "before++"
    await fields.type('field "Editable"', "one")
    assert (await fields.type('field "Editable"', " two", mode="append")).output["value"] == "one two"
    await fields.type('field "Password"', "ab")
    assert (await fields.type('field "Password"', "cd", mode="append")).evidence == {"matches": True, "length": 4}


async def test_keys_are_pressed_one_by_one(fields: Pen) -> None:
    page = fields.session.current_page(fields.context)
    await page.evaluate("addEventListener('keydown', (event) => { window.keys = (window.keys || '') + event.key; })")
    outcome = await fields.type('field "Filled"', "Ab1!", mode="keys")
    assert outcome.output["value"] == "beforeAb1!"
    assert "Ab1!" in (await page.evaluate("window.keys")).replace("Shift", "")


async def test_submitting_presses_enter_and_reports_where_it_led(pen: Pen) -> None:
    await pen.open("/elements/links")
    outcome = await pen.type('field "Query"', "mugs & plates", submit=True)
    assert outcome.evidence["submitted"] is True
    assert "/echo?q=mugs" in outcome.evidence["navigated_to"]
    await asyncio.to_thread(pen.site.received.wait_for_requests, "/echo", 1)


async def test_a_password_is_never_told(fields: Pen) -> None:
    outcome = await fields.type('field "Password"', SECRET)
    assert outcome.effect == "confirmed"
    assert outcome.output == {}
    assert "value" not in outcome.evidence
    assert outcome.evidence["matches"] is True
    assert outcome.evidence["length"] == len(SECRET)
    page = fields.session.current_page(fields.context)
    await page.evaluate("document.getElementById('password').maxLength = 3")
    with pytest.raises(ActionError) as caught:
        await fields.type('field "Password"', SECRET)
    assert SECRET[:3] not in f"{caught.value} {caught.value.evidence}"
    await page.evaluate("document.getElementById('password').disabled = true")
    with pytest.raises(TargetError) as disabled:
        await fields.forms.type(fields.short, selector='field "Password"', text=SECRET)
    assert SECRET not in f"{disabled.value} {disabled.value.evidence}"
    assert disabled.value.__suppress_context__


@pytest.mark.parametrize(
    ("selector", "code", "words"),
    [
        ('field "Read only"', "target_readonly", "read-only"),
        ('button "Send"', "target_unsuitable", "can't take this"),
        ('field "File"', "target_unsuitable", "file"),
        ('field "Filed"', "target_missing", 'field "Filled"'),
        ('field "Number"', "target_unsuitable", "number"),
    ],
)
async def test_what_can_not_be_typed_into_is_refused(fields: Pen, selector: str, code: str, words: str) -> None:
    with pytest.raises(TargetError) as caught:
        await fields.forms.type(fields.short, selector=selector, text="words")
    assert caught.value.code == code
    assert words in str(caught.value)


async def test_a_field_in_a_closed_shadow_root_is_typed_into(pen: Pen) -> None:
    await pen.open("/elements/shadow")
    assert (await pen.type('field "Mixed closed field"', "hidden depths")).output["value"] == "hidden depths"


async def test_a_field_in_a_frame_is_found_when_the_page_has_none(pen: Pen) -> None:
    await pen.open("/frames/")
    with pytest.raises(TargetError) as caught:
        await pen.type('field "Field in the frame"', "x")
    assert caught.value.code == "target_ambiguous"
    page = pen.session.current_page(pen.context)
    await page.set_content(f'<iframe src="{pen.site.url}/frames/leaf-frame"></iframe>')
    assert (await pen.type('field "Field in the frame"', "x")).effect == "confirmed"


async def test_a_field_in_a_frame_that_comes_later_is_found(pen: Pen) -> None:
    await pen.open("/elements/names")
    page = pen.session.current_page(pen.context)
    typing = asyncio.create_task(pen.type('field "Field in the frame"', "late"))
    await page.evaluate("() => new Promise(requestAnimationFrame)")
    await page.evaluate(
        f"document.body.append(Object.assign(document.createElement('iframe'), {{src: '{pen.site.url}/frames/leaf-frame'}}))"
    )
    assert (await typing).output["value"] == "late"


async def test_files_are_put_into_a_field_and_read_back(fields: Pen, tmp_path: Path) -> None:
    one, two = tmp_path / "ein Brief.txt", tmp_path / "zwei.bin"
    one.write_bytes(b"Zeile\n")
    two.write_bytes(bytes(range(256)))
    outcome = await fields.forms.upload(fields.context, 'field "Files"', (str(one), str(two)))
    assert outcome.effect == "confirmed"
    assert outcome.output["files"] == [{"name": "ein Brief.txt", "size": 6}, {"name": "zwei.bin", "size": 256}]
    assert (await fields.forms.upload(fields.context, "label=File", str(one))).effect == "confirmed"
    await fields.forms.press(fields.context, "Enter", 'button "Send"')
    await asyncio.to_thread(fields.site.received.wait_for_requests, "/elements/fields", 2)
    (sent,) = [request for request in fields.site.received if request.method == "POST"]
    assert [(upload.name, upload.size) for upload in sent.uploads if upload.field == "files"] == [
        ("ein Brief.txt", 6),
        ("zwei.bin", 256),
    ]


async def test_a_button_that_opens_a_file_chooser_is_answered(pen: Pen, tmp_path: Path) -> None:
    (file := tmp_path / "a.txt").write_text("x")
    page = await pen.session.open_page(pen.context)
    await page.set_content('<input type="file" hidden id="f"><button onclick="f.click()">Choose</button>')
    outcome = await pen.forms.upload(pen.context, 'button "Choose"', str(file))
    assert outcome.output["files"] == [{"name": "a.txt", "size": 1}]
    assert await page.evaluate("f.files[0].name") == "a.txt"


async def test_uploads_that_can_not_be_are_refused(fields: Pen, tmp_path: Path) -> None:
    (file := tmp_path / "a.txt").write_text("x")
    with pytest.raises(ActionError) as missing:
        await fields.forms.upload(fields.context, 'field "File"', str(tmp_path / "nope"))
    assert missing.value.code == "file_missing"
    with pytest.raises(TargetError, match="takes one file"):
        await fields.forms.upload(fields.context, 'field "File"', (str(file), str(file)))
    page = fields.session.current_page(fields.context)
    await page.set_content("<button>Nothing</button>")
    with pytest.raises(TargetError, match="no file chooser"):
        await fields.forms.upload(fields.short, 'button "Nothing"', str(file))


async def test_keys_go_to_the_element_named_or_to_what_has_the_focus(fields: Pen) -> None:
    outcome = await fields.forms.press(fields.context, "ctrl+a", 'field "Text"')
    assert (outcome.effect, outcome.evidence["key"]) == ("confirmed", "Control+a")
    assert outcome.evidence["received_by"]["id"] == "text"
    outcome = await fields.forms.press(fields.context, "Esc")
    assert outcome.evidence["received_by"]["id"] == "text"
    # Reports overtake each other on their way; the pages number them.
    pressed = sorted(await fields.wait("pressed", 3), key=lambda event: event.detail["seq"])
    assert [(event.detail["key"], event.detail["id"]) for event in pressed][-1] == ("Escape", "text")
    with pytest.raises(ActionError) as caught:
        await fields.forms.press(fields.context, "entr")
    assert caught.value.code == "unknown_key"
