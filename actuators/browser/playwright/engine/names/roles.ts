import { remembered } from './memory.ts';
import { isVisible } from './sight.ts';
import { classText, tagOf } from './tree.ts';

export const HEADINGS = 'h1, h2, h3, h4, h5, h6, [role=heading]';
export const BUTTON_TYPES = ['button', 'submit', 'reset', 'image'];
export const EDITABLE = 'input:not([type=hidden], [type=button], [type=submit], [type=reset], [type=image], [type=checkbox],'
  + ' [type=radio]), textarea, select, [contenteditable]:not([contenteditable=false]), [role=textbox], [role=searchbox],'
  + ' [role=combobox], [role=spinbutton], [role=listbox], [role=slider]';
const CONTROL_ROLES = ['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem', 'menuitemcheckbox',
  'menuitemradio', 'option', 'treeitem'];
export const CONTROLS = `button, a[href], area[href], summary, input:not([type=hidden]), ${EDITABLE}, `
  + CONTROL_ROLES.map((role) => `[role=${role}]`).join(', ');
export const CONTAINERS = 'section, article, aside, nav, form, fieldset, dialog, details, figure, table, ul, ol, main,'
  + ' [role=region], [role=dialog], [role=alertdialog], [role=group], [role=radiogroup], [role=form], [role=navigation],'
  + ' [role=article], [role=tabpanel], [role=toolbar], [role=menu], [role=menubar], [role=list], [role=listbox],'
  + ' [role=table], [role=grid], [role=tree], [role=complementary], [role=search], [role=tablist], [role=figure]';
export const ROWS = 'tr, li, [role=row], [role=listitem], [role=treeitem], [role=option]';
export const CELLS = 'td, th, [role=cell], [role=gridcell]';
// The roles of elements (HTML-AAM 1.0, 3.5), and what people call some that have none there: a summary is a button, a label a label.
const TAG_ROLES: Record<string, string> = {
  A: 'link', ADDRESS: 'group', AREA: 'link', ARTICLE: 'article', ASIDE: 'complementary', BLOCKQUOTE: 'blockquote', BUTTON: 'button',
  CAPTION: 'caption', CODE: 'code', DATALIST: 'listbox', DD: 'definition', DEL: 'deletion', DETAILS: 'group', DFN: 'term', DIALOG: 'dialog',
  DT: 'term', EM: 'emphasis', FIELDSET: 'group', FIGURE: 'figure', FOOTER: 'contentinfo', FORM: 'form', H1: 'heading', H2: 'heading',
  H3: 'heading', H4: 'heading', H5: 'heading', H6: 'heading', HEADER: 'banner', HGROUP: 'group', HR: 'separator', HTML: 'document',
  IFRAME: 'iframe', IMG: 'img', INPUT: '', INS: 'insertion', LABEL: 'label', LI: 'listitem', MAIN: 'main', MARK: 'mark', MATH: 'math',
  MENU: 'list', METER: 'meter', NAV: 'navigation', OL: 'list', OPTGROUP: 'group', OPTION: 'option', OUTPUT: 'status', P: 'paragraph',
  PROGRESS: 'progressbar', S: 'deletion', SEARCH: 'search', SECTION: 'region', SELECT: 'combobox', STRONG: 'strong', SUB: 'subscript',
  SUMMARY: 'button', SUP: 'superscript', TABLE: 'table', TBODY: 'rowgroup', TD: 'cell', TEXTAREA: 'textbox', TFOOT: 'rowgroup',
  TH: 'columnheader', THEAD: 'rowgroup', TIME: 'time', TR: 'row', UL: 'list',
};
// Roles that an author may give (WAI-ARIA 1.2, 5.3); of several the first one that is known counts (1.2, 7.1).
const ROLES = new Set(('alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox'
  + ' complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading img'
  + ' insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none'
  + ' note option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider'
  + ' spinbutton status strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree'
  + ' treegrid treeitem').split(' '));
const SAME_ROLES = new Map([['none', 'presentation'], ['directory', 'list'], ['image', 'img']]);
const GLOBAL_STATES = ['atomic', 'busy', 'controls', 'current', 'describedby', 'description', 'details', 'dropeffect', 'flowto', 'grabbed', 'keyshortcuts', 'label',
  'labelledby', 'live', 'owns', 'relevant', 'roledescription'].map((name) => `[aria-${name}]`).join(', ');
const FOCUSABLE = 'a[href], area[href], button, input:not([type=hidden]), select, textarea, summary, iframe, [tabindex], [contenteditable]:not([contenteditable=false])';
// Around a header or footer these take away its being the page's (HTML-AAM 1.0, 3.5: header, footer).
const SECTIONS = 'article, aside, main, nav, section, [role=article], [role=complementary], [role=main], [role=navigation], [role=region]';
const INPUT_ROLES: Record<string, string> = {
  checkbox: 'checkbox', radio: 'radio', button: 'button', submit: 'button', reset: 'button', image: 'button',
  range: 'slider', number: 'spinbutton', search: 'searchbox', hidden: 'generic',
};
export const ROLE_TAGS: Record<string, string[]> = {};
for (const [tag, role] of Object.entries(TAG_ROLES)) (ROLE_TAGS[role] ||= []).push(tag.toLowerCase());
for (const role of new Set([...Object.values(INPUT_ROLES), 'textbox', 'combobox'])) (ROLE_TAGS[role] ||= []).push('input');
Object.assign(ROLE_TAGS, { listbox: ['select', 'datalist'], rowheader: ['th'], gridcell: ['td'], grid: [], presentation: ['img'] });

export const isClosedList = (element: Element) => element.matches('[role=listbox]') && !isVisible(element); // of a combo box

/** The first role that is known of those that the author gave. One that takes away what an element is counts only where nothing else says that it is something (WAI-ARIA 1.2, 7.1 and 8.6). */
function givenRole(element: Element) {
  for (const name of (element.getAttribute('role') || '').toLowerCase().split(/\s+/)) {
    const role = SAME_ROLES.get(name) || name;
    if (!(ROLES.has(role) || /^(doc|graphics)-\w/.test(role)) || (role === 'presentation' && element.matches(`${FOCUSABLE}, ${GLOBAL_STATES}`))) continue;
    return role;
  }
  return '';
}

function inputRole(element: Element) {
  const isListed = element.hasAttribute('list') && ['text', 'search', 'email', 'tel', 'url'].includes(element.type);
  return isListed ? 'combobox' : INPUT_ROLES[element.type] || 'textbox';
}

/** The role that an element has by itself (HTML-AAM 1.0, 3.5). */
function nativeRole(element: Element) {
  const tag = tagOf(element);
  switch (tag) {
    case 'INPUT': return inputRole(element);
    case 'A': case 'AREA': return element.hasAttribute('href') ? 'link' : 'generic';
    case 'SELECT': return element.multiple || element.size > 1 ? 'listbox' : 'combobox';
    case 'TH': return ['row', 'rowgroup'].includes(element.scope) ? 'rowheader' : 'columnheader';
    case 'TD': return element.closest('table, [role=grid], [role=treegrid]')?.matches('[role=grid], [role=treegrid]') ? 'gridcell' : 'cell';
    case 'IMG': return element.getAttribute('alt') === '' && !element.matches(`[title], ${GLOBAL_STATES}`) ? 'presentation' : 'img';
    case 'HEADER': case 'FOOTER': return element.parentElement?.closest(SECTIONS) ? 'generic' : TAG_ROLES[tag];
    default: return TAG_ROLES[tag] || '';
  }
}

export const roleOf = remembered((element: Element): string => {
  const role = givenRole(element) || nativeRole(element);
  if (role) return role;
  if (element.matches('[contenteditable]') && element.isContentEditable) return 'textbox';
  return isSliderLike(element) ? 'slider' : 'generic';
});

export const isFilledIn = (element: Element) => element.matches(EDITABLE) || isSliderLike(element);

export const isPressable = remembered((element: Element) => element.matches(`${CONTROLS}, [onclick], [tabindex]:not([tabindex="-1"]), [draggable=true]`)
  || getComputedStyle(element).cursor === 'pointer');

/** Whether it listens to presses itself (`engine/context/listening.ts`). */
export const isListening = (element: Element) => !element.dispatchEvent(new Event(SETTINGS.ask_presses_event, { composed: true, cancelable: true }));

export const PRESSED_ROLES = ['button', 'link', 'tab', 'menuitem', 'option'];
export const BOXES = 'input[type=checkbox], input[type=radio], [role=checkbox], [role=radio], [role=switch], [role=menuitemcheckbox],'
  + ' [role=menuitemradio], [aria-checked], [aria-pressed]';
export const PRESSED = 'button, [role=button], summary, input[type=button], input[type=submit], input[type=reset], input[type=image]';
export const RADIOS = 'input[type=radio], [role=radio], [role=menuitemradio]';
export const HANDLES = '[role=slider], .ui-slider-handle, [class*=handle], [class*=thumb], [class*=knob]';

/** A slider that says so only by its class, and has a handle that says so by its own. */
export function isSliderLike(element: Element) {
  if (!/(^|[\s_-])slider([\s_-]|$)/i.test(classText(element)) || element.matches('input, label')) return false;
  if (!element.querySelector(HANDLES) || element.querySelector('[role=slider], input[type=range]')) return false;
  return !Array.from(element.querySelectorAll('[class*=slider]')).some(isSliderLike);
}

(ROLE_TAGS.slider ||= []).push('[class*=slider]');
