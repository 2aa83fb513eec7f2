import { fieldOf } from './fields.js';
import { isSecret } from '../engine_names/secrecy.js';
import { activeElement, tagOf } from '../engine_names/tree.js';

/** @param {Root} root */
export function editedText(root) {
  const lines = [''];
  let isOpen = false; // whether the last line may still grow
  const breakLine = () => { lines.push(''); isOpen = true; };
  const walk = (/** @type {any} */ node) => {
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

/** @param {Element} element */
export function readValue(element) {
  const field = fieldOf(element);
  const told = { secret: isSecret(field), read_only: field.readOnly === true };
  if (field.isContentEditable) return { ...told, kind: 'editable', value: editedText(field) };
  if (!field.matches('input, textarea, select')) return { ...told, kind: 'other', value: field.innerText ?? field.textContent };
  return { ...told, kind: field.type, value: field.value, maxlength: field.maxLength ?? -1, message: field.validationMessage };
}

/** @param {Element} element */
export function caretToEnd(element) {
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

/**
 * Puts a text in the place of what a field holds, by its own document: keys would go to whatever has the focus by then,
 * which another frame may take at any time.
 * @param {Element} element
 * @param {{ value: string }} query
 */
export function enterText(element, { value }) {
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

/** @param {Element} element */
export function readFiles(element) {
  const field = fieldOf(element);
  if (!field.matches('input[type=file]')) return null;
  return { multiple: field.multiple, files: Array.from(field.files, ({ name, size }) => ({ name, size })) };
}
