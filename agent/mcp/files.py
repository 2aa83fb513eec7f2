"""Files of a run as MCP gives them: pictures as pictures, all else as links that can be read."""

import base64
from typing import Final

from mcp_types import ContentBlock, ImageContent, ResourceLink

from agent.service.callers import Caller
from agent.service.orders import Artifact, RunRecord
from agent.service.ports import Service

ARTIFACTS: Final = "surehand://artifacts/"
RUNS: Final = "surehand://runs/"
_MOST_PICTURES: Final = 3
_MOST_BYTES: Final = 2_000_000
_MOST_LINKS: Final = 20


async def give_files(service: Service, caller: Caller, record: RunRecord) -> list[ContentBlock]:
    """Return the files of a run: the last small pictures, and links to the rest."""
    if not record.get("artifacts"):
        return []
    wanted = {path.replace("\\", "/").rpartition("/")[2] for path in record["artifacts"]}
    files = [each for each in await service.list_artifacts(caller, record["run_id"]) if each.name in wanted]
    shown = [each for each in files if _is_shown(each)][-_MOST_PICTURES:]
    pictures: list[ContentBlock] = [await _show(service, caller, each) for each in shown]
    links: list[ContentBlock] = [_link(each) for each in files if each not in shown]
    return [*pictures, *links[:_MOST_LINKS]]


def link_run(run_id: str) -> ResourceLink:
    """Return a link to all that is known of a run."""
    return ResourceLink(
        type="resource_link",
        uri=f"{RUNS}{run_id}",
        name="the whole run",
        mime_type="application/json",
        description="All that was read, uncut",
    )


def _is_shown(file: Artifact) -> bool:
    return file.media_type in {"image/png", "image/jpeg", "image/webp"} and file.size <= _MOST_BYTES


async def _show(service: Service, caller: Caller, file: Artifact) -> ImageContent:
    found, content = await service.read_artifact(caller, file.artifact_id)
    return ImageContent(type="image", data=base64.b64encode(content).decode("ascii"), mime_type=found.media_type)


def _link(file: Artifact) -> ResourceLink:
    return ResourceLink(
        type="resource_link",
        uri=f"{ARTIFACTS}{file.artifact_id}",
        name=file.name,
        mime_type=file.media_type,
        size=file.size,
    )
