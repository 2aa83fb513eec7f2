"""What the look benchmark judges, compares and reads; the tools that it starts and the pages that it fetches aren't needed."""

import io
import tarfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from scripts.benchmarks.look import TOOLS, choose, find_executable
from scripts.benchmarks.looks.aria import RawPages
from scripts.benchmarks.looks.documentation import INSTALLED, LARGE, SMALL, take_pages
from scripts.benchmarks.looks.judge import Judgement, Thing, find_missing, judge
from scripts.benchmarks.looks.ours import LEAST_TOKENS, Fold, list_folds
from scripts.benchmarks.looks.sightings import OURS, Sighting, compare, describe_page

HAND = "cursor: pointer"


@pytest.fixture
async def raw() -> AsyncIterator[RawPages]:
    """A browser without any of ours in it."""
    async with RawPages(find_executable()) as pages:
        yield pages


async def find_names(raw: RawPages, content: str) -> list[str]:
    await raw.page.set_content(content)
    return [thing.name for thing in (await judge(raw.page)).things]


@pytest.mark.parametrize(
    "content",
    [
        "<button>it</button>",
        "<a href='#x'>it</a>",
        "<details><summary>it</summary>more</details>",
        "<input aria-label=it>",
        "<select aria-label=it><option>a</select>",
        "<div role=switch aria-checked=false tabindex=0>it</div>",
        f"<div style='{HAND}'>it</div>",
        "<div tabindex=0>it</div>",
        "<div contenteditable>it</div>",
        "<div draggable=true>it</div>",
        "<p id=x>it</p><script>x.addEventListener('dblclick', () => {})</script>",
        "<div style='height: 3000px'></div><button>it</button>",
        "<input type=checkbox id=x style='opacity: 0; position: absolute; left: -9px'><label for=x>it</label>",
        "<div id=x></div><script>x.attachShadow({mode: 'open'}).innerHTML = '<button>it</button>'</script>",
    ],
)
async def test_what_a_person_could_act_on_is_found(raw: RawPages, content: str) -> None:
    assert await find_names(raw, content) == ["it"]


@pytest.mark.parametrize(
    "content",
    [
        "<p>it</p>",
        "<button disabled>it</button>",
        "<button hidden>it</button>",
        "<button style='visibility: hidden'>it</button>",
        "<a>it</a>",
        "<a href='#x'></a>",
        "<button>it</button><div style='position: fixed; inset: 0'></div>",
    ],
)
async def test_what_nobody_can_act_on_is_not_found(raw: RawPages, content: str) -> None:
    assert await find_names(raw, content) == []


async def test_what_listens_for_its_parts_is_no_thing_of_its_own(raw: RawPages) -> None:
    listens = "<script>x.addEventListener('click', () => {})</script>"
    assert await find_names(raw, f"<ul id=x><li><button>a</button><li><button>b</button></ul>{listens}") == ["a", "b"]


async def test_of_what_shows_the_hand_only_the_innermost_counts_and_none_within_a_control(raw: RawPages) -> None:
    content = f"<div style='{HAND}'><p id=x>a</p></div><button><span style='{HAND}'>b</span></button>"
    listens = "<script>x.addEventListener('click', () => {})</script>"
    assert await find_names(raw, content + listens) == ["a", "b"]


def make_judgement() -> Judgement:
    """A page with a button that has an icon in it, and a link in a row."""
    things = (Thing(1, "button", "Save", "role"), Thing(4, "link", "Ada", "role"))
    return Judgement(things, parents=(-1, 0, 1, 0, 3), covered=0)


@pytest.mark.parametrize(
    ("told", "missing"),
    [
        ([1, 4], []),
        ([2, 4], []),
        ([1], ["Ada"]),
        ([1, 3], ["Ada"]),
        ([0], ["Save", "Ada"]),
    ],
    ids=["themselves", "a part of one", "one", "what one is in", "what both are in"],
)
def test_a_thing_is_told_of_by_itself_or_by_its_parts_and_not_by_what_it_lies_in(
    told: list[int], missing: list[str]
) -> None:
    assert [thing.name for thing in find_missing(make_judgement(), told)] == missing


def test_what_opens_folds_is_read_from_an_outline() -> None:
    outline = """# Users
navigation "Site" # 48 links folded
table "Users"
  row "Ada"
    button "Delete" in "Ada"
  … 180 more rows like this (scope: table "Users")
… menu "File": 12 menuitems, hidden (opens: button "File")
… 7 links (max_tokens: 2400)"""
    scopes = [Fold('navigation "Site"', 0), Fold('table "Users"', 0), Fold("", 2400)]
    assert list_folds(outline, Fold("", 0)) == scopes


def test_what_folds_its_own_scope_again_is_given_more_room() -> None:
    outline = '… 90 more rows like this (scope: table "Users")'
    first = Fold('table "Users"', 0)
    (second,) = list_folds(outline, first)
    assert second.scope == first.scope
    assert second.tokens > LEAST_TOKENS
    assert list_folds(outline, second)[0].tokens > second.tokens


def make_sighting(tool: str, tokens: int, missing: tuple[str, ...] = ()) -> Sighting:
    return Sighting(
        page="signin",
        tool=tool,
        tokens=tokens,
        milliseconds=20.0,
        things=2,
        lines=2,
        has=2 - len(missing),
        missing=missing,
    )


def test_ours_is_compared_with_the_best_of_the_others_and_with_what_is_aimed_at() -> None:
    sightings = [make_sighting(OURS, 60), make_sighting("agent-browser", 50, ('link "x"',)), make_sighting("aria", 10)]
    figures, notes = compare(sightings, ["agent-browser"])
    assert figures["tokens_signin"] == 60
    assert notes["tokens_signin"] == "aim ≤ 41; the best other: agent-browser 50, missing 1"
    assert notes["missing_signin"] == "of 2; aim 0; others agent-browser 1"
    assert figures["missing"] == sum(value for name, value in figures.items() if name.startswith("missing_"))


def test_a_table_names_what_is_missing() -> None:
    table = describe_page("signin", "2 things", [make_sighting("agent-browser", 50, ('link "x"',))])
    assert 'agent-browser misses link "x"' in table


def test_a_tool_that_is_not_there_is_refused_by_name() -> None:
    assert choose(None, TOOLS) == TOOLS
    assert choose("surehand,aria", TOOLS) == ["surehand", "aria"]
    with pytest.raises(SystemExit, match="lynx"):
        choose("lynx", TOOLS)


def test_two_pages_and_their_furniture_are_taken_out_of_a_package(tmp_path: Path) -> None:
    package = io.BytesIO()
    names = (SMALL, LARGE, "main.js", "std/other.html", "../../../etc/passwd")
    with tarfile.open(fileobj=package, mode="w") as archive:
        for name in names:
            member = tarfile.TarInfo(f".{INSTALLED}/{name}")
            member.size = len(name)
            archive.addfile(member, io.BytesIO(name.encode()))
    package.seek(0)
    take_pages(package, tmp_path)
    found = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert found == {SMALL, LARGE, "main.js"}
