"""Control readers: one for each language, for everybody who asks; its words are many, and they are read once."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.language.talk.control import ControlReader


@cache
def load_control_reader(language: str) -> "ControlReader":
    """Return what reads words to an open question or a run; one for each language, however many ask.

    Args:
        language: Tag of a language, such as ``en``.
    """
    # Loaded here: a first sentence has no question and no run to speak to.
    controls = import_module("core.language.talk.control")
    return controls.ControlReader(controls.load_controls(language))
