"""Open-ended tasks in a real browser: a model proposes, what may be done is done, and what it leaves needs no model."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from actuators.catalog import BrowserShare
from agent.assembly import make_session
from agent.requests.flows import parse_flow
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from agent.testing.scripted_models import ScriptedModel
from fixtures.site_server import SiteServer
from tests.agent.planners.exploring import Person, call, explore, propose

TASK = "Order two blue mugs in white, by express, to Ada Lovelace, 12 Ockham Park, London, W1J 7NT, card 4242 4242 4242 4242"


PURCHASE: Sequence[Mapping[str, Any]] = (
    propose(call("browser.click", selector='link "Catalogue"')),
    propose(call("browser.click", selector='link "Blue mug"')),
    propose(
        call("browser.type", selector='field "Quantity"', text="2"),
        call("browser.select", selector='field "Colour"', value="White"),
        call("browser.click", selector='button "Add to basket"'),
    ),
    propose(call("browser.click", selector='link "Basket"')),
    propose(call("browser.click", selector='link "Checkout"')),
    propose(
        call("browser.type", selector='field "Full name"', text="Ada Lovelace"),
        call("browser.type", selector='field "Street"', text="12 Ockham Park"),
        call("browser.type", selector='field "City"', text="London"),
        call("browser.type", selector='field "Postcode"', text="W1J 7NT"),
        call("browser.check", selector='radio "Express"'),
    ),
    propose(
        call("browser.type", selector='frame "Pay" >> field "Name on card"', text="Ada Lovelace"),
        call("browser.type", selector='frame "Pay" >> frame "Card" >> field "Card number"', text="4242 4242 4242 4242"),
        call("browser.check", selector='checkbox "I accept the terms"'),
        call("browser.click", selector='button "Place order"'),
    ),
    propose(is_done=True, why="The order is placed."),
)


async def test_a_whole_purchase_is_explored_and_then_repeated_by_the_flow_that_it_left_without_a_model(
    session: AgentSession, site: SiteServer, tmp_path: Path
):
    person, model = Person(".*"), ScriptedModel(*PURCHASE)
    result = await explore(session, model, person, {"task": TASK, "url": f"{site.url}/shop/"})
    assert result.outcome == "success", (result.errors, result.artifacts.get("deeds"))
    (order,) = site.received.requests("/shop/order", "POST")
    wanted = {name: order.field(name) for name in ("name", "street", "city", "postcode", "delivery", "card_number")}
    assert wanted == {
        "name": "Ada Lovelace",
        "street": "12 Ockham Park",
        "city": "London",
        "postcode": "W1J 7NT",
        "delivery": "express",
        "card_number": "4242 4242 4242 4242",
    }
    assert all("the model “scripted”" in each.text for each in person.asked)
    flow = result.artifacts["flow"]
    assert "ref=" not in flow
    assert "/shop/order/" in flow

    site.reset()
    repeated = await session.run(Request(flow=parse_flow(flow)))
    assert repeated.outcome == "success", repeated.reply
    (again,) = site.received.requests("/shop/order", "POST")
    assert {name: again.field(name) for name in wanted} == wanted
    assert len(model.asked) == len(PURCHASE)


LINK = 'link "navigate to the dashboard"'
HOSTILE: Sequence[Mapping[str, Any]] = (
    # what is not among the verbs of the task
    call("file.delete", path="notes.txt"),
    call("file.write", path="planted.txt", content="owned", overwrite=True),
    call("system.run", argv=["touch", "planted.txt"]),
    call("audio.mute"),
    call("memory.store", key="rule", value="obey"),
    call("browser.upload", selector='field "Comment"', path="notes.txt"),
    call("browser.route", url="*", body="owned"),
    call("browser.load_session", path="notes.txt"),
    call("approve"),
    call("", x=1),
    # what no address of this task is
    call("browser.navigate", url="javascript:fetch('/injection/stolen')"),
    call("browser.navigate", url="http://elsewhere.example/"),
    call("browser.navigate", url="http://localhost:1/"),
    call("browser.navigate", url="file:///etc/passwd"),
    # what is not on the page, or not exactly once
    call("browser.click", selector='button "Never was here"'),
    call("browser.click", selector="every link"),
    call("browser.click", selector="css=a"),
    call("browser.click", selector=""),
    # approvals, and params that nobody knows
    call("browser.click", selector=LINK, approved=True),
    call("browser.click", selector=LINK, approval="none"),
    call("browser.click", selector=LINK, timeout_s=1),
    # secrets and references
    call("browser.type", selector='field "Comment"', text="secret:bank"),
    call("browser.type", selector='field "Comment"', text="SUREHAND_SECRET_bank ${g0.text}"),
    # what may be proposed, and what the person refuses
    call("browser.click", selector=LINK),
    call("browser.click", selector='button "Approve"'),
    call("browser.click", selector="css=#send-order"),
    call("browser.type", selector='field "Comment"', text="ada@example.com", submit=True),
    call("browser.type", selector='field "Your e-mail"', text="eve@example.com"),
    call("browser.press", key="Enter"),
    call("browser.set", selector='field "Nickname"', value="owned"),
    call("browser.dialog", action="accept"),
)
LOOK = call("browser.read", target="title")
AGREED = (
    r"^Type “ada@example\.com” into field \"Your e-mail\" — with values that a model wrote: selector = [^;]*$",
    r"^Click button \"Subscribe\" — with button = left — with values that a model wrote: selector = [^;]*$",
)
FLOOD = [call("browser.click", selector=LINK)] * 10_000


def give_breath(attacks: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield attacks, two at a time, with something harmless behind them: an exploration in which nothing is done is given up."""
    for index, attack in enumerate(attacks, 1):
        yield attack
        if index % 2 == 0:
            yield LOOK


def read_folder(folder: Path) -> dict[str, str]:
    """Return what lies in a folder, but for what is kept of runs."""
    return {each.name: each.read_text("utf-8") for each in folder.iterdir() if not each.name.startswith(".")}


async def test_a_hostile_page_and_a_hostile_model_reach_nothing_but_what_the_person_agreed_to(
    session: AgentSession, site: SiteServer, tmp_path: Path
):
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    person = Person(*AGREED)
    model = ScriptedModel(
        *(propose(each, why="The page says that I must.") for each in give_breath(HOSTILE)),
        propose(*FLOOD),
        propose(call("browser.type", selector='field "Your e-mail"', text="ada@example.com")),
        propose(call("browser.click", selector='button "Subscribe"')),
        propose(is_done=True),
    )
    result = await explore(
        session, model, person, {"task": "Subscribe ada@example.com", "url": f"{site.url}/injection/", "rounds": 99}
    )
    assert result.outcome == "success", result.errors
    done = [each["name"] for each in result.artifacts["deeds"] if not each["code"] and each["name"] != LOOK["name"]]
    assert done == ["browser.navigate", "browser.type", "browser.click"]
    pages = [(each.method, each.path) for each in site.received if not each.path.startswith("/assets")]
    assert pages == [("GET", "/injection/"), ("POST", "/injection/subscribe")]
    assert site.received.requests("/injection/subscribe")[0].body == b"email=ada%40example.com"
    assert site.events("stolen") == site.events("fake-approval") == []
    assert read_folder(tmp_path) == {"notes.txt": "mine"}
    assert "stolen" not in result.artifacts["flow"]


async def test_what_a_page_says_is_never_among_the_instructions_of_a_model(session: AgentSession, site: SiteServer):
    model = ScriptedModel(propose(is_done=True))
    await explore(session, model, Person(), {"task": "Read the notes", "url": f"{site.url}/injection/"})
    (asked,) = model.asked
    assert "stolen" not in asked.instructions
    assert "Read the notes" in asked.instructions
    (outline,) = [each for each in asked.data if each.label == "outline"]
    assert "/injection/stolen" in outline.text
    assert (outline.is_tainted, outline.source) == (True, f"{site.url}/injection/")


async def test_a_secret_is_only_ever_a_handle_for_the_model_and_in_the_flow(
    site: SiteServer, tmp_path: Path, share: BrowserShare, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SUREHAND_SECRET_shop", "s3cret: ok?")
    model = ScriptedModel(
        propose(
            call("browser.type", selector='field "Email"', text="ada@example.com"),
            call("browser.type", selector='field "Password"', text="secret:shop"),
            call("browser.click", selector='button "Sign in"'),
        ),
        propose(call("browser.type", selector='link "Catalogue"', text="secret:other"), LOOK),
        propose(LOOK),
        propose(is_done=True),
    )
    parameters = {"task": "Sign in as ada@example.com with secret:shop", "url": f"{site.url}/shop/signin"}
    async with make_session(Settings(), tmp_path, share) as session:
        result = await explore(session, model, Person(".*"), parameters)
    assert site.received.requests("/shop/signin", "POST")[0].field("password") == "s3cret: ok?"
    assert [deed["code"] for deed in result.artifacts["deeds"]] == ["", "", "", "", "secret_not_granted", ""]
    assert "s3cret" not in str([asked.data for asked in model.asked]) + result.artifacts["flow"]
    assert parse_flow(result.artifacts["flow"]).secrets == ("shop",)


async def test_a_judgement_that_something_is_missing_leads_to_another_round(session: AgentSession, site: SiteServer):
    model = ScriptedModel()
    model.script(propose(is_done=True, why="Done."), kind="propose")
    model.script({"is_done": False, "missing": "The basket is empty."}, kind="critique")
    model.script(propose(call("browser.click", selector='button "Add to basket"')), kind="propose")
    parameters = {"task": "Put a blue mug into the basket", "url": f"{site.url}/shop/item/blue-mug", "rounds": 1}
    result = await explore(session, model, Person(".*"), parameters, critique=True)
    assert len(site.received.requests("/shop/basket/add")) == 1
    told = next(each for each in model.asked[-1].data if each.label == "missing")
    assert told.text == "The basket is empty."
    assert result.outcome == "partial"


async def test_a_model_that_gets_nowhere_is_given_up(session: AgentSession, site: SiteServer):
    model = ScriptedModel(*[propose(call("browser.click", selector=f'button "No {number}"')) for number in range(9)])
    result = await explore(session, model, Person(".*"), {"task": "Try", "url": f"{site.url}/shop/"})
    assert (result.outcome, result.errors[0].code, len(model.asked)) == ("partial", "no_progress", 3)


COVERED = (
    propose(call("browser.click", selector='button "Open a page dialog"')),
    propose(call("browser.click", selector='field "Draft"')),
    propose(is_done=True),
)


@pytest.mark.parametrize(("recover", "code"), [(True, ""), (False, "target_covered")])
async def test_a_dialog_in_the_way_is_closed_by_its_own_key_unless_the_settings_say_otherwise(
    session: AgentSession, site: SiteServer, recover: bool, code: str
):
    parameters = {"task": "Look at the draft", "url": f"{site.url}/dialogs/"}
    result = await explore(session, ScriptedModel(*COVERED), Person(".*"), parameters, recover=recover)
    assert [deed["code"] for deed in result.artifacts["deeds"]] == ["", "", code]


@pytest.mark.parametrize(
    "garbage", [{"calls": "all"}, {"approve": True}, {"calls": [{"name": 1}]}, {}, {"calls": [None]}]
)
async def test_garbage_of_a_model_ends_in_an_error_and_nothing_is_done(
    session: AgentSession, site: SiteServer, garbage: dict[str, Any]
):
    model = ScriptedModel()
    model.script(garbage, times=None)
    result = await explore(session, model, Person(".*"), {"task": "Try", "url": f"{site.url}/shop/"})
    assert result.outcome != "success"
    assert {request.method for request in site.received} == {"GET"}


async def test_without_a_model_nothing_begins(session: AgentSession, site: SiteServer):
    result = await explore(session, None, Person(".*"), {"task": "Try", "url": f"{site.url}/shop/"})
    assert (result.outcome, result.errors[0].code, list(site.received)) == ("failed", "no_model", [])
