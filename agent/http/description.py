"""The API's description, true where the framework's is not."""

from typing import Any

from fastapi import FastAPI

_JSON = "application/json"


def describe_truly(app: FastAPI) -> None:
    """Let an app describe its errors as JSON also where what is not an error is something else."""
    describe = app.openapi

    def describe_errors() -> dict[str, Any]:
        is_made = app.openapi_schema is not None
        schema = describe()
        if not is_made:
            for operations in schema["paths"].values():
                for operation in operations.values():
                    _correct(operation["responses"])
        return schema

    app.openapi = describe_errors


def _correct(responses: dict[str, Any]) -> None:
    for status, response in responses.items():
        content = response.get("content", {})
        if not status.startswith("2") and _JSON not in content and content:
            response["content"] = {_JSON: next(iter(content.values()))}
