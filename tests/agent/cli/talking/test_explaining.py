"""`surehand interpret --explain`: which words carried what."""

import json

from tests.agent.conftest import Command


def test_each_part_is_explained_with_its_span_phrase_slots_references_and_scope(surehand: Command) -> None:
    sentence = 'open example.com, read the total and save it as "t.txt"'
    _, reading, saving = json.loads(surehand("interpret", "--explain", sentence).out)["clauses"]
    assert (reading["goal"], sentence[reading["start"] : reading["end"]]) == ("g1", "read the total")
    assert reading["pattern"].startswith("browser.read: ")
    assert [(slot["name"], sentence[slot["start"] : slot["end"]]) for slot in saving["slots"]] == [
        ("content", "it"),
        ("path", '"t.txt"'),
    ]
    assert (saving["references"], saving["scope"], saving["waits_for"]) == (["${g1.text}"], "after:g1", ["g1"])


def test_a_refusal_is_explained_by_the_parts_in_front_of_it_and_by_what_comes_nearest(surehand: Command) -> None:
    explained = json.loads(
        surehand("interpret", "--explain", "go back and have the kitchen speaker frobnicate muted").out
    )
    refused = explained["clauses"][-1]
    assert [clause["text"] for clause in explained["clauses"][:-1]] in ([], ["go back"])
    assert refused["refused"] == explained["refusal"]["code"]
    assert (refused["nearest"]["verb"], "frobnicate" in refused["nearest"]["left_over"]) == ("audio.mute", True)


def test_a_frame_is_explained_by_what_each_word_carries_and_by_the_next_best_frame(surehand: Command) -> None:
    explained = json.loads(surehand("interpret", "--explain", "please the kitchen speaker should be unmuted").out)
    (clause,) = explained["clauses"]
    carried = {each["words"]: each["part"] for each in clause["words"]}
    assert "<unmuted>" in carried["unmuted"]
    assert carried["kitchen speaker should be"] == "<wished_silenced>"
    assert clause["next_best"]["verb"] != "audio.unmute"
    assert clause["next_best"]["left_over"] + clause["next_best"]["missing"]


def test_a_phrase_is_explained_by_what_its_slots_hold(surehand: Command) -> None:
    explained = json.loads(surehand("interpret", "--explain", "click Save").out)
    assert [(each["words"], each["part"]) for each in explained["clauses"][0]["words"]] == [
        ("click", "phrase"),
        ("Save", "{selector}"),
    ]
