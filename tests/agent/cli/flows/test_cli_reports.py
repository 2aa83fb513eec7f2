"""`surehand run --report` and `surehand sessions report`: a run as one file for a browser."""

from pathlib import Path

from fixtures.site_server import SiteServer
from tests.agent.conftest import Command


def write_flow(goals: str) -> str:
    Path("flow.yaml").write_text(f"name: look at the shop\ngoals:\n{goals}", encoding="utf-8")
    return "flow.yaml"


def test_a_run_writes_its_report_with_pictures_and_an_earlier_one_gets_one_later(
    surehand: Command, site: SiteServer
) -> None:
    flow = write_flow(f"  - browser.navigate: {{url: '{site.url}/shop/'}}\n  - browser.read: {{target: title}}\n")
    said = surehand("run", flow, "--report", "shop.html")
    assert said.code == 0, said.out + said.err
    assert "The report is in shop.html" in said.err
    text = Path("shop.html").read_text("utf-8")
    assert "look at the shop" in text
    assert text.count("data:image/jpeg;base64,") == 2

    later = surehand("sessions", "report", "last")
    assert (later.code, later.err) == (0, "")
    name = later.out.split()[0]
    assert name.startswith("report-r")
    assert "look at the shop" in Path(name).read_text("utf-8")


def test_where_no_report_can_be_written_nothing_is_done(surehand: Command, site: SiteServer) -> None:
    flow = write_flow(f"  - browser.navigate: {{url: '{site.url}/shop/'}}\n")
    Path("mine.html").write_text("mine", encoding="utf-8")
    for place, why in (("mine.html", "is not a report"), ("none/shop.html", "does not exist"), ("shop.txt", ".html")):
        said = surehand("run", flow, "--report", place)
        assert said.code == 2
        assert why in said.err
    simulated = surehand("run", flow, "--simulate", "--report", "shop.html")
    assert simulated.code == 2
    assert "a simulated one is not saved" in simulated.err
    assert site.received.requests("/shop/", "GET") == []
    assert Path("mine.html").read_text(encoding="utf-8") == "mine"


def test_a_run_in_which_nothing_was_done_has_no_report_and_says_so(surehand: Command) -> None:
    said = surehand("run", write_flow("  - browser.clik: {selector: 'button \"x\"'}\n"), "--report", "shop.html")
    assert said.code == 2
    assert "shop.html was not written" in said.err
    assert not Path("shop.html").exists()


def test_a_report_of_no_run_says_which_there_are(surehand: Command) -> None:
    said = surehand("sessions", "report", "r3f")
    assert said.code == 2
    assert "No saved run “r3f” in this workspace." in said.err
