"""The TodoMVC benchmark: one flow, written as a person sees a list of todos, on every variant that the package `todomvc` holds.

It is run as `surehand test` runs flows: the same runner, a fresh session and folder for each variant, several at once. The package comes by the lock
of the kits; nothing of it is in this repository, and nothing in a variant is changed. A variant that fails is named with what its page said.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agent.reports.results import FlowResult, list_maps, take_map
from agent.requests.flows import load_flow
from agent.settings.settings import Settings
from agent.store.session_files import KeptRun
from agent.suites.flow_files import FlowFile, ReadFlow
from agent.suites.running import EndedFlow, SuiteRunner, SuiteTerms, SuiteWatcher, Workspaces
from fixtures.kits.bundles import KITS, prepare_kits
from fixtures.kits.kit_site import KitSite

FLOW = KITS / "todos" / "todos.flow.yaml"
AT_ONCE = 2
_PAGE = "index.html"
_MOST_CAUSES = 3


@dataclass(frozen=True, slots=True)
class Variant:
    """What came of a variant.

    Attributes:
        name: Its folder in the package.
        outcome: ``passed``, ``failed``, or ``left out`` where there is no page to open.
        why: Why it didn't pass, and what its page said; empty where it did.
        seconds: How long it took.
    """

    name: str
    outcome: str
    why: str = ""
    seconds: float = 0.0


class Causes(SuiteWatcher):
    """Keeps what pages said of what they lack, and prints what came of each variant."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self.variants: list[Variant] = []
        self._said: dict[str, list[str]] = {}

    def keep_run(self, run: KeptRun, workspace: Path, flow: ReadFlow) -> None:
        """Keep what the page of a run said."""
        del workspace
        self._said[flow.file.name] = list(dict.fromkeys(_list_said(run)))

    def end(self, ended: EndedFlow) -> None:
        """Print what came of a variant."""
        variant = judge(ended.result, self._said.get(ended.result.path, []))
        self.variants.append(variant)
        print(tell(variant), flush=True)


def list_variants(modules: Path) -> tuple[list[str], list[Variant]]:
    """Return the names of the variants that have a page, and those that have none with the reason.

    Args:
        modules: The folder of the packages.
    """
    folders = sorted(each for each in (modules / "todomvc" / "examples").iterdir() if each.is_dir())
    ready = [each.name for each in folders if (each / _PAGE).is_file()]
    why = f"the package has no {_PAGE} of it: it has to be built by a toolchain of its own, or needs a server"
    return ready, [Variant(each.name, "left out", why) for each in folders if each.name not in ready]


def read_variant(name: str, host: str) -> ReadFlow:
    """Return the flow for a variant; only its address differs.

    Args:
        name: Of the variant.
        host: Of the site that has the package.
    """
    given = {"url": f"http://{host}/npm/todomvc/examples/{name}/{_PAGE}"}
    return ReadFlow(FlowFile(FLOW, name), load_flow(FLOW, given), variables=given)


async def run_variants(names: Sequence[str], modules: Path, at_once: int = AT_ONCE) -> list[Variant]:
    """Run the flow on variants, and return what came of each.

    Args:
        names: Of the variants.
        modules: The folder of the packages.
        at_once: How many run at once.
    """
    causes = Causes()
    settings = Settings(failure_pictures=False, log_file="off")
    terms = SuiteTerms(settings=settings, name="todomvc", workers=at_once, keep_run=causes.keep_run)
    with KitSite(modules) as site:
        flows = [read_variant(name, site.host) for name in names]
        await SuiteRunner(terms, Workspaces(keeps_all=False), causes).run(flows)
    return causes.variants


async def measure_todomvc(only: Sequence[str] = ()) -> dict[str, Any]:
    """Return the report, and print what came of each variant.

    Args:
        only: Names of variants; empty for all.

    Raises:
        MissingToolError: If the package can't be had.
    """
    modules = prepare_kits()
    ready, left_out = list_variants(modules)
    chosen = [name for name in ready if not only or name in only]
    variants = await run_variants(chosen, modules)
    for each in left_out if not only else ():
        print(tell(each), flush=True)
    counts = {outcome: sum(each.outcome == outcome for each in variants) for outcome in ("passed", "failed")}
    return {
        "name": "todomvc",
        "figures": {**counts, "left_out": len(left_out)},
        "notes": {"passed": f"of {len(variants)} variants that have a page; the flow is the same on all"},
        "samples": {"todomvc": [asdict(each) for each in (*variants, *left_out)]},
    }


def judge(result: FlowResult, said: Sequence[str]) -> Variant:
    """Return what came of a variant.

    Args:
        result: Of the flow.
        said: What its page said, and what it lacks.
    """
    seconds = round(result.ms / 1000, 1)
    if result.outcome == "passed":
        return Variant(result.path, "passed", seconds=seconds)
    causes = f" Its page: {'; '.join(said[:_MOST_CAUSES])}." if said else ""
    return Variant(result.path, "failed", " ".join(result.error.split()) + causes, seconds)


def tell(variant: Variant) -> str:
    """Return what came of a variant as a line."""
    mark = {"passed": "✓", "failed": "✗"}.get(variant.outcome, "–")
    time = f" ({variant.seconds} s)" if variant.seconds else ""
    return f"{mark} {variant.name}{time}{f': {variant.why}' if variant.why else ''}"


def _list_said(run: KeptRun) -> Iterator[str]:
    """Yield the errors of a run's page, and the requests of it that got nothing."""
    for log in list_maps(run.document.get("step_logs")):
        result = take_map(log, "result")
        for evidence in (take_map(result, "evidence"), take_map(take_map(result, "error"), "evidence")):
            scene = take_map(evidence, "scene")
            for source in (evidence, scene):
                yield from (str(each).partition("\n")[0][:160] for each in source.get("page_errors") or ())
            yield from (_shorten(str(each)) for each in scene.get("requests") or () if not _is_answered(str(each)))


def _is_answered(request: str) -> bool:
    return request.rpartition(": ")[2].partition(" ")[0] in {"200", "204", "206", "301", "302", "304"}


def _shorten(request: str) -> str:
    """Return a request without the address that all of them have in front."""
    head, _, tail = request.partition("/examples/")
    return f"GET {tail.partition('/')[2]}" if tail else head[:160]
