from core.execution.receipts import tell_code


def test_a_code_is_told_in_words() -> None:
    assert tell_code("dns_failed") == "host not found"


def test_a_code_without_words_of_its_own_is_spelled_out() -> None:
    assert tell_code("archive_limit") == "archive limit"
