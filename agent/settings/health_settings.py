"""HealthSettings: from when on planners count as ill, and who is told; every fault is named with its place before anything runs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Annotated, Any, cast

from pydantic import BaseModel, Field, ModelWrapValidatorHandler, ValidationError, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from agent.settings.alert_channels import ChannelSetting
from core.planning.planners.alerts import ALERT_KINDS, Severity
from core.rules.params import suggest

Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Share = Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)]
Count = Annotated[int, Field(gt=0, le=1_000_000)]
ChannelName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,39}$")]

Place = tuple[int | str, ...]


class RouteSetting(BaseModel, extra="forbid", frozen=True):
    """Which alerts go to which channels.

    Attributes:
        alerts: Ids, with ``*`` for any characters; all where absent.
        severities: Which; all where absent.
    """

    alerts: tuple[str, ...] = ("*",)
    severities: tuple[Severity, ...] = ("info", "warning", "critical")
    channels: Annotated[tuple[str, ...], Field(min_length=1)]

    def covers(self, alert_id: str, severity: Severity) -> bool:
        """Tell whether an alert goes this way."""
        return severity in self.severities and any(fnmatchcase(alert_id, each) for each in self.alerts)


class HealthSettings(BaseModel, extra="forbid", frozen=True):
    """What counts as ill, and who is told. The person's alone: a folder changes nothing of it.

    Attributes:
        failure_rate: Share of a planner's runs of the last 24 hours that may fail, above 0 and at most 1.
        least_runs: Runs below which no planner is judged by its share of failures or by its latency.
        latency_p95_s: Seconds that 95 % of a planner's runs may take at most.
        template_failures: How many runs in a row may use a template without a step made from it that succeeds.
        stuck_after_s: Seconds that a backlog item may be active.
        most_flips: How often a backlog item may go back to pending in 24 hours.
        backlog_age_h: Hours that a backlog item may be pending.
        coverage: Share of a plan that has to be done once nothing of it changes any more; absent for no such alert.
        coverage_after_h: Hours without a change after which a plan is judged by that.
        debounce_s: Seconds for which an alert has to be gone before it counts as ended.
        check_every_s: Seconds from one look of a service at its planners to the next, at least 1.
        routes: Which alerts go to which channels; without routes, each channel gets each alert.
    """

    failure_rate: Share = 0.25
    least_runs: Count = 5
    latency_p95_s: Positive = 60.0
    template_failures: Count = 3
    stuck_after_s: Positive = 3600.0
    most_flips: Count = 3
    backlog_age_h: Positive = 72.0
    coverage: Share | None = None
    coverage_after_h: Positive = 24.0
    debounce_s: Positive = 300.0
    check_every_s: Annotated[float, Field(ge=1, allow_inf_nan=False)] = 60.0
    severities: dict[str, Severity] = Field(default_factory=dict[str, Severity])
    channels: dict[ChannelName, ChannelSetting] = Field(default_factory=dict[str, ChannelSetting], max_length=50)
    routes: tuple[RouteSetting, ...] = Field(default=(), max_length=200)

    @model_validator(mode="wrap")
    @classmethod
    def _name_all_faults(cls, value: Any, handler: ModelWrapValidatorHandler["HealthSettings"]) -> "HealthSettings":
        """Refuse names that mean nothing together with everything else that is wrong, not one after the other."""
        faults = list(_find_unknown_names(value)) if isinstance(value, Mapping) else []
        try:
            made = handler(value)
        except ValidationError as error:
            found = error.errors(include_url=False, include_context=False)
            faults = [(_leave_out_kind(each["loc"]), each["msg"]) for each in found] + faults
        else:
            if not faults:
                return made
        raise ValidationError.from_exception_data("health", [_describe(place, text) for place, text in faults])

    def find_severity(self, alert_id: str) -> Severity:
        """Return how bad an alert of a kind is."""
        return self.severities.get(alert_id, ALERT_KINDS[alert_id].severity)

    def find_channels(self, alert_id: str, severity: Severity) -> tuple[str, ...]:
        """Return the names of the channels that an alert goes to."""
        if not self.routes:
            return tuple(self.channels)
        named = {name for route in self.routes if route.covers(alert_id, severity) for name in route.channels}
        return tuple(name for name in self.channels if name in named)


def _find_unknown_names(value: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    channels = tuple(_list_names(value.get("channels")))
    routes = value.get("routes")
    for index, route in enumerate(cast("Sequence[Any]", routes) if isinstance(routes, list | tuple) else ()):
        for name in _list_names(_find_part(route, "channels")):
            if name not in channels:
                yield ("routes", index, "channels"), f'channel "{name}" is unknown{suggest(name, channels)}'
        for pattern in _list_names(_find_part(route, "alerts")):
            if not any(fnmatchcase(alert_id, pattern) for alert_id in ALERT_KINDS):
                yield ("routes", index, "alerts"), f'alert "{pattern}" is unknown{suggest(pattern, ALERT_KINDS)}'
    for alert_id in _list_names(value.get("severities")):
        if alert_id not in ALERT_KINDS:
            yield ("severities", alert_id), f"the alert is unknown{suggest(alert_id, ALERT_KINDS)}"


def _find_part(value: Any, name: str) -> Any:
    return cast("Mapping[str, Any]", value).get(name) if isinstance(value, Mapping) else None


def _list_names(value: Any) -> Iterator[str]:
    """Yield the texts of a list, or the names of a table; anything else is refused by its type."""
    if isinstance(value, list | tuple | Mapping):
        yield from (each for each in cast("Iterable[Any]", value) if isinstance(each, str))


def _leave_out_kind(place: Place) -> Place:
    """Return a place as it stands in the file: behind a channel's name, its kind is no part of that."""
    return (*place[:2], *place[3:]) if place[:1] == ("channels",) and len(place) > 2 else place


def _describe(place: Place, text: str) -> InitErrorDetails:
    plain = text.removeprefix("Value error, ")
    return InitErrorDetails(type=PydanticCustomError("bad_health", "{text}", {"text": plain}), loc=place, input=None)
