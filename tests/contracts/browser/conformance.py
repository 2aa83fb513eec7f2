"""The conformance suite of the browser port: a back end passes if its subclass of this does."""

from tests.contracts.browser.aiming import AimingConformance
from tests.contracts.browser.answers import AnswerConformance
from tests.contracts.browser.fields.controls import ControlConformance
from tests.contracts.browser.fields.filling import FillConformance
from tests.contracts.browser.fields.forms import FormConformance, SecretFieldConformance
from tests.contracts.browser.fields.values import ValueConformance
from tests.contracts.browser.looks import LookConformance
from tests.contracts.browser.navigation import NavigationConformance
from tests.contracts.browser.outlines import OutlineConformance
from tests.contracts.browser.pointer import (
    CandidateConformance,
    GestureConformance,
    OrderConformance,
    PointerConformance,
)
from tests.contracts.browser.reading import ExpectConformance, ReadingConformance
from tests.contracts.browser.revealing import RevealConformance
from tests.contracts.browser.sessions import (
    DialogConformance,
    DownloadConformance,
    PretenceConformance,
)
from tests.contracts.browser.several import SeveralConformance
from tests.contracts.browser.tabs import TabConformance, ZoomConformance


class SharedConformance(
    AimingConformance,
    NavigationConformance,
    PointerConformance,
    FormConformance,
    SecretFieldConformance,
    ReadingConformance,
    OutlineConformance,
    AnswerConformance,
    ExpectConformance,
    TabConformance,
):
    """What both back ends are held to. A subclass has a fixture ``bench`` that gives its back end on the conformance site.

    Single cases in it that the fake one must refuse are marked ``not_simulated``.
    """


class BrowserConformance(
    SharedConformance,
    CandidateConformance,
    GestureConformance,
    OrderConformance,
    ControlConformance,
    FillConformance,
    RevealConformance,
    ValueConformance,
    LookConformance,
    SeveralConformance,
    ZoomConformance,
    DialogConformance,
    DownloadConformance,
    PretenceConformance,
):
    """All of it: what only a real browser knows as well."""
