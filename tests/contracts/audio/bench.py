"""A bench: one sound system with two outputs, and applications that can be made to play on it."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from actuators.audio.mixing.mixer import AudioBackEnd, AudioTools
from actuators.audio.ports import AudioDevice, AudioServer, AudioStream, AudioTarget
from core.policy.policy import Policy
from core.results.records import to_data
from core.results.tool_results import Finding, ToolOutcome, UndoRecord
from core.tools.ports import ActionContext

START_LEVEL = 50.0
WAIT_S = 15.0  # for what a system does by and by, also while the machine is busy
BROKEN = "broken.ogg"  # lies beside the sound file


class SoundBench:
    """What the conformance suite runs on. A back end's own bench says how an application gets sound.

    Attributes:
        server: The back end.
        outputs: Ids of two outputs.
        inputs: Ids of two inputs; empty where the bench has none.
        sound_file: A short wave file.
        chooses_default: Whether the system lets programs choose the default.
        moves_streams: Whether it lets them send an application's sound elsewhere.
        plays: Whether it can play a file here.
    """

    chooses_default = True
    moves_streams = True
    plays = True

    def __init__(
        self, server: AudioServer, outputs: tuple[str, str], inputs: tuple[str, ...], sound_file: Path
    ) -> None:
        self.server = server
        self.outputs = outputs
        self.inputs = inputs
        self.sound_file = sound_file
        self._tools = AudioTools(server)

    async def settle_down(self) -> None:
        """Bring the sound system to where every test starts: the first of two is the default, at 50, not muted."""
        places: list[tuple[AudioTarget, tuple[str, ...]]] = [("output", self.outputs), ("input", self.inputs)]
        for target, ids in places:
            for device_id in ids:
                device = await self.device(device_id, target)
                await self.server.set_level(device, START_LEVEL)
                await self.server.set_mute(device, muted=False)
            if ids and self.chooses_default:
                await self.server.set_default(await self.device(ids[0], target), WAIT_S)

    async def device(self, device_id: str, target: AudioTarget = "output") -> AudioDevice:
        """Return a device as it is now."""
        return next(each for each in await self.server.devices(target) if each.id == device_id)

    async def stream(self, stream_id: str) -> AudioStream:
        """Return a stream as it is now; one that is at no device is on its way to one, which PipeWire shows at times."""
        async with asyncio.timeout(WAIT_S):
            while not (
                now := next(each for each in await self.server.streams("output") if each.id == stream_id)
            ).device:
                await self.server.await_change(0.1)
        return now

    async def play_app(self, name: str, binary: str = "player") -> AudioStream:
        """Let an application of this name play until the test ends, and return its stream once it is at a device."""
        raise NotImplementedError

    async def end_apps(self) -> None:
        """End the applications, and return once the system knows."""
        raise NotImplementedError

    async def call(
        self, verb: str, *, policy: Policy | None = None, timeout_s: float = WAIT_S, **args: Any
    ) -> ToolOutcome:
        """Call a verb; whatever comes of it must be plain data."""
        context = ActionContext(f"g0_{verb}_1", timeout_s=timeout_s, policy=policy or Policy())
        outcome = await getattr(self._tools, verb)(context, **args)
        json.dumps([dict(outcome.output), dict(outcome.evidence)])
        if outcome.undo_record:
            json.dumps([dict(outcome.undo_record.params), dict(outcome.undo_record.guard)])
        return outcome

    async def undo(self, outcome: ToolOutcome) -> ToolOutcome:
        """Take an outcome back, by its record as a file would keep it."""
        record = outcome.undo_record
        assert record is not None
        params, guard = (json.loads(json.dumps(dict(each))) for each in (record.params, record.guard))
        record = UndoRecord(record.domain, record.operation, params, guard)
        return await AudioBackEnd(self.server).take_back(self._context("undo"), record)

    async def predict(self, verb: str, **args: Any) -> Mapping[str, Any]:
        """Return what is foreseen of a verb, as a file would keep it."""
        return json.loads(json.dumps(to_data(await self._tools.predict(verb, self._context(verb), args))))

    async def reconcile(self, verb: str, facts: Mapping[str, Any], **args: Any) -> Finding:
        """Find out in a new process whether it was carried out."""
        return await AudioTools(self.server).reconcile(verb, self._context(verb), args, facts)

    def _context(self, verb: str) -> ActionContext:
        return ActionContext(f"g0_{verb}_1", timeout_s=WAIT_S, run_id="r0")
