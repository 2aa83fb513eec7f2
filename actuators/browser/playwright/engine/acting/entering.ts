import { fieldOf } from './fields.ts';
import { isSecret } from '../names/secrecy.ts';
import { isVisible } from '../names/sight.ts';
import { activeElement, tagOf, withId } from '../names/tree.ts';

export function editedText(root: Root) {
  const lines = [''];
  let isOpen = false; // whether the last line may still grow
  const breakLine = () => { lines.push(''); isOpen = true; };
  const walk = (node: any) => {
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

/** Asks the page's own world, where listeners are added, whether it listens to something in a field. */
const hears = (field: Element, question: string, detail: number = 0) => !field.dispatchEvent(new UIEvent(question, { composed: true, cancelable: true, detail }));

const SET_AT_ONCE = 'input:is([type=color], [type=date], [type=datetime-local], [type=month], [type=range], [type=time], [type=week])';
const OPEN = '[aria-expanded=true]';
// Numbers in fields of a page's own making: what was written counts when it is left, whatever else the page hears.
const COUNTED = 'input:not([type=number], [maxlength="1"], [autocomplete=one-time-code]):is([role=spinbutton], [inputmode=numeric], [inputmode=decimal])';

/**
 * Why the page may not have taken yet what is written in a field: `open`, as what it has opened waits for a choice; `left`, as only its being left says that
 * it is meant, and `leave` where nothing is lost by that. Empty where nothing speaks against it.
 */
function untakenBecause(field: Element) {
  const opener = field.matches(OPEN) ? field : field.closest(`[role=combobox]${OPEN}`);
  const opened = opener && [field, opener].flatMap((each) => (each.getAttribute('aria-controls') || each.getAttribute('aria-owns') || '').split(/\s+/))
    .filter(Boolean).map((id) => withId(field, id));
  if (opened && (!opened.length || opened.some((each) => !each || isVisible(each)))) return 'open';
  if (!field.matches('input, textarea') && !field.isContentEditable) return '';
  if (field.matches(SET_AT_ONCE) || !(field.matches(COUNTED) || hears(field, SETTINGS.ask_left_event))) return '';
  return hears(field, SETTINGS.ask_left_event, 1) ? 'left' : 'leave';
}

export function lookAway(element: Element) {
  const field = fieldOf(element) as any;
  if (activeElement() !== field) return false;
  const caret = field.matches('input, textarea') && field.selectionStart !== null ? [field.selectionStart, field.selectionEnd] : null;
  field.blur();
  const active = activeElement();
  if (!field.isConnected || (active && active !== document.body)) return true;
  field.focus({ preventScroll: true });
  if (caret && activeElement() === field && field.selectionStart !== null) field.setSelectionRange(...caret);
  return true;
}

export function readValue(element: Element) {
  const field = fieldOf(element);
  const told = { secret: isSecret(field), read_only: field.readOnly === true, keyed: hears(field, SETTINGS.ask_keys_event), untaken: untakenBecause(field) };
  if (field.isContentEditable) return { ...told, kind: 'editable', value: editedText(field) };
  if (!field.matches('input, textarea, select')) return { ...told, kind: 'other', value: field.innerText ?? field.textContent };
  return { ...told, kind: field.type, value: field.value, maxlength: field.maxLength ?? -1, message: field.validationMessage };
}

export function caretToEnd(element: Element) {
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

const HARMLESS = 'Shift';
const IN_ONE_LINE = /^(text|search|tel|url|password|textarea)$/;

/**
 * Which key says to a page that listens to keys what a field holds already, and changes nothing: its last character once more, in its own place,
 * else one that writes nothing. Empty where another element has the focus, which would get it.
 */
export function repeatLast(element: Element) {
  const field = fieldOf(element);
  if (activeElement() !== field) return '';
  const last = String(field.value ?? '').slice(-1);
  if (!IN_ONE_LINE.test(field.type || '') || !/[!-~]/.test(last)) return HARMLESS;
  field.setSelectionRange(field.value.length - 1, field.value.length);
  return last;
}

/** Puts a text in the place of what a field holds, by its own document: keys would go to whatever frame has the focus by then. */
export function enterText(element: Element, { value }: { value: string }) {
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
