from scripts.documents.errors import list_codes, list_texts_of_code
from scripts.documents.messages import read_codes

TEMPLATES = {"unknown_{what}": {"unknown_device", "unknown_locale", "unknown_timezone"}}


def test_every_code_of_the_tree_is_explained() -> None:
    given = list_codes() - set(TEMPLATES)
    assert sorted(given - set(read_codes())) == []


def test_every_code_that_is_explained_is_in_the_tree() -> None:
    filled = set[str]().union(*TEMPLATES.values())
    assert sorted(set(read_codes()) - filled - list_texts_of_code()) == []
    assert set(TEMPLATES) <= list_codes()


def test_each_code_is_explained_in_two_sentences() -> None:
    badly = [
        code for code, told in read_codes().items() if len(told) != 2 or not all(each.endswith(".") for each in told)
    ]
    assert badly == []


def test_codes_are_in_order() -> None:
    assert list(read_codes()) == sorted(read_codes())
