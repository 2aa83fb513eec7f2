"""A Django project with the admin and 100 users: `admin_site.py FOLDER`, in an environment that has Django.

Its database is made in the folder. Whoever comes is signed in. Prints its address, and serves until it is ended.
"""

import secrets
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

USERS = 100
FIRST = ("Ada", "Grace", "Alan", "Edsger", "Barbara", "Donald", "Radia", "Ken", "Frances", "Tim")
LAST = ("Lovelace", "Hopper", "Turing", "Dijkstra", "Liskov", "Knuth", "Perlman", "Thompson", "Allen", "Lee")
urlpatterns: list[Any] = []


def sign_in(answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a middleware that signs everybody in as the administrator."""
    auth: Any = import_module("django.contrib.auth")

    def handle(request: Any) -> Any:
        if not request.user.is_authenticated:
            user = auth.get_user_model().objects.get(is_superuser=True)
            auth.login(request, user, "django.contrib.auth.backends.ModelBackend")
        return answer(request)

    return handle


def set_up(folder: Path) -> None:
    """Make project and database.

    Args:
        folder: Where the database goes.
    """
    django: Any = import_module("django")
    contrib = "django.contrib."
    processors = [f"{contrib}auth.context_processors.auth", f"{contrib}messages.context_processors.messages"]
    engine = "django.template.backends.django.DjangoTemplates"
    options = {"context_processors": ["django.template.context_processors.request", *processors]}
    import_module("django.conf").settings.configure(
        DEBUG=True,
        SECRET_KEY=secrets.token_hex(),
        ROOT_URLCONF="__main__",
        ALLOWED_HOSTS=["127.0.0.1"],
        INSTALLED_APPS=[
            contrib + app for app in ("admin", "auth", "contenttypes", "sessions", "messages", "staticfiles")
        ],
        MIDDLEWARE=[
            f"{contrib}sessions.middleware.SessionMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
            f"{contrib}auth.middleware.AuthenticationMiddleware",
            "__main__.sign_in",
            f"{contrib}messages.middleware.MessageMiddleware",
        ],
        TEMPLATES=[{"BACKEND": engine, "APP_DIRS": True, "OPTIONS": options}],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(folder / "site.sqlite3")}},
        STATIC_URL="/static/",
        USE_TZ=True,
    )
    django.setup()
    import_module("django.core.management").call_command("migrate", verbosity=0)
    users: Any = import_module("django.contrib.auth").get_user_model().objects
    users.create_superuser("admin", "admin@example.com", None)
    users.bulk_create([users.model(**describe_user(number)) for number in range(1, USERS)])
    site: Any = import_module("django.contrib.admin").site
    urlpatterns.append(import_module("django.urls").path("admin/", site.urls))


def describe_user(number: int) -> dict[str, Any]:
    """Return the fields of a user."""
    first, last = FIRST[number % len(FIRST)], LAST[number // len(FIRST) % len(LAST)]
    name = f"{first}.{last}".lower()
    return {
        "username": name,
        "first_name": first,
        "last_name": last,
        "email": f"{name}@example.com",
        "is_staff": number % 7 == 0,
    }


def serve() -> None:
    """Serve pages and what they are made of."""
    basehttp: Any = import_module("django.core.servers.basehttp")
    handlers: Any = import_module("django.contrib.staticfiles.handlers")

    class Handler(basehttp.WSGIRequestHandler):
        def log_message(self, *_: Any, **__: Any) -> None:
            """Print nothing."""

    server = basehttp.ThreadedWSGIServer(("127.0.0.1", 0), Handler)
    server.set_app(handlers.StaticFilesHandler(import_module("django.core.wsgi").get_wsgi_application()))
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    set_up(Path(sys.argv[1]))
    serve()
