"""Names and roles are those of the W3C's texts; where they are not, a vector says why."""

import tomllib
from pathlib import Path
from typing import Any

from tests.actuators.browser.engine.conftest import Modules
from tests.cases import each_case

HERE = Path(__file__).parent
NAMES = tomllib.loads((HERE / "names.toml").read_text(encoding="utf-8"))
ROLES = tomllib.loads((HERE / "roles.toml").read_text(encoding="utf-8"))
ALL = [*NAMES["name"], *ROLES["role"]]


async def ask(modules: Modules, vector: dict[str, Any], question: str) -> Any:
    await modules.show(vector["html"])
    await modules.run("engine/names/naming", "forgetTexts()")
    host = vector.get("inside")
    found = f"find({host!r}).shadowRoot.querySelector({vector['find']!r})" if host else "find('#t')"
    return await modules.run("engine/names/naming", f"{question}({found})", "engine/names/roles")


@each_case("vector", NAMES["name"], ids=lambda vector: vector["cite"])
async def test_a_name_is_the_standards(modules: Modules, vector: dict[str, Any]) -> None:
    assert await ask(modules, vector, "nameOf") == vector["name"]
    if "names" in vector:
        assert await ask(modules, vector, "namesOf") == vector["names"]


@each_case("vector", ROLES["role"], ids=lambda vector: vector["cite"])
async def test_a_role_is_the_standards(modules: Modules, vector: dict[str, Any]) -> None:
    assert await ask(modules, vector, "roleOf") == vector["role"]


@each_case(("tag", "role"), ROLES["elements"].items())
async def test_an_element_has_its_role(modules: Modules, tag: str, role: str) -> None:
    await modules.page.evaluate(
        "(tag) => { const t = document.createElement(tag); t.id = 't'; document.body.replaceChildren(t); }", tag
    )
    assert await modules.run("engine/names/roles", "roleOf(find('#t'))") == role


@each_case(("kind", "role"), ROLES["inputs"].items())
async def test_an_input_has_the_role_of_its_type(modules: Modules, kind: str, role: str) -> None:
    await modules.show(f'<input id="t" type="{kind}">')
    assert await modules.run("engine/names/roles", "roleOf(find('#t'))") == role


def test_what_differs_from_the_standard_says_why() -> None:
    assert [vector["cite"] for vector in ALL if ("standard" in vector) != ("why" in vector)] == []
