from collections.abc import Callable, Iterator

import pytest

from tests.architecture import limits
from tests.architecture.sources import Source, list_files, read_sources

Check = Callable[[Source], Iterator[str]]
CHECKS: list[Check] = [
    limits.find_long_files,
    limits.find_long_functions,
    limits.find_large_classes,
    limits.find_many_parameters,
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_every_file_keeps_within_the_limits(check: Check) -> None:
    assert [complaint for source in read_sources() for complaint in check(source)] == []


def test_no_file_lies_too_deep() -> None:
    assert [complaint for name in list_files() for complaint in limits.find_deep_folders(name)] == []


def test_exempt_files_are_there() -> None:
    assert [name for name in limits.LONG_FILES if name not in list_files()] == []


BODY = "    x = 1\n"


@pytest.mark.parametrize(
    ("check", "text", "complaints"),
    [
        (limits.find_long_files, "x = 1\n" * 400, 0),
        (limits.find_long_files, "x = 1\n" * 401, 1),
        (limits.find_long_functions, "def f():\n" + BODY * 49, 0),
        (limits.find_long_functions, "def f():\n" + BODY * 50, 1),
        (limits.find_long_functions, 'async def f():\n    """One.\n\n    Two.\n    """\n' + BODY * 49, 0),
        (limits.find_large_classes, "class C:\n" + BODY * 249, 0),
        (limits.find_large_classes, "class C:\n" + BODY * 250, 1),
        (limits.find_large_classes, "class C:\n" + "".join(f"    def m{n}(self): ...\n" for n in range(16)), 1),
        (limits.find_large_classes, "class C:\n" + "".join(f"    def _m{n}(self): ...\n" for n in range(16)), 0),
        (limits.find_many_parameters, "def f(self, a, b, c, /, d, e, *, f): ...", 0),
        (limits.find_many_parameters, "def f(a, b, c, d, e, f, g): ...", 1),
        (limits.find_many_parameters, "def f(self, context: ActionContext, a, b, c, d, e, f): ...", 0),
        (limits.find_many_parameters, "def f(a, *, b, c, d, e, f, g): ...", 1),
    ],
)
def test_the_checks_see_what_is_too_large(check: Check, text: str, complaints: int) -> None:
    assert len(list(check(Source("core/sample.py", text)))) == complaints


@pytest.mark.parametrize(
    ("name", "complaints"),
    [
        ("a/b/c/d/file.txt", 0),
        ("a/b/c/d/e/file.txt", 1),
        (f"{limits.ENGINE}a/b/file.ts", 0),
        (f"{limits.ENGINE}a/b/c/file.ts", 1),
    ],
)
def test_the_depth_of_a_folder_is_counted(name: str, complaints: int) -> None:
    assert len(list(limits.find_deep_folders(name))) == complaints
