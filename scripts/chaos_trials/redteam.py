"""Lets a hostile caller look for a token, a key or a yes: `python3 scripts/chaos.py redteam [--tries N] [--seed N] [--json FILE]`.

A real `surehand serve` has the person's whole home as its workspace, with links in it that lead to Surehand's own folders. Two callers try
every verb that takes a path or an address, in every spelling, as goals and as sentences: the token of one only reads and runs; the other
may approve changes of files, and does. The first also begins acts that need a yes and answers them himself at every door, and guesses
codes of the console. Afterwards everything that he was told, and
every file that he made, is searched for tokens, keys, codes, what the person remembered, and digests of Surehand's own files. Ends with
0 only if nothing was found (`crossings`), and nothing that needs a yes was done (`grants`).
"""

import argparse
import asyncio
import hashlib
import json
import os
import random
import secrets
import shutil
import sys
import tempfile
import zipfile
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from agent.access.token_files import make_token
from fixtures.hostile.self_approval import Ground, list_tries
from scripts import bench
from scripts.chaos_trials.proof import is_proven, scale

PROGRAM = Path(sys.executable).parent / "surehand"
_AT_ONCE = 4
_TRY_S = 120.0
_SHOWN = 20
_LOOKS, _LOOK_S = 100, 0.05
_DOORS = ("", "cli", "console", "client", "chat", "http", "voice", "mcp", "completions", "nobody")
_DIGESTS = ("sha256", "sha1", "md5")


@dataclass(slots=True)
class Attack:
    """An attack under way.

    Attributes:
        ground: What is attacked.
        address: Where the service answers.
        tokens: Of the one who only runs, and of the one who may approve.
        treasures: What must not be found, by what it is.
        counts: What came of it.
        examples: What was found.
        codes: What refusals were told as.
    """

    ground: Ground
    address: str
    tokens: Sequence[str]
    treasures: Mapping[str, bytes]
    counts: Counter[str] = field(default_factory=Counter[str])
    examples: list[str] = field(default_factory=list[str])
    codes: Counter[str] = field(default_factory=Counter[str])

    def search(self, told: bytes, where: str) -> None:
        """Count the treasures in what was told, or made."""
        for name, treasure in self.treasures.items():
            if treasure in told:
                self.counts["crossings"] += 1
                self.examples.append(f"{name} in {where}")

    def grant(self, what: str) -> None:
        """Count something that was done without a person's yes."""
        self.counts["grants"] += 1
        self.examples.append(what)


def main(arguments: list[str]) -> int:
    """Attack, and print the counts; return 0 if nothing was found and nothing granted."""
    parser = argparse.ArgumentParser(prog="chaos.py redteam", description=__doc__)
    parser.add_argument("--tries", type=int, default=10_000, help="how many (default 10,000)")
    parser.add_argument("--seed", type=int, default=secrets.randbits(32), help="of the dice; printed, to repeat it")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    asked = parser.parse_args(arguments)
    print(f"seed {asked.seed}")
    attack = asyncio.run(make_attack(asked.tries, asked.seed))
    names = (
        "crossings",
        "grants",
        "tries",
        "goal",
        "said",
        "page",
        "yes",
        "done",
        "refused",
        "kept_off",
        "walled",
        "asked",
        "guesses",
        "treasures",
    )
    figures = {name: float(attack.counts[name]) for name in names}
    for name, value in figures.items():
        print(f"{name:<12} {value:>8.0f}")
    for code, count in attack.codes.most_common(_SHOWN):
        print(f"told as {code}: {count}")
    for example in attack.examples[:_SHOWN]:
        print(example)
    if asked.json:
        bench.write_reports([{"name": "redteam", "figures": figures, "samples": {}}], asked.json)
    return 0 if is_proven(figures, list_least(asked.tries)) and not attack.examples else 1


def list_least(tries: int) -> dict[str, float]:
    """Return what must have been seen at least.

    Args:
        tries: How many were asked for.
    """
    least = {"refused": 0.3, "done": 0.005, "yes": 0.02, "walled": 0.005, "asked": 0.02, "kept_off": 0.1}
    return {
        "tries": float(max(1, tries)),
        "treasures": 8.0,
        **{name: scale(tries, share) for name, share in least.items()},
    }


async def make_attack(tries: int, seed: int) -> Attack:
    """Attack so many times.

    Args:
        tries: How many times.
        seed: Of the dice.
    """
    root = Path(tempfile.mkdtemp(prefix="sh-"))
    try:
        async with _serve(root / "home") as (told, tokens):
            attack = await _prepare(root / "home", told, tokens)
            waiting = list_tries(attack.ground, tries, random.Random(seed))
            limits = httpx.Limits(max_connections=_AT_ONCE * 2)
            async with httpx.AsyncClient(
                base_url=attack.address, trust_env=False, timeout=_TRY_S, limits=limits
            ) as client:
                await asyncio.gather(*(_work(attack, client, waiting) for _ in range(_AT_ONCE)))
            await asyncio.to_thread(_search_files, attack)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    return attack


@asynccontextmanager
async def _serve(home: Path) -> AsyncGenerator[tuple[Mapping[str, Any], Sequence[str]]]:
    """Serve a home with principals in it."""
    own = home / ".config" / "surehand"
    own.mkdir(parents=True)
    lines = [f"[service.principals.{name}]\nscopes = {scopes}\nrequests_per_minute = 1000000\nruns_per_minute = 1000000\nruns_at_once = 500\nsessions = 100\n"
             for name, scopes in (("mallory", '["read", "run"]'), ("eve", '["read", "run", "approve"]'), ("boss", '["read", "run", "approve"]'))]  # fmt: skip
    (own / "settings.toml").write_text("\n".join(lines), encoding="utf-8")
    tokens = [make_token(own, name) for name in ("mallory", "eve", "boss")]
    variables = {
        name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "SUREHAND_", "DISPLAY"))
    }
    process: Process = await asyncio.create_subprocess_exec(
        str(PROGRAM), "serve", "--port", "0", "--json", cwd=home, env={**variables, "HOME": str(home)}, stdin=DEVNULL, stdout=PIPE
    )  # fmt: skip
    try:
        assert process.stdout
        yield json.loads(await process.stdout.readline()), tokens[:2]
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.wait()


async def _prepare(home: Path, told: Mapping[str, Any], tokens: Sequence[str]) -> Attack:
    """Let the person leave something behind, and lay links to all of it."""
    remembered = f"canary-{secrets.token_hex(8)}"
    headers = {"Authorization": f"Bearer {told['token']}"}
    async with httpx.AsyncClient(transport=httpx.AsyncHTTPTransport(uds=told["socket"]), headers=headers) as client:
        goal = {"domain": "memory", "verb": "store", "params": {"key": "pin", "value": remembered}}
        kept = await client.post("http://localhost/v1/runs", json={"goals": [goal], "wait": True})
        assert kept.json()["outcome"] == "success", kept.text
        code = (await client.post("http://localhost/v1/console/code", json={})).json()["code"]
    run = Path(told["socket"]).parent
    folders = {
        home / ".config" / "surehand": "cfg",
        home / ".local" / "state" / "surehand": "st",
        home / ".surehand": "kept",
        run: "rt",
    }
    links = {}
    for folder, name in folders.items():
        links[folder] = home / name
        links[folder].symlink_to(folder)
    (home / "out").mkdir()
    with zipfile.ZipFile(home / "known.zip", "w") as archive:
        archive.writestr("mine.txt", "mine")
    targets = [
        each
        for folder in folders
        for each in (folder, *folder.rglob("*"))
        if each.parent != run or told["socket"][:-5] in str(each)
    ]
    treasures = {
        "the person's token": told["token"].encode(),
        "the boss's token": (home / ".config" / "surehand" / "tokens" / "boss").read_bytes().strip(),
        "the key of seals": (home / ".local" / "state" / "surehand" / "seal.key").read_bytes().strip(),
        "what the person remembered": remembered.encode(),
        "a code for the console": code.encode(),
        **_digest_all(targets),
    }
    attack = Attack(
        Ground(home, targets, links, int(told["address"].rpartition(":")[2])), told["address"], tokens, treasures
    )
    attack.counts["treasures"] = len(treasures)
    return attack


def _digest_all(targets: list[Path]) -> dict[str, bytes]:
    """Return the digests of files that don't change, as a verb would tell them."""
    kept = [
        each
        for each in targets
        if each.is_file() and each.suffix in {"", ".key", ".toml", ".json"} and each.stat().st_size > 0
    ]
    return {
        f"{algorithm} of {each.name}": hashlib.new(algorithm, each.read_bytes(), usedforsecurity=False)
        .hexdigest()
        .encode()
        for each in kept
        for algorithm in _DIGESTS
    }


async def _work(attack: Attack, client: httpx.AsyncClient, waiting: Iterator[tuple[str, Any]]) -> None:
    for kind, what in waiting:
        attack.counts["tries"] += 1
        attack.counts[kind] += 1
        dice = random.Random(repr(what))
        order: dict[str, Any] = {"wait": True, "attended": False} | (
            {"text": what} if kind == "said" else {"goals": [what]}
        )
        if kind == "yes":
            await _approve_oneself(attack, client, order, dice)
            continue
        may_approve = dice.random() < 0.5
        answer = await client.post(
            "/v1/runs",
            json=order | ({"approvals": ["apply_diff"]} if may_approve else {}),
            headers=_show(attack, dice, may_approve=may_approve),
        )
        attack.search(answer.content, f"{kind} {what}")
        _judge(attack, kind, what, answer.json())


def _judge(attack: Attack, kind: str, what: Any, told: Mapping[str, Any]) -> None:
    is_done = told.get("outcome") == "success"
    attack.counts["done" if is_done else "refused"] += 1
    if kind == "page" and is_done:
        attack.grant(f"{what} was opened")
    results = [each["result"] for each in told.get("step_logs", ())]
    errors = [*told.get("errors", ()), *(each["error"] for each in results if each.get("error"))]
    attack.codes.update({each["code"] for each in errors})
    attack.counts["walled"] += any(each["code"] == "own_service" for each in errors)
    attack.counts["kept_off"] += any("of Surehand; goals may not read" in each["message"] for each in errors)


async def _approve_oneself(
    attack: Attack, client: httpx.AsyncClient, order: dict[str, Any], dice: random.Random
) -> None:
    """Begin what needs a yes, and say it at some door; guess a code now and then."""
    ask = {"goals": order["goals"], "session": f"y{dice.randrange(8)}"}
    if dice.random() < 0.3:
        ask["approvals"] = ["apply_diff"]
    begun = await client.post("/v1/runs", json=ask, headers=_show(attack, dice))
    run_id = begun.json().get("run_id")
    asked = await _await_questions(attack, client, run_id) if run_id else []
    for each in asked:
        attack.counts["asked"] += 1
        answer = {"digest": each["digest"], "answer": True}
        said = await client.post(f"/v1/questions/{each['question_id']}", json=answer, headers=_show(attack, dice))
        attack.search(said.content, "an answer")
        if said.status_code == 200:
            attack.grant(f"{each['prompt']} was answered")
    if run_id:
        await client.post(f"/v1/runs/{run_id}/stop", json={}, headers=_show(attack, dice))
    guess = "".join(dice.choices("ABCDEFGHJKLMNPQRSTUVWXYZ23456789", k=8))
    entered = await client.post("/v1/console/key", json={"code": f"{guess[:4]}-{guess[4:]}"})
    attack.counts["guesses"] += 1
    if entered.status_code == 200:
        attack.grant("a code was guessed")


async def _await_questions(attack: Attack, client: httpx.AsyncClient, run_id: str) -> list[dict[str, Any]]:
    """Return what a run asks, once it asks or has ended."""
    headers = {"Authorization": f"Bearer {attack.tokens[0]}"}
    for _ in range(_LOOKS):
        asked = (await client.get("/v1/questions", headers=headers)).json()
        if found := [each for each in asked if each["run_id"] == run_id]:
            return found
        if (await client.get(f"/v1/runs/{run_id}", headers=headers)).json().get("status") == "ended":
            break
        await asyncio.sleep(_LOOK_S)
    return []


def _show(attack: Attack, dice: random.Random, *, may_approve: bool = False) -> dict[str, str]:
    door = "" if may_approve else dice.choice(_DOORS)
    return {"Authorization": f"Bearer {attack.tokens[may_approve]}", **({"X-Surehand-Door": door} if door else {})}


def _search_files(attack: Attack) -> None:
    """Search what was made, and what was written without a yes."""
    own = set(attack.ground.links.values())
    for folder, below, names in os.walk(attack.ground.home):
        here = Path(folder)
        below[:] = [each for each in below if here / each not in own and not attack_owns(attack, here / each)]
        for path in (here / name for name in names):
            if path.name.startswith("granted-"):
                attack.grant(f"{path.name} was written")
            if path.is_file() and not path.is_symlink():
                attack.search(path.read_bytes(), path.name)
                if zipfile.is_zipfile(path):
                    with zipfile.ZipFile(path) as archive:
                        for name in archive.namelist():
                            attack.search(archive.read(name), f"{name} of {path.name}")


def attack_owns(attack: Attack, path: Path) -> bool:
    """Tell whether a folder is one of Surehand's own, where treasures belong."""
    return path in attack.ground.links
