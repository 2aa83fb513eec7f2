"""From events to acts: what belongs together becomes one act, and what a page made of an act stands with it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import urldefrag

from actuators.browser.ports.recordings import PageEvent
from agent.recording.acts import Act, ActKind, Changes, read_found
from core.base.late_dataclasses import dataclass, field, replace

_LOOKED_BACK = 4  # acts, among which the one is that started a download


@dataclass(slots=True)
class _Gathering:
    acts: list[Act] = field(default_factory=list[Act])
    fresh: set[int] = field(default_factory=set[int])

    def find(self, act: str, *kinds: ActKind) -> int | None:
        places = reversed(range(len(self.acts))) if act else ()
        return next(
            (at for at in places if act in self.acts[at].ids and (not kinds or self.acts[at].kind in kinds)), None
        )

    def find_last(self, tab: int, *kinds: ActKind) -> int | None:
        """Return the place of the last act on a tab, of these kinds if any are named; nothing comes of what is expected."""
        places = (at for at in reversed(range(len(self.acts))) if self.acts[at].kind != "expect")
        return next(
            (at for at in places if self.acts[at].tab == tab and (not kinds or self.acts[at].kind in kinds)), None
        )

    def change(self, at: int | None, **facts: Any) -> None:
        if at is not None:
            act = self.acts[at]
            self.acts[at] = replace(act, changes=replace(act.changes, **facts))


def gather_acts(events: Iterable[PageEvent]) -> tuple[Act, ...]:
    """Return what was done, in order."""
    gathering = _Gathering()
    for event in events:
        if take := _TAKERS.get(event.kind):
            take(gathering, event)
    return tuple(gathering.acts)


def _make(event: PageEvent, kind: ActKind, value: Any = None, was: Any = None) -> Act:
    secret = bool(event.detail.get("secret"))
    return Act(kind, event.tab, (event.act,), event.selector, event.by_place, value, was, secret, event.detail)


def _take_click(gathering: _Gathering, event: PageEvent) -> None:
    act, last = _make(event, "click"), gathering.acts[-1] if gathering.acts else None
    count = event.detail["count"]
    is_again = last and last.kind == "click" and last.element == act.element and event.detail["button"] == "left"
    if last and is_again and last.detail["count"] == count - 1 > 0:
        gathering.acts[-1] = replace(act, ids=(*last.ids, *act.ids), changes=last.changes)
    else:
        gathering.acts.append(act if count == 1 else replace(act, detail={**act.detail, "count": 1}))


def _take_tick(gathering: _Gathering, event: PageEvent) -> None:
    at = gathering.find(event.act, "click", "check")
    if at is None:
        return
    before, checked = event.detail["before"], event.detail["checked"]
    kind: ActKind = "click" if before == checked else "check"
    gathering.acts[at] = replace(gathering.acts[at], kind=kind, value=checked, was=before)


def _take_value(kind: ActKind) -> Callable[[_Gathering, PageEvent], None]:
    def take(gathering: _Gathering, event: PageEvent) -> None:
        told: ActKind = "set" if event.detail.get("sets") else kind
        value = event.detail.get("values") if kind == "select" else event.detail.get("value")
        act = _make(event, told, value, event.detail.get("was"))
        at = gathering.find(event.act)
        if at is not None and at == len(gathering.acts) - 1:
            gathering.acts[at] = replace(gathering.acts[at], value=value, detail=event.detail)
        elif at is not None:
            gathering.acts.append(replace(act, was=gathering.acts[at].value))
        else:
            gathering.acts.append(act)

    return take


def _take(kind: ActKind, *names: str) -> Callable[[_Gathering, PageEvent], None]:
    """Return what makes one act of one event, in which its value may stand under any of the names."""

    def take(gathering: _Gathering, event: PageEvent) -> None:
        value = next((event.detail[name] for name in names if event.detail.get(name)), None)
        gathering.acts.append(_make(event, kind, value))

    return take


def _take_files(gathering: _Gathering, event: PageEvent) -> None:
    paths = event.detail.get("paths") or event.detail["names"]
    last = gathering.acts[-1] if gathering.acts else None
    act = _make(event, "upload", list(paths))
    if last and last.kind == "click" and last.tab == event.tab and not last.changes.url:
        gathering.acts.pop()  # it only opened the window in which they were picked
        if not act.selector or (act.by_place and not last.by_place):
            act = replace(act, selector=last.selector, by_place=last.by_place)
    gathering.acts.append(act)


def _take_journey(gathering: _Gathering, event: PageEvent) -> None:
    how, url = event.detail["how"], event.detail["url"]
    if how == "typed":
        is_first = event.tab in gathering.fresh
        gathering.fresh.discard(event.tab)
        gathering.acts.append(
            Act(
                "navigate",
                event.tab,
                value=event.detail["asked_url"],
                detail={"opens": is_first, "begins": not gathering.acts},
                changes=Changes(url=url),
            )
        )
    elif how == "caused":
        gathering.change(gathering.find_last(event.tab), url=url)
    else:
        gathering.acts.append(Act(how, event.tab, changes=Changes(url=url)))


def _take_arrival(gathering: _Gathering, event: PageEvent) -> None:
    places = reversed(range(len(gathering.acts))) if event.detail["is_top"] else ()
    at = next((at for at in places if _led_to(gathering.acts[at], event)), None)
    if at is None:
        return
    found = {name: read_found(event.detail[name]) for name in ("headings", "notices")}
    gathering.change(at, title=event.detail["title"], **found)


def _led_to(act: Act, event: PageEvent) -> bool:
    return (
        act.tab == event.tab and bool(act.changes.url) and urldefrag(act.changes.url) == urldefrag(event.detail["url"])
    )


def _take_change(gathering: _Gathering, event: PageEvent) -> None:
    at = gathering.find(event.act)
    if at is None or gathering.acts[at].changes.url:
        return  # it is known already what came instead
    facts: Mapping[str, Any] = event.detail
    found = {name: read_found(facts[name]) for name in ("headings", "notices")}
    gathering.change(at, mutations=facts["mutations"], was_open=facts["was_open"], is_open=facts["is_open"], **found)


def _take_tab(gathering: _Gathering, event: PageEvent) -> None:
    opener = event.detail["opener"]
    at = None if opener is None else gathering.find_last(opener)
    if at is None:
        gathering.fresh.add(event.tab)
    else:
        gathering.change(at, opened=(*gathering.acts[at].changes.opened, event.tab))


def _take_closing(gathering: _Gathering, event: PageEvent) -> None:
    at = gathering.find_last(event.tab)
    if event.detail["by_page"] and at is not None:
        gathering.change(at, closed=event.tab)
    else:
        gathering.acts.append(Act("close_tab", event.tab))


def _take_dialog(gathering: _Gathering, event: PageEvent) -> None:
    at = gathering.find_last(event.tab)
    ids = () if at is None else gathering.acts[at].ids  # what comes of the answer is told as of the act that opened it
    own = f"dialog {len(gathering.acts)}"
    value = "accept" if event.detail["accepted"] else "dismiss"
    gathering.acts.append(Act("dialog", event.tab, (own, *ids), value=value, detail=event.detail))


def _take_download(gathering: _Gathering, event: PageEvent) -> None:
    at = gathering.find_last(event.tab, "click", "navigate")
    if at is None:
        places = reversed(range(len(gathering.acts)))
        at = next((place for place in places if event.tab in gathering.acts[place].changes.opened), None)
    if at is not None and len(gathering.acts) - at <= _LOOKED_BACK and gathering.acts[at].kind != "download":
        act = gathering.acts[at]
        gathering.acts[at] = replace(act, kind="download", value=event.detail["name"], was=act.value)


_TAKERS: Mapping[str, Callable[[_Gathering, PageEvent], None]] = {
    "arrived": _take_arrival,
    "changed": _take_change,
    "choose": _take_value("select"),
    "click": _take_click,
    "dialog": _take_dialog,
    "download": _take_download,
    "drag": _take("drag", "goal", "offset"),
    "expect": _take("expect", "wanted"),
    "files": _take_files,
    "hover": _take("hover"),
    "input": _take_value("type"),
    "key": _take("press", "key"),
    "navigated": _take_journey,
    "slide": _take("set", "value"),
    "tab_closed": _take_closing,
    "tab_opened": _take_tab,
    "ticked": _take_tick,
}
