"""Frames of English: what is said in any construction is understood, and what only sounds alike is refused."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.interpreter import GrammarInterpreter
from core.language.talk.languages import load_language
from tests.cases import each_case

INTERPRETER = GrammarInterpreter()
# A reason, and what is told in front, is told in any words.
REASONED = re.compile(r"\b(?:because|since|cause|cos|so (?:that )?i)\b|\bis\b.*\bit\b")
EXAMPLES = sorted(
    {
        example
        for verb in load_language("en").verbs
        for phrase in verb.phrases
        if phrase.is_frame and not phrase.refuses and not phrase.after
        for example in phrase.examples
    }
)

Goals = list[tuple[str, dict[str, Any]]]


def list_goals(utterance: str) -> Goals:
    meta_goal = INTERPRETER.interpret(utterance).meta_goal
    return [(goal.name, dict(goal.params)) for goal in meta_goal.goals] if meta_goal else []


UP, DOWN, SET, MUTE, UNMUTE = (f"audio.{verb}" for verb in ("volume_up", "volume_down", "set_volume", "mute", "unmute"))
OFFICE = {"device": "office"}


@each_case(
    ("utterance", "name", "params"),
    [
        # Wishes, and states that are wished for.
        ("I'd rather have the sound a bit louder", UP, {}),
        ("I would love the volume raised by 15", UP, {"amount": 15}),
        ("could I have the office speaker a little louder", UP, OFFICE),
        ("the volume could be a tad higher", UP, {}),
        ("my office speaker ought to be louder", UP, OFFICE),
        ("the sound really needs to come up a notch", UP, {}),
        ("the office tv needs turning up", UP, OFFICE),
        ("could the music in the office be turned up", UP, OFFICE),
        ("please make sure the volume is higher", UP, {}),
        ("get the volume to go up by 10 points", UP, {"amount": 10}),
        ("how about raising the volume on the office tv", UP, OFFICE),
        ("would you mind turning up the sound", UP, {}),
        ("I need you to put the music up", UP, {}),
        ("keep raising the volume", UP, {}),
        ("volume increase on the office speaker", UP, OFFICE),
        ("up with the volume by 10 on my office tv", UP, {"amount": 10, **OFFICE}),
        ("add 10 percent to the volume", UP, {"amount": 10}),
        ("a higher volume would be nice", UP, {}),
        ("give the office speaker some more volume", UP, OFFICE),
        ("raise the volume so we can all hear it", UP, {}),
        ("the office speaker is barely audible", UP, OFFICE),
        ("I can hardly hear the office speaker, can you turn it up", UP, OFFICE),
        ("the sound isnt loud enough for us", UP, {}),
        ("let me hear it a little louder", UP, {}),
        ("go louder", UP, {}),
        ("I'd prefer the music quieter", DOWN, {}),
        ("the volume should be lowered by 20 percent", DOWN, {"amount": 20}),
        ("could the office tv be a bit quieter", DOWN, OFFICE),
        ("my office speaker must come down", DOWN, OFFICE),
        ("see to it that the sound is lower", DOWN, {}),
        ("by two notches the volume please lower", DOWN, {"amount": 2}),
        ("volume decrease on the office tv", DOWN, OFFICE),
        ("i want you to kindly bring the noise down", DOWN, {}),
        ("take ten percent off the volume", DOWN, {"amount": 10}),
        ("less noise in the office please", DOWN, OFFICE),
        ("turn it down so i can think", DOWN, {}),
        ("the speakers are way too loud for my ears", DOWN, {}),
        ("it's much too loud in here, turn it down", DOWN, {}),
        ("its a bit too loud for me", DOWN, {}),
        ("there is too much noise in the office", DOWN, OFFICE),
        ("how about lowering the sound a bit", DOWN, {}),
        ("be a little quieter", DOWN, {}),
        # Levels in any construction.
        ("35 percent is the volume I want", SET, {"level": 35}),
        ("to 35 percent please turn the sound", SET, {"level": 35}),
        ("I'd like the volume of the office speaker at thirty five percent", SET, {"level": 35, **OFFICE}),
        ("the volume on my office tv needs to be set to 35", SET, {"level": 35, **OFFICE}),
        ("the office tv should be at 35 percent", SET, {"level": 35, **OFFICE}),
        ("have the sound at 35", SET, {"level": 35}),
        ("let's have 35 percent volume on the office tv", SET, {"level": 35, **OFFICE}),
        ("for the office tv set the volume to 35", SET, {"level": 35, **OFFICE}),
        ("lower the volume all the way to 35", SET, {"level": 35}),
        ("how about setting the volume to 35", SET, {"level": 35}),
        ("crank the sound up to a 35", SET, {"level": 35}),
        ("I want the sound turned up to the max", SET, {"level": 100}),
        ("make the office speaker as loud as it goes", SET, {"level": 100, **OFFICE}),
        ("turn it all the way down", SET, {"level": 0}),
        # Silence.
        ("I want my office speaker silenced", MUTE, OFFICE),
        ("the office speaker has to be muted for an hour", MUTE, {"duration": 3600, **OFFICE}),
        ("for twenty minutes put the office speaker on mute", MUTE, {"duration": 1200, **OFFICE}),
        ("set mute for the next twenty minutes", MUTE, {"duration": 1200}),
        ("could the sound be switched off", MUTE, {}),
        ("I'd rather not hear the office tv for ten minutes", MUTE, {"duration": 600, **OFFICE}),
        ("I dont want to hear the office tv any longer", MUTE, OFFICE),
        ("no more sound from the office tv", MUTE, OFFICE),
        ("put the office tv in silent mode", MUTE, OFFICE),
        ("put it on mute", MUTE, {}),
        ("how about muting the office tv", MUTE, OFFICE),
        ("take my office speaker off mute", UNMUTE, OFFICE),
        ("take the mute off the office speaker", UNMUTE, OFFICE),
        ("the office speaker should no longer be muted", UNMUTE, OFFICE),
        ("make sure my office speaker isn't muted", UNMUTE, OFFICE),
        ("I need the sound back on in the office", UNMUTE, OFFICE),
        ("bring back the sound on the office tv", UNMUTE, OFFICE),
        ("stop muting the office tv", UNMUTE, OFFICE),
        # Players.
        ("I'd like the music paused for a moment", "media.pause", {}),
        ("put the movie on hold", "media.pause", {}),
        ("could the video be paused", "media.pause", {}),
        ("the song needs to stop", "media.pause", {}),
        ("get the music going again", "media.play", {}),
        ("carry on with the playlist", "media.play", {}),
        ("I want to hear some music on Spotify", "media.play", {"player": "Spotify"}),
        ("I want this song skipped", "media.next", {}),
        ("how about moving on to the next track", "media.next", {}),
        ("take me back to the previous song", "media.previous", {}),
        ("from the top please play this song", "media.seek", {"position": 0}),
        # Tabs and pages.
        ("could I get another blank tab", "browser.open_tab", {}),
        ("I want a fresh tab opened", "browser.open_tab", {}),
        ("I'm finished with this tab", "browser.close_tab", {}),
        ("this tab can be closed", "browser.close_tab", {}),
        ("how about closing this tab", "browser.close_tab", {}),
        ("I want every other tab closed", "browser.close_tab", {"which": "others"}),
        ("keep only this tab open", "browser.close_tab", {"which": "others"}),
        ("the tabs to the right close please", "browser.close_tab", {"which": "right"}),
        ("my next tab please", "browser.switch_tab", {"tab": "next"}),
        ("tell me how many tabs I have open", "browser.list_tabs", {}),
        ("this page needs a refresh", "browser.reload", {}),
        ("I want the page reloaded", "browser.reload", {}),
        ("back to the page I was on before", "browser.back", {}),
        ("could you scroll the article further down a bit", "browser.scroll", {"direction": "down"}),
        ("back to the very top of the page", "browser.scroll", {"to": "top"}),
        ("the text could be bigger", "browser.zoom", {"direction": "in"}),
        ("the letters are much too small", "browser.zoom", {"direction": "in"}),
        ("how about zooming out a bit", "browser.zoom", {"direction": "out"}),
        ("the text size should be back to normal", "browser.zoom", {"direction": "reset"}),
        # Windows, programs and the machine.
        ("get the Foo window out of my way", "desktop.minimize", {"window": "Foo"}),
        ("I want the Foo window in full screen", "desktop.maximize", {"window": "Foo"}),
        ("the Foo window should be in front", "desktop.focus_window", {"window": "Foo"}),
        ("how about closing the Foo window", "desktop.close_window", {"window": "Foo"}),
        ("please snap a picture of my whole desktop", "desktop.screenshot", {}),
        ("get the calculator up and running", "system.launch", {"app": "calculator"}),
        ("I'd like the calculator opened", "system.launch", {"app": "calculator"}),
        ("I don't need the calculator any more", "system.close", {"app": "calculator"}),
        ("the calculator can be closed now", "system.close", {"app": "calculator"}),
        ("I'd like my screen locked in ten seconds", "system.lock", {"delay": 10}),
        ("let my laptop go to sleep", "system.sleep", {}),
        ("my laptop should be shut down in an hour", "system.shutdown", {"delay": 3600}),
        ("in five minutes I want the computer restarted", "system.restart", {"delay": 300}),
    ],
)
def test_what_is_wished_for_is_understood_in_any_construction(
    utterance: str, name: str, params: dict[str, Any]
) -> None:
    assert list_goals(utterance) == [(name, params)]


@each_case(
    "utterance",
    [
        # Words that sound alike.
        "turn up at eight",
        "raise the rent",
        "raise your hand",
        "raise the flag on the office tv",
        "lower your expectations",
        "lower the blinds in the living room",
        "mute the flibber",
        "close the deal",
        "close to the page",
        "open a bank account",
        "open another page of the book",
        "the volume of a sphere",
        "reduce the volume of traffic",
        "increase the volume of my hair",
        "volume three of the encyclopedia",
        "louder than bombs",
        "the sound of music",
        "silence of the lambs",
        "turn the other cheek",
        "turn down the bed",
        "turn down the job offer",
        "put the kettle on",
        "boost morale",
        "hush little baby",
        "skip breakfast",
        "skip the meeting",
        "back up the video",
        "return the video to the shop",
        "put the record on the table",
        "the next episode of my life",
        "play it by ear",
        "start from scratch",
        "pause for thought",
        "pick up the tab",
        "make a new tab of acid",
        "refresh my memory",
        "reload the gun",
        "go to the top of the mountain",
        "get to the bottom of it",
        "go back on my word",
        "zoom in on the suspect",
        "increase the size of my savings",
        "enlarge my business",
        "lock horns with the machine",
        "restart my career",
        "put the baby to sleep",
        "shut down the discussion",
        "launch into a speech about the window",
        # What is not, what is told, and what is asked.
        "I didn't mute it",
        "don't turn it up",
        "never mute the office speaker",
        "the volume must not be raised",
        "the volume shouldn't be higher",
        "I don't want the volume at 40",
        "I don't want it louder",
        "the volume is up",
        "the volume was turned up by 20",
        "I turned the volume up",
        "the office speaker has been muted",
        "he wants the volume lower",
        "Ada said turn the volume up",
        "I was told to close the tab",
        "the tab was closed",
        "the text is bigger",
        "the calculator is open",
        "the screen is locked",
        "you paused the music",
        "remember to mute the office speaker",
        "remind me to turn the volume up",
        "is the volume at 40 percent",
        "is the text bigger",
        "is the calculator open",
        "why is the volume so low",
        "who turned the volume up",
        "did you skip the song",
        "should the volume be at 40",
        "how loud should the volume be",
        # What holds more than is understood.
        "if it's loud turn it down",
        "turn the volume up when Ada comes",
        "turn the volume up unless it's late",
        "turn the volume up but not in the office",
        "turn the volume up and down",
        "close every tab except the Orders tab",
        "close all tabs but not this one",
        "close this tab when it has loaded",
        "make the page bigger than the screen",
        "let the music play if it's early",
        "pause the music before the news",
        "lock the screen whenever I leave",
    ],
)
def test_what_only_sounds_alike_is_refused(utterance: str) -> None:
    assert list_goals(utterance) == []


@pytest.mark.parametrize(
    "utterance", ["quiet the office speaker down", "stop muting the office speaker", "tone down the office speaker"]
)
def test_no_device_is_named_by_what_is_done_to_it(utterance: str) -> None:
    assert [params for _, params in list_goals(utterance)] == [OFFICE]


def test_a_complaint_and_what_shall_be_done_about_it_are_one_step() -> None:
    assert list_goals("it's not loud enough in here, turn it up") == [(UP, {})]
    assert list_goals("the office tv is too loud, please mute it for ten minutes") == [
        (MUTE, {"duration": 600, **OFFICE})
    ]
    assert list_goals("the sound isn't loud enough, open a new tab") == [(UP, {}), ("browser.open_tab", {})]


def test_a_level_of_nothing_is_asked_about() -> None:
    refusal = INTERPRETER.interpret("40 percent is the level I want").refusal
    assert refusal is not None
    assert refusal.code == "ambiguous"
    assert [choice.name for choice in refusal.choices] == ["the volume", "the brightness"]
    assert list_goals(refusal.choices[0].utterance) == [(SET, {"level": 40})]


@given(st.sampled_from(EXAMPLES), st.randoms(use_true_random=False))
def test_the_parts_of_a_frame_mean_the_same_in_any_order_or_are_refused(example: str, random: Any) -> None:
    whole = next(each for each in INTERPRETER.weigh(example) if each.is_whole)
    parts = [each.words for each in whole.parts]
    random.shuffle(parts)
    assert list_goals(" ".join(parts)) in ([], list_goals(example))


@given(st.sampled_from([each for each in EXAMPLES if not REASONED.search(each)]), st.integers(0, 30))
def test_a_word_that_nobody_knows_is_refused_or_part_of_a_name(example: str, place: int) -> None:
    words = example.split()
    place %= len(words) + 1
    said = [*words[:place], "flibber", *words[place:]]
    interpretation = INTERPRETER.interpret(" ".join(said))
    start = len(" ".join([*words[:place], ""]))
    slots = [slot for clause in interpretation.clauses for slot in clause.slots]
    assert interpretation.meta_goal is None or any(slot.start <= start < slot.end for slot in slots)


@given(st.sampled_from(EXAMPLES), st.sampled_from(["please", "now", "kindly", "please now"]))
def test_talk_in_front_or_behind_changes_nothing(example: str, talk: str) -> None:
    goals = list_goals(example)
    assert list_goals(f"{talk} {example}") == goals
    assert list_goals(f"{example} {talk}") == goals


@each_case(
    "utterance",
    [
        "at 8 lower the volume",
        "I want at eight the volume lower",
        "you should've muted the sound",
        "can my radio be muted",
        "go ahead",
        "move ahead",
        "show last",
        "next number",
        "can the window be closed",
        "is it possible for you to mute the sound",
        "would you mind launching a satellite",
        "the volume raised to 40",
        "the radio is low",
    ],
)
def test_a_time_a_question_or_what_is_so_is_no_wish(utterance: str) -> None:
    assert list_goals(utterance) == []


@each_case(
    ("utterance", "name", "params"),
    [
        ("at ten percent set the volume", "audio.set_volume", {"level": 10}),
        ("could my radio be muted", "audio.mute", {}),
        ("would you mind launching Foo", "system.launch", {"app": "Foo"}),
    ],
)
def test_what_is_near_to_a_time_a_question_or_a_noun_is_still_a_wish(
    utterance: str, name: str, params: dict[str, Any]
) -> None:
    assert list_goals(utterance) == [(name, params)]
