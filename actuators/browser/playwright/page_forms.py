"""JavaScript that reads what forms hold; part of the page engine."""

FORM_SCRIPT = r"""
const BOXES = 'input[type=checkbox], input[type=radio], [role=checkbox], [role=radio], [role=switch], [role=menuitemcheckbox],'
  + ' [role=menuitemradio], [aria-checked], [aria-pressed]';
const fieldOf = (element) => (tagOf(element) === 'LABEL' && element.control) || element;

// Fields into which a secret was typed; they are secret whatever they turn into, as with a button that shows a password.
const holding = new WeakSet();
function holdSecret(element) {
  holding.add(fieldOf(element));
  return true;
}
function isSecret(field) {
  return holding.has(field) || field.type === 'password' || /password|cc-csc|one-time-code/.test(field.autocomplete || '');
}
// What a drawing that is written out in its own address says, or the words that stand for a picture.
function drawingOf(picture) {
  const url = picture.currentSrc || picture.src || picture.data || picture.getAttribute('href') || '';
  if (!/^data:image\/svg/i.test(url)) return picture.alt || '';
  const [head, body] = [url.slice(0, url.indexOf(',')), url.slice(url.indexOf(',') + 1)];
  try {
    const text = decodeURIComponent(/;base64$/i.test(head) ? escape(atob(body)) : body);
    return text + new DOMParser().parseFromString(text, 'text/html').documentElement.textContent;
  } catch {
    return body;
  }
}
// Secret fields, and whatever else shows one of the values: fields that hold it, and the innermost elements with it in their text.
function findSecrets(root, { values }) {
  const shows = (text) => Boolean(text) && values.some((value) => text.includes(value));
  return findAll(root, '*').filter((each) => {
    if (holding.has(each) || each.matches('input, textarea')) return isSecret(each) || shows(each.value) || shows(each.placeholder);
    if (each.matches('canvas') && isDrawnOn(each, values)) return true;
    if (each.matches('img, svg image, embed, object') && shows(drawingOf(each))) return true;
    return shows(each.textContent) && !Array.from(each.children).some((child) => shows(child.textContent));
  }).filter((each) => !each.matches('script, style, title, head'));
}
let covered = [];
let titles = null;
// In a print, the title and where links lead are written beside what is seen.
function coverSecrets(root, options) {
  const tells = (text) => options.values.some((value) => text.includes(value) || text.includes(encodeURIComponent(value)));
  titles = { plain: document.title, shown: options.values.reduce((title, value) => title.replaceAll(value, '•••'), document.title) };
  if (titles.shown !== titles.plain) document.title = titles.shown;
  const links = findAll(root, 'a[href], area[href]').filter((each) => tells(each.getAttribute('href')));
  covered = [...findSecrets(root, options), ...links].map((element) => [element, element.style.getPropertyValue('visibility'), element.style.getPropertyPriority('visibility')]);
  for (const [element] of covered) element.style.setProperty('visibility', 'hidden', 'important');
  return covered.length;
}
function uncoverSecrets() {
  if (titles && titles.shown !== titles.plain && document.title === titles.shown) document.title = titles.plain;
  titles = null;
  for (const [element, value, priority] of covered) element.style.setProperty('visibility', value, priority);
  covered = [];
  return true;
}
function editedText(root) {
  const lines = [''];
  let isOpen = false; // whether the last line may still grow
  const breakLine = () => { lines.push(''); isOpen = true; };
  const walk = (node) => {
    if (node.nodeType === 3) {
      if (!isOpen && lines.some(Boolean)) breakLine();
      isOpen = true;
      lines[lines.length - 1] += node.data;
    } else if (tagOf(node) === 'BR') {
      if (node.nextSibling) breakLine();
    } else if (node.nodeType === 1) {
      const isBlock = node !== root && !getComputedStyle(node).display.startsWith('inline');
      if (isBlock && (isOpen || lines.length > 1 || node.previousSibling)) breakLine();
      node.childNodes.forEach(walk);
      if (isBlock) isOpen = false;
    }
  };
  walk(root);
  return lines.join('\n');
}
function readValue(element) {
  const field = fieldOf(element);
  const told = { secret: isSecret(field), read_only: field.readOnly === true };
  if (field.isContentEditable) return { ...told, kind: 'editable', value: editedText(field) };
  if (!field.matches('input, textarea, select')) return { ...told, kind: 'other', value: field.innerText ?? field.textContent };
  return { ...told, kind: field.type, value: field.value, maxlength: field.maxLength ?? -1, message: field.validationMessage };
}
function caretToEnd(element) {
  const field = fieldOf(element);
  field.focus();
  if (field.isContentEditable) {
    const range = document.createRange();
    range.selectNodeContents(field);
    range.collapse(false);
    const selection = (field.getRootNode().getSelection || (() => getSelection())).call(field.getRootNode());
    selection.removeAllRanges();
    selection.addRange(range);
  } else if (field.matches('textarea, input') && field.selectionEnd !== null) {
    field.setSelectionRange(field.value.length, field.value.length);
  }
  return readValue(field);
}

// Fields whose value is not edited as a text.
const SET_AT_ONCE = 'input:is([type=color], [type=date], [type=datetime-local], [type=month], [type=range], [type=time], [type=week])';
// Puts a text in the place of what a field holds, by its own document: keys would go to whatever has the focus by then,
// which another frame may take at any time.
function enterText(element, { value }) {
  const field = fieldOf(element);
  caretToEnd(field);
  if (field.matches(SET_AT_ONCE)) {
    field.value = value;
    for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, { bubbles: true, composed: true }));
  } else if (field.isContentEditable) {
    const selection = (field.getRootNode().getSelection || (() => getSelection())).call(field.getRootNode());
    selection.selectAllChildren(field);
    document.execCommand('insertText', false, value);
  } else if (field.matches('input, textarea') && activeElement() === field) {
    field.select();
    document.execCommand('insertText', false, value);
  }
  return true;
}

function boxOf(element) {
  const own = fieldOf(element);
  if (own.matches(BOXES)) return own;
  const label = own.closest('label');
  return (label && label.control && label.control.matches(BOXES) && label.control) || own.closest(BOXES) || own.querySelector(BOXES);
}
function labelOf(box) {
  return box.labels && Array.from(box.labels).find(isVisible);
}
function readTick(element) {
  const box = boxOf(element);
  if (!box) return null;
  const native = box.matches('input[type=checkbox], input[type=radio]');
  const attribute = ['aria-checked', 'aria-pressed', 'aria-selected'].find((name) => box.hasAttribute(name)) || 'aria-checked';
  const size = box.getBoundingClientRect();
  const style = getComputedStyle(box);
  const unseen = !isVisible(box) || size.width <= 1 || size.height <= 1 || style.clipPath !== 'none' || style.clip !== 'auto' || style.pointerEvents === 'none';
  return { role: roleOf(box), checked: native ? box.checked : box.getAttribute(attribute) === 'true',
    mixed: native ? box.indeterminate : box.getAttribute(attribute) === 'mixed', itself: box === fieldOf(element),
    by_label: unseen && Boolean(labelOf(box)), pressed: attribute === 'aria-pressed' && !native };
}
let before = null; // the state of the box that is about to be ticked
function findBox(element, { token }) {
  const box = boxOf(element);
  if (!box) return [element];
  const tick = readTick(element);
  if (!before || before.token !== token) before = { token, checked: tick.checked, mixed: tick.mixed };
  beginAct();
  return [tick.by_label ? labelOf(box) : box];
}
function readTicked(element, { token }) {
  return { ...readTick(element), before: before && before.token === token ? before : null };
}
function findLabelOf(element) {
  const label = labelOf(boxOf(element) || fieldOf(element));
  return label ? [label] : [];
}

const OPTIONS = '[role=option], [role=menuitemradio], [role=treeitem]';
function ownedList(element) {
  const ids = `${element.getAttribute('aria-controls') || ''} ${element.getAttribute('aria-owns') || ''}`.split(/\s+/).filter(Boolean);
  return ids.map((id) => withId(element, id)).find((list) => list && list.matches('[role=listbox], [role=menu], [role=tree], [role=grid]'));
}
function listOf(element) {
  return ownedList(element) || findAll(document, '[role=listbox]').find(isVisible) || null;
}
function optionsOf(element) {
  const list = element.matches('[role=listbox], [role=menu]') ? element : listOf(element);
  if (!list) return [];
  const put = findAll(list, 'slot').flatMap((slot) => slot.assignedElements({ flatten: true })).flatMap((each) => [each, ...findAll(each, '*')]);
  return [...findAll(scopeOf(list), OPTIONS), ...put.filter((each) => each.matches(OPTIONS))].filter(isVisible);
}
function readChoice(element) {
  const field = fieldOf(element);
  if (tagOf(field) === 'SELECT') {
    return { kind: 'native', multiple: field.multiple, ready: isVisible(field) && !disabledBecause(field), options: Array.from(field.options, (option) => ({
      label: fold(option.label), value: option.value, selected: option.selected,
      disabled: option.disabled || Boolean(option.closest('optgroup:disabled')) })) };
  }
  const role = roleOf(field);
  const isCombo = role === 'combobox' || field.getAttribute('aria-haspopup') === 'listbox';
  if (!isCombo && role !== 'listbox') return { kind: 'other', options: [] };
  const isOpen = !isCombo || field.getAttribute('aria-expanded') === 'true';
  return { kind: isCombo ? 'combobox' : 'listbox', editable: field.matches('input:not([readonly]), [contenteditable]'), open: isOpen,
    multiple: field.getAttribute('aria-multiselectable') === 'true', shown: field.matches('input') ? field.value : fold(field.innerText || ''),
    options: (isOpen ? optionsOf(field) : []).map((option) => ({ label: nameOf(option), value: option.getAttribute('data-value') || nameOf(option),
      selected: option.getAttribute('aria-selected') === 'true' || option.getAttribute('aria-checked') === 'true',
      disabled: option.getAttribute('aria-disabled') === 'true' })) };
}
function pickOptions(element, { places }) {
  const field = fieldOf(element);
  beginAct();
  Array.from(field.options).forEach((option, place) => { option.selected = places.includes(place); });
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
  return true;
}
function findOptionOf(element, { index }) {
  const option = optionsOf(fieldOf(element))[index];
  if (option) beginAct();
  return option ? [option] : [];
}
function readFiles(element) {
  const field = fieldOf(element);
  if (!field.matches('input[type=file]')) return null;
  return { multiple: field.multiple, files: Array.from(field.files, ({ name, size }) => ({ name, size })) };
}
"""
