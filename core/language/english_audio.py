"""English phrases for volume, sound devices and media players."""

from core.language.grammar import Phrase, VerbPhrases

_TO_20 = {"level": 20}
_BY_20 = {"amount": 20}
_FIREFOX = {"app": "Firefox"}
_MIC = {"target": "input"}

AUDIO = (
    VerbPhrases(
        "audio",
        "set_volume",
        (
            Phrase(
                "(set|change|put|turn|adjust|bring|move|make|get) {*:volume} [(up|down|on|value|level)] (to|at|on) {level:percent} [<heard_on> {*_after:source}]",
                {
                    "set the volume to 20": _TO_20,
                    "turn the volume down to 20%": _TO_20,
                    "put the volume of Firefox at twenty percent": _TO_20 | _FIREFOX,
                    "set the microphone volume to 20": _TO_20 | _MIC,
                    "change the volume to half": {"level": 50},
                    "set the volume to 20 in the living room": _TO_20 | {"device": "living room"},
                },
            ),
            Phrase(
                "(set|change|put|turn|adjust) {*:sound} [(up|down)] (to|at) {level:said_percent} [<heard_on> {*_after:source}]",
                {
                    "set the kitchen speaker to 20 percent": _TO_20 | {"device": "kitchen"},
                    "set Firefox to 20%": _TO_20 | _FIREFOX,
                },
            ),
            Phrase("turn {*:sound} (up|down) to {level:percent}", {"turn Firefox down to 20": _TO_20 | _FIREFOX}),
            Phrase(
                "(turn|crank|pump) (up|down) {*:sound} (to|at) {level:percent} [<heard_on> {*_after:source}]",
                {"turn up the sound to 20": _TO_20},
            ),
            Phrase(
                "<quieter_or_louder> {*:loudness} (to|at) {level:percent} [<heard_on> {*_after:source}]",
                {"increase the volume to 20": _TO_20, "lower the volume of Firefox to 20": _TO_20 | _FIREFOX},
            ),
            Phrase(
                "(set|put) {*:volume} {level:percent} [<heard_on> {*_after:source}]",
                {"set volume 20": _TO_20},
            ),
            Phrase(
                "(turn|crank|pump|put|set|bring) {*:loudness} (all the way up|up all the way|to the max|to max)",
                {"turn the volume all the way up": {"level": 100}},
                sets={"level": 100},
            ),
            Phrase(
                "max out {*:sound}",
                {"max out the volume": {"level": 100}},
                sets={"level": 100},
            ),
            Phrase(
                "(turn|bring|put|set) {*:loudness} (all the way down|down all the way)",
                {"turn the volume all the way down": {"level": 0}},
                sets={"level": 0},
            ),
            Phrase(
                "{*:volume} [should be|needs to be|must be] [(set|turned|increased|decreased|raised|lowered|changed)] (to|at) {level:percent}",
                {"volume to 20": _TO_20, "my speaker volume should be set to 20%": _TO_20},
            ),
            Phrase("volume {level:percent} [set]", {"volume 20": _TO_20, "volume 20%": _TO_20}),
            Phrase(
                "(i want|i'd like|i would like) {*:volume} [(set|turned|increased|decreased|raised|lowered|changed|bumped)] [(up|down)] (to|at) {level:percent}",
                {"i want the volume set to 20": _TO_20},
            ),
            Phrase(
                "(set|change|adjust) {*:volume}",
                {"change the volume": {}},
                refuses="missing_slot",
                asks="To which level, from 0 to 100?",
            ),
        ),
    ),
    VerbPhrases(
        "audio",
        "volume_up",
        (
            Phrase(
                "(turn|crank|pump|put|bring|move) up {*:loudness} by {amount:points}",
                {"turn up the volume of Firefox by 20": _BY_20 | _FIREFOX},
            ),
            Phrase(
                "(turn|crank|pump|put|bring|move) up {*:loudness} [<by> {amount:points}] [<a_bit>] [<heard_on> {*_after:source}]",
                {
                    "turn up the volume": {},
                    "crank up the kitchen speaker": {"device": "kitchen"},
                },
            ),
            Phrase(
                "(turn|crank|pump|put|bring|move|make|get|set) {*:loudness} (up|louder|higher|up louder|to a higher volume|loud) "
                "[<by> {amount:points}] [<a_bit>] [<heard_on> {*_after:source}]",
                {
                    "turn the volume up": {},
                    "turn the volume up by 20": _BY_20,
                    "turn the sound of Firefox up by twenty percent": _BY_20 | _FIREFOX,
                    "set the volume higher on my kitchen tv": {"device": "kitchen"},
                },
            ),
            Phrase("(turn|crank) up {*:sound} [<by> {amount:points}]", {"turn up Firefox": _FIREFOX}),
            Phrase("turn {*:sound} up [<by> {amount:points}] [<a_bit>]", {"turn Firefox up by 20": _BY_20 | _FIREFOX}),
            Phrase("make {*:sound} [<a_bit>] louder", {"make Firefox louder": _FIREFOX}),
            Phrase(
                "(make|turn) {*:loudness} (a bit|a little|a little bit|slightly|much) (louder|higher|up)",
                {"turn my bedroom tv a little louder": {"device": "bedroom"}},
            ),
            Phrase(
                "turn {_it:lone} up [<by> {amount:points}] [<a_bit>]",
                {"turn it up a bit": {}, "turn it up by 20": _BY_20},
            ),
            Phrase(
                "(increase|raise|boost|rise|up|amplify|bump up) {*:loudness} <by> {amount:points}",
                {"raise the volume of Firefox by 20 percent": _BY_20 | _FIREFOX},
            ),
            Phrase(
                "(increase|raise|boost|rise|up|amplify|bump up) {*:loudness} [<by> {amount:points}] [<a_bit>] [<heard_on> {*_after:source}]",
                {
                    "increase the volume": {},
                    "raise the volume of the kitchen tv": {"device": "kitchen"},
                    "increase the volume by 20% in the living room": _BY_20 | {"device": "living room"},
                },
            ),
            Phrase("make {_it:lone} [<a_bit>] louder", {"make it louder": {}}),
            Phrase("(louder|volume louder) [please]", {"louder": {}}),
            Phrase(
                "volume up [<by> {amount:points}] [<a_bit>] [<heard_on> {*_after:source}]",
                {
                    "volume up": {},
                    "volume up by 20%": _BY_20,
                    "volume up in the living room": {"device": "living room"},
                },
            ),
            Phrase("volume up {*:source} [by {amount:points}]", {"volume up my tv": {"device": "tv"}}),
            Phrase(
                "{*:loudness} up [<by> {amount:points}] [<a_bit>] [<heard_on> {*_after:source}]",
                {"sound up": {}, "kitchen tv volume up by 20": _BY_20 | {"device": "kitchen"}},
            ),
            Phrase(
                "(i want|i'd like|i would like) {*:sound} (louder|higher|increased|raised|up|turned up)",
                {"i want the volume louder": {}},
            ),
            Phrase("{*:loudness} should be (louder|higher|increased|raised)", {"the music should be louder": {}}),
        ),
    ),
    VerbPhrases(
        "audio",
        "volume_down",
        (
            Phrase(
                "(turn|put|bring|move|cut) down {*:loudness} by {amount:points}",
                {"turn down the volume of Firefox by 20": _BY_20 | _FIREFOX},
            ),
            Phrase(
                "(turn|put|bring|move|cut) down {*:loudness} [<by> {amount:points}] [<a_bit>] [<heard_on> {*_after:source}]",
                {
                    "turn down the volume": {},
                    "turn down the volume on the first floor": {"device": "first floor"},
                },
            ),
            Phrase(
                "(turn|put|bring|move|make|get|set|change) {*:loudness} (down|lower|quieter|softer|to a lower volume|low) "
                "[<by> {amount:points}] [<a_bit>] [<heard_on> {*_after:source}]",
                {
                    "turn the volume down": {},
                    "turn the volume down by 20": _BY_20,
                    "make the music quieter": {},
                    "bring the volume lower on the kitchen speaker": {"device": "kitchen"},
                },
            ),
            Phrase("turn down {*:sound} [<by> {amount:points}]", {"turn down Firefox": _FIREFOX}),
            Phrase(
                "turn {*:sound} down [<by> {amount:points}] [<a_bit>]", {"turn Firefox down by 20": _BY_20 | _FIREFOX}
            ),
            Phrase("make {*:sound} [<a_bit>] (quieter|softer)", {"make Firefox quieter": _FIREFOX}),
            Phrase(
                "(make|turn) {*:loudness} (a bit|a little|a little bit|slightly|much) (quieter|softer|lower|down)",
                {"turn my bedroom tv a little quieter": {"device": "bedroom"}},
            ),
            Phrase("turn {_it:lone} down [<by> {amount:points}] [<a_bit>]", {"turn it down by 20": _BY_20}),
            Phrase(
                "(decrease|lower|reduce|drop|down) {*:loudness} <by> {amount:points}",
                {"reduce the volume of Firefox by 20 percent": _BY_20 | _FIREFOX},
            ),
            Phrase(
                "(decrease|lower|reduce|drop|down) {*:loudness} [<by> {amount:points}] [<a_bit>] [<heard_on> {*_after:source}]",
                {
                    "lower the volume": {},
                    "decrease the volume a bit": {},
                },
            ),
            Phrase("make {_it:lone} [<a_bit>] (quieter|softer)", {"make it quieter": {}}),
            Phrase("(quieter|softer|volume quieter) [please]", {"quieter": {}}),
            Phrase(
                "volume down [<by> {amount:points}] [<a_bit>] [<heard_on> {*_after:source}]",
                {"volume down": {}, "volume down by 20": _BY_20},
            ),
            Phrase("volume down {*:source} [by {amount:points}]", {"volume down my tv": {"device": "tv"}}),
            Phrase(
                "{*:loudness} down [<by> {amount:points}] [<a_bit>] [<heard_on> {*_after:source}]",
                {"sound down": {}, "bedroom tv volume down": {"device": "bedroom"}},
            ),
            Phrase(
                "(i want|i'd like|i would like) {*:sound} (lowered|lower|quieter|decreased|down|turned down)",
                {"i want the volume lowered": {}},
            ),
            Phrase("{*:loudness} should be (lowered|lower|quieter|decreased)", {"the music should be quieter": {}}),
        ),
    ),
    VerbPhrases(
        "audio",
        "unmute",
        (
            Phrase(
                "unmute for {duration:seconds} [<heard_on> {*_after:source}]",
                {"unmute for five minutes": {"duration": 300}},
            ),
            Phrase(
                "unmute [{*:sound}] [for {duration:seconds}] [<heard_on> {*_after:source}]",
                {
                    "unmute": {},
                    "unmute Firefox": _FIREFOX,
                    "unmute the microphone": _MIC,
                    "unmute Firefox for five minutes": _FIREFOX | {"duration": 300},
                },
            ),
            Phrase(
                "(turn|switch) (mute off|off mute|off the mute) [<heard_on> {*_after:source}]",
                {"turn mute off": {}, "turn off mute on the kitchen speaker": {"device": "kitchen"}},
            ),
            Phrase(
                "(turn|switch) (the (sound|volume|audio) [back] on|on the (sound|volume|audio)) [again] [<heard_on> {*_after:source}]",
                {"turn the sound back on": {}},
            ),
            Phrase(
                "(deactivate|disable|remove) [the] mute [function] [<heard_on> {*_after:source}]", {"disable mute": {}}
            ),
        ),
    ),
    VerbPhrases(
        "audio",
        "toggle_mute",
        (
            Phrase(
                "(toggle|switch) [the] (mute|muting|sound) [(of|on|for) {*:source}]",
                {"toggle mute": {}, "toggle mute of Firefox": _FIREFOX},
            ),
        ),
    ),
    VerbPhrases(
        "audio",
        "mute",
        (
            Phrase(
                "(mute|silence) for {duration:seconds} [<heard_on> {*_after:source}]",
                {"mute for ten minutes": {"duration": 600}},
            ),
            Phrase(
                "(mute|silence) [{*:sound}] [for {duration:seconds}] [<heard_on> {*_after:source}]",
                {
                    "mute": {},
                    "mute the sound": {},
                    "mute Firefox for ten minutes": _FIREFOX | {"duration": 600},
                    "mute the microphone": _MIC,
                    "silence the kitchen speaker": {"device": "kitchen"},
                },
            ),
            Phrase(
                "(turn|switch|shut) (the (sound|volume|audio) off|off the (sound|volume|audio)) [for {duration:seconds}] [<heard_on> {*_after:source}]",
                {"turn the sound off": {}, "turn off the sound for 30 seconds": {"duration": 30}},
            ),
            Phrase("(sound|volume|audio) off", {"sound off": {}}),
            Phrase("(shut up|quiet) {*:source}", {"shut up the kitchen tv": {"device": "kitchen"}}),
            Phrase("(set|put) {*:sound} (to|on) mute", {"set the speakers to mute": {}}),
            Phrase(
                "stop making (sounds|noise|any sound) [for {duration:seconds}]",
                {"stop making noise for two minutes": {"duration": 120}},
            ),
        ),
    ),
    VerbPhrases(
        "audio",
        "get_volume",
        (
            Phrase(
                "(what is|what's|tell me|show me|show|check|get) {*:measure}",
                {"what's the volume": {}, "show me the volume of Firefox": _FIREFOX},
            ),
            Phrase("(how loud is|at what level is) {*:sound}", {"how loud is the music": {}}),
            Phrase("(what is|what's) {*:volume} (at|set to)", {"what is the volume set to": {}}),
            Phrase("is {*:sound} muted", {"is the microphone muted": _MIC}),
        ),
    ),
    VerbPhrases(
        "audio",
        "list_devices",
        (
            Phrase(
                "<list> [the|my|all] (audio|sound|output|audio output|sound output|playback) devices",
                {"list the sound devices": {}, "show me the audio devices": {}},
            ),
            Phrase(
                "<list> [the|my|all] (input devices|audio input devices|sound input devices|microphones|mics)",
                {"list my microphones": _MIC},
                sets=_MIC,
            ),
            Phrase(
                "(which|what) (audio|sound|output) devices (are there|do i have)",
                {"which sound devices are there": {}},
            ),
        ),
    ),
    VerbPhrases(
        "audio",
        "list_apps",
        (
            Phrase(
                "(which|what) (apps|programs|applications) (are playing|are making|play|make|have) (sound|audio|noise|music)",
                {"which apps are playing sound": {}, "what programs make noise": {}},
            ),
            Phrase(
                "<list> [the|all] (apps|programs|applications) (with|that play|playing) (sound|audio)",
                {"list the apps with sound": {}},
            ),
        ),
    ),
    VerbPhrases(
        "audio",
        "set_default",
        (
            Phrase(
                "(make|set) {device:output} [as] the default [(output|speaker|sound device|audio device|device)]",
                {
                    "make the headphones the default": {"device": "headphones"},
                    'set "USB Audio" as the default output': {"device": "USB Audio"},
                },
            ),
            Phrase(
                "(make|set) {device:quote} [as] the default (microphone|mic|input)",
                {'make "USB Mic" the default microphone': {"device": "USB Mic"} | _MIC},
                sets=_MIC,
            ),
            Phrase(
                "(switch|change) [the] (sound|audio|output|sound output|audio output) to {device:output}",
                {"switch the sound to the headphones": {"device": "headphones"}},
            ),
            Phrase(
                "use {device:output} for (sound|audio|output)",
                {"use the headphones for sound": {"device": "headphones"}},
            ),
        ),
    ),
    VerbPhrases(
        "audio",
        "route_app",
        (
            Phrase(
                "(send|route|move|switch|play) the (sound|audio) of {app:program} (to|on|through|over) {device:output}",
                {"move the sound of Firefox to the monitor": _FIREFOX | {"device": "monitor"}},
            ),
            # To move Firefox to the monitor is no matter of sound.
            Phrase(
                "(send|route|play) {app:program} (to|on|through|over) {device:output}",
                {
                    "send Firefox to the headphones": _FIREFOX | {"device": "headphones"},
                    "play Firefox through the kitchen speaker": _FIREFOX | {"device": "kitchen"},
                },
            ),
        ),
    ),
    VerbPhrases(
        "audio",
        "play_sound",
        (
            Phrase(
                "play [the] [sound|sound file|audio file|audio|file|clip] {path:file}",
                {
                    "play the sound ding.wav": {"path": "ding.wav"},
                    "play ding.ogg in my downloads": {"path": "downloads:/ding.ogg"},
                },
            ),
        ),
    ),
)
