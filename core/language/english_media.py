"""English phrases for media players."""

from core.language.grammar import Phrase, VerbPhrases

_VLC = {"player": "VLC"}

MEDIA = (
    VerbPhrases(
        "media",
        "previous",
        (
            Phrase(
                "(go back|skip back|return|go|skip) [back] to the (previous|last) <track> [<on_player> {player:player}]",
                {"go back to the previous song": {}, "go to the last track in VLC": _VLC},
            ),
            Phrase(
                "(play|replay) [the|my] (previous|last) <track> [again] [<on_player> {player:player}]",
                {"play the last song again": {}, "replay the previous track": {}},
            ),
            Phrase(
                "(previous|last) <track> [<on_player> {player:player}]",
                {"previous song": {}, "previous track in VLC": _VLC},
            ),
            Phrase("replay (this|the|that) <track>", {"replay this song": {}}),
            Phrase("replay", {"replay": {}}, refuses="ambiguous", asks="The last track, or what was said?"),
            Phrase("(play previous|media previous|media play previous)", {"play previous": {}}),
            # "Go back in Firefox" is about its pages.
            Phrase("go back (on|in) {player:sound_device}", {"go back on the tv": {"player": "tv"}}),
            Phrase(
                "{player:player} (play|replay|go back to) the (previous|last) <track> [again]",
                {"VLC play the last song": _VLC},
            ),
        ),
    ),
    VerbPhrases(
        "media",
        "next",
        (
            Phrase(
                "(skip|skip to|go to|jump to|play) [the|my] next <track> [<on_player> {player:player}]",
                {"skip to the next song": {}, "play the next track in VLC": _VLC},
            ),
            Phrase("next <track> [<on_player> {player:player}]", {"next song": {}, "next track on VLC": _VLC}),
            Phrase(
                "skip [(this|the|that|the current) [<track>]|<track>] [<on_player> {player:player}]",
                {"skip": {}, "skip this song": {}, "skip the track on VLC": _VLC},
            ),
            Phrase("{player:player} (skip|skip this|next|next <track>)", {"VLC skip this": _VLC}),
            Phrase("(play next|media next|media play next)", {"play next": {}}),
        ),
    ),
    VerbPhrases(
        "media",
        "stop",
        (
            Phrase("stop (playing|playback|the playback)", {"stop playing": {}}),
            Phrase("stop {player:player}", {"stop VLC": _VLC, "stop the VLC player": _VLC}),
        ),
    ),
    VerbPhrases(
        "media",
        "pause",
        (
            Phrase(
                "pause [<media>] [<on_player> {player:player}]",
                {"pause": {}, "pause the music": {}, "pause the video in VLC": _VLC},
            ),
            Phrase("pause {player:player}", {"pause VLC": _VLC}),
            Phrase(
                "(turn|switch) (off (the|my|this) (music|song|video|podcast|movie)|(the|my|this) (music|song|video|podcast|movie) off)",
                {"turn off the music": {}, "turn the music off": {}},
            ),
            Phrase("{player:player} pause", {"VLC pause": _VLC}),
            # What was stopped so can be gone on with: "continue the music".
            Phrase(
                "stop [playing] <media> [<on_player> {player:player}]",
                {"stop the music": {}, "stop playing music on this page": {}},
            ),
        ),
    ),
    VerbPhrases(
        "media",
        "play_pause",
        (
            Phrase(
                "(toggle|switch) (play|playback|play pause|play/pause) [<on_player> {player:player}]",
                {"toggle playback": {}, "toggle playback in VLC": _VLC},
            ),
            Phrase("(play or pause|play/pause) [<media>]", {"play or pause the music": {}}),
        ),
    ),
    VerbPhrases(
        "media",
        "play",
        (
            Phrase(
                "(play|start|start playing|resume|continue|continue playing|unpause) <media> [<on_player> {player:player}]",
                {"play the music": {}, "continue the music": {}, "resume playback in VLC": _VLC},
            ),
            Phrase("(play|resume|unpause)", {"play": {}, "resume": {}, "unpause": {}}),
            Phrase("(resume|unpause|continue) {player:player}", {"resume VLC": _VLC}),
            Phrase("{player:player} (resume|play|continue)", {"VLC resume": _VLC}),
        ),
    ),
    VerbPhrases(
        "media",
        "seek",
        (
            Phrase(
                "(seek|jump|skip|go|rewind) to {position:moment} [(in|of) (<media>|<track>|the <track>)] [<on_player> {player:player}]",
                {"seek to 1:30": {"position": 90}, "jump to the beginning of the song": {"position": 0}},
            ),
            Phrase(
                "(start|play) (<media>|the <track>) (over|from the beginning|from the start)",
                {"play the song from the beginning": {"position": 0}},
                sets={"position": 0},
            ),
        ),
    ),
    VerbPhrases(
        "media",
        "status",
        (
            Phrase(
                "(what is|what's) playing [right now|now] [<on_player> {player:player}]",
                {"what's playing": {}, "what is playing in VLC": _VLC},
            ),
            Phrase(
                "(what|which) (song|track|music|video) is (this|playing|that) [right now]",
                {"what song is this": {}, "which track is playing": {}},
            ),
            Phrase("what am i listening to", {"what am i listening to": {}}),
        ),
    ),
)
