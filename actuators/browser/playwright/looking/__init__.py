"""Looking: what is read of pages. Nothing here changes one. In the page: ``engine/outline``, ``engine/things``, ``engine/values`` and ``engine/looks``."""
