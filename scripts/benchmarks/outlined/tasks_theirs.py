"""Tasks on pages and kits of others. Their end is what the page's own model says, or what their server keeps."""

import json

from scripts.benchmarks.outlined.sites import on_admin, on_kit
from scripts.benchmarks.outlined.tasks import Task

_PETS = {
    "openapi": "3.0.0",
    "info": {"title": "Pets", "version": "1"},
    "servers": [{"url": "/api"}],
    "paths": {
        "/pets": {"get": {"summary": "List all pets", "responses": {"200": {"description": "All"}}}},
        "/pets/{petId}": {
            "get": {
                "summary": "Find a pet by its id",
                "parameters": [{"name": "petId", "in": "path", "required": True, "schema": {"type": "integer"}}],
                "responses": {"200": {"description": "The pet"}},
            },
            "delete": {
                "summary": "Give a pet away",
                "parameters": [{"name": "petId", "in": "path", "required": True, "schema": {"type": "integer"}}],
                "responses": {"204": {"description": "Gone"}},
            },
        },
    },
}
_START_SWAGGER = f"""window.onload = () => {{ window.ui = SwaggerUIBundle({{
  spec: {json.dumps(_PETS)}, dom_id: "#swagger-ui",
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset], layout: "BaseLayout",
}}); }};"""
_SWAGGER_MODEL = "undefined"  # what it asks its server for is what counts
_WIDGETS = """[$("#radio3").prop("checked"), $("#tabs").tabs("option", "active"), $("#selectmenu").val(),
  $("#spinner").spinner("value"), $("#insurance").prop("checked"), $("#dialog").dialog("isOpen")]"""


def _todos(key: str) -> str:
    """Return what reads the list that a TodoMVC keeps in its page."""
    return f'JSON.parse(localStorage.getItem("{key}") || "[]").map((each) => [each.title, each.completed])'


THEIRS = (
    Task(
        "TodoMVC (Vue): write two, tick one",
        on_kit("todomvc", "examples/vue/index.html", _todos("todos-vuejs")),
        (
            'type "Buy milk" as what needs to be done and press enter',
            'type "Call Ada" as what needs to be done and press enter',
            "tick buy milk",
        ),
        [["Buy milk", True], ["Call Ada", False]],
    ),
    Task(
        "TodoMVC (React): delete one of two",
        on_kit("todomvc", "examples/react/index.html", _todos("react-todos")),
        (
            'type "Buy milk" as what needs to be done and press enter',
            'type "Call Ada" as what needs to be done and press enter',
            "delete buy milk",
        ),
        [["Call Ada", False]],
    ),
    Task(
        "Django's admin: a new group",
        on_admin("/admin/auth/group/", r'<th class="field-__str__"><a[^>]*>([^<]+)'),
        ("add group", 'type "Editors" as the name', "press save"),
        ["Editors"],
    ),
    Task(
        "Django's admin: a user's address",
        on_admin("/admin/auth/user/?q=ken.hopper", r'class="field-email">([^<]+)', "/admin/auth/user/"),
        ("follow ken.hopper", 'type "ken@hopper.example" as the email address', "press save"),
        ["ken@hopper.example"],
    ),
    Task(
        "Swagger UI: ask for a pet",
        on_kit("swagger-ui-dist", "index.html", _SWAGGER_MODEL, {"swagger-initializer.js": _START_SWAGGER}),
        ("press find a pet by its id", "try it out", 'type "7" as the petId', "press execute"),
        "GET /api/pets/7",
    ),
    Task(
        "jQuery UI's own page of widgets",
        on_kit("jquery-ui-dist", "index.html", _WIDGETS),
        (
            "tick choice 3",
            "press Third under Tabs",
            "choose Fast as the selectmenu",
            "set the spinner to 5",
            "tick insurance",
            "open dialog",
            "press ok",
        ),
        [True, 2, "Fast", 5, True, False],
    ),
    Task(
        "Shoelace: book a trip",
        on_kit("@shoelace-style/shoelace", "shoelace.html", "window.booked"),
        (
            'type "Ada Allen" as the name',
            "choose Sleeper as the class",
            "choose Window as the seat",
            "press extras",
            "tick take a bicycle",
            "switch on quiet carriage",
            "press book",
            "press yes, book it",
        ),
        {"name": "Ada Allen", "class": "sleeper", "seat": "window", "bike": True, "quiet": True},
    ),
    Task(
        "MUI: a profile",
        on_kit("@mui/material", "mui.html", "window.saved"),
        (
            'type "Ada Allen" as the full name',
            "choose 18 to 64 as the age group",
            "choose Japan as the country",
            "press the tab letters",
            "switch on monthly letter",
            "press save",
            "press save it",
        ),
        {"name": "Ada Allen", "age": "18 to 64", "country": "Japan", "letter": True, "size": "m"},
    ),
    Task(
        "Bootstrap: a team",
        on_kit("bootstrap", "bootstrap.html", "[window.people, window.sorted, find('letters').checked]"),
        (
            "remove the row of Alan",
            "add a member",
            'type "Ada" as the name',
            "choose Writer as the role",
            "press save",
            "sort by name",
            "switch on weekly letter",
        ),
        [[["Grace", "Editor"], ["Ada", "Writer"]], "By name", True],
    ),
)
