"""Finding: locators, what keeps an act from an element, and why an element is missing. In the page: ``engine/finding`` and ``engine/names``."""
