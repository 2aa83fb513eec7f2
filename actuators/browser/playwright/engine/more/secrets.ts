import { holding, isSecret } from '../names/secrecy.ts';
import { findAll } from '../names/tree.ts';

function drawnOn(canvas: Element) {
  let told = '';
  const hear = (event: any) => { event.stopImmediatePropagation(); told = event.data; };
  canvas.addEventListener(SETTINGS.tell_drawn_event, hear, true);
  canvas.dispatchEvent(new Event(SETTINGS.ask_drawn_event, { composed: true }));
  canvas.removeEventListener(SETTINGS.tell_drawn_event, hear, true);
  return told;
}

const unspaced = (text: string) => text.replace(/\s+/g, '');

const isDrawnOn = (canvas: Element, values: string[]) => {
  const text = unspaced(drawnOn(canvas));
  return values.some((value) => text.includes(unspaced(value)) || text.includes(Array.from(unspaced(value)).reverse().join('')));
};

/** What a drawing that is written out in its own address says, or the words that stand for a picture. */
function drawingOf(picture: Element) {
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

/** Secret fields, and whatever else shows one of the values: fields that hold it, and the innermost elements with it in their text. */
export function findSecrets(root: Root, { values }: { values: any }) {
  const shows = (text: string) => Boolean(text) && values.some((value: any) => text.includes(value));
  return findAll(root, '*').filter((each) => {
    if (holding.has(each) || each.matches('input, textarea')) return isSecret(each) || shows(each.value) || shows(each.placeholder);
    if (each.matches('canvas') && isDrawnOn(each, values)) return true;
    if (each.matches('img, svg image, embed, object') && shows(drawingOf(each))) return true;
    return shows(each.textContent) && !Array.from(each.children).some((child) => shows(child.textContent));
  }).filter((each) => !each.matches('script, style, title, head'));
}

let covered: any[] = [];
let titles: any = null;

/** In a print, the title and where links lead are written beside what is seen. */
export function coverSecrets(root: Root, options: any) {
  const tells = (text: string) => options.values.some((value: any) => text.includes(value) || text.includes(encodeURIComponent(value)));
  titles = { plain: document.title, shown: options.values.reduce((title: string, value: any) => title.replaceAll(value, '•••'), document.title) };
  if (titles.shown !== titles.plain) document.title = titles.shown;
  const links = findAll(root, 'a[href], area[href]').filter((each) => tells(each.getAttribute('href') || ''));
  covered = [...findSecrets(root, options), ...links].map((element) => [element, element.style.getPropertyValue('visibility'), element.style.getPropertyPriority('visibility')]);
  for (const [element] of covered) element.style.setProperty('visibility', 'hidden', 'important');
  return covered.length;
}

export function uncoverSecrets() {
  if (titles && titles.shown !== titles.plain && document.title === titles.shown) document.title = titles.plain;
  titles = null;
  for (const [element, value, priority] of covered) element.style.setProperty('visibility', value, priority);
  covered = [];
  return true;
}
