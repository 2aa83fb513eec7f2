export const PRESSES = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu'];

/**
 * @param {any[]} path
 * @param {Element} element
 */
export const isMine = (path, element) => {
  const widened = element.closest('button, [role=button], a, [role=link]') || element;
  return path.some((node) => node === element || node === widened || (node.nodeName === 'LABEL' && node.control === element));
};
