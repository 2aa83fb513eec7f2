"""Controls: giving any control a value. In the page: ``engine/controls`` and ``engine/acting``."""
