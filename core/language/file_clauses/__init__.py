"""Clauses about files, read as frames: what is done, to what, where and how, in whatever order that is said.

What is written (paths, names, globs, quoted texts) is found first. Every word belongs to classes of the language
(``lexicon``); ``pieces`` are what a clause is made of: the act, the thing, a place, a condition, a manner. ``covers`` looks
for the fewest pieces that take up every word, each of them once; a word that no piece takes means that the clause isn't
understood. What the pieces come to as params is said in ``things``, ``changing`` and ``looking``; ``reader`` chooses, and
refuses where two covers that are equally good come to different things.

Nothing here knows a language: words, forms and the order within a piece are in ``<language>/file_frames.toml``.
"""
