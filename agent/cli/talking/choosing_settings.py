"""The settings of a chat or of voices: those of the folder, but for what the command line says."""

from pathlib import Path

from agent.cli.asking import check_language
from agent.settings.settings import Settings, load_settings


def choose_settings(workspace: Path, language: str, *, headed: bool) -> Settings:
    """Return the settings of a folder with what was said beside.

    Args:
        language: Tag of a language; empty leaves it to the settings.

    Raises:
        InputError: If there is no such language, or the settings are malformed.
    """
    settings = load_settings(workspace)
    chosen = check_language(language) if language else settings.language
    return settings.model_copy(update={"headed": headed or settings.headed, "language": chosen})
