"""Covers: the ways in which pieces take up every word of a clause, the best first."""

import heapq
from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

from core.language.file_clauses.lexicon import ACT, REST
from core.language.file_clauses.pieces import FILLER, QUIET, FileClause, FilePiece, is_manner

_MOST_TRIED = 600
_ALSO, _NEW_NAME, _DONE = "also", "newname", "done"
_REPEATED = frozenset({FILLER, _ALSO, QUIET})


class FileCover(NamedTuple):
    """Pieces that take up every word."""

    cost: float
    pieces: tuple[FilePiece, ...]

    def without(self, *roles: str) -> "FileCover":
        """Return the same without the pieces of some roles."""
        return FileCover(self.cost, tuple(piece for piece in self.pieces if piece.role not in roles))


def list_covers(clause: FileClause) -> Iterator[FileCover]:
    """Yield the covers of a clause, the best first; each role is there once at most."""
    graph = _find_graph(clause)
    if graph is None:
        return
    end, numbers = len(clause.tokens), count()
    heap: list[tuple[float, int, int, str, tuple[FilePiece, ...]]] = [(0.0, 0, 0, "", ())]
    tried = 0
    while heap and tried < _MOST_TRIED:
        cost, _, position, rest, pieces = heapq.heappop(heap)
        tried += 1
        if position == end:
            if not rest and pieces[-1].role != _ALSO:
                yield FileCover(cost, pieces)
            continue
        for piece in graph.get(position, ()):
            left = _follow(pieces, piece, rest)
            if left is not None:
                heapq.heappush(heap, (cost + piece.cost, next(numbers), piece.end, left, (*pieces, piece)))


def _follow(pieces: tuple[FilePiece, ...], piece: FilePiece, rest: str) -> str | None:
    """Return the words of the act that are still to come behind a piece; None where it can't stand behind the others."""
    if piece.role not in _REPEATED and any(each.role == piece.role for each in pieces):
        return None
    is_bare = piece.role == _NEW_NAME and not piece.classes
    if is_bare and not (pieces and _may_name(pieces[-1])):
        return None
    if pieces and pieces[-1].role == _ALSO and not (is_manner(piece) or any(is_manner(each) for each in pieces[-2:-1])):
        return None
    if piece.sense is None or piece.role not in {ACT, REST}:
        return rest
    if piece.role == ACT:
        return piece.sense.rest
    return "" if piece.sense.value == rest else None


def _may_name(piece: FilePiece) -> bool:
    """Whether a new name may stand right behind a piece: "should be called …", "give a.txt the name …"."""
    return piece.role == REST or (piece.role == ACT and piece.sense is not None and piece.sense.form == _DONE)


def _find_graph(clause: FileClause) -> dict[int, list[FilePiece]] | None:
    """Return the pieces by where they begin, of which the end of the clause can be reached; None if there are none."""
    reached, graph = {0}, dict[int, list[FilePiece]]()
    size = len(clause.tokens)
    for position in range(size):
        if position in reached:
            graph[position] = clause.list_pieces(position)
            reached.update(piece.end for piece in graph[position])
    if size not in reached:
        return None
    useful = {size}
    for position in range(size - 1, -1, -1):
        kept = [piece for piece in graph.get(position, ()) if piece.end in useful]
        if kept:
            useful.add(position)
        graph[position] = kept
    return graph
