"""The app: wall, correlation, errors and routes, over a service."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from importlib.metadata import version
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from starlette.datastructures import State
from starlette.routing import Route
from starlette.types import ASGIApp

from agent.access.token_gate import TokenGate
from agent.console import pages, signing_in
from agent.console.signing_in import ShowCode, show_nowhere
from agent.http import completions, health, home_assistant, planners, runs, sessions, tables
from agent.http.tables import FactsPort
from agent.service.ports import Service
from agent.speech.conversations import SpokenConversations
from agent.web.answers import ON_ERRORS, ErrorAnswer
from agent.web.correlating import Correlation, Note
from agent.web.metrics import Metrics
from agent.web.wall import Wall, WallRules
from core.base.late_dataclasses import dataclass, field

_JSON = "application/json"


def describe_truly(app: FastAPI) -> None:
    """Let an app describe its errors as JSON also where what is not an error is something else."""
    describe = app.openapi

    def describe_errors() -> dict[str, Any]:
        is_made = app.openapi_schema is not None
        schema = describe()
        if not is_made:
            for operations in schema["paths"].values():
                for operation in operations.values():
                    _correct(operation["responses"])
        return schema

    app.openapi = describe_errors


def _correct(responses: dict[str, Any]) -> None:
    for status, response in responses.items():
        content = response.get("content", {})
        if not status.startswith("2") and _JSON not in content and content:
            response["content"] = {_JSON: next(iter(content.values()))}


_ROUTERS: Sequence[APIRouter] = (
    runs.router,
    sessions.router,
    sessions.questions,
    runs.artifacts,
    planners.router,
    health.router,
    completions.router,
    home_assistant.router,
    pages.router,
    signing_in.router,
)
_REFUSALS: Mapping[int, str] = {
    400: "The request can't be read.",
    401: "The token is missing or unknown.",
    403: "That is not allowed to this token, door, host or origin.",
    404: "Nothing of yours has that name.",
    408: "The body came too slowly.",
    409: "It can't be done as things are.",
    413: "The body is too large.",
    415: "Only JSON is taken.",
    421: "This service is not reached by that name.",
    422: "What was sent does not fit.",
    429: "That was too much at once.",
    431: "The headers and the address are too large.",
    503: "The service is about to end.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MountedApp:
    """An app of another kind below a path, behind the same wall.

    Attributes:
        app: An object; a function would be taken for a route's.
        open_up: Opens what it needs while the service runs; None for nothing.
    """

    path: str
    app: ASGIApp
    open_up: Callable[[], AbstractAsyncContextManager[Any]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AppParts:
    """What an app has beside its service.

    Attributes:
        find_facts: Returns what looks at the machine and the workspace; None for no routes about them.
    """

    rules: WallRules = field(default_factory=WallRules)
    mounts: Sequence[MountedApp] = ()
    note: Note = lambda _: None
    find_facts: Callable[[], Awaitable[FactsPort]] | None = None
    show_code: ShowCode = show_nowhere


def make_app(service: Service, gate: TokenGate, parts: AppParts | None = None) -> FastAPI:
    """Return the app."""
    parts = parts or AppParts()

    @asynccontextmanager
    async def open_mounts(_: FastAPI) -> AsyncGenerator[None]:
        async with AsyncExitStack() as stack:
            for each in parts.mounts:
                if each.open_up:
                    await stack.enter_async_context(each.open_up())
            yield

    app = FastAPI(
        title="Surehand",
        version=version("surehand"),
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=open_mounts,
        redirect_slashes=False,
        exception_handlers=dict(ON_ERRORS),
        generate_unique_id_function=_name_operation,
        responses={status: {"model": ErrorAnswer, "description": text} for status, text in _REFUSALS.items()},
    )
    for router in (*_ROUTERS, *([tables.router] if parts.find_facts else [])):
        app.include_router(router)
    metrics = _fill(app.state, service, gate, parts)
    for each in parts.mounts:
        app.mount(each.path, each.app)
        # A mount begins behind the slash; this is its very path.
        app.router.routes.append(Route(each.path, each.app, include_in_schema=False))
    describe_truly(app)
    app.add_middleware(Wall, gate=gate, rules=parts.rules)
    app.add_middleware(Correlation, notes=(metrics.count_request, parts.note))
    return app


def _fill(state: State, service: Service, gate: TokenGate, parts: AppParts) -> Metrics:
    state.service, state.gate, state.find_facts, state.show_code = service, gate, parts.find_facts, parts.show_code
    state.metrics, state.chat_threads = Metrics(), completions.ChatThreads()
    state.conversations = SpokenConversations(service, home_assistant.PATIENCE_S)
    return state.metrics


def _name_operation(route: APIRoute) -> str:
    return route.name
