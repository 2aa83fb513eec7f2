import { BOXES, EDITABLE } from '../names/roles.ts';
import { isSeen, isVisible } from '../names/sight.ts';
import { fold } from '../names/texts.ts';
import { findAll, outermost, unique } from '../names/tree.ts';
import { findRegions } from '../finding/regions.ts';

const EDITORS = '[contenteditable]:not([contenteditable=false]), [role=textbox], textarea, iframe';
const TEXTS = 'textarea, input:not([type]), input:is([type=text], [type=hidden])';
const MOST_UP = 2, MOST_AROUND = 8; // parts around a field, and around a frame, beside which the other is looked for

/** Nodes of another document are asked by quoted names: the build replaces others by symbols that only this document has. */
function isFrameEditor(frame: any) {
  const inner = frame.contentDocument;
  const body = inner && inner['body'];
  return Boolean(body) && (body['isContentEditable'] || inner['designMode'] === 'on');
}

function editorsIn(part: Element) {
  const found = [part, ...findAll(part, EDITORS)].filter((each) => each.matches(EDITORS) && isVisible(each) && isSeen(each));
  return outermost(found.filter((each) => !each.matches('iframe') || isFrameEditor(each)));
}

/** What people see in place of a field that a page has hidden: an editor right beside it. */
function standInOf(field: Element): Element | null {
  let start = field;
  for (let level = 0; level < MOST_UP && start.parentElement; level += 1, start = start.parentElement) {
    for (const beside of [start.nextElementSibling, start.previousElementSibling]) {
      const editors = beside && isVisible(beside) ? editorsIn(beside) : [];
      if (editors.length === 1) return editors[0];
    }
    if (isVisible(start.parentElement) && Array.from(start.parentElement.children).filter(isVisible).length > 1) return null;
  }
  return null;
}

/** What stands in for hidden fields, where something does. What does so in a frame is found there, by the same name. */
export function standInsFor(hidden: Element[]) {
  const shown = hidden.map((field) => (field.matches(TEXTS) && standInOf(field)) || field);
  return unique(shown.filter((each) => !each.matches('iframe')));
}

/** The hidden field with a label beside what is around a frame; nodes of another document, as above. */
function fieldBehind(frame: any) {
  const isHidden = (each: any) => each['matches'](TEXTS) && !each['checkVisibility']() && each['labels'] && each['labels']['length'] > 0;
  for (let part = frame, level = 0; part && level < MOST_AROUND; part = part['parentElement'], level += 1) {
    for (const beside of [part['previousElementSibling'], part['nextElementSibling']]) {
      const field = beside && [beside, ...beside['querySelectorAll'](TEXTS)].find(isHidden);
      if (field) return field;
    }
  }
  return null;
}

/** What the editor that fills a frame is called around it: by the frame, and by the labels of the field that it stands in for. */
export function namesAround() {
  try {
    const frame = window.frameElement as any;
    const field = frame && fieldBehind(frame);
    const labels = field ? Array.from(field['labels'], (label: any) => label['textContent']) : [];
    return frame ? [frame['title'], ...labels].filter(Boolean).map(fold) : [];
  } catch {
    return []; // the frame is that of another site
  }
}

/** The only editor without a name of its own in what a heading of that name stands over, with no other field in between. */
export function findHeadedEditor(root: Root, { name, fields }: { name: string, fields: Element[] }) {
  const editors = fields.filter((field) => field.matches(EDITORS) && isVisible(field));
  const regions = editors.length ? findRegions(root, { name, roles: [] }).filter((region) => region !== document.body) : [];
  const inside = editors.filter((editor) => regions.some((region) => region.contains(editor)));
  const all = regions.flatMap((region) => [region, ...findAll(region, '*')]).filter((each) => each.matches(`${EDITABLE}, ${BOXES}`) && !each.closest('[role=toolbar], [role=menubar]'));
  return inside.length === 1 && inside[0] === all.find((each) => isVisible(each) && isSeen(each)) ? inside : [];
}
