"""A session's pages for people who watch and take over. Nothing here carries out a verb."""
