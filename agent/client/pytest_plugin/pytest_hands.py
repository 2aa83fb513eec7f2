"""PytestHand: a hand in a test, which also checks, runs flow files, and remembers its runs for the test's report."""

import json
import os
import re
import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack
from urllib.parse import urljoin
from uuid import uuid4

from ..async_hands import AsyncSurehand, wait_in_thread
from ..hand_parts import HandOptions
from ..hands import Surehand
from ..reports import BadOrderError, HandError, Problem, RunReport
from ..wishes import AsyncRunWishes, RunWishes, read_flow
from .step_lines import ExpectationNotMetError, describe_expectation

if TYPE_CHECKING:
    from .attaching import SharedPage
    from .case_records import CaseRecord

# pytest leaves functions with a local variable `__tracebackhide__` out of its tracebacks.

# A path right behind a word for going somewhere is an address below the base address.
_GOING = re.compile(
    r"(?i)\b(open|visit|load|go to|goto|navigate to|öffne|besuche|lade|gehe zu|geh zu)(\s+)([\"“]?)(/(?!/)[^\s\"”,;]*)"
)


@dataclass(frozen=True, slots=True)
class HandTerms:
    """What holds for a hand in tests.

    Attributes:
        base_url: Address that relative ones hang below; empty for none.
        shared: The page of pytest-playwright's that it acts on; None for pages of its own.
    """

    workspace: Path
    base_url: str = ""
    approvals: Sequence[Any] = ()
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    record: "CaseRecord | None" = None
    shared: "SharedPage | None" = None


class SoftChecks:
    """Checks whose failures are told together at the end of the test."""

    def __init__(self, hand: "PytestHand") -> None:
        self._hand = hand

    def check(self, sentence: str = "", /, **params: Any) -> bool:
        """Check as `PytestHand.check` does, but go on where it does not hold; return whether it does."""
        __tracebackhide__ = True
        try:
            self._hand.check(sentence, **params)
        except ExpectationNotMetError as error:
            if self._hand.terms.record is None:
                raise
            self._hand.terms.record.unmet.append(error)
            return False
        return True


class PytestHand(Surehand):
    """A hand with a session of its own on the worker's service."""

    def __init__(self, address: str, terms: HandTerms, **options: Unpack[HandOptions]) -> None:
        super().__init__(address, **options)
        self.terms = terms
        self.soft = SoftChecks(self)

    def run(self, text: str | None = None, **wishes: Unpack[RunWishes]) -> RunReport:
        """Do something, and return what came of it, as `Surehand.run` does; addresses may be relative to the base address."""
        __tracebackhide__ = True
        if self.terms.approvals and "approvals" not in wishes:
            wishes["approvals"] = self.terms.approvals
        return self._note(lambda: super(PytestHand, self).run(text and self._make_whole(text), **wishes))

    def flow(self, place: str | os.PathLike[str], **variables: object) -> RunReport:
        """Run a flow file.

        Args:
            **variables: Values of its ``vars``, before those of ``--surehand-var``.

        Raises:
            HandError: As `run` does.
        """
        __tracebackhide__ = True
        path = Path(place)
        text = read_flow(path)
        given = {name: value for name, value in self.terms.variables.items() if declares(text, name)}
        told = {name: str(value) for name, value in variables.items()}
        if self.terms.record:
            self.terms.record.flow = path
        return self.run(flow=path, variables={**given, **told})

    def check(self, sentence: str = "", /, **params: Any) -> None:
        """Check that something is so, and wait for it as long as ``within`` says.

        Args:
            sentence: Such as ``the page shows "2 mugs"``; or give params.
            **params: Those of ``browser.expect``, such as ``selector``, ``text`` and ``state``.

        Raises:
            AssertionError: If it is not so; says what was seen instead.
            BadOrderError: If that is no expectation.
        """
        __tracebackhide__ = True
        goals = [{"domain": "browser", "verb": "expect", "params": params}]
        done = (
            self.run(self._find_expectation(sentence), check=False) if sentence else self.run(goals=goals, check=False)
        )
        if done.problems:
            raise BadOrderError(done.problems[0])
        if not done.is_success:
            told = sentence or ", ".join(f"{name} = {value}" for name, value in params.items())
            raise ExpectationNotMetError(describe_expectation(done, told, self._look_around))

    def save_state(self) -> Path:
        """Save cookies and storage to a file of the worker, for `surehand_storage_state`; return where."""
        place = self.terms.workspace / f"state-{uuid4().hex[:12]}.json"
        self._do("save_session", path=str(place))
        return place

    def load_state(self, state: Any) -> None:
        """Replace cookies and storage.

        Args:
            state: What `save_state` returned, a file that Playwright's ``storage_state`` wrote, or the state itself.
        """
        place = self.terms.workspace / f"state-{uuid4().hex[:12]}.json"
        if isinstance(state, Mapping):
            place.write_text(json.dumps(state), encoding="utf-8")
        else:
            shutil.copyfile(state, place)
        try:
            self._do("load_session", path=str(place))
        finally:
            place.unlink()

    def take_picture(self) -> bytes:
        """Return a picture of the page, as PNG; nothing where none is open."""
        if not any(each.name == self.session and each.pages for each in self.list_sessions()):
            return b""
        done = self._do("screenshot")
        files = [each for each in self.list_files(done) if each.media_type == "image/png"]
        return self.read_file(files[0]) if files else b""

    def _do(self, verb: str, **params: object) -> RunReport:
        goals = [{"domain": "browser", "verb": verb, "params": params}]
        return super().run(goals=goals, approvals=["apply_diff"])

    def _make_whole(self, text: str) -> str:
        base = self.terms.base_url
        return (
            _GOING.sub(lambda found: f"{found[1]}{found[2]}{found[3]}{urljoin(base, found[4])}", text) if base else text
        )

    def _find_expectation(self, text: str) -> str:
        """Return the sentence that checks something, which may say so itself or leave that out."""
        __tracebackhide__ = True
        for sentence in (text, f"check that {text}"):
            try:
                planned = self.plan(sentence)
            except BadOrderError as error:
                if error.code != "no_intent_match" or sentence != text:
                    raise error.with_traceback(None) from None
                continue
            nodes = planned["plan"]["nodes"]
            if all(str(each["name"]).endswith(".expect") for each in nodes):
                return sentence
            break
        problem = Problem("no_expectation", f"“{text}” does more than check, so nothing was done.", "Give it to run().")
        raise BadOrderError(problem)

    def _look_around(self) -> str:
        try:
            return str(self.look(max_tokens=300))
        except HandError:
            return ""

    def _note(self, act: Callable[[], RunReport]) -> RunReport:
        __tracebackhide__ = True
        try:
            done = act()
        except HandError as error:
            self._remember(error.report)
            raise error.with_traceback(None) from None  # the test's own line tells more than ours
        self._remember(done)
        return done

    def _remember(self, done: RunReport | None) -> None:
        if done and self.terms.record:
            self.terms.record.runs.append(done)
        if self.terms.shared:
            self.terms.shared.catch_up()


class AsyncPytestHand(AsyncSurehand):
    """Does what `PytestHand` does, for asyncio."""

    def __init__(self, hand: PytestHand) -> None:
        self._hand = self._plain = hand

    async def run(self, text: str | None = None, **wishes: Unpack[AsyncRunWishes]) -> RunReport:
        """Do something, and return what came of it, as `PytestHand.run` does."""
        return await wait_in_thread(partial(self._plain.run, text, **wishes), self._stop_soon)

    async def flow(self, place: str | os.PathLike[str], **variables: object) -> RunReport:
        """Run a flow file, as `PytestHand.flow` does."""
        return await wait_in_thread(partial(self._plain.flow, place, **variables), self._stop_soon)

    async def check(self, sentence: str = "", /, **params: Any) -> None:
        """Check that something is so, as `PytestHand.check` does."""
        await wait_in_thread(partial(self._plain.check, sentence, **params), self._stop_soon)

    def _stop_soon(self) -> None:
        threading.Thread(target=self._plain.stop, name="surehand stop", daemon=True).start()


def declares(text: str, name: str) -> bool:
    """Tell whether a flow has a variable of this name."""
    block = re.search(r"^[\"']?vars[\"']?\s*:[^\n]*(?:\n[ \t]+[^\n]*)*|\"vars\"\s*:\s*\{[^}]*\}", text, re.MULTILINE)
    return bool(block and re.search(rf"(?:^|[{{,\s])[\"']?{re.escape(name)}[\"']?\s*:", block[0][4:]))
