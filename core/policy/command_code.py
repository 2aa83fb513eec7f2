"""Whether a command line gives code to what runs it, so that starting a program is running a command by another name.

Shells, interpreters and programs that start others are known by name; of most of them any argument counts as code but those
known to be harmless, since whoever tells their switches apart one by one misses one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from core.base.errors import PolicyError
from core.base.late_parts import compile_late
from core.policy.command_table import CODE_RUNNERS, EVERYWHERE, HARMLESS, READ_BY_SHELL, SCRIPT_ENDINGS, CodeRunner
from core.policy.policy import Policy

_SEPARATORS = compile_late(r"[/\\]")
_ENDING = compile_late(r"\.(exe|com|bin|real|wrapped|app)$")
_VERSION = compile_late(r"[-._]?\d+([._]\d+)*([-._]?(dbg|debug|m|t|w|32|64))*$")
_MACHINE = compile_late(
    r"[-.](x86_64|i[3-6]86|aarch64|arm|riscv64)-linux-[a-z]+$|^(x86_64|i[3-6]86|aarch64|arm|riscv64)-linux-[a-z]+-"
)
_LOADER = compile_late(r"ld(-linux.*|-musl.*|64)?\.so(\.\d+)?|ld-[\d.]+\.so")
_LEAST_ABBREVIATION = 4
"""Characters of a long switch that its programs may take for the whole."""

_RUNNERS: Mapping[str, tuple[CodeRunner, ...]] = {
    name: tuple(each for each in CODE_RUNNERS if name in each.names)
    for name in {name for each in CODE_RUNNERS for name in each.names}
}


def find_code(own: Sequence[str], given: Sequence[str], aliases: Sequence[str] = ()) -> str:
    """Return why a command line gives code to what runs it; empty if it doesn't.

    The arguments that a program always has, those of a desktop entry, were chosen by whoever installed it. Aliases are
    other names of the program, such as what a link to it leads to.
    """
    if not own:
        return ""
    name = own[0]
    if given and name.lower().endswith(READ_BY_SHELL):
        return f"{_cut(name)} is read by a shell, and so are its arguments"
    for place in range(len(own) - 1, 0, -1):  # the last of those that start one another gets the arguments
        if _find_runners(own[place]):
            return find_code(own[place:], given)
    if switch := next((each for each in given if _is_switch(each, EVERYWHERE)), ""):
        return f"{_cut(switch)} lets {_cut(name)} load code or start a program"
    return next((why for each in _list_runners(name, aliases) if (why := _judge(each, name, own[1:], given))), "")


def check_command(own: Sequence[str], given: Sequence[str], policy: Policy, verb: str) -> None:
    """Refuse by a PolicyError a command line that gives code to what runs it, unless policy allows the verb for that."""
    script = f"{_cut(own[0])} is a script" if len(own) == 1 and names_script(own[0]) else ""
    check_code(script or find_code(own, given), policy, verb)


def check_code(why: str, policy: Policy, verb: str) -> None:
    """Refuse by a PolicyError what is code, for ``why`` if that isn't empty, unless policy allows the verb for that."""
    if not why:
        return
    if verb not in policy.extra_verbs:
        text = f"{why}; that needs {verb}, which is off by default."
        raise PolicyError(text, hint=f"Turn it on for one run: --allow {verb}.", evidence={"verb": verb, "reason": why})
    policy.check_verb(verb, opt_in=True)


def names_script(program: str) -> bool:
    """Tell whether a program is named by the path of a script, so that somebody else is to read it."""
    return bool(_SEPARATORS.search(program)) and program.lower().endswith(SCRIPT_ENDINGS)


def _judge(runner: CodeRunner, name: str, fixed: Sequence[str], given: Sequence[str]) -> str:
    if runner.alone and not (given and _keeps_harmless(runner, given)):
        return f"{_cut(name)} is {runner.title}"
    if runner.switches:
        if runner.dashless and given and not given[0].startswith("-"):
            given = (f"-{given[0]}", *given[1:])
        found = next((each for each in given if _is_switch(each, runner.switches, bundled=runner.bundled)), "")
        return f"{_cut(name)} is {runner.title}, and {_cut(found)} gives it one" if found else ""
    if any(not each.startswith(("-", "%")) for each in fixed):
        return ""  # its own arguments say what it runs; what is given goes to that
    return "" if _keeps_harmless(runner, given) else f"{_cut(name)} is {runner.title}, and is told what to run"


def _keeps_harmless(runner: CodeRunner, given: Sequence[str]) -> bool:
    known, rest = {**HARMLESS, **runner.harmless}, list(given)
    while rest:
        switch, equals, _ = rest.pop(0).partition("=")
        if switch not in known:
            return False
        if not equals:
            del rest[: known[switch]]
    return True


def _is_switch(argument: str, switches: Sequence[str], *, bundled: bool = False) -> bool:
    """Tell whether an argument is one of these switches: written out, cut short, with its value, or among others."""
    word = argument.partition("=")[0]
    for switch in switches:
        if switch.startswith("--"):
            short = len(word) >= _LEAST_ABBREVIATION and switch.startswith(word)
            found = short or word in {switch, switch[1:]}
        else:
            found = argument.startswith(switch) and not argument.startswith("--")
        letters = re.fullmatch(r"-(\w\w?)", switch) if bundled else None
        among = letters and re.match(f"-[A-Za-z0-9]*{letters[1]}", argument)
        if found or among:
            return True
    return False


def _list_runners(name: str, aliases: Sequence[str]) -> Iterator[CodeRunner]:
    yield from _find_runners(name)
    for alias in aliases:
        yield from (each for each in _find_runners(alias) if not each.by_name)


def _find_runners(program: str) -> tuple[CodeRunner, ...]:
    """Return the kinds of a program, whatever its folder, ending and version are."""
    bare = _ENDING.sub("", _SEPARATORS.split(program.casefold())[-1].strip())
    bare = _MACHINE.sub("", bare)
    if _LOADER.fullmatch(bare):
        bare = "ld.so"
    return _RUNNERS.get(bare) or _RUNNERS.get(_VERSION.sub("", bare), ())


def _cut(text: str) -> str:
    """Return enough of a program's name or an argument to tell which is meant."""
    name = _SEPARATORS.split(text)[-1] if not text.startswith("-") else text.partition("=")[0]
    return name[:80] or text[:80]
