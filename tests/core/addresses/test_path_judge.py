import json
import ntpath
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.addresses.paths import RULES, JudgedPath, PathTerms, judge_member, judge_name, judge_path
from core.base.errors import PolicyError
from tests.cases import each_case
from tests.core.path_cases import BAD, CREATED, EMOJI, GOOD, LONG, WRITTEN

SLASHES = str.maketrans("/\\", "\\/")
WRITING = PathTerms(writing=True)
CREATING = PathTerms(creating=True)
FOLDER = PathTerms(creating=True, folder=True)


def find_rule(text: str, terms: PathTerms | None = None) -> str | None:
    """Return the rule by which a path is refused, or None."""
    try:
        judge_path(text, terms=terms or PathTerms())
    except PolicyError as error:
        refusal = error
    else:
        return None
    assert (refusal.code, set(refusal.evidence)) == ("path_refused", {"rule", "path", "component"})
    assert refusal.hint
    json.dumps(refusal.evidence, ensure_ascii=False).encode()
    return refusal.evidence["rule"]


def swap_case(text: str) -> str:
    return "".join(char.swapcase() if char.isascii() else char for char in text)


def spell(text: str) -> list[str]:
    """Return a path in all spellings that mean the same."""
    mixed = "".join(char.translate(SLASHES) if index % 2 else char for index, char in enumerate(text))
    return [
        text,
        text.translate(SLASHES),
        mixed,
        swap_case(text),
        text.lower(),
        text.upper() if text.isascii() else text,
    ]


# --- the table


@each_case("text", GOOD)
def test_a_good_path_may_be_used_in_any_spelling(text: str) -> None:
    assert [find_rule(each) for each in spell(text)] == [None] * 6


@each_case(("text", "rule"), BAD)
def test_a_bad_path_is_refused_by_its_rule_in_any_spelling(text: str, rule: str) -> None:
    assert [find_rule(each) for each in spell(text)] == [rule] * 6


@pytest.mark.parametrize(("text", "rule"), WRITTEN)
def test_what_the_system_reads_by_itself_may_be_read_and_not_written(text: str, rule: str | None) -> None:
    assert [find_rule(each, WRITING) for each in spell(text)] == [rule] * 6
    assert find_rule(text) is None


@pytest.mark.parametrize(("text", "rule"), CREATED)
def test_a_name_like_a_short_name_is_not_created(text: str, rule: str | None) -> None:
    assert [find_rule(each, CREATING) for each in spell(text)] == [rule] * 6
    assert find_rule(text) == (None if rule == "P13" else rule)


def test_every_rule_that_a_text_can_break_has_a_case() -> None:
    tried = {rule for _, rule in [*BAD, *WRITTEN, *CREATED]}
    # P15 compares folders, P19 and P20 open files, P21 is about archives.
    assert set(RULES) - tried == {"P15", "P19", "P20", "P21"}


# --- what is given back


@pytest.mark.parametrize(
    ("text", "judged"),
    [
        ("a/b.txt", JudgedPath(None, "", ("a", "b.txt"))),
        ("a\\\\b/./C", JudgedPath(None, "", ("a", "b", "C"))),
        (".", JudgedPath(None, "", ())),
        ("Desktop:/a/B", JudgedPath("desktop", "", ("a", "B"))),
        ("desktop:\\", JudgedPath("desktop", "", ())),
        ("drive:d:/a", JudgedPath("drive", "d:", ("a",))),
        ("D:\\x\\y", JudgedPath(None, "D:", ("x", "y"))),
        ("D:/", JudgedPath(None, "D:", ())),
    ],
)
def test_a_good_path_is_taken_apart_and_never_changed(text: str, judged: JudgedPath) -> None:
    assert judge_path(text) == judged


def test_a_refusal_says_what_why_and_what_to_do() -> None:
    with pytest.raises(PolicyError) as caught:
        judge_path("desktop:/a/nul .txt/b")
    assert caught.value.evidence == {"rule": "P5", "path": "desktop:/a/nul .txt/b", "component": "nul .txt"}
    assert caught.value.message == (
        "The path “desktop:/a/nul .txt/b” holds “nul .txt”, which is the name of a device on Windows, "
        "with or without an extension (P5)."
    )
    assert caught.value.hint == "Choose another name."


def test_a_refusal_shows_what_is_invisible_and_cuts_what_is_long() -> None:
    with pytest.raises(PolicyError) as caught:
        judge_path(f"{'a/' * 200}b\u202e")
    assert "\u202e" not in str(caught.value)
    assert "“b\\u202e”" in caught.value.message
    assert len(caught.value.message) < 400


# --- terms


@pytest.mark.parametrize(
    ("units", "terms", "rule"),
    [
        (259, PathTerms(), None),
        (260, PathTerms(), "P14"),
        (259, CREATING, None),
        (247, FOLDER, None),
        (248, FOLDER, "P14"),
        (248, PathTerms(folder=True), None),
        (5000, PathTerms(long_paths=True), None),
        (248, PathTerms(creating=True, folder=True, long_paths=True), None),
        (32_766, PathTerms(long_paths=True), None),
        (32_767, PathTerms(long_paths=True), "P14"),
        (209, PathTerms(base_length=49), None),
        (210, PathTerms(base_length=49), "P14"),
    ],
)
@pytest.mark.parametrize("name", ["n", EMOJI])
def test_a_path_is_measured_in_utf_16_units(units: int, terms: PathTerms, rule: str | None, name: str) -> None:
    folder = "d" * 99 + "/"
    rest = units % 100 or 100
    text = folder * ((units - rest) // 100) + "n" * (rest % 2) + name * (rest // len(name.encode("utf-16-le")) * 2)
    text += "n" * (units - len(text.encode("utf-16-le")) // 2)
    assert len(text.encode("utf-16-le")) // 2 == units
    assert find_rule(text, terms) == rule


def test_the_drive_counts_and_the_anchor_is_counted_by_its_folder() -> None:
    name = f"{'a' * 128}/{'b' * 127}"
    assert find_rule(f"C:/{name}") is None
    assert find_rule(f"C:/{name}c") == "P14"
    assert find_rule(f"desktop:/{name}ccc") is None
    assert find_rule(f"desktop:/{name}ccc", PathTerms(base_length=10)) == "P14"


@pytest.mark.parametrize(
    ("text", "judged"),
    [
        ("//server/share/a", JudgedPath(None, "\\\\server\\share", ("a",))),
        ("\\\\SERVER\\Share", JudgedPath(None, "\\\\SERVER\\Share", ())),
        ("//server//share//a", JudgedPath(None, "\\\\server\\share", ("a",))),
        ("//nas/c$/a", JudgedPath(None, "\\\\nas\\c$", ("a",))),
    ],
)
def test_a_share_on_the_allow_list_may_be_used(text: str, judged: JudgedPath) -> None:
    terms = PathTerms(unc_shares=(("server", "Share"), ("NAS", "C$")))
    assert judge_path(text, terms=terms) == judged


@pytest.mark.parametrize(
    "text",
    ["//server/other/a", "//other/share", "//server", "///server/share", "//server/share2", "//?/UNC/server/share"],
)
def test_the_allow_list_opens_no_other_share(text: str) -> None:
    assert find_rule(text, PathTerms(unc_shares=(("server", "share"),))) == "P9"


def test_below_an_allowed_share_all_rules_hold() -> None:
    terms = PathTerms(unc_shares=(("server", "share"),))
    assert find_rule("//server/share/../a", terms) == "P11"
    assert find_rule("//server/share/NUL", terms) == "P5"


def test_what_is_reserved_by_policy_alone_can_be_allowed() -> None:
    terms = PathTerms(reserved_by_policy=frozenset())
    assert [find_rule(name, terms) for name in ("COM0", "LPT0.txt", "CLOCK$")] == [None] * 3
    assert find_rule("COM1", terms) == "P5"
    assert find_rule("desk.txt", PathTerms(reserved_by_policy=frozenset({"DESK"}))) == "P5"


# --- single names and members of archives


@pytest.mark.parametrize("name", ["a", "żółć 日本 😀.txt", ".hidden", "~a", "a.b.c", LONG])
def test_a_good_name_is_given_back_as_it_is(name: str) -> None:
    assert judge_name(name) == name


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("", "P18"),
        ("a/b", "P18"),
        ("a\\b", "P18"),
        ("/", "P18"),
        (".", "P6"),
        ("..", "P11"),
        ("a:b", "P4"),
        ("C:", "P4"),
        ("desktop:", "P4"),
        ("NUL.txt", "P5"),
        ("~", "P12"),
        ("%TEMP%", "P12"),
        ("PROGRA~1", "P13"),
        ("desktop.ini", "P17"),
        ("a\x00", "P1"),
        ("n" * 256, "P14"),
        ("．．", "P16"),
    ],
)
def test_a_bad_name_is_refused_by_its_rule(name: str, rule: str) -> None:
    with pytest.raises(PolicyError) as caught:
        judge_name(name)
    assert (caught.value.code, caught.value.evidence["rule"]) == ("path_refused", rule)


def test_a_member_of_an_archive_stays_below_its_folder() -> None:
    assert judge_member("./a/b.txt").parts == ("a", "b.txt")
    assert judge_member("a/b/").parts == ("a", "b")


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("../a", "P11"),
        ("a/../../b", "P11"),
        ("a\\..\\b", "P11"),
        ("/etc/passwd", "P10"),
        ("\\a", "P10"),
        ("C:a", "P10"),
        ("C:/a", "P21"),
        ("C:\\a", "P21"),
        ("desktop:/a", "P21"),
        ("drive:D:/a", "P21"),
        ("//server/share/a", "P9"),
        ("//?/C:/a", "P8"),
        ("//./C:/a", "P7"),
        ("a/NUL", "P5"),
        ("a:b", "P10"),
        ("ab:c", "P4"),
        ("a/b.", "P6"),
        ("PROGRA~1/a", "P13"),
        ("a/autorun.inf", "P17"),
        ("a\x00b", "P1"),
        ("a\u202eb", "P16"),
        ("", "P18"),
    ],
)
def test_a_member_of_an_archive_that_would_leave_it_is_refused(name: str, rule: str) -> None:
    with pytest.raises(PolicyError) as caught:
        judge_member(name)
    assert (caught.value.code, caught.value.evidence["rule"]) == ("path_refused", rule)


# --- properties

pieces = st.sampled_from(
    [
        *("a", "B", "..", ".", " ", "C:", "d:", "~", "~1", "/", "\\", "//", "desktop:/", "drive:", "?", "é", "\x00"),
        *("NUL", "com1", "COM¹", "．", "％", "%", "$", "env:", "{", "desktop.ini", "UNC", "GLOBALROOT", "ﬁ", "con$"),
        *("😀", "\u200b", "\u00a0"),
    ]
)
texts = st.lists(st.one_of(pieces, st.text(max_size=3)), max_size=7).map("".join)
terms = st.builds(
    PathTerms,
    creating=st.booleans(),
    folder=st.booleans(),
    writing=st.booleans(),
    long_paths=st.booleans(),
    base_length=st.integers(0, 300),
)


@given(texts, terms)
def test_the_verdict_depends_on_neither_the_separator_nor_the_case(text: str, terms: PathTerms) -> None:
    assert len({find_rule(each, terms) for each in (text, text.translate(SLASHES), swap_case(text))}) == 1


@given(texts, terms)
def test_of_an_accepted_path_every_part_is_accepted_and_none_is_made_up(text: str, terms: PathTerms) -> None:
    try:
        judged = judge_path(text, terms=terms)
    except PolicyError:
        return
    assert all(judge_name(part, terms=terms) == part for part in judged.parts)
    rest = iter(text)
    assert all(char in rest for char in "".join(judged.parts))


@given(st.lists(st.text(min_size=1, max_size=6), min_size=1, max_size=4))
def test_a_path_of_good_names_is_good_below_an_anchor(names: list[str]) -> None:
    rules = {find_rule(f"./{name}") for name in names}
    text = "desktop:/" + "/".join(names)
    assert (find_rule(text) is None) == (rules == {None})


@given(texts)
def test_an_accepted_path_is_accepted_again_as_it_was_read(text: str) -> None:
    try:
        judged = judge_path(text)
    except PolicyError:
        return
    head = {None: f"{judged.drive}/" if judged.drive else "./", "drive": f"drive:{judged.drive}/"}
    written = head.get(judged.anchor, f"{judged.anchor}:/") + "/".join(judged.parts)
    assert judge_path(written) == judged


@pytest.mark.skipif(sys.version_info < (3, 13), reason="needs ntpath.isreserved of Python 3.13")
@given(st.text(min_size=1, max_size=8))
def test_what_python_calls_reserved_on_windows_is_refused(name: str) -> None:
    if sys.version_info >= (3, 13) and ntpath.isreserved(name):
        assert find_rule(f"./{name}") is not None
