/** The page of `surehand record` on machines without a screen: the browser's picture, clicks and keys for it, and what is asked. */

import { follow, read, send } from './wires/api.js';
import { takeToken } from './wires/token.js';
import { listenOn } from './parts/screen_input.js';

/** @typedef {{steps: string[], question: string, dialog: {kind?: string, message?: string, given?: string}, chooses: boolean, ended: boolean}} State */

const ASK_MS = 400, AGAIN_MS = 1000;

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {{new(): T}} kind
 * @returns {T}
 */
function find(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page lacks ${id}.`);
  return found;
}

const image = find('frame', HTMLImageElement), address = find('address', HTMLInputElement), steps = find('steps', HTMLOListElement);
const question = find('question', HTMLFormElement), words = find('question-text', HTMLParagraphElement), field = find('question-field', HTMLInputElement);
const no = find('no', HTMLButtonElement), told = find('told', HTMLDivElement);
let asked = '';

/**
 * Answer the recorder, and show what it says then.
 * @param {Record<string, unknown>} body
 */
const answer = async (body) => show(await send('v1/recording/answer', body).catch(tellTrouble));

/** @param {any} error */
function tellTrouble(error) {
  told.textContent = error.told?.message ?? String(error);
  return null;
}

/** @param {State | null} state */
function show(state) {
  if (!state) return;
  if (state.steps.length !== steps.childElementCount || steps.lastElementChild?.textContent !== state.steps.at(-1)) {
    steps.replaceChildren(...state.steps.map((text) => Object.assign(document.createElement('li'), { textContent: text })));
  }
  ask(state);
  if (state.ended) document.title = 'Surehand · recorded';
  if (state.ended) told.textContent = 'The recording has ended. The terminal says what came of it.';
}

/**
 * What is asked: the dialog of the page first, then files, then an expectation.
 * @param {State} state
 */
function ask(state) {
  const { dialog, chooses } = state;
  const text = dialog.kind ? `${dialog.kind}: ${dialog.message}` : chooses ? 'The page wants a file. Its path:' : state.question && `Expect ${state.question} from now on?`;
  question.hidden = !text;
  if (text === asked) return;
  asked = text;
  words.textContent = text;
  field.hidden = !(chooses || dialog.kind === 'prompt') || (chooses && Boolean(dialog.kind) && dialog.kind !== 'prompt');
  field.value = dialog.given ?? '';
  no.hidden = dialog.kind === 'alert';
  question.dataset.kind = dialog.kind ? 'dialog' : chooses ? 'files' : 'expect';
}

/** @param {boolean} yes */
function reply(yes) {
  const kind = question.dataset.kind;
  asked = '';
  if (kind === 'dialog') return answer({ accept: yes, ...(yes && !field.hidden ? { text: field.value } : {}) });
  if (kind === 'files') return answer({ files: yes && field.value ? [field.value] : [] });
  return answer({ expect: yes });
}

const isTyping = () => document.activeElement === address;

async function watch() {
  for (;;) {
    await follow('v1/recording/screen', (/** @type {any} */ frame) => {
      if (frame.data) image.src = `data:image/jpeg;base64,${frame.data}`;
      if (!isTyping()) address.value = frame.url;
    }, new AbortController().signal).catch(tellTrouble);
    await new Promise((done) => setTimeout(done, AGAIN_MS));
  }
}

takeToken();
listenOn(image, { isHeld: () => true, send: (events) => send('v1/recording/input', { events }), handBack: () => undefined });
question.addEventListener('submit', (event) => { event.preventDefault(); void reply(true); });
no.addEventListener('click', () => void reply(false));
find('done', HTMLButtonElement).addEventListener('click', () => void answer({ done: true }));
find('back', HTMLButtonElement).addEventListener('click', () => void send('v1/recording/input', { events: [{ kind: 'back' }] }).catch(tellTrouble));
find('going', HTMLFormElement).addEventListener('submit', (event) => { event.preventDefault(); image.focus(); void answer({ url: address.value }); });
setInterval(() => void read('v1/recording').then(show, tellTrouble), ASK_MS);
void watch();
