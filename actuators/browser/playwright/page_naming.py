"""JavaScript that names elements as people do and finds them by these names; part of the page engine."""

NAMING_SCRIPT = r"""
const HEADINGS = 'h1, h2, h3, h4, h5, h6, [role=heading]';
const BUTTON_TYPES = ['button', 'submit', 'reset', 'image'];
const EDITABLE = 'input:not([type=hidden], [type=button], [type=submit], [type=reset], [type=image], [type=checkbox],'
  + ' [type=radio]), textarea, select, [contenteditable]:not([contenteditable=false]), [role=textbox], [role=searchbox],'
  + ' [role=combobox], [role=spinbutton], [role=listbox], [role=slider]';
const CONTROL_ROLES = ['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem', 'menuitemcheckbox',
  'menuitemradio', 'option', 'treeitem'];
const CONTROLS = `button, a[href], summary, input:not([type=hidden]), ${EDITABLE}, `
  + CONTROL_ROLES.map((role) => `[role=${role}]`).join(', ');
const CONTAINERS = 'section, article, aside, nav, form, fieldset, dialog, details, figure, table, ul, ol, main,'
  + ' [role=region], [role=dialog], [role=alertdialog], [role=group], [role=radiogroup], [role=form], [role=navigation],'
  + ' [role=article], [role=tabpanel], [role=toolbar], [role=menu], [role=menubar], [role=list], [role=listbox],'
  + ' [role=table], [role=grid], [role=tree], [role=complementary], [role=search], [role=tablist], [role=figure]';
const ROWS = 'tr, li, [role=row], [role=listitem], [role=treeitem], [role=option]';
const CELLS = 'td, th, [role=cell], [role=gridcell]';
const TAG_ROLES = {
  A: 'link', AREA: 'link', BUTTON: 'button', SUMMARY: 'button', SELECT: 'combobox', TEXTAREA: 'textbox', OPTION: 'option',
  IMG: 'img', SECTION: 'region', ARTICLE: 'article', ASIDE: 'complementary', NAV: 'navigation', FORM: 'form', FIELDSET: 'group',
  DIALOG: 'dialog', DETAILS: 'group', FIGURE: 'figure', TABLE: 'table', UL: 'list', OL: 'list', MENU: 'list', LI: 'listitem',
  TR: 'row', TD: 'cell', TH: 'columnheader', MAIN: 'main', HEADER: 'banner', FOOTER: 'contentinfo', H1: 'heading', H2: 'heading',
  H3: 'heading', H4: 'heading', H5: 'heading', H6: 'heading', P: 'paragraph', LABEL: 'label', IFRAME: 'iframe', OUTPUT: 'status',
  PROGRESS: 'progressbar', SEARCH: 'search', INPUT: '',
};
const INPUT_ROLES = {
  checkbox: 'checkbox', radio: 'radio', button: 'button', submit: 'button', reset: 'button', image: 'button',
  range: 'slider', number: 'spinbutton', search: 'searchbox', hidden: 'generic',
};
const ROLE_TAGS = {};
for (const [tag, role] of Object.entries(TAG_ROLES)) (ROLE_TAGS[role] ||= []).push(tag.toLowerCase());
for (const role of new Set([...Object.values(INPUT_ROLES), 'textbox', 'combobox'])) (ROLE_TAGS[role] ||= []).push('input');
Object.assign(ROLE_TAGS, { listbox: ['select'], rowheader: ['th'], gridcell: ['td'], grid: [] });

// As in HTML, also where the document is XHTML, which writes its own small.
const tagOf = (node) => (node.nodeName === node.localName && node.namespaceURI === 'http://www.w3.org/1999/xhtml' ? node.nodeName.toUpperCase() : node.nodeName);
const withId = (element, id) => element.getRootNode().querySelector(`#${CSS.escape(id)}`);
const fold = (text) => text.replace(/[\u200b\u00ad]/g, '').replace(/\s+/g, ' ').trim();
const fromPrint = (text) => text.normalize('NFKC').replace(/[‘’ʼ′]/g, "'").replace(/[“”„«»″]/g, '"').replace(/[‐-―−]/g, '-');
const key = (text) => fold(/^[\x00-\x7f]*$/.test(text) ? text : fromPrint(text)).toLowerCase();
const isClosedList = (element) => element.matches('[role=listbox]') && !isVisible(element); // of a combo box
const LEAST_BEGINNING = 4; // characters of a word in an id that begins with what is asked for
const LONGEST_CAPTION = 60;
const fieldKey = (text) => key(text).replace(/[\s:*]+$/, '') || key(text);

function roleOf(element) {
  const given = (element.getAttribute('role') || '').trim().split(/\s+/)[0];
  if (given) return given;
  switch (tagOf(element)) {
    case 'INPUT': return INPUT_ROLES[element.type] || (element.hasAttribute('list') ? 'combobox' : 'textbox');
    case 'A': case 'AREA': return element.hasAttribute('href') ? 'link' : 'generic';
    case 'SELECT': return element.multiple || element.size > 1 ? 'listbox' : 'combobox';
    case 'TH': return element.scope === 'row' ? 'rowheader' : 'columnheader';
    case 'TD': return element.closest('[role=grid], [role=treegrid]') ? 'gridcell' : 'cell';
    case 'IMG': return element.getAttribute('alt') === '' ? 'presentation' : 'img';
    case 'HEADER': case 'FOOTER': return element.closest('article, aside, main, nav, section') ? 'generic' : TAG_ROLES[tagOf(element)];
    default: return TAG_ROLES[tagOf(element)] || (element.matches('[contenteditable]') && element.isContentEditable ? 'textbox'
      : isSliderLike(element) ? 'slider' : 'generic');
  }
}
const isVisible = (element) => element.checkVisibility({ visibilityProperty: true });

// What was read in this query, in which the page can't change: the text of elements, and by root the labels of fields.
let texts = new Map();
let labels = new Map();
function forgetTexts() { texts = new Map(); labels = new Map(); }
function textOf(node) {
  if (node.nodeType === 3) return node.data;
  if (node.nodeType !== 1) return '';
  if (!texts.has(node)) texts.set(node, textIn(node));
  return texts.get(node);
}
function textIn(node) {
  if (['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE'].includes(tagOf(node)) || node.getAttribute('aria-hidden') === 'true') return '';
  if (tagOf(node) === 'IMG') return ` ${node.alt} `;
  if (tagOf(node) === 'BR') return ' ';
  if (node.hasAttribute('aria-label')) return ` ${node.getAttribute('aria-label')} `;
  const style = getComputedStyle(node);
  if (style.display === 'none' || style.visibility === 'hidden') return '';
  const kids = node.shadowRoot ? node.shadowRoot.childNodes
    : tagOf(node) === 'SLOT' && node.assignedNodes().length ? node.assignedNodes() : node.childNodes;
  const inner = Array.from(kids, textOf).join('');
  return style.display.startsWith('inline') ? inner : ` ${inner} `;
}
// What stands in an element outside of the elements in it.
const ownText = (node) => fold(Array.from(node.childNodes, (each) => (each.nodeType === 3 ? each.data : ' ')).join(''));
const childText = (node) => Array.from((node.shadowRoot || node).childNodes, textOf).join('');

// As element.labels, which goes through the whole document for each element.
function labelsFor(element) {
  const root = element.getRootNode();
  if (!labels.has(root)) {
    const found = new Map();
    for (const label of root.querySelectorAll('label')) found.set(label.control, [...(found.get(label.control) || []), label]);
    labels.set(root, found);
  }
  return labels.get(root).get(element) || [];
}
function labelsOf(element) {
  const ids = (element.getAttribute('aria-labelledby') || '').split(/\s+/).filter(Boolean);
  const owners = ids.map((id) => withId(element, id)).filter(Boolean);
  if (owners.length) return [fold(owners.map((owner) => owner.getAttribute('aria-label') || childText(owner)).join(' '))];
  const own = fold(element.getAttribute('aria-label') || '');
  if (own) return [own];
  return labelsFor(element).map((label) => fold(childText(label))).filter(Boolean);
}
function ownNames(element) {
  if (tagOf(element) === 'INPUT' && BUTTON_TYPES.includes(element.type)) {
    return [element.value || element.alt || { submit: 'Submit', reset: 'Reset' }[element.type] || ''];
  }
  const title = { FIELDSET: 'legend', TABLE: 'caption', FIGURE: 'figcaption', DETAILS: 'summary' }[tagOf(element)];
  const holder = title && Array.from(element.children).find((child) => child.matches(title));
  if (holder) return [childText(holder)];
  if (tagOf(element) === 'IMG') return [element.alt];
  return element.matches(`${EDITABLE}, input, ${CONTAINERS}`) ? [] : [childText(element)];
}
function namesOf(element) {
  const labels = labelsOf(element);
  const names = labels.length ? labels : ownNames(element).map(fold).filter(Boolean);
  if (element.placeholder) names.push(fold(element.placeholder));
  const isSaid = names.some((name) => /[\p{L}\p{N}]/u.test(name)); // an icon is not what people call a button
  return isSaid || !element.title ? names : [...names, fold(element.title)];
}
const nameOf = (element) => namesOf(element)[0] || '';
function describe(element) {
  if (element === document.documentElement) return { role: 'document', name: titleNow(), tag: element.nodeName.toLowerCase() };
  const heading = element.matches(CONTAINERS) && element.querySelector(HEADINGS);
  const name = nameOf(element) || fold(((heading || element).innerText || element.textContent || '').slice(0, 400));
  return { role: roleOf(element), name: name.length > 80 ? `${name.slice(0, 80)}…` : name, tag: element.nodeName.toLowerCase(),
    ...(element.id && typeof element.id === 'string' && { id: element.id }) };
}

function findAll(root, css, found = []) {
  found.push(...root.querySelectorAll(css));
  for (const element of root.querySelectorAll('*')) if (element.shadowRoot) findAll(element.shadowRoot, css, found);
  return found;
}
const scopeOf = (root) => (root.shadowRoot && !root.childElementCount ? root.shadowRoot : root);
const isExposed = (element) => isVisible(element) && !element.closest('[aria-hidden=true]');
function isUnseen(style, element) {
  const isFlat = style.overflow !== 'visible' && (element.offsetWidth <= 1 || element.offsetHeight <= 1);
  return isFlat || (style.opacity === '0' && style.pointerEvents === 'none') || style.clipPath === 'inset(50%)';
}
// Whether people may see it, now or after scrolling. What is just being moved or faded counts as seen.
function isSeen(element) {
  if (document.getAnimations().some(({ effect }) => effect && effect.target && effect.target.contains(element))) return true;
  const box = element.getBoundingClientRect();
  if (!box.width || !box.height) return false;
  let isScrolled = false;
  for (let each = element; each; each = each.parentElement || each.getRootNode().host) {
    if (isUnseen(getComputedStyle(each), each)) return false;
    isScrolled ||= each !== document.scrollingElement && Boolean(each.scrollTop || each.scrollLeft);
  }
  return isScrolled || (box.right + scrollX > 0 && box.bottom + scrollY > 0);
}
const MOST_LOOKED_AT = 50;
function best(found) {
  const shown = [isExposed, isVisible].map((test) => found.filter(test)).find((left) => left.length) || found;
  const seen = shown.length > 1 && shown.length <= MOST_LOOKED_AT ? shown.filter(isSeen) : [];
  return seen.length ? seen : shown;
}
function firstStage(stages) {
  for (const stage of stages) {
    const found = stage();
    if (found.length) return best(found);
  }
  return [];
}
// Around an element as it is drawn: what is put into a slot stands inside of the shadow tree that the slot is in.
const drawnIn = (node) => node.assignedSlot || node.parentElement || node.getRootNode().host || null;
function innermost(elements) {
  const outer = new Set();
  for (const one of elements) for (let up = drawnIn(one); up && !outer.has(up); up = drawnIn(up)) outer.add(up);
  return elements.filter((one) => !outer.has(one));
}
// Scripts that don't put spaces between words.
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;
const isInWord = (one, other) => [one, other].every((each) => /[\p{L}\p{M}\p{N}]/u.test(each) && !UNSPACED.test(each));
const isInNumber = (one, other) => [one, other].every((each) => /\p{N}/u.test(each));
function hasPart(text, wanted, splits) {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (!splits(text.charAt(at - 1), text.charAt(at)) && !splits(text.charAt(end - 1), text.charAt(end))) return true;
  }
  return false;
}
const LEAST_PART = 3; // characters; less is in too many words
const hasWords = (text, wanted) => hasPart(text, wanted, isInWord);
const hasSome = (text, wanted) => wanted.length >= LEAST_PART && hasPart(text, wanted, isInNumber);
// What is read on something that is named differently.
const shownOn = (element) => (element.matches('[aria-label], [aria-labelledby]') && !element.matches(`${EDITABLE}, input, ${CONTAINERS}`)
  ? [element.innerText || ''] : []);
// Of what differs in capitals only, what is spelled as it was said.
function asSpelled(found, name, read) {
  const same = found.length > 1 ? found.filter((element) => read(element).some((text) => fold(text) === fold(name))) : [];
  return same.some(isVisible) ? same : found;
}
function byName(elements, name, normalise, read = namesOf) {
  const wanted = normalise(name);
  const named = elements.map((element) => [element, read(element).map(normalise)]);
  const pick = (test) => innermost(named.filter(([, names]) => names.some(test)).map(([element]) => element));
  return [
    () => asSpelled(pick((each) => each === wanted), name, read),
    () => (read === namesOf ? innermost(elements.filter((element) => shownOn(element).some((each) => normalise(each) === wanted))) : []),
    () => pick((each) => hasWords(each, wanted)),
    () => pick((each) => hasSome(each, wanted)),
  ];
}
function findRoles(root, { name, roles }) {
  const css = roles.flatMap((role) => [`[role~=${role}]`, ...(ROLE_TAGS[role] || [])]).join(', ');
  const found = findAll(scopeOf(root), roles.includes('textbox') ? `${css}, [contenteditable]` : css);
  const fitting = found.filter((element) => roles.includes(roleOf(element)));
  if (!name) {
    const shown = best(fitting);
    const unmarked = shown.some(isVisible) ? [] : landmarksIn(root, roles);
    return unmarked.length ? unmarked : shown.length || root.nodeType !== Node.ELEMENT_NODE || !roles.includes(roleOf(root)) ? shown : [root];
  }
  const named = firstStage(byName(fitting, name, key));
  const popups = named.some(isVisible) ? [] : namedPopups(root, name, roles);
  if (named.length || popups.length) return popups.length ? popups : named;
  const captioned = firstStage(byName(fitting.filter((each) => isFilledIn(each) && !namesOf(each).some(Boolean)), name, fieldKey, captionsOf));
  return captioned.length ? captioned : findPressed(root, { name, roles });
}
const isFilledIn = (element) => element.matches(EDITABLE) || isSliderLike(element);
function findControls(root, query) {
  const [same, shown, ...parts] = byName(findAll(scopeOf(root), CONTROLS).filter((each) => !isClosedList(each)), query.name, key);
  const exact = firstStage([same, shown]);
  if (exact.length) return exact;
  const read = findTexts(root, query);
  // "2" is rather what says just that and is pressed than a link with a 2 in it.
  const pressed = read.filter((element) => key(element.textContent || '') === key(query.name) && isVisible(element) && isPressable(element));
  const found = pressed.length ? [] : firstStage(parts);
  if (found.length) return found;
  if (read.some((element) => key(element.textContent || '') === key(query.name))) return pressedFirst(read);
  const unnamed = firstStage(unnamedStages(root, query.name));
  const other = unnamed.length ? unnamed : findAlike(root, query.name);
  return other.length ? other : read;
}
// What shows in a shadow tree what was put into its slots: that text is the part's own, not that of what is around the host.
function aroundSlots(elements) {
  const around = new Set();
  for (const slot of elements) {
    if (slot.nodeName === 'SLOT') for (let up = slot.parentElement; up && !around.has(up); up = up.parentElement) around.add(up);
  }
  return around;
}
function findTexts(root, { name }) {
  const wanted = key(name);
  const skipped = 'script, style, noscript, template, head, head *';
  const all = findAll(scopeOf(root), '*');
  const slotted = aroundSlots(all);
  const told = (element) => (element.matches('input') ? (BUTTON_TYPES.includes(element.type) ? element.value : '')
    : element.shadowRoot || element.nodeName === 'SLOT' ? '' : slotted.has(element) ? childText(element) : element.textContent);
  const read = all.map((element) => [element, key(told(element))]);
  // A drawn text is one thing with its only part, which pages replace whenever they draw it anew.
  const isPiece = (element) => tagOf(element) === 'tspan' && element.parentElement.textContent === element.textContent;
  const isRead = (element) => !element.querySelector('script, style, noscript, template') || key(childText(element)).includes(wanted);
  const holding = read.filter(([element, text]) => text.includes(wanted) && !element.matches(skipped)
    && !isPiece(element) && isRead(element));
  const pick = (test) => innermost(holding.filter(([element, text]) => test(text, wanted, element)).map(([element]) => element));
  const isAll = (text) => text === wanted;
  // What is written only in something hidden in it, such as a menu, is not to be read on an element.
  const reads = (element, part) => !element.firstElementChild || !('innerText' in element) || element.shadowRoot || key(element.innerText).includes(part);
  const shown = (test) => (text, part, element) => isVisible(element) && test(text, part) && reads(element, part);
  const tests = [isAll, hasWords, hasSome];
  const exact = pick(isAll);
  const stages = [() => asSpelled(exact.filter(isVisible), name, (element) => [told(element)]), ...tests.slice(1).map((test) => () => pick(shown(test))), () => exact,
    ...tests.slice(1).map((test) => () => pick(test))];
  return stages.map((stage) => stage()).find((stage) => stage.length) || [];
}
function findLabels(root, { name }) {
  return firstStage(byName(findAll(scopeOf(root), 'input, select, textarea, button, meter, output, progress, [aria-label], [aria-labelledby]'),
    name, fieldKey, labelsOf));
}
function findPlaceholders(root, { name }) {
  return firstStage(byName(findAll(scopeOf(root), '[placeholder]'), name, key, (element) => [element.getAttribute('placeholder')]));
}
// The text right in front of a field that has no label: "Date: ", in the same line or in the cell before.
function captionsOf(field) {
  let text = '';
  for (let each = field.previousSibling; each; each = each.previousSibling) {
    if (each.nodeType === Node.ELEMENT_NODE && (each.matches(`br, hr, ${CONTROLS}`) || each.querySelector(CONTROLS) || isSliderLike(each))) break;
    if (each.nodeType === Node.TEXT_NODE || (each.nodeType === Node.ELEMENT_NODE && isVisible(each))) text = each.textContent + text;
  }
  for (let around = field.parentElement, level = 0; !fold(text) && around && isAlone(around) && level < 3; around = around.parentElement, level += 1) {
    const before = around.previousElementSibling;
    if (before && isVisible(before) && !before.querySelector(CONTROLS)) text = before.textContent;
    if (before) break;
  }
  return fold(text) && fold(text).length <= LONGEST_CAPTION ? [text] : [];
}
const isAlone = (around) => Array.from(around.children).filter(isVisible).length === 1;
function findFields(root, { name }) {
  const filled = findAll(scopeOf(root), `${EDITABLE}, [class*=slider]`).filter((each) => isFilledIn(each) && !isClosedList(each));
  const opened = new Set(filled.map((each) => each.getAttribute('role') === 'combobox' && ownedList(each)));
  const fields = filled.filter((each) => !opened.has(each)); // the list of a combo box is a part of it
  const spellings = new Set(['', ' ', '-', '_'].map((joint) => key(name).split(/[\s_-]+/).join(joint)));
  const byAttribute = (...attributes) => () => fields.filter((field) =>
    attributes.some((attribute) => spellings.has((field.getAttribute(attribute) || '').toLowerCase())));
  // "The text field": one line without a type, else whatever takes text.
  const lines = fields.filter((field) => field.matches('input:not([type])'));
  const textual = () => (key(name) === 'text' ? (lines.length ? lines : fields.filter((field) => field.matches('textarea, [contenteditable], [role=textbox]'))) : []);
  const byWord = () => fields.filter((field) => wordsIn([field.id, field.getAttribute('name'), classText(field)].join(' ')).some((word) =>
    word === key(name) || (key(name).length >= LEAST_BEGINNING && word.startsWith(key(name)))));
  if (!name) return best(fields);
  return firstStage([...byName(fields, name, fieldKey), byAttribute('name', 'id', 'autocomplete'),
    ...byName(fields.filter((field) => !labelsOf(field).some(Boolean)), name, fieldKey, captionsOf), byAttribute('type'), textual,
    () => ratingNames(root)(name), () => firstStage(byName(countersIn(root), name, fieldKey, captionOfCounter)), byWord]);
}

function headingHolder(heading) {
  let holder = heading.parentElement;
  while (holder && holder !== document.body && !holder.querySelector(CONTROLS)) holder = holder.parentElement;
  return holder && holder !== document.body ? holder : heading.parentElement;
}
// Texts that stand over something without being marked up as headings.
function titlesIn(scope, wanted) {
  const found = findAll(scope, '*').filter((each) => !each.childElementCount && key(each.textContent) === wanted);
  return found.filter((each) => isVisible(each) && !each.closest(`${CONTROLS}, label, option, script, style`));
}
function findRegions(root, { name, roles }) {
  const wanted = key(name);
  const scope = scopeOf(root);
  const fits = (element) => element && (!roles.length || roles.includes(roleOf(element)));
  const containers = findAll(scope, CONTAINERS).filter(fits);
  const rows = findAll(scope, roles.length ? `${ROWS}, ${CELLS}` : ROWS).filter(fits);
  const headings = findAll(scope, `${HEADINGS}, legend, caption, summary`);
  const tests = [(text) => text === wanted, (text) => hasWords(text, wanted), (text) => hasSome(text, wanted)];
  const stages = tests.map((test) => (text) => test(key(text))).flatMap((test) => [
    () => containers.filter((each) => namesOf(each).some(test)),
    () => headings.filter((each) => test(childText(each))).map((each) => each.closest(CONTAINERS)).filter((each) => containers.includes(each)),
    () => innermost(rows.filter((row) => test(childText(row)) || test(ownText(row)) || Array.from(row.querySelectorAll('*')).some((each) => test(nameOf(each))))),
    () => headings.filter((each) => test(childText(each))).map(headingHolder).filter(fits),
  ]);
  if (!roles.length) stages.push(() => titlesIn(scope, wanted).map(headingHolder));
  return [...new Set(firstStage(stages))];
}
function findFrames(root, { name }) {
  const wanted = key(name);
  const named = findAll(scopeOf(root), 'iframe, frame').map((frame) => {
    const inner = frame.contentDocument;
    const names = [frame.title, frame.name, frame.getAttribute('aria-label'), frame.id, inner && inner.title];
    return [frame, names, [frame.src, inner && inner.URL]];
  });
  const pick = (test, places) => named.filter((entry) => places.some((place) => entry[place].some((text) => text && test(key(text)))))
    .map(([frame]) => frame);
  const isSame = (text) => text === wanted;
  const holds = (text) => text.includes(wanted);
  return firstStage([() => pick(isSame, [1]), () => pick(isSame, [2]), () => pick(holds, [1]), () => pick(holds, [2])]);
}
"""
