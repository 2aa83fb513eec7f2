"""German sentences that must not act: denials, conditions, questions, schedules, what others say, and what isn't ours."""

from core.language.interpreter import GrammarInterpreter
from core.language.talk.languages import load_language
from tests.cases import each_case

INTERPRETER = GrammarInterpreter("de")
FIRST = [
    next(iter(phrase.examples))
    for verb in load_language("de").verbs
    for phrase in verb.phrases
    if phrase.refuses is None
]

DENIALS = [
    "lösche die Datei tee.txt nicht",
    "lösche nicht die Datei tee.txt",
    "bitte die Datei tee.txt nicht löschen",
    "die Datei tee.txt soll nicht gelöscht werden",
    "ich möchte nicht, dass du die Datei tee.txt löschst",
    "ich möchte, dass du die Datei tee.txt nicht löschst",
    "klick nicht auf Senden",
    "auf keinen Fall den Rechner herunterfahren",
    "fahr den Rechner niemals herunter",
    "mach keine Musik an",
    "schließe Firefox nie",
    "starte Firefox, aber nicht den Texteditor",
    "mach die Musik leiser, sondern lauter",
    "lösche weder a.txt noch b.txt",
    "schreibe nicht Hallo in das Feld Notiz",
    "nichts löschen",
]
CONDITIONS = [
    "wenn der Akku leer ist, mach die Musik leiser",
    "falls es klingelt, schalte den Ton stumm",
    "mach die Musik leiser, sobald ich telefoniere",
    "sperre den Bildschirm, wenn ich gehe",
    "lösche die Datei tee.txt, falls sie leer ist",
    "bevor du gehst, schließe Firefox",
    "nachdem die Seite geladen ist, klicke auf Anmelden",
    "lösche tee.txt erst, wenn ich es sage",
    "spiel Musik, solange ich arbeite",
    "mach vielleicht die Musik leiser",
]
SCHEDULES = [
    "mach die Musik morgen leiser",
    "fahr den Rechner um 22 Uhr herunter",
    "lösche um acht Uhr die Datei tee.txt",
    "öffne jeden Montag example.com",
    "schalte den Ton heute Abend stumm",
    "starte Firefox später",
    "lade die Seite alle 5 Minuten neu",
    "mach täglich einen Screenshot der Seite",
    "schließe Firefox in ein paar Minuten",
    "in zehn Minuten die Musik ausschalten",
    "spiel Musik, bis ich stopp sage",
]
QUESTIONS = [
    "soll ich die Datei tee.txt löschen?",
    "wie kann ich die Datei tee.txt löschen?",
    "warum die Datei tee.txt löschen?",
    "hast du die Datei tee.txt gelöscht?",
    "wurde die Datei tee.txt gelöscht?",
    "darf ich den Rechner herunterfahren?",
    "was passiert, wenn ich auf Senden klicke?",
    "wer hat die Musik leiser gemacht?",
    "wann soll der Rechner neu starten?",
    "löschst du die Datei tee.txt?",
    "muss man hier auf Weiter klicken?",
]
TOLD = [
    "ich habe die Datei tee.txt gelöscht",
    "er hat gesagt, lösche die Datei tee.txt",
    "sie wollten die Datei tee.txt löschen",
    "die Datei tee.txt wurde gelöscht",
    "sag ihr, dass sie die Musik leiser machen soll",
    "erinnere mich daran, die Datei tee.txt zu löschen",
    "ich hoffe, dass du die Datei tee.txt löschst",
    "niemand will, dass du die Datei tee.txt löschst",
    "statt die Datei tee.txt zu löschen",
    "um die Musik leiser zu machen",
    "die Datei tee.txt",
    "löschen",
    "Firefox ist langsam",
]
OTHERS = [
    "bestell mir eine Pizza",
    "stell den Wecker auf 7 Uhr",
    "mach das Licht im Wohnzimmer aus",
    "ruf meine Mutter an",
    "dreh die Heizung auf",
    "mach die Tür zu",
    "schick Ada eine Nachricht",
    "mach die Musik leiser und bestell eine Pizza",
    "lösche alles",
    "lösche irgendeine Datei",
    "lösche die falsche Datei",
    "öffne irgendwas",
    "click the Save button",
]
VETOES = [
    "wenn es regnet, {}",
    "sobald ich da bin, {}",
    "jeden Tag {}",
    "um 8 Uhr {}",
    "soll ich {}?",
    "warum {}",
    "niemals {}",
    "er hat gesagt, {}",
    "ich habe {}",
    "{} morgen",
    "{} nicht",
    "{} und bestell eine Pizza",
]


@each_case("sentence", [*DENIALS, *CONDITIONS, *SCHEDULES, *QUESTIONS, *TOLD, *OTHERS])
def test_what_asks_for_nothing_that_can_be_done_now_is_refused_whole(sentence: str) -> None:
    interpretation = INTERPRETER.interpret(sentence)
    assert interpretation.meta_goal is None
    assert interpretation.refusal is not None
    assert "wurde nichts getan" in interpretation.refusal.message or "geht so nicht" in interpretation.refusal.message


@each_case("sentence", FIRST)
def test_nothing_that_is_understood_is_done_behind_a_veto(sentence: str) -> None:
    for veto in VETOES:
        assert INTERPRETER.interpret(veto.format(sentence)).meta_goal is None, veto.format(sentence)
