export const PRESSES = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu'];

export const isMine = (path: any[], element: Element) => {
  const widened = element.closest('button, [role=button], a, [role=link]') || element;
  return path.some((node) => node === element || node === widened || (node.nodeName === 'LABEL' && node.control === element));
};
