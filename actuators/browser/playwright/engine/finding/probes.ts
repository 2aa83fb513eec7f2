import { shownBox } from '../names/areas.ts';
import { pickOptions, readChoice, readTick, readTicked } from '../acting/choices.ts';
import { caretToEnd, enterText, lookAway, readValue, repeatLast } from '../acting/entering.ts';
import { holdSecret } from '../names/secrecy.ts';
import { describe, nameOf, whereOf } from '../names/naming.ts';
import { listLines, pageText, readHtml, readLinks, readSecrets, readState, readText, readTyped, readWhole } from '../acting/reading.ts';
import { roleOf } from '../names/roles.ts';
import { readBuilding, readSending, readUnsent } from '../acting/settling.ts';
import { disabledBecause, hiddenBecause, hitAt, isVisible } from '../names/sight.ts';
import { isHollow, spotOf, spotOfArea, spotOfText } from '../acting/spots.ts';
import { fold } from '../names/texts.ts';
import { activeElement, addressOf, attributeOf, holds, isDrawing, titleNow } from '../names/tree.ts';
import { findLater, later } from '../later.ts';

function blockerOf(element: Element) {
  const hit = hitAt(element);
  if (!hit || holds(element, hit)) return null;
  if (holds(hit, element)) return { ...describe(hit), is_behind: true };
  return describeBlocker(hit, element);
}

/** What lies over a point of this document; nothing where a frame does, which knows more itself. */
function blockerAt({ x_px, y_px }: { x_px: number, y_px: number }) {
  const hit = document.elementFromPoint(x_px, y_px);
  return !hit || hit.matches('iframe, frame, html, body') ? null : describeBlocker(hit, document.body);
}

export function layersOver(hit: Element, element: Element) {
  const layers: Element[] = [];
  for (let each = hit as Element | null; each && !holds(each, element); each = each.parentElement) layers.push(each);
  return layers;
}

function describeBlocker(hit: Element, element: Element) {
  let layer = hit;
  while (layer.parentElement && !holds(layer.parentElement, element)) layer = layer.parentElement;
  const layers = layersOver(hit, element);
  const told = layers.find((each) => each.matches('[role], dialog, [id], [aria-label]')) || layer;
  const style = getComputedStyle(layer);
  const area = layer.getBoundingClientRect();
  return { ...describe(told), form: findLater('probes', 'layer')(hit, { element }), position: style.position, is_transparent: style.opacity === '0' || (!told.textContent.trim()
    && style.backgroundImage === 'none' && /rgba\(.*, 0\)/.test(style.backgroundColor)),
    covers_page: area.width >= innerWidth * 0.9 && area.height >= innerHeight * 0.9 };
}

function aimOf(element: Element) {
  const control = element.closest('label')?.control || element;
  const link = element.closest('a[href], area[href]');
  const form = control.form || control.closest('form');
  const sends = form && (attributeOf(control, 'formaction') || attributeOf(form, 'action') || document.URL);
  return {
    role: roleOf(element), name: nameOf(element), tag: element.nodeName.toLowerCase(), input_type: attributeOf(control, 'type') || '',
    leads_to: link ? addressOf(attributeOf(link, 'href') || '') : '', form_sends_to: form ? addressOf(sends) : '',
    form_method: form ? (attributeOf(control, 'formmethod') || attributeOf(form, 'method') || 'get').toLowerCase() : '',
    document: window === top ? '' : document.URL,
  };
}

function readTrouble(element: Element) {
  const box = shownBox(element);
  return {
    element: describe(element), framed: window !== top, hidden: hiddenBecause(element), disabled: disabledBecause(element),
    box: { x_px: box.x, y_px: box.y, width_px: box.width, height_px: box.height },
    viewport: { width_px: innerWidth, height_px: innerHeight },
    pointer_events: getComputedStyle(element).pointerEvents,
    read_only: element.readOnly === true || element.getAttribute('aria-readonly') === 'true',
    blocker: box.width && box.height ? blockerOf(element) : null,
  };
}

function readAbout(element: Element) {
  const look = isDrawing(element) || !nameOf(element) ? later().toldOf(element) : '';
  return { ...describe(element), ...(look && { look }), in: whereOf(element), visible: isVisible(element),
    testid: element.getAttribute('data-testid') || '', text: fold(element.textContent || '').slice(0, 80) };
}

function readHovered(element: Element) {
  const hit = hitAt(element);
  // By itself :hover means links alone where a page has no doctype.
  return { hovered: element.matches(':hover:nth-child(n)'), on_top: Boolean(hit && holds(element, hit)) };
}

function readFocused(element: Element) {
  const active = activeElement();
  return { focused: active === element || (active && holds(element, active)), in_focus: document.hasFocus(), active: readActive() };
}

function readActive() {
  const active = activeElement();
  return active ? describe(active) : null;
}

const probes: Record<string, Probe> = {
  trouble: readTrouble, aim: aimOf, about: readAbout, hovered: readHovered, focused: readFocused, active: readActive,
  value: readValue, tick: readTick, ticked: readTicked, choice: readChoice, pick: pickOptions, caretToEnd, repeatLast, lookAway, area: spotOfArea, enter: enterText,
  text: readText, whole: readWhole, typed: readTyped, html: readHtml, links: readLinks, state: readState, page: pageText, title: titleNow,
  lines: listLines, secrets: readSecrets, hold: holdSecret, sending: readSending, building: readBuilding, unsent: readUnsent, hollow: isHollow,
  at: (_root, point) => blockerAt(point),
  spot: (element, { text }) => (text && spotOfText(element, text)) || spotOf(element),
  resizable: (element) => element.matches('textarea') && !['none', ''].includes(getComputedStyle(element).resize),
};

export function askProbe(what: string, element: Element, options: any) {
  return (probes[what] || findLater('probes', what))(element, options || {});
}
