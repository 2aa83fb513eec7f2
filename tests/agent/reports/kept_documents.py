"""Documents as they are kept of runs, made by hand."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

from PIL import Image

from agent.store.session_files import KeptRun

RUN_ID = "r0123456789abcdef"


def make_node(number: int, **more: Any) -> dict[str, Any]:
    """Return a step as it was planned."""
    return {
        "action_id": f"g{number}_click_1",
        "goal_id": f"g{number}",
        "name": "browser.click",
        "description": f"Click button “{number}”",
        "args": {"selector": f'button "{number}"'},
        "digest": f"{number:064x}",
        **more,
    }


def make_log(number: int, status: str = "ok", **result: Any) -> dict[str, Any]:
    """Return what came of a step."""
    effect = "confirmed" if status == "ok" else "none"
    told = {"status": status, "effect": effect, "started_ms": number * 100.0, "ms": 80.0, "evidence": {}, "output": {}}
    return {
        **make_node(number),
        "summary": f"clicked button “{number}”",
        "tool": "browser_click",
        "result": told | result,
    }


def make_error(message: str, hint: str = "", code: str = "target_missing") -> dict[str, Any]:
    """Return an error as a receipt has it."""
    return {"code": code, "message": message, "hint": hint, "evidence": {}}


def make_run(
    nodes: Sequence[Mapping[str, Any]], logs: Sequence[Mapping[str, Any]], *, is_foreign: bool = False, **more: Any
) -> KeptRun:
    """Return a run as it is kept."""
    edges = [[one["action_id"], other["action_id"]] for one, other in pairwise(nodes)]
    document = {
        "run_id": RUN_ID,
        "status": "ended",
        "outcome": "success",
        "began_at": "2026-11-24T10:20:26.887+00:00",
        "ended_at": "2026-11-24T10:20:36.379+00:00",
        "reply": "I did it.",
        "request": {"flow": "order two mugs", "goals": []},
        "plan": {"nodes": list(nodes), "edges": edges},
        "step_logs": list(logs),
        "metrics": {"run_ms": 10_000.0},
        "manifest": {"program": "surehand 0.1.0", "platform": "Linux", "files": []},
        **more,
    }
    return KeptRun(RUN_ID, document, is_foreign=is_foreign)


def make_small_run(count: int = 3, **more: Any) -> KeptRun:
    """Return a run whose steps all did what they should."""
    return make_run([make_node(each) for each in range(count)], [make_log(each) for each in range(count)], **more)


def draw_picture(colour: str = "#0b6e5f", size: tuple[int, int] = (1280, 720), kind: str = "JPEG") -> bytes:
    """Return a picture of one colour as a file's content."""
    content = BytesIO()
    Image.new("RGB", size, colour).save(content, kind)
    return content.getvalue()


def keep_picture(folder: Path, name: str, content: bytes) -> Path:
    """Put a picture where those of the run lie."""
    place = folder / "artifacts" / RUN_ID / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
    return place
