"""What every back end does for read, extract, snapshot, screenshot, pdf and expect."""

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest

from core.base.errors import ActionError, ExpectationError, InputError, TargetError
from core.results.tool_results import ToolOutcome
from tests.contracts.browser.bench import Bench
from tests.contracts.browser.simulated import not_simulated
from tests.thoroughness import spread

FIELDS = {
    "name": ".name",
    "age": {"selector": ".age", "type": "integer"},
    "page": {"selector": "a", "type": "url"},
}


class ReadingConformance:
    """Looking at a page without changing it."""

    @pytest.mark.parametrize(
        ("target", "selector", "value"),
        [
            ("title", None, "People"),
            ("text", "h1", "People"),
            ("count", "testid=person", 2),
            pytest.param("table", None, [{"Name": "Ada", "Age": "36", "Page": "More on Ada"}, {"Name": "Grace", "Age": "85", "Page": "More on Grace"}], marks=not_simulated),
        ],
    )  # fmt: skip
    async def test_things_are_read_as_text_and_as_values(
        self, bench: Bench, target: str, selector: str | None, value: Any
    ):
        await bench.open("people")
        outcome = await bench.call("read", target=target, selector=selector)
        assert outcome.output["value"] == value
        assert isinstance(outcome.output["text"], str)
        assert outcome.output["truncated"] is False
        assert outcome.evidence["url"] == bench.url("people")
        assert outcome.effect == "none"

    async def test_links_come_with_their_absolute_addresses(self, bench: Bench):
        await bench.open("people")
        outcome = await bench.call("read", target="links", selector="#people")
        assert outcome.output["value"] == [
            {"text": "More on Ada", "url": bench.url("second")},
            {"text": "More on Grace", "url": bench.url()},
        ]
        assert outcome.output["count"] == 2

    @pytest.mark.parametrize(
        ("selector", "value"),
        [("#motto", "Festina"), ("#colour", "r"), ("#extras", []), ("#terms", False), ("#slow", True)],
    )
    async def test_values_of_fields_are_typed(self, bench: Bench, selector: str, value: Any):
        await bench.open("form")
        assert (await bench.call("read", target="value", selector=selector)).output["value"] == value

    @not_simulated
    async def test_attributes_and_html_are_read(self, bench: Bench):
        await bench.open("people")
        attribute = await bench.call("read", target="attribute", selector="#people", attribute="id")
        assert attribute.output["value"] == "people"
        absent = await bench.call("read", target="attribute", selector="#people", attribute="lang")
        assert (absent.output["value"], absent.output["text"]) == (None, "")
        html = await bench.call("read", target="html", selector="#ageless")
        assert re.search(r"<p [^>]*>no age</p>", html.output["text"])

    async def test_long_texts_are_cut_and_it_is_said(self, bench: Bench):
        await bench.open("people")
        outcome = await bench.call("read", target="text", selector="#ageless", max_chars=2)
        assert (outcome.output["text"], outcome.output["truncated"]) == ("no", True)

    async def test_reading_needs_one_element(self, bench: Bench):
        bench.timeout_s = 3
        await bench.open("people")
        with pytest.raises(TargetError) as missing:
            await bench.call("read", target="text", selector='heading "Peoples"')
        assert missing.value.code == "target_missing"
        with pytest.raises(TargetError) as ambiguous:
            await bench.call("read", target="text", selector=".name")
        assert ambiguous.value.code == "target_ambiguous"
        with pytest.raises(InputError):
            await bench.call("read", target="value")

    @not_simulated
    async def test_records_are_typed(self, bench: Bench):
        await bench.open("people")
        outcome = await bench.call("extract", fields=FIELDS, rows="testid=person")
        assert outcome.output == {
            "rows": [
                {"name": "Ada", "age": 36, "page": bench.url("second")},
                {"name": "Grace", "age": 85, "page": bench.url()},
            ],
            "count": 2,
        }
        assert outcome.evidence == {"url": bench.url("people")}
        one = await bench.call("extract", fields={"title": "h1"})
        assert one.output == {"rows": [{"title": "People"}], "count": 1}

    @not_simulated
    @pytest.mark.parametrize(
        ("field", "code"),
        [
            (".none", "target_missing"),
            ("td", "target_ambiguous"),
            ({"selector": ".name", "type": "number"}, "bad_value"),
        ],
    )
    async def test_a_record_that_does_not_fit_names_row_and_field(self, bench: Bench, field: Any, code: str):
        bench.timeout_s = 3
        await bench.open("people")
        with pytest.raises(ActionError) as caught:
            await bench.call("extract", fields={"odd": field}, rows="testid=person")
        assert caught.value.code == code
        assert (caught.value.evidence["row"], caught.value.evidence["field"]) == (1, "odd")

    @not_simulated
    @pytest.mark.parametrize("args", [{}, {"selector": "#plain"}, {"full_page": True}])
    async def test_a_picture_is_written_and_read_back(self, bench: Bench, args: dict[str, Any]):
        await bench.open()
        path = bench.folder / "page.png"
        outcome = await bench.call("screenshot", path=str(path), **args)
        assert outcome.output.keys() == {"path", "width_px", "height_px"}
        content = check_file(outcome, path)
        assert content.startswith(b"\x89PNG")
        assert int.from_bytes(content[16:20]) == outcome.output["width_px"] > 0
        assert (outcome.output["height_px"] > 2000) is bool(args.get("full_page"))

    @not_simulated
    @pytest.mark.parametrize("args", [{}, {"selector": "#plain"}])
    async def test_a_picture_goes_on_the_clipboard_and_is_read_back(self, bench: Bench, args: dict[str, Any]):
        await bench.open()
        outcome = await bench.call("screenshot", to="clipboard", **args)
        picture = await bench.clipboard.read_picture()
        assert picture is not None
        assert picture.startswith(b"\x89PNG")
        size_px = {"width_px": int.from_bytes(picture[16:20]), "height_px": int.from_bytes(picture[20:24])}
        assert outcome.output == {"path": None, **size_px}
        assert (outcome.effect, outcome.artifacts) == ("confirmed", ())
        assert outcome.evidence["sha256"] == hashlib.sha256(picture).hexdigest()

    async def test_a_picture_on_the_clipboard_has_no_path(self, bench: Bench):
        await bench.open()
        with pytest.raises(InputError):
            await bench.call("screenshot", to="clipboard", path=str(bench.folder / "a.png"))
        assert not (bench.folder / "a.png").exists()

    @not_simulated
    async def test_a_print_is_written_and_read_back(self, bench: Bench):
        await bench.open()
        path = bench.folder / "page.pdf"
        outcome = await bench.call("pdf", path=str(path))
        assert outcome.output == {"path": str(path)}
        assert check_file(outcome, path).startswith(b"%PDF-")

    @not_simulated
    @pytest.mark.parametrize("verb", ["screenshot", "pdf"])
    async def test_files_get_a_place_of_their_own_and_nothing_is_overwritten(self, bench: Bench, verb: str):
        await bench.open()
        first, second = await bench.call(verb), await bench.call(verb)
        assert first.output["path"] != second.output["path"]
        with pytest.raises(ActionError) as caught:
            await bench.call(verb, path=first.output["path"])
        assert caught.value.code == "file_exists"
        check_file(first, Path(first.output["path"]))


class ExpectConformance:
    """Assertions."""

    @pytest.mark.parametrize(
        "args",
        spread(
            [
                {"selector": 'button "Plain button"'},
                {"selector": 'button "Late button"', "state": "visible"},
                {"selector": "#off", "state": "disabled"},
                {"selector": "#unseen", "state": "hidden"},
                {"selector": "#nothing", "state": "detached"},
                {"selector": "testid=prose", "text": "does the same"},
                {"selector": 'button "Edit"', "count": 2},
                {"text": "Every back end"},
                {"url": "*/conformance/"},
                {"title": "Conform*"},
            ],
            5,
        ),
    )
    async def test_what_holds_is_said_with_what_was_compared(self, bench: Bench, args: dict[str, Any]):
        await bench.open()
        outcome = await bench.call("expect", **args)
        assert outcome.evidence.keys() == {"compared", "waited_s"}
        assert (outcome.output, outcome.effect) == ({}, "none")

    @pytest.mark.parametrize(
        ("args", "expected", "actual"),
        [
            ({"selector": "#plain", "state": "disabled"}, "disabled", None),
            ({"selector": "testid=prose", "text": "something else"}, "something else", "Every back end does the same here."),
            ({"selector": 'button "Edit"', "count": 3}, 3, 2),
            ({"selector": 'button "Nowhere"'}, "visible", "nothing matches"),
            ({"url": "*/other"}, "*/other", "{page}"),
            ({"title": "Other"}, "Other", "Conformance"),
        ],
    )  # fmt: skip
    async def test_what_does_not_hold_shows_expected_and_actual(
        self, bench: Bench, args: dict[str, Any], expected: Any, actual: Any
    ):
        await bench.open()
        with pytest.raises(ExpectationError) as caught:
            await bench.call("expect", timeout=0.3, **args)
        assert caught.value.code == "expectation_failed"
        (difference,) = caught.value.evidence["differences"]
        assert difference["expected"] == expected
        assert actual is None or difference["actual"] == (bench.url() if actual == "{page}" else actual)
        assert caught.value.evidence.keys() >= {"url", "waited_s"}

    async def test_a_text_that_is_not_there_is_told_with_what_is_written_alike(self, bench: Bench):
        await bench.open()
        sought: tuple[dict[str, Any], ...] = ({"text": "Every bask end"}, {"selector": 'text "Every bask end"'})
        for wanted in sought:
            with pytest.raises(ExpectationError, match='but the page shows "Every back end"'):
                await bench.call("expect", timeout=0.3, **wanted)

    async def test_a_value_is_compared_exactly(self, bench: Bench):
        await bench.open("form")
        await bench.call("expect", selector="#motto", value="Festina")
        with pytest.raises(ExpectationError):
            await bench.call("expect", selector="#motto", value="festina", timeout=0.2)

    async def test_an_assertion_is_about_one_element_and_something(self, bench: Bench):
        bench.timeout_s = 3
        await bench.open()
        with pytest.raises(TargetError) as caught:
            await bench.call("expect", selector='button "Edit"', timeout=0.3)
        assert caught.value.code == "target_ambiguous"
        with pytest.raises(InputError):
            await bench.call("expect")


def check_file(outcome: ToolOutcome, path: Path) -> bytes:
    """Compare a receipt with the file that it is about; return what is in it."""
    content = path.read_bytes()
    assert outcome.evidence["size"] == len(content)
    assert outcome.evidence["sha256"] == hashlib.sha256(content).hexdigest()
    assert outcome.artifacts == (str(path),)
    assert outcome.effect == "confirmed"
    return content
