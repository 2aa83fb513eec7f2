"""JavaScript that finds the field before or behind the one with the focus; part of the page engine."""

FOCUS_SCRIPT = r"""
let neighbour = { token: '', found: [] }; // asked again with the same token, it is the same field, though it has the focus by then
function findNeighbour(root, { token, move }) {
  if (neighbour.token === token) return neighbour.found.filter((each) => each.isConnected);
  const back = move === 'previous';
  const fields = findAll(scopeOf(root), EDITABLE).filter((each) =>
    !isClosedList(each) && each.tabIndex >= 0 && isVisible(each) && !disabledBecause(each));
  const active = activeElement();
  const isHere = active && active !== document.body && active !== document.documentElement;
  const side = back ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
  const place = fields.indexOf(active);
  const rest = !isHere ? fields : place >= 0 ? (back ? fields.slice(0, place) : fields.slice(place + 1))
    : fields.filter((each) => active.compareDocumentPosition(each) & side);
  neighbour = { token, found: back ? rest.slice(-1) : rest.slice(0, 1) };
  return neighbour.found;
}
"""
