"""The conformance suite of the audio port: a back end passes if its subclass of this does."""

from tests.contracts.audio.port import AudioDeviceConformance, AudioStreamConformance
from tests.contracts.audio.recovery import SoundRecoveryConformance
from tests.contracts.audio.tools import AppVolumeConformance, DeviceChoiceConformance, VolumeConformance


class AudioConformance(
    AudioDeviceConformance,
    AudioStreamConformance,
    VolumeConformance,
    DeviceChoiceConformance,
    AppVolumeConformance,
    SoundRecoveryConformance,
):
    """All of it. A subclass has a fixture ``bench`` that gives its back end, where every test starts."""
