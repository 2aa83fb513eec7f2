"""Writes what is made of the code: docs/rules.md, docs/errors.md, and which perturbed examples of the phrase files are misread.

The rules come from the rules table and the tools' signatures, the errors from the code and the table of codes. Nothing else is kept:
`.venv/bin/python scripts/docs.py --all FOLDER` also writes every tool, every message side by side and the help of every command, into a folder of
your choice. `--check` writes nothing: it ends with 1 where one of the two documents is out of date. What is misread is compared by a test of the language.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

NAMES = ("docs/rules.md", "docs/errors.md")
_HELP_WIDTH = 80
_CLASSES = {"actuate": "acts", "observe": "only looks"}
_REPEATS = {"safe": "may be repeated", "at_most_once": "is done at most once"}
_SEMANTIC = "Only shapes the context that later goals find; never reaches the tool."


def describe_tools() -> list[dict[str, Any]]:
    """Return every tool as data, sorted by name."""
    from agent.assembly import list_families, make_registry
    from agent.settings.settings import Settings
    from agent.tool_schemas import describe_tool

    registry = make_registry(list_families(Settings.model_construct(), ROOT))
    return [describe_tool(spec) for spec in registry.specs()]


def write_rules() -> str:
    """Return docs/rules.md."""
    from agent.rule_tables import describe_rules
    from scripts.documents.examples import find_example

    rules = describe_rules()
    tools = {tool["name"]: tool for tool in describe_tools()}
    lines = [
        "# Verbs",
        "",
        f"What goals can say: {len(rules)} verbs. Made from the rules table by `scripts/docs.py`; `surehand rules --json` is the",
        "same as data. A param marked * is required. Selectors are described in [selectors.md](guides/selectors.md), flow files in",
        "[flows.md](guides/flows.md).",
        "",
        " · ".join(f"[{_name(rule)}](#{_name(rule).replace('.', '')})" for rule in rules),
        "",
    ]
    for rule in rules:
        example = find_example(rule["domain"], rule["verb"])
        lines += _describe_rule(rule, tools[f"{rule['domain']}_{rule['verb']}"], example)
    return "\n".join(lines)


def _name(rule: dict[str, Any]) -> str:
    return f"{rule['domain']}.{rule['verb']}"


def _describe_rule(rule: dict[str, Any], tool: dict[str, Any], example: str) -> Iterator[str]:
    yield from (f"## {_name(rule)}", "", tool["description"], "")
    yield from ("```yaml goal", f"- {_name(rule)}: {example}", "```", "")
    if rule["params"]:
        yield from ("| param | type | meaning |", "| --- | --- | --- |")
        known = tool["parameters"]["properties"]
        for param in rule["params"]:
            meaning = known.get(param["name"], {}).get("description", _SEMANTIC)
            star = "*" if param["required"] else ""
            yield f"| `{param['name']}`{star} | {_escape(_describe_type(param))} | {_escape(meaning)} |"
        yield ""
    yield from (f"- {fact}" for fact in _list_facts(rule, tool))
    yield ""


def _describe_type(param: dict[str, Any]) -> str:
    allowed = param.get("allowed")
    default = param.get("default")
    if isinstance(allowed, str):
        text = f"{param['type']}; {allowed.replace('from settings:', 'one of the')}"
    elif allowed is None:
        text = str(param["type"])
    else:
        values = ", ".join(f"`{each}`" for each in allowed)
        text = f"{param['type']} out of {values}" if param["type"].startswith("list") else values
    return text if default is None else f"{text}; default `{json.dumps(default)}`"


def _list_facts(rule: dict[str, Any], tool: dict[str, Any]) -> Iterator[str]:
    asks = "no approval" if rule["approval"] == "none" else f"the approval `{rule['approval']}`"
    yield f"It {_CLASSES[rule['action_class']]}, needs {asks}, and {_REPEATS[rule['repeat']]}; undo: `{rule['undo']}`."
    if rule["action_class"] == "actuate":
        yield f"Settled after a crash by `{rule['recovery']}`."
    yield from _list_effects(rule)
    yield f"Needs: {_list_names(rule['needs']) or 'nothing'}{_tell_bootstraps(rule)}. Given up after {rule['timeout_s']:g} s."
    yield from (_tell_needs(param) for param in rule["params"] if "needs" in param)
    if rule["opt_in"]:
        yield f"It is off; `--allow {rule['domain']}.{rule['verb']}` turns it on for one run."
    if rule["code_is"]:
        yield f"Where what it gives the program is code, it is `{rule['code_is']}`: that must be turned on."
    yield from (f"Exactly one of {_list_names(group)} must be given." for group in rule["choose_one"])
    yield from (f"At least one of {_list_names(group)} must be given." for group in rule["choose_any"])
    for param, (domain, key) in rule["context_consumption"].items():
        yield f"A missing `{param}` is taken from the context `{domain}.{key}`."
    if production := rule["context_production"]:
        kept = ", ".join(f"`{production['domain']}.{key}`" for key in production["keys"])
        only = ", even where that is all that is given" if rule["allow_semantic_only"] else ""
        yield f"Leaves the context {kept}{only}."
    yield _escape(tool["returns"])


def _list_effects(rule: dict[str, Any]) -> Iterator[str]:
    """Yield what becomes of things by a verb, and what it holds meanwhile."""
    if rule["destroys"]:
        yield f"What {_list_names(rule['destroys'])} names is lost by it, so that words like “it” are asked about where unsure."
    if made := rule["makes"] or rule["opens"]:
        yield f"Remembered afterwards as {'made' if rule['makes'] else 'opened'}: the {made}."
    if rule["holds_seat"]:
        yield "Pointer, keyboard and focus are its own while it acts."
    if rule["reads"]:
        yield f"What it gives is read from: {rule['reads']}."


def _tell_needs(param: dict[str, Any]) -> str:
    """Return what some values of a param need beside what the verb needs."""
    given = "; ".join(f"`{need}` ({', '.join(map(_escape, values))})" for need, values in param["needs"].items())
    return f"With `{param['name']}`: {given}."


def _tell_bootstraps(rule: dict[str, Any]) -> str:
    opened = ", ".join(f"`{each}`" for each in rule["session_bootstraps"])
    return f"; opens a {opened} where there is none" if opened else ""


def _list_names(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _escape(text: str) -> str:
    return text.replace("|", "\\|").replace("``", "`")


def write_tools() -> str:
    """Return every tool with its params, what it returns and what it raises."""
    tools = describe_tools()
    lines = [
        "# Tools",
        "",
        f"What actions call: {len(tools)} tools, one for each verb. Made from the tools' signatures and docstrings by",
        "`scripts/docs.py`; `surehand tools --json` has the same as JSON Schemas. Planned arguments can't be changed, nor others added,",
        "by whoever resolves an action.",
        "",
    ]
    for tool in tools:
        lines += _describe_tool(tool)
    return "\n".join(lines)


def _describe_tool(tool: dict[str, Any]) -> Iterator[str]:
    properties: dict[str, Any] = tool["parameters"].get("properties", {})
    required = tool["parameters"].get("required", [])
    yield from (f"## {tool['name']}", "", f"{tool['description']} Intent `{tool['intent']}`.", "")
    for name, schema in properties.items():
        default = "" if name in required else f" = {json.dumps(schema.get('default'))}"
        yield f"- `{name}: {_write_schema(schema)}{default}` — {_escape(schema.get('description', ''))}"
    yield from ([""] if properties else [])
    yield from (f"Returns: {_escape(tool['returns'])}", "") if tool["returns"] else ()
    for error, when in tool["raises"].items():
        yield f"- `{error}`: {_escape(when)}"
    yield from ([""] if tool["raises"] else [])


def _write_schema(schema: dict[str, Any]) -> str:
    """Return a JSON Schema in one line, as people write types."""
    if "anyOf" in schema:
        return " | ".join(_write_schema(each) for each in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(json.dumps(each) for each in schema["enum"])
    if "prefixItems" in schema:
        return f"[{', '.join(_write_schema(each) for each in schema['prefixItems'])}]"
    if "items" in schema:
        return f"list of ({_write_schema(schema['items'])})"
    if schema.get("pattern", "").startswith("^secret:"):
        return "secret:name"
    return str(schema.get("type", json.dumps(schema.get("const", "any"))))


def write_help() -> str:
    """Return the help of every command, one after the other, 80 columns wide."""
    from typer import Context
    from typer.main import get_command

    from agent.cli.main import app

    def collect(command: Any, name: str, parent: Context | None) -> Iterator[str]:
        context = command.make_context(name, [], parent=parent, resilient_parsing=True)
        context.terminal_width = _HELP_WIDTH
        yield f"$ {context.command_path} --help\n{command.get_help(context).rstrip()}\n"
        for below in command.list_commands(context) if hasattr(command, "list_commands") else ():
            yield from collect(command.get_command(context, below), below, context)

    return "\n".join(collect(get_command(app), "surehand", None))


def make(name: str) -> str:
    """Return what has to be in a kept document."""
    from scripts.documents.errors import write_errors

    return write_rules() if name == "docs/rules.md" else write_errors(describe_tools())


def list_stale() -> dict[str, str]:
    """Return the kept documents that are out of date, with what has to be in them."""
    made = {name: make(name) for name in NAMES}
    return {name: text for name, text in made.items() if (ROOT / name).read_text(encoding="utf-8") != text}


def write(folder: Path, texts: Mapping[str, str]) -> None:
    """Write files into a folder, and name them."""
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        print(f"{path}: written")


def renew_misread(path: Path) -> None:
    """Write which perturbed examples are misread, and print what changed."""
    from scripts.documents.readings import describe_changes, read_perturbed, write_misread

    old, new = path.read_text(encoding="utf-8"), write_misread(read_perturbed())
    if old != new:
        print(describe_changes(old, new))
        write(path.parent, {path.name: new})


def main() -> int:
    """Write the files, or check them; return 1 if a check found one out of date."""
    from scripts.documents.messages import write_messages
    from scripts.documents.readings import KEPT

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; end with 1 where a document is out of date"
    )
    parser.add_argument("--all", type=Path, metavar="FOLDER", help="write what isn't kept as well, into this folder")
    asked = parser.parse_args()
    stale = list_stale()
    if asked.check:
        if stale:
            print(f"{', '.join(stale)}: out of date; run scripts/docs.py")
        return 1 if stale else 0
    write(ROOT, stale)
    renew_misread(KEPT)
    if asked.all:
        write(asked.all, {"tools.md": write_tools(), "messages.md": write_messages(), "help.txt": write_help()})
    return 0


if __name__ == "__main__":
    sys.exit(main())
