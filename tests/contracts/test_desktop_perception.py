"""All accessibility trees and all readers do the same, and so do the tools over them."""

import inspect
import re
from collections.abc import AsyncIterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from actuators.desktop.tools.elements import ElementTools
from actuators.desktop.tools.perceiving import ScreenTools
from core.tools.registry import list_verbs
from fixtures.machine.desktop import PrivateDesktop
from tests.contracts.desktop_perception.bench import ElementBench, ReaderBench
from tests.contracts.desktop_perception.element_suite import ElementConformance
from tests.contracts.desktop_perception.fake_bench import make_fake_bench, make_fake_reader_bench
from tests.contracts.desktop_perception.reader_suite import ReaderConformance
from tests.contracts.desktop_perception.real_bench import RealBench, make_reader_bench
from tests.prerequisites import miss, require


@pytest.fixture(scope="module")
async def calculator(
    shared_desk: PrivateDesktop, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[ElementBench]:
    """A real calculator that the tests of this file share; each sets what it needs."""
    require("galculator")
    bench = RealBench(shared_desk, tmp_path_factory.mktemp("state"))
    await bench.open()
    yield bench
    await bench.close()


@pytest.fixture(scope="module")
async def paper(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ReaderBench]:
    """A real reader, whose models are loaded once, and a picture."""
    if missing := [name for name in ("rapidocr", "onnxruntime", "cv2") if find_spec(name) is None]:
        miss(f"{', '.join(missing)} not installed (the extra vision)")
    bench = make_reader_bench(tmp_path_factory.mktemp("pictures"))
    yield bench
    await bench.reader.close()


class TestAtspi(ElementConformance):
    """The accessibility bus."""

    @pytest.fixture
    def bench(self, calculator: ElementBench) -> ElementBench:
        return calculator


class TestFake(ElementConformance):
    """A desktop in memory."""

    @pytest.fixture
    def bench(self, tmp_path: Path) -> ElementBench:
        return make_fake_bench(tmp_path)


class TestPictureReader(ReaderConformance):
    """rapidocr and opencv."""

    @pytest.fixture
    def reader_bench(self, paper: ReaderBench) -> ReaderBench:
        return paper


class TestFakeReader(ReaderConformance):
    """What windows in memory declare."""

    @pytest.fixture
    async def reader_bench(self, tmp_path: Path) -> ReaderBench:
        return await make_fake_reader_bench(tmp_path)


def test_the_suite_calls_every_verb():
    sources = "".join(inspect.getsource(part) for part in ElementConformance.__mro__[1:-1])
    called = set(re.findall(r'bench\.call\(\s*"(\w+)"', sources))
    own = ({*list_verbs(ElementTools)} | {*list_verbs(ScreenTools)}) - {"screenshot"}
    assert called >= own
