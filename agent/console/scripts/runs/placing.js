/**
 * Where the steps of a plan stand: layers from left to right, and branches as straight as a track. An edge that spans several layers keeps a
 * cell of each layer between for itself, so that no line runs behind a step. Pure.
 */

/**
 * @typedef {import('../wires/types').Plan} Plan
 * @typedef {import('../wires/types').Placed} Placed
 * @typedef {import('../wires/types').Cell} Cell
 */

/**
 * @param {Plan} plan
 * @returns {Placed}
 */
export function placePlan(plan) {
  const layers = plan.layers;
  const columns = new Map(layers.flatMap((layer, column) => layer.map((name) => [name, column])));
  const edges = plan.edges.filter(([from, to]) => columns.has(from) && columns.has(to));
  /** @type {Map<string, Cell>} */
  const cells = new Map();
  const ways = edges.map(([from, to]) => ({ from, to, cells: /** @type {Cell[]} */ ([]) }));
  let rows = 1;
  layers.forEach((layer, column) => {
    const taken = new Set();
    const passing = ways.filter((way) => isPassing(way, columns, column));
    for (const name of layer) cells.set(name, takeCell(taken, column, wishRow(name, edges, cells, passing)));
    for (const way of passing) way.cells.push(takeCell(taken, column, way.cells.at(-1)?.row ?? cells.get(way.from)?.row ?? 0));
    rows = Math.max(rows, 1 + Math.max(0, ...taken));
  });
  for (const way of ways) {
    way.cells = [/** @type {Cell} */ (cells.get(way.from)), ...way.cells, /** @type {Cell} */ (cells.get(way.to))];
  }
  return { cells, columns: layers.length, rows, ways };
}

/**
 * @param {{from: string, to: string}} way
 * @param {Map<string, number>} columns
 * @param {number} column
 * @returns {boolean} Whether the edge crosses the layer without an end in it.
 */
function isPassing(way, columns, column) {
  return (columns.get(way.from) ?? 0) < column && (columns.get(way.to) ?? 0) > column;
}

/**
 * @param {string} name
 * @param {[string, string][]} edges
 * @param {Map<string, Cell>} cells
 * @param {{from: string}[]} passing
 * @returns {number} The row of the first step before it; the first one for a step that waits for none.
 */
function wishRow(name, edges, cells, passing) {
  const before = edges.filter(([, to]) => to === name).map(([from]) => cells.get(from)?.row ?? 0);
  if (before.length) return Math.min(...before);
  return passing.length ? Math.max(...passing.map((way) => cells.get(way.from)?.row ?? 0)) + 1 : 0;
}

/**
 * @param {Set<number>} taken Rows of this column; the one that is found is added.
 * @param {number} column
 * @param {number} wish
 * @returns {Cell} The nearest free one from the wish on downwards.
 */
function takeCell(taken, column, wish) {
  let row = wish;
  while (taken.has(row)) row += 1;
  taken.add(row);
  return { column, row };
}
