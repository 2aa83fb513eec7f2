"""Ships the unmodified tree inside the one package `surehand`, so that `core`, `agent` and `actuators` are never installed under those names.

What programs import, and the command that starts the rest, is `agent/client`: it is `surehand` itself.
"""

from setuptools import find_packages, setup

TREES = ("core", "agent", "actuators")
PUBLIC = "agent.client"
packages = find_packages(include=[name for tree in TREES for name in (tree, f"{tree}.*")])
public = [name.replace(PUBLIC, "surehand", 1) for name in packages if f"{name}.".startswith(f"{PUBLIC}.")]

setup(
    packages=[*public, *(f"surehand._app.{name}" for name in packages)],
    package_data={
        "surehand._app.agent.reports": ["pages/*", "styles/*", "scripts/*"],
        "surehand._app.agent.console": ["page/*", "styles/*", "scripts/*.js", "scripts/*/*"],
        "surehand._app.agent.cli.flows": ["*.html"],
        "surehand": ["py.typed"],
        "surehand.pytest_plugin": ["*.css"],
        "surehand._app.agent.client.pytest_plugin": ["*.css"],
        "surehand._app.agent.client": ["py.typed"],
        "surehand._app.core.language": ["*/*.phrases", "*/*.toml"],
        "surehand._app.core.outlines": ["*.txt"],
        "surehand._app.agent.planners": ["prompts/*.toml", "*/*.toml"],
        # The folders of TypeScript are no packages.
        "surehand._app.actuators.browser.playwright": [
            "engine/*.json",
            "engine/*.ts",
            "engine/*/*.ts",
            "engine/built/*",
        ],
    },
    package_dir={"surehand": "agent/client", **{f"surehand._app.{tree}": tree for tree in TREES}},
)
