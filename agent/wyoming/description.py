"""What the service says of itself to whoever asks."""

from importlib.metadata import version

from wyoming.info import Attribution, HandleModel, HandleProgram, Info, IntentModel, IntentProgram

from core.language.talk.languages import FOLDERS

NAME = "surehand"
_LANGUAGES = list(FOLDERS)
"""What is understood; replies are in English."""


def describe_service() -> Info:
    """Return the description: one program that handles sentences, one that tells what they mean."""
    number = version(NAME)
    attribution = Attribution(name="Surehand", url="")
    handling = "Does what you say: in the browser, with files, windows and sound"
    telling = "Tells which goals a sentence means; does nothing"
    handle = HandleProgram(
        name=NAME,
        attribution=attribution,
        installed=True,
        description=handling,
        version=number,
        models=[
            HandleModel(
                name="rules",
                attribution=attribution,
                installed=True,
                description=handling,
                version=number,
                languages=_LANGUAGES,
            )
        ],
        supports_handled_streaming=True,
        supports_home_control=False,
    )
    intent = IntentProgram(
        name=NAME,
        attribution=attribution,
        installed=True,
        description=telling,
        version=number,
        models=[
            IntentModel(
                name="rules",
                attribution=attribution,
                installed=True,
                description=telling,
                version=number,
                languages=_LANGUAGES,
            )
        ],
    )
    return Info(handle=[handle], intent=[intent])
