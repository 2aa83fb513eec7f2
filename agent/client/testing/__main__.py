"""``python -m surehand.testing``: pytest in Surehand's own process; what follows goes to pytest."""

import sys
from importlib import import_module

from ..launcher import prepare_path
from ..reports import Problem


def main() -> int:
    """Run pytest, and return its exit code."""
    prepare_path()
    try:
        pytest = import_module("pytest")
    except ModuleNotFoundError:
        text = Problem(
            "not_installed", "pytest is not installed here.", "Install it beside Surehand: pip install pytest"
        )
        sys.stderr.write(f"{text}\n")
        return 2
    return int(pytest.main(sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(main())
