"""What the commands of the scripts name is there."""

from importlib.util import find_spec

from scripts import bench, chaos
from tests.cases import each_case


@each_case("name", bench.NAMES)
def test_every_benchmark_has_its_module(name: str) -> None:
    assert find_spec(f"scripts.benchmarks.{bench.ROOMS.get(name, name.replace('-', '_'))}")


@each_case("name", chaos.NAMES)
def test_every_trial_has_its_module(name: str) -> None:
    assert find_spec(f"scripts.chaos_trials.{chaos.ROOMS.get(name, name)}")
