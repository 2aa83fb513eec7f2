"""What people ask of pages that are made of divs, classes and listeners, from the words to what the page notes."""

import pytest

from agent.requests.requests import Request
from agent.sessions.conversation import Conversation
from agent.sessions.session import AgentSession
from core.goals.meta_goals import Goal
from fixtures.site_server import SiteServer


async def ask(session: AgentSession, site: SiteServer, page: str, words: str) -> tuple[str, str]:
    """Open a page, say something about it, and return the outcome and what the page has noted."""
    conversation = Conversation(session)
    await conversation.say(f"go to {site.url}/everyday/{page}")
    reply = await conversation.say(words)
    assert reply.result is not None
    return reply.result.outcome, await read(session, "#log")


async def read(session: AgentSession, selector: str) -> str:
    """Return the text of an element of the page that is open."""
    goal = Goal("browser", "read", {"target": "text", "selector": selector}, goal_id="g0")
    seen = await session.run(Request(goals=(goal,)))
    return seen.step_logs[0].result.output["text"]


@pytest.mark.parametrize(
    ("words", "noted"),
    [
        ("type Ber in the city field and choose Berlin", "city Berlin;"),
        ("pick the red colour", "towels red;"),
        ("select the colour blue", "towels rgb(30, 60, 220);"),
        ("rate it 4 stars", "stars 4;"),
        ("set the rating to 2", "stars 2;"),
    ],
)
async def test_a_widget_of_the_pages_own_making_is_brought_to_what_was_said(
    session: AgentSession, site: SiteServer, words: str, noted: str
):
    assert await ask(session, site, "stay", words) == ("success", noted)


@pytest.mark.parametrize(
    ("words", "counter", "shown"),
    [
        ("set the number of guests to 4", "#guests .count", "4"),
        ("increase the number of rooms to 3", "#rooms b", "3"),
        ("set the guests to 3", "#guests .count", "3"),
    ],
)
async def test_a_counter_is_found_by_what_is_written_beside_it(
    session: AgentSession, site: SiteServer, words: str, counter: str, shown: str
):
    outcome, _ = await ask(session, site, "stay", words)
    assert (outcome, await read(session, counter)) == ("success", shown)


@pytest.mark.parametrize(
    ("words", "noted"),
    [
        ("dismiss the newsletter popup", "popup closed;"),
        ("close the newsletter popup and reject the cookies", "popup closed; cookies Only necessary;"),
        ("close the newsletter popup and accept all cookies", "popup closed; cookies Accept all;"),
        ("close the newsletter popup and like the post by Ada", "popup closed; liked Ada;"),
        ("close the newsletter popup and delete Linus's post", "popup closed; deleted Linus;"),
        ("close the newsletter popup and like the second post", "popup closed; liked Grace;"),
        (
            'close the newsletter popup and click the link "here" in the second paragraph',
            "popup closed; link #second;",
        ),
        ("close the newsletter popup and click the second link in the sidebar", "popup closed; link #faq;"),
        (
            "close the newsletter popup and log in with the username ada and the password hunter2",
            "popup closed; signed in ada hunter2;",
        ),
    ],
)
async def test_what_covers_a_page_is_closed_where_that_was_said_and_nothing_else(
    session: AgentSession, site: SiteServer, words: str, noted: str
):
    assert await ask(session, site, "forum", words) == ("success", noted)


async def test_what_covers_a_page_stays_where_nobody_spoke_of_it(session: AgentSession, site: SiteServer):
    outcome, noted = await ask(session, site, "forum", "like the post by Ada")
    assert (outcome, noted) == ("failed", "")


@pytest.mark.parametrize(
    ("words", "noted"),
    [
        ("make the word hello bold", "bold hello;"),
        ("underline the word moon", "underlined moon;"),
        ("choose Save as from the File menu", "chose Save as;"),
        ("open src, then docs, then readme", "node src; node docs; node readme;"),
        ("enter lamp in the search field, click Go and click the second result", "sought lamp; hit 2;"),
        ("enter lamp in the search field, click Go and click the 7th search result", "sought lamp; hit 7;"),
        (
            "enter lamp in the search field, click Go, go to page 2 of the results and click the first result",
            "sought lamp; hit 4;",
        ),
    ],
)
async def test_text_menus_trees_and_results_over_several_pages_are_found(
    session: AgentSession, site: SiteServer, words: str, noted: str
):
    assert await ask(session, site, "desk", words) == ("success", noted)


async def test_a_word_that_stands_in_two_places_is_not_marked(session: AgentSession, site: SiteServer):
    conversation = Conversation(session)
    await conversation.say(f"go to {site.url}/everyday/desk")
    reply = await conversation.say("highlight the word the")
    assert reply.result is not None
    assert reply.result.outcome == "failed"


async def test_a_text_area_is_made_larger_by_its_corner(session: AgentSession, site: SiteServer):
    outcome, _ = await ask(session, site, "desk", "make the Notes field bigger")
    assert outcome == "success"
