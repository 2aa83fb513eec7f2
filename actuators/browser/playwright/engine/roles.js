import { isVisible } from './sight.js';
import { classOf, tagOf } from './tree.js';

export const HEADINGS = 'h1, h2, h3, h4, h5, h6, [role=heading]';
export const BUTTON_TYPES = ['button', 'submit', 'reset', 'image'];
export const EDITABLE = 'input:not([type=hidden], [type=button], [type=submit], [type=reset], [type=image], [type=checkbox],'
  + ' [type=radio]), textarea, select, [contenteditable]:not([contenteditable=false]), [role=textbox], [role=searchbox],'
  + ' [role=combobox], [role=spinbutton], [role=listbox], [role=slider]';
const CONTROL_ROLES = ['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem', 'menuitemcheckbox',
  'menuitemradio', 'option', 'treeitem'];
export const CONTROLS = `button, a[href], summary, input:not([type=hidden]), ${EDITABLE}, `
  + CONTROL_ROLES.map((role) => `[role=${role}]`).join(', ');
export const CONTAINERS = 'section, article, aside, nav, form, fieldset, dialog, details, figure, table, ul, ol, main,'
  + ' [role=region], [role=dialog], [role=alertdialog], [role=group], [role=radiogroup], [role=form], [role=navigation],'
  + ' [role=article], [role=tabpanel], [role=toolbar], [role=menu], [role=menubar], [role=list], [role=listbox],'
  + ' [role=table], [role=grid], [role=tree], [role=complementary], [role=search], [role=tablist], [role=figure]';
export const ROWS = 'tr, li, [role=row], [role=listitem], [role=treeitem], [role=option]';
export const CELLS = 'td, th, [role=cell], [role=gridcell]';
/** @type {Record<string, string>} */
const TAG_ROLES = {
  A: 'link', AREA: 'link', BUTTON: 'button', SUMMARY: 'button', SELECT: 'combobox', TEXTAREA: 'textbox', OPTION: 'option',
  IMG: 'img', SECTION: 'region', ARTICLE: 'article', ASIDE: 'complementary', NAV: 'navigation', FORM: 'form', FIELDSET: 'group',
  DIALOG: 'dialog', DETAILS: 'group', FIGURE: 'figure', TABLE: 'table', UL: 'list', OL: 'list', MENU: 'list', LI: 'listitem',
  TR: 'row', TD: 'cell', TH: 'columnheader', MAIN: 'main', HEADER: 'banner', FOOTER: 'contentinfo', H1: 'heading', H2: 'heading',
  H3: 'heading', H4: 'heading', H5: 'heading', H6: 'heading', P: 'paragraph', LABEL: 'label', IFRAME: 'iframe', OUTPUT: 'status',
  PROGRESS: 'progressbar', SEARCH: 'search', INPUT: '',
};
/** @type {Record<string, string>} */
const INPUT_ROLES = {
  checkbox: 'checkbox', radio: 'radio', button: 'button', submit: 'button', reset: 'button', image: 'button',
  range: 'slider', number: 'spinbutton', search: 'searchbox', hidden: 'generic',
};
/** @type {Record<string, string[]>} */
export const ROLE_TAGS = {};
for (const [tag, role] of Object.entries(TAG_ROLES)) (ROLE_TAGS[role] ||= []).push(tag.toLowerCase());
for (const role of new Set([...Object.values(INPUT_ROLES), 'textbox', 'combobox'])) (ROLE_TAGS[role] ||= []).push('input');
Object.assign(ROLE_TAGS, { listbox: ['select'], rowheader: ['th'], gridcell: ['td'], grid: [] });

/** @param {Element} element */
export const isClosedList = (element) => element.matches('[role=listbox]') && !isVisible(element); // of a combo box

/** @param {Element} element */
export function roleOf(element) {
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

/** @param {Element} element */
export const isFilledIn = (element) => element.matches(EDITABLE) || isSliderLike(element);

/** @param {Element} element */
export function isPressable(element) {
  if (element.matches(`${CONTROLS}, [onclick], [tabindex]:not([tabindex="-1"]), [draggable=true]`)) return true;
  return getComputedStyle(element).cursor === 'pointer';
}

export const PRESSED_ROLES = ['button', 'link', 'tab', 'menuitem', 'option'];
export const BOXES = 'input[type=checkbox], input[type=radio], [role=checkbox], [role=radio], [role=switch], [role=menuitemcheckbox],'
  + ' [role=menuitemradio], [aria-checked], [aria-pressed]';
export const PRESSED = 'button, [role=button], summary, input[type=button], input[type=submit], input[type=reset], input[type=image]';
export const RADIOS = 'input[type=radio], [role=radio], [role=menuitemradio]';
export const HANDLES = '[role=slider], .ui-slider-handle, [class*=handle], [class*=thumb], [class*=knob]';

/**
 * A slider that says so only by its class, and has a handle that says so by its own.
 * @param {Element} element
 */
export function isSliderLike(element) {
  if (!/(^|[\s_-])slider([\s_-]|$)/i.test(classOf(element)) || element.matches('input, label')) return false;
  if (!element.querySelector(HANDLES) || element.querySelector('[role=slider], input[type=range]')) return false;
  return !Array.from(element.querySelectorAll('[class*=slider]')).some(isSliderLike);
}

(ROLE_TAGS.slider ||= []).push('[class*=slider]');
