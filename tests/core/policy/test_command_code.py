"""What is given to a program is code, or it isn't: by a table, and never by how it is spelled."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import PolicyError
from core.policy.command_code import check_command, find_code, names_script
from core.policy.command_table import CODE_RUNNERS, EVERYWHERE, HARMLESS
from core.policy.policy import Policy
from tests.cases import each_case
from tests.core.samples import make_setting, plan_action

CODE = [
    "sh -c id",
    "bash -lc id",
    "dash script.sh",
    "python3 -c 1",
    "python3.11 -m http.server",
    "python x.py",
    "perl -e 1",
    "perl5.36-x86_64-linux-gnu -e 1",
    "x86_64-linux-gnu-gcc-12 -wrapper id x.c",
    "sensible-editor -c :!id",
    "dpkg-architecture -c id",
    "pasuspender -- id",
    "prove -e id x",
    "pdb3.11 x.py",
    "scp -S id a b:c",
    "openbox --startup id",
    "node -e 1",
    "node x.js",
    "ruby -e 1",
    "env sh -c id",
    "env FOO=1 mousepad",
    "xargs rm",
    "sudo id",
    "nice sh",
    "timeout 5 sh -c id",
    "setsid id",
    "nohup id",
    "cmd /c dir",
    "CMD.EXE /c dir",
    "powershell -Command dir",
    "powershell.exe -EncodedCommand AAAA",
    "pwsh -File x.ps1",
    "wscript x.vbs",
    "mshta x.hta",
    "rundll32 a.dll,b",
    "osascript -e 1",
    "awk BEGIN{}",
    "gawk -f x",
    "sed -n 1e",
    "find . -exec id ;",
    "find . -execdir id ;",
    "fd -x id",
    "ssh host id",
    "xterm -e sh",
    "xterm sh",
    "xterm -geometry 80x24 -e sh",
    "gnome-terminal -- sh",
    "konsole -e sh",
    "busybox sh",
    "vim -c :!id",
    "vim +:!id",
    "vim -Nu evil.vim",
    "vim -o2c :!id",
    "less -Rk keys",
    "nano -mf rc",
    "emacsclient -na id x",
    "emacsclient --alternate-editor=id x",
    "fd -0Hx id",
    "zip -qTT id a.zip b",
    "wget -qe use_askpass=id x",
    "emacs --eval 1",
    "emacs --ev=1",
    "make",
    "make -f x",
    "git clone x",
    "npx x",
    "docker run x",
    "systemd-run id",
    "dbus-run-session id",
    "gtk-launch evil.desktop",
    "xdg-open evil.desktop",
    "tar --checkpoint=1 --checkpoint-action=exec=id x",
    "tar --checkpoint-act=exec=id x",
    "tar -cIid x",
    "tar cIf id a.tar x",
    "tar xFf id a.tar",
    "mpv --script=x.lua",
    "mpv -script=x.lua",
    "mpv --scripts-append=x.lua",
    "mpv --script-opts-append=ytdl_hook-ytdl_path=x http://x",
    "mpv --input-commands=run,id film.mkv",
    "mpv --vf-add=vapoursynth=x.py film.mkv",
    "vlc --extraintf=x",
    "libreoffice macro:///x",
    "chromium --gpu-launcher=id",
    "anything --renderer-cmd-prefix=id",
    "mousepad --gtk-module=/tmp/x.so",
    "/lib64/ld-linux-x86-64.so.2 /bin/id",
    "java -jar x.jar",
    "wine x.exe",
    "setup.bat & calc",
]
NO_CODE = [
    "firefox",
    "firefox https://example.com/",
    "firefox --private-window https://example.com/",
    "chromium --new-window",
    "mousepad notes.txt",
    "galculator",
    "bash",
    "bash --version",
    "python3 --help",
    "xterm",
    "xterm -geometry 80x24 -title Notes",
    "gnome-terminal --working-directory=/tmp",
    "vim notes.txt",
    "vim -R notes.txt",
    "less -N notes.txt",
    "emacs -nw -geometry 80x24 notes.txt",
    "less notes.txt",
    "find . -name x",
    "find . -maxdepth 1 -regex x",
    "zip -qr a.zip b",
    "tar -cf a.tar b",
    "tar czf Ifs.tar.gz Information",
    "mpv film.mkv",
    "mpv --fs --volume=50 film.mkv",
    "vlc --fullscreen film.mkv",
    "libreoffice letter.odt",
    "gimp picture.png",
    "code .",
    "text editor",
    "Image Viewer",
]
NAMES = sorted({name for each in CODE_RUNNERS for name in each.names})


@each_case("line", CODE)
def test_what_a_program_runs_because_it_was_told_so_is_code(line: str) -> None:
    program, *arguments = line.split()
    assert find_code([program], arguments)
    with pytest.raises(PolicyError, match=r"that needs system\.run, which is off") as caught:
        check_command([program], arguments, Policy(), "system.run")
    assert caught.value.hint == "Turn it on for one run: --allow system.run."
    check_command([program], arguments, Policy(extra_verbs=("system.run",)), "system.run")


@pytest.mark.parametrize("line", NO_CODE)
def test_everyday_launches_are_no_code(line: str) -> None:
    program, *arguments = line.split(" ")
    assert not find_code([program], arguments)
    assert not find_code([line], [])
    check_command([program], arguments, Policy(), "system.run")


def test_policy_that_names_no_verb_for_commands_allows_no_code_even_where_it_is_switched_on() -> None:
    policy = Policy(verbs=("system.launch",), extra_verbs=("system.run",))
    with pytest.raises(PolicyError, match="not among the verbs"):
        check_command(["sh"], ["-c", "id"], policy, "system.run")


@given(
    st.sampled_from([each for each in NAMES if not each[-1].isdigit()]),
    st.sampled_from(["", "/bin/", "/usr/local/bin/", "../", r"C:\Windows\\"]),
    st.sampled_from(["", ".exe", ".EXE", "3", "-5.1", "3.11"]),
    st.sampled_from([str.lower, str.upper, str.title]),
)
def test_neither_folder_nor_ending_nor_version_nor_case_hides_a_program(
    name: str, folder: str, ending: str, case: Callable[[str], str]
) -> None:
    told = folder + case(name) + ending
    switches = next(each.switches for each in CODE_RUNNERS if name in each.names)
    argument = switches[0] if switches else "-c"
    assert find_code([told], [f"{argument}=x" if argument.startswith("--") else argument, "x"])


@given(
    st.lists(st.sampled_from(["env", "nice", "sudo", "xterm", "timeout", "setsid"]), min_size=1, max_size=4), st.text()
)
def test_what_starts_others_is_code_however_often_it_is_put_in_front(starters: list[str], word: str) -> None:
    assert find_code([starters[0]], [*starters[1:], "sh", "-c", word])


@given(st.lists(st.text(min_size=1)))
def test_an_interpreter_that_is_given_anything_unknown_is_given_code(arguments: list[str]) -> None:
    harmless = all(each.partition("=")[0] in HARMLESS for each in arguments)
    assert bool(find_code(["python3"], arguments)) is not harmless


@given(st.text(min_size=1).filter(lambda text: not text.startswith("-")), st.sampled_from(EVERYWHERE))
def test_switches_that_load_code_count_for_every_program(program: str, switch: str) -> None:
    assert find_code([program], [f"{switch}=/tmp/x"])


@given(st.lists(st.text()), st.lists(st.text()))
def test_any_command_line_can_be_judged(own: list[str], arguments: list[str]) -> None:
    assert isinstance(find_code(own, arguments), str)


def test_what_an_entry_gives_its_own_interpreter_keeps_what_is_given_from_being_code() -> None:
    assert not find_code(["python3", "/usr/share/app.py"], ["notes.txt"])
    assert not find_code(["env", "A=1", "/usr/bin/mousepad"], ["notes.txt"])
    assert find_code(["xterm", "-e", "python3"], ["notes.txt"])
    assert find_code(["env", "A=1", "bash"], ["notes.txt"])


def test_another_name_of_a_shell_does_not_hide_it_and_several_in_one_are_what_they_are_called() -> None:
    assert find_code(["/opt/harmless"], ["-c", "id"], ["/usr/bin/dash"])
    assert not find_code(["/bin/ls"], ["-l"], ["/bin/busybox"])


@pytest.mark.parametrize(("app", "is_script"), [("./x.sh", True), ("/a/b.DESKTOP", True), ("org.x.desktop", False)])
def test_a_script_is_named_by_its_path(app: str, is_script: bool) -> None:
    assert names_script(app) is is_script


def test_code_for_a_shell_is_refused_while_planning() -> None:
    with pytest.raises(AssertionError, match=r"that needs system\.run"):
        plan_action("system", "launch", {"app": "sh", "args": ["-c", "id"]}, make_setting(policy=Policy()))
    assert plan_action("system", "launch", {"app": "sh", "args": ["-c", "id"]}).approval == "run_job"
    assert plan_action("system", "launch", {"app": "firefox"}, make_setting(policy=Policy())).approval == "run_job"
