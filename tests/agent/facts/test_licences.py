"""The licences of what is installed."""

from importlib.metadata import distribution
from pathlib import Path

import pytest

from agent.facts.licences import describe, judge_copyleft, list_licences


def install(folder: Path, name: str, *lines: str) -> None:
    """Put a package's metadata where Python looks for it."""
    place = folder / f"{name}-1.0.dist-info"
    place.mkdir()
    head = ("Metadata-Version: 2.4", f"Name: {name}", "Version: 1.0")
    (place / "METADATA").write_text("\n".join([*head, *lines, ""]), encoding="utf-8")


def test_each_package_is_told_with_its_licence_and_the_extras_that_ask_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    wanted = ("sh_free>=1", "sh_hands; extra == 'desktop'", "sh-hands[ears]; extra == 'audio'", "sh_absent>=3")
    install(tmp_path, "sh_project", *(f"Requires-Dist: {each}" for each in wanted))
    install(tmp_path, "sh_free", "License-Expression: MIT", "Requires-Dist: sh_hands; extra == 'never'")
    gpl = "Classifier: License :: OSI Approved :: GNU General Public License v3 or later (GPLv3+)"
    install(tmp_path, "sh_hands", gpl, "Requires-Dist: sh_ears; extra == 'ears'", "Requires-Dist: sh_free")
    install(tmp_path, "sh_ears", "License: LGPLv2+\n        and more words", "Requires-Dist: sh_hands[ears]")
    found = {each.name: (each.licence, each.extras, each.copyleft) for each in list_licences("sh_project")}
    assert found == {
        "sh_free": ("MIT", ("audio", "base", "desktop"), ""),
        "sh_hands": (gpl.rpartition(" :: ")[2], ("audio", "desktop"), "copyleft"),
        "sh_ears": ("LGPLv2+", ("audio",), "weak copyleft"),
    }


@pytest.mark.parametrize(
    ("licence", "told"),
    [("MPL-2.0 AND MIT", "weak copyleft"), ("AGPL-3.0-only", "copyleft"), ("GPLv3+", "copyleft"), ("Apache-2.0", "")],
)
def test_copyleft_is_marked(licence: str, told: str) -> None:
    assert judge_copyleft(licence) == told


def test_a_licence_that_is_written_in_one_place_only_is_found_whichever_library_reads_it() -> None:
    newer = pytest.importorskip("importlib_metadata", reason="a part of OpenTelemetry brings it")
    for read in (distribution, newer.distribution):
        assert "MIT" in describe(read("rich"), ()).licence
