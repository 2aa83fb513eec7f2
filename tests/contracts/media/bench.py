"""Benches: players of one description, as real processes on a bus and as the shipped fake."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from actuators.base import BackEnd, Environment
from actuators.media.platforms.fake import FakeMedia, FakePlayer, FakeTrack, PlayerFault, make_fake_back_end
from actuators.media.platforms.linux import make_back_end
from actuators.media.player_tools import MediaTools
from actuators.media.ports import PlayerStatus
from core.results.tool_results import Finding, ToolOutcome, UndoRecord
from core.tools.ports import ActionContext
from fixtures.machine.bus import PrivateBus

PLAYER_PROGRAM = Path(__file__).resolve().parents[3] / "fixtures" / "machine" / "player.py"
REFUSALS = {"next": "CanGoNext", "previous": "CanGoPrevious", "play": "CanPlay", "seek": "CanSeek"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSpec:
    """A player as a test wants it."""

    name: str
    titles: tuple[str, ...] = ("First", "Second", "Third")
    artist: str = "Ada"
    length_s: float = 180.0
    status: PlayerStatus = "stopped"
    fault: PlayerFault = ""
    refuses: tuple[str, ...] = ()


class Stage(Protocol):
    """Where players are put on."""

    def add(self, spec: PlayerSpec) -> None: ...


@dataclass
class MediaBench:
    """A back end and the stage that it looks at."""

    back_end: BackEnd
    stage: Stage
    tools: MediaTools = field(init=False)

    def __post_init__(self) -> None:
        self.tools = find_tools(self.back_end)

    def add(self, name: str, **wanted: Any) -> None:
        self.stage.add(PlayerSpec(name=name, **wanted))

    async def call(self, verb: str, timeout_s: float = 10.0, **params: Any) -> ToolOutcome:
        context = ActionContext("a1", timeout_s=timeout_s)
        return await asyncio.wait_for(getattr(self.tools, verb)(context, **params), timeout_s)

    async def undo(self, outcome: ToolOutcome) -> ToolOutcome:
        """Take an outcome back, by its record as a file would keep it."""
        record = outcome.undo_record
        assert record is not None
        params, guard = (json.loads(json.dumps(dict(each))) for each in (record.params, record.guard))
        record = UndoRecord(record.domain, record.operation, params, guard)
        return await self.back_end.take_back(ActionContext("undo"), record)

    async def predict(self, verb: str, **args: Any) -> Mapping[str, Any]:
        """Return what is foreseen of a verb, as a file would keep it."""
        return json.loads(json.dumps(dict(await self.tools.predict(verb, ActionContext("a1"), args))))

    async def reconcile(self, verb: str, facts: Mapping[str, Any], **args: Any) -> Finding:
        """Find out whether it was carried out."""
        return await self.tools.reconcile(verb, ActionContext("a1"), args, facts)


def find_tools(back_end: BackEnd) -> MediaTools:
    tools = back_end.toolsets[MediaTools]
    assert isinstance(tools, MediaTools)
    return tools


class FakeStage:
    def __init__(self, world: FakeMedia) -> None:
        self.world = world

    def add(self, spec: PlayerSpec) -> None:
        tracks = tuple(FakeTrack(title, spec.length_s, spec.artist) for title in spec.titles)
        player = FakePlayer(
            name=spec.name, tracks=tracks, status=spec.status, fault=spec.fault, refuses=frozenset(spec.refuses)
        )
        self.world.players.append(player)


class BusStage:
    """Players as processes on a bus."""

    def __init__(self, bus: PrivateBus) -> None:
        self._bus = bus
        self._players: list[subprocess.Popen[str]] = []

    def add(self, spec: PlayerSpec, **more: Any) -> None:
        settings = {
            "address": self._bus.address,
            "name": f"p{len(self._players)}",
            "identity": spec.name,
            "tracks": [{"title": t, "artist": spec.artist, "length_s": spec.length_s} for t in spec.titles],
            "status": spec.status.capitalize(),
            "fault": spec.fault,
            "refuses": [REFUSALS[each] for each in spec.refuses],
        }
        argv = [sys.executable, str(PLAYER_PROGRAM), json.dumps(settings | more)]
        player = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
        self._players.append(player)
        assert player.stdout is not None
        assert player.stdout.readline() == "ready\n"

    def end(self, number: int) -> None:
        """End a player, by its place in the order of their start."""
        player = self._players[number]
        player.kill()
        player.wait()

    def clear(self) -> None:
        for number, player in enumerate(self._players):
            self.end(number)
            assert player.stdout is not None
            player.stdout.close()


def make_fake_bench() -> MediaBench:
    world = FakeMedia()
    return MediaBench(make_fake_back_end(world), FakeStage(world))


def make_bus_bench(bus: PrivateBus, stage: BusStage, **variables: str) -> MediaBench:
    environment = Environment(platform="linux", variables={"DBUS_SESSION_BUS_ADDRESS": bus.address} | variables)
    return MediaBench(make_back_end(environment), stage)
