"""Models behind the port ``core.planning.planners.ports.Model``: asked in closed schemas, within budgets, and believed nothing.

What is asked goes inwards through ``guarding`` (private places, secrets, what is written down), ``recording`` or ``keeping``
(answers that are known), ``budgets`` and ``checking``, to ``adapter``, which alone knows a library. Nothing here plans or acts.
"""
