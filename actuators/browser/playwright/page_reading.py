"""JavaScript that reads texts, tables, links and records; part of the page engine."""

READING_SCRIPT = r"""
function shownText(element) {
  if (parts.has(element)) return parts.get(element);
  const field = fieldOf(element);
  if (field.matches('input, textarea')) return isSecret(field) ? '' : BUTTON_TYPES.concat('checkbox', 'radio').includes(field.type) ? nameOf(field) : field.value;
  if (tagOf(field) === 'SELECT') return Array.from(field.selectedOptions, (option) => fold(option.label)).join(', ');
  return element.innerText ?? element.textContent ?? '';
}
const cut = (text, most) => ({ text: text.slice(0, most), truncated: text.length > most });
function typedValue(element) {
  const field = fieldOf(element);
  if (isSecret(field)) return null;
  if (field.matches('input[type=checkbox], input[type=radio]')) return field.checked;
  if (field.matches('input[type=number], input[type=range]')) return field.value === '' ? null : Number(field.value);
  if (tagOf(field) === 'SELECT') {
    const values = Array.from(field.selectedOptions, (option) => option.value);
    return field.multiple ? values : values[0] ?? null;
  }
  if (field.matches('input, textarea')) return field.value;
  if (field.hasAttribute('aria-checked')) return field.getAttribute('aria-checked') === 'true';
  if (field.hasAttribute('aria-valuenow')) return Number(field.getAttribute('aria-valuenow'));
  return field.isContentEditable ? editedText(field) : fold(shownText(field));
}
function readText(element, { most }) { return cut(shownText(element), most); }
function readWhole(root, { most }) { return cut(shownText(wholeOf(root)), most); }
function readTyped(element, { most }) {
  const field = fieldOf(element);
  return { value: typedValue(element), secret: isSecret(field), ...cut(shownText(element), most) };
}
function readHtml(element, { most }) {
  if (!Array.from(element.querySelectorAll('input[value]')).concat(element).some((each) => tagOf(each) === 'INPUT' && isSecret(each))) {
    return cut(element.outerHTML, most);
  }
  const copy = element.cloneNode(true);
  for (const field of [copy, ...copy.querySelectorAll('input')]) if (tagOf(field) === 'INPUT' && isSecret(field)) field.removeAttribute('value');
  return cut(copy.outerHTML, most);
}
function readSecrets(element) { return findAll(element, 'input, textarea').filter((field) => isSecret(field) && field.value).map((field) => field.value); }
function readLinks(element) {
  const inside = findAll(scopeOf(element), 'a[href], area[href]');
  const all = element.matches('a[href]') ? [element, ...inside] : inside;
  return all.map((link) => ({ text: nameOf(link), url: link.href }));
}

function rowsOf(table) {
  if (tagOf(table) === 'TABLE') return Array.from(table.rows);
  return findAll(table, '[role=row]').filter((row) => row.closest('[role=table], [role=grid], [role=treegrid]') === table);
}
function cellsOf(row) {
  if (tagOf(row) === 'TR') return Array.from(row.cells);
  return Array.from(row.querySelectorAll('[role=cell], [role=gridcell], [role=columnheader], [role=rowheader]'));
}
const spanOf = (cell, native, aria) => Math.max(1, Math.min(1000, cell[native] || Number(cell.getAttribute(aria)) || 1));
const isHeading = (cell) => tagOf(cell) === 'TH' || cell.getAttribute('role') === 'columnheader';
const cellText = (cell) => {
  const field = cell.querySelector('input:not([type=hidden]), select, textarea');
  return fold(cell.innerText ?? cell.textContent) || (field ? String(typedValue(field) ?? '') : '');
};
function layOut(rows) {
  const grid = rows.map(() => []);
  rows.forEach((row, y) => {
    let x = 0;
    for (const cell of cellsOf(row)) {
      while (grid[y][x] !== undefined) x += 1;
      const wide = spanOf(cell, 'colSpan', 'aria-colspan'), high = spanOf(cell, 'rowSpan', 'aria-rowspan');
      for (let dy = 0; dy < high && y + dy < rows.length; dy += 1) for (let dx = 0; dx < wide; dx += 1) grid[y + dy][x + dx] = cell;
      x += wide;
    }
  });
  return grid;
}
function readTable(element, { most }) {
  const table = element.closest('table, [role=table], [role=grid], [role=treegrid]')
    || element.querySelector('table, [role=table], [role=grid], [role=treegrid]');
  if (!table) return null;
  const rows = rowsOf(table).filter(isVisible);
  const grid = layOut(rows);
  let head = 0;
  while (head < rows.length && (tagOf(rows[head].parentElement) === 'THEAD' || (head === 0 && grid[0].length && grid[0].every(isHeading)))) head += 1;
  const width = Math.max(0, ...grid.map((line) => line.length));
  const headers = Array.from({ length: width }, (_, x) => {
    const names = [...new Set(grid.slice(0, head).map((line) => line[x] && cellText(line[x])).filter(Boolean))];
    return names.join(' / ') || `column ${x + 1}`;
  });
  const names = headers.map((name, x) => (headers.indexOf(name) < x ? `${name} (${headers.slice(0, x + 1).filter((one) => one === name).length})` : name));
  const records = [];
  let size = 0;
  for (const line of grid.slice(head)) {
    const texts = names.map((_, x) => (line[x] ? cellText(line[x]) : ''));
    size += texts.join().length;
    if (size > most) break;
    records.push(texts);
  }
  const caption = table.caption ? fold(table.caption.innerText) : nameOf(table);
  return { headers: names, rows: records, truncated: records.length < grid.length - head, caption, total: grid.length - head };
}

let counted = { token: '', rows: new Map() };
function countRow(row, { token }) {
  if (counted.token !== token) counted = { token, rows: new Map() };
  if (!counted.rows.has(row)) counted.rows.set(row, counted.rows.size);
  return [row];
}
function readCell(element, { attribute, type }) {
  let row = element;
  while (row && !counted.rows.has(row)) row = row.parentNode || row.host;
  const field = fieldOf(element);
  const link = type === 'url' && !attribute ? ['href', 'src', 'action'].find((name) => element.hasAttribute(name)) : attribute;
  const state = type === 'boolean' && !attribute && (readTick(element) || {}).itself ? readTick(element).checked : null;
  const text = type === 'html' ? element.innerHTML : link ? element.getAttribute(link) : shownText(element);
  const url = type === 'url' && text !== null && URL.canParse(text.trim(), document.baseURI) ? new URL(text.trim(), document.baseURI).href : null;
  return { row: row ? counted.rows.get(row) : 0, text, state, url, secret: isSecret(field), lang: element.closest('[lang]')?.lang || '' };
}

// The text as it is written, whatever a style makes of it; of a part only the part.
function contentOf(element) {
  const text = element.textContent || '';
  return parts.has(element) && key(parts.get(element)) !== key(text) ? parts.get(element) : text;
}
function readState(element) {
  const field = fieldOf(element);
  const tick = readTick(element);
  return { visible: isVisible(element) && element.getBoundingClientRect().width > 0 && element.getBoundingClientRect().height > 0,
    enabled: !disabledBecause(element), checked: tick && !tick.mixed ? tick.checked : tick ? null : undefined, tickable: Boolean(tick),
    text: shownText(element), content: contentOf(element), secret: isSecret(field),
    value: field.matches('input, textarea, select') ? field.value : field.isContentEditable ? editedText(field) : null };
}
// Where a page names something "title", that stands before its own.
const titleNow = () => String(document.title ?? '');
const wholeOf = (root) => document.body || root;
const MOST_LINES = 2000;
const listLines = (root) => [...new Set(shownText(wholeOf(root)).split('\n').map((line) => line.trim()).filter(Boolean))].slice(0, MOST_LINES);
function pageText(root) { return { shown: shownText(wholeOf(root)), title: titleNow() }; }
"""
