"""Notices what a person does on pages, and names each element before anything comes of the act. Nothing here acts. In the page: ``engine/recording`` and ``engine/selectors``."""
