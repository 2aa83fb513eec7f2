"""What runs inside pages, and its loading, in Python. Nothing that acts, and no policy.

Folders, the lowest first: ``names`` (what things are called), ``acting``, ``finding``; ``looks``, ``values``, ``controls``, ``choosing``, ``more``;
``selectors``, ``things``, ``outline``; ``recording``; apart from them ``context`` (in every document). ``built`` is what is sent.
"""
