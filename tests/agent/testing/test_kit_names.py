from importlib import import_module


def test_every_name_of_the_kit_is_there() -> None:
    kit = import_module("agent.client.testing")
    assert [name for name in kit.__all__ if not hasattr(kit, name)] == []
