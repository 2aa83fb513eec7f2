"""Who answers: the layers around a model, put together by name.

A question goes inwards through ``recording``, ``keeping`` (answers that are known) and ``budgets`` to ``adapter``, which alone
knows a library, and is imported when something is asked first. ``providers`` has the only way out.
"""
