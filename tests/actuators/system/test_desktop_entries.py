import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.system.linux.desktop_entries import (
    BadEntryError,
    DesktopEntry,
    expand_command,
    list_locales,
    parse_entry,
    split_command,
)

ARGUMENTS = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)))


def parse(*lines: str, **variables: str) -> DesktopEntry | None:
    text = "\n".join(["[Desktop Entry]", "Type=Application", *lines])
    return parse_entry(text, "test.app", "/x/test.app.desktop", variables)


def entry(command: str, icon: str = "") -> DesktopEntry:
    return DesktopEntry(
        id="a", name="Näme", names=(), command=tuple(split_command(command)), path="/x/a.desktop", icon=icon
    )


def quote_argument(argument: str) -> str:
    escaped = "".join(f"\\{each}" if each in '"`$\\' else each for each in argument.replace("%", "%%"))
    return f'"{escaped}"'


@given(st.lists(ARGUMENTS, min_size=1))
def test_what_is_quoted_comes_back_as_it_was(arguments: list[str]):
    command = " ".join(quote_argument(each) for each in arguments)
    assert expand_command(entry(command), ()) == arguments


@given(st.text())
def test_any_line_is_split_or_refused(command: str):
    try:
        tokens = list(split_command(command))
    except BadEntryError:
        return
    assert expand_command(entry(command), ["a", "b"]) is not None
    assert all("\0" not in each or "\0" in command for each in tokens)


@given(st.lists(ARGUMENTS))
def test_arguments_reach_the_program_as_they_are(arguments: list[str]):
    assert expand_command(entry("app --open %U --end"), arguments) == ["app", "--open", *arguments, "--end"]
    assert expand_command(entry("app --plain"), arguments) == ["app", "--plain", *arguments]


@pytest.mark.parametrize(
    ("command", "argv"),
    [
        ("app", ["app"]),
        ('"/opt/My App/run" --x', ["/opt/My App/run", "--x"]),
        ('app "a \\"quoted\\" \\$HOME \\\\ \\`x\\`"', ["app", 'a "quoted" $HOME \\ `x`']),
        ('app "keeps \\n as it is"', ["app", "keeps \\n as it is"]),
        ("sh -c 'echo $HOME; ls'", ["sh", "-c", "echo $HOME; ls"]),
        ('app --name="two words"', ["app", "--name=two words"]),
        ("app %d %D %n %N %v %m end", ["app", "end"]),
        ("app 100%%", ["app", "100%"]),
        ("app --title=%c --from %k", ["app", "--title=Näme", "--from", "/x/a.desktop"]),
        ('app ""', ["app", ""]),
        ("app\\ one two", ["app one", "two"]),
        ("  app\t x  ", ["app", "x"]),
    ],
)
def test_a_command_is_read_by_the_rules_of_the_specification(command: str, argv: list[str]):
    assert expand_command(entry(command), ()) == argv


def test_the_icon_is_handed_over_where_there_is_one():
    assert expand_command(entry("app %i", icon="pen"), ()) == ["app", "--icon", "pen"]
    assert expand_command(entry("app %i"), ()) == ["app"]


def test_a_place_within_an_argument_is_filled_or_dropped_with_it():
    assert expand_command(entry("app --uri=%u"), ["x y"]) == ["app", "--uri=x y"]
    assert expand_command(entry("app --uri=%u"), []) == ["app"]


@pytest.mark.parametrize("command", ['app "open', "app 'open", "app %", "app %q", 'app "\\'])
def test_what_breaks_the_rules_is_refused(command: str):
    with pytest.raises(BadEntryError):
        list(split_command(command))


def test_names_are_in_the_language_of_the_person():
    lines = ("Exec=app", "Name=Text", "Name[pl]=Tekst", "Name[pt_BR]=Texto", "GenericName=Editor", "Name[de@x]=Wort")
    plain, polish = parse(*lines), parse(*lines, LANG="pl_PL.UTF-8")
    assert plain is not None
    assert polish is not None
    assert (plain.name, plain.names) == ("Text", ("Editor",))
    assert (polish.name, polish.names) == ("Tekst", ("Text", "Editor"))
    brazilian = parse(*lines, LC_ALL="pt_BR.UTF-8", LANG="pl_PL")
    assert brazilian is not None
    assert brazilian.name == "Texto"


@pytest.mark.parametrize(
    ("variables", "locales"),
    [
        ({}, ()),
        ({"LANG": "C.UTF-8"}, ()),
        ({"LANG": "de"}, ("de",)),
        ({"LANG": "sr_RS.UTF-8@latin"}, ("sr_RS@latin", "sr_RS", "sr@latin", "sr")),
        ({"LC_MESSAGES": "fr_CA", "LANG": "de"}, ("fr_CA", "fr")),
    ],
)
def test_locales_are_tried_from_the_most_to_the_least_precise(variables: dict[str, str], locales: tuple[str, ...]):
    assert list_locales(variables) == locales


@pytest.mark.parametrize("lines", [("Exec=app", "Hidden=true"), ("Name=x",), ("Exec=",), ("Exec=   ",)])
def test_what_is_deleted_or_has_no_command_is_none(lines: tuple[str, ...]):
    assert parse(*lines) is None


def test_other_groups_and_other_types_do_not_count():
    found = parse("Exec=app", "Name=A", "[Desktop Action x]", "Exec=rm -rf", "Name=B")
    assert found is not None
    assert (found.name, found.command) == ("A", ("app",))
    assert parse_entry("[Desktop Entry]\nType=Link\nExec=app\n", "x", "/x", {}) is None


def test_menus_of_other_desktops_do_not_show_it():
    shown = {
        desktop: parse("Exec=a", "OnlyShowIn=GNOME;KDE;", XDG_CURRENT_DESKTOP=desktop)
        for desktop in ("ubuntu:GNOME", "XFCE")
    }
    assert {desktop: each is not None and each.shown for desktop, each in shown.items()} == {
        "ubuntu:GNOME": True,
        "XFCE": False,
    }
    hidden = parse("Exec=a", "NoDisplay=true")
    assert hidden is not None
    assert not hidden.shown


@given(st.text())
def test_any_file_is_read_or_refused(text: str):
    try:
        found = parse_entry(f"[Desktop Entry]\nType=Application\nExec=app\n{text}", "x", "/x", {"LANG": "pl_PL"})
    except BadEntryError:
        return
    assert found is None or found.command
