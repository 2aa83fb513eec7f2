"""What a client can read: the table of verbs, runs as a whole, and the files that they made."""

import base64
import json
from typing import Final

from mcp_types import (
    BlobResourceContents,
    ContentBlock,
    ImageContent,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ReadResourceResult,
    Resource,
    ResourceLink,
    ResourceTemplate,
    TextResourceContents,
)

from agent.rule_tables import describe_rules
from agent.service.callers import Caller
from agent.service.orders import Artifact, RunRecord
from agent.service.ports import Service
from core.base.errors import RefusedError
from core.results.records import to_data

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


_VERBS: Final = "surehand://verbs"
_PLANNERS: Final = "surehand://planners"
_BACKLOG: Final = "surehand://backlog"
_JSON: Final = "application/json"


def list_resources() -> ListResourcesResult:
    """Return what there always is."""
    verbs = Resource(
        uri=_VERBS,
        name="verbs",
        description="Every verb for goals, a line each: params, * required",
        mime_type="text/plain",
    )
    planners = Resource(uri=_PLANNERS, name="planners", description="Every planner for do", mime_type=_JSON)
    backlog = Resource(uri=_BACKLOG, name="backlog", description="What planners have to do", mime_type=_JSON)
    return ListResourcesResult(resources=[verbs, planners, backlog])


def list_templates() -> ListResourceTemplatesResult:
    """Return how runs and their files are named."""
    return ListResourceTemplatesResult(
        resource_templates=[
            ResourceTemplate(uri_template=f"{RUNS}{{run_id}}", name="run", mime_type=_JSON),
            ResourceTemplate(uri_template=f"{ARTIFACTS}{{artifact_id}}", name="file of a run"),
        ]
    )


async def read_resource(service: Service, caller: Caller, uri: str) -> ReadResourceResult:
    """Return what has an address.

    Raises:
        RefusedError: If nothing of the caller's has it.
    """
    if uri == _VERBS:
        return _give_text(uri, write_verbs(), "text/plain")
    if uri in {_PLANNERS, _BACKLOG}:
        told = await (service.list_planners(caller) if uri == _PLANNERS else service.list_backlog(caller))
        return _give_text(uri, json.dumps(to_data(told), ensure_ascii=False), _JSON)
    if uri.startswith(RUNS):
        record = await service.read_run(caller, uri.removeprefix(RUNS))
        return _give_text(uri, json.dumps(to_data(record), ensure_ascii=False), _JSON)
    if not uri.startswith(ARTIFACTS):
        raise RefusedError(f'Nothing has the address "{uri}".', code="unknown_artifact", hint=f"{_VERBS} is one.")
    file, content = await service.read_artifact(caller, uri.removeprefix(ARTIFACTS))
    blob = base64.b64encode(content).decode("ascii")
    return ReadResourceResult(contents=[BlobResourceContents(uri=uri, mime_type=file.media_type, blob=blob)])


def write_verbs() -> str:
    """Return the table of verbs, a line each."""
    lines = [
        f"{rule['domain']}.{rule['verb']}"
        f"({', '.join(each['name'] + '*' * each['required'] for each in rule['params'])})"
        f"{'' if rule['approval'] == 'none' else ' asks a person'}"
        for rule in describe_rules()
    ]
    return "\n".join(lines)


def _give_text(uri: str, text: str, media_type: str) -> ReadResourceResult:
    return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type=media_type, text=text)])
