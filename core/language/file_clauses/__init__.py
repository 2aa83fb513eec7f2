"""Clauses about files, read as frames: what is done, to what, where and how, in whatever order that is said.

What is written (paths, names, globs, quoted texts) is found first. Every word belongs to classes of the language
(``lexicon``); ``pieces`` are what a clause is made of, and finds the fewest that take up every word, each of them once: a word
that no piece takes means that the clause isn't understood. What they come to as params is said in ``frames``, ``changing`` and
``looking``; ``reader`` chooses, and refuses where two covers that are equally good come to different things.
"""
