/** Pictures and files that a run made. They are fetched with the token, so an address in `src` would not do. */

import { h, patch } from '../dom/elements.js';
import { ask } from '../wires/api.js';
import { attempt } from '../app.js';
import { tellSize } from '../runs/words.js';
import { shorten } from '../runs/names.js';
import { icon } from './icons.js';

/** @typedef {import('../wires/types').Artifact} Artifact */

const MOST = 80, MOST_NAME = 30;
/** @type {Map<string, Promise<string>>} */
const ADDRESSES = new Map();

/**
 * @param {Artifact} artifact
 * @returns {Promise<string>} An address of this tab for its bytes.
 */
function fetchAddress(artifact) {
  const known = ADDRESSES.get(artifact.artifact_id);
  if (known) return known;
  const made = ask(`v1/artifacts/${encodeURIComponent(artifact.artifact_id)}`)
    .then((answer) => answer.blob())
    .then((blob) => URL.createObjectURL(new Blob([blob], { type: artifact.media_type })));
  ADDRESSES.set(artifact.artifact_id, made);
  for (const [id, address] of [...ADDRESSES].slice(0, Math.max(0, ADDRESSES.size - MOST))) {
    ADDRESSES.delete(id);
    void address.then(URL.revokeObjectURL).catch(() => undefined);
  }
  return made;
}

/** @typedef {{artifact: Artifact, words: string}} Told A picture, and what it shows. */

/**
 * Pictures of a step in a row; each opens all of them large.
 * @param {Told[]} pictures
 * @param {string} title Of the step.
 */
export function pictureRow(pictures, title) {
  return h('div', { class: 'pictures' }, pictures.map((each) => h('figure', { key: each.artifact.artifact_id, class: 'picture' },
    h('button', { type: 'button', 'aria-label': `${each.words}: show it large`, on: { click: () => openLarge(pictures, title, pictures.length > 1 ? null : each) } },
      h('img', { alt: '', loading: 'lazy', mount: (/** @type {HTMLImageElement} */ image) => void loadInto(image, each.artifact) })),
    h('figcaption', null, each.words))));
}

/**
 * @param {HTMLImageElement} image
 * @param {Artifact} artifact
 */
async function loadInto(image, artifact) {
  try {
    image.src = await fetchAddress(artifact);
  } catch {
    image.alt = 'This picture is gone.';
  }
}

/**
 * Show pictures large: side by side, or one alone in its own size.
 * @param {Told[]} pictures
 * @param {string} title
 * @param {Told | null} alone
 */
function openLarge(pictures, title, alone) {
  const dialog = document.createElement('dialog');
  dialog.className = 'large';
  dialog.ariaLabel = title;
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  /** @param {Told | null} one */
  const show = (one) => patch(dialog, [largeHead(pictures, title, one, { show, close: () => dialog.close() }), largeGlass(pictures, one, show)]);
  dialog.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: 0, ArrowRight: -1 }[event.key];
    if (step !== undefined && pictures.length > 1) show(pictures.at(step) ?? null);
  });
  show(alone);
  dialog.showModal();
}

/**
 * @param {Told[]} pictures
 * @param {string} title
 * @param {Told | null} alone
 * @param {{show: (one: Told | null) => void, close: () => void}} acts
 */
function largeHead(pictures, title, alone, acts) {
  const choice = (/** @type {string} */ words, /** @type {Told | null} */ one) => h('button', {
    key: words, type: 'button', class: 'button small', 'aria-pressed': String(alone === one), on: { click: () => acts.show(one) },
  }, words);
  return h('header', { key: 'head', class: 'large-head' }, h('h2', null, title),
    h('div', { class: 'large-choices' },
      pictures.length > 1 ? [choice('Both', null), ...pictures.map((each) => choice(each.words, each))] : null,
      h('button', { key: 'close', type: 'button', class: 'button small', on: { click: acts.close } }, 'Close')));
}

/**
 * @param {Told[]} pictures
 * @param {Told | null} alone
 * @param {(one: Told | null) => void} show
 */
function largeGlass(pictures, alone, show) {
  const shown = alone ? [alone] : pictures;
  return h('div', { key: 'glass', class: `large-glass ${alone ? 'alone' : ''}`, tabindex: '0', role: 'region', 'aria-label': 'Pictures' },
    shown.map((each) => h('figure', { key: each.artifact.artifact_id }, h('figcaption', null, each.words),
      h('img', {
        alt: each.words, on: { click: () => pictures.length > 1 && show(alone ? null : each) },
        mount: (/** @type {HTMLImageElement} */ image) => void loadInto(image, each.artifact),
      }))));
}

/**
 * @param {Artifact} artifact
 * @param {string} name As a person would call it.
 */
export function fileRow(artifact, name) {
  return h('li', { key: artifact.artifact_id, class: 'file-row' }, icon('file'),
    h('div', { class: 'file-words' },
      h('p', { class: 'file-name', title: artifact.name }, shorten(name, MOST_NAME)),
      h('p', { class: 'file-about' }, `${tellSize(artifact.size)} · ${artifact.media_type}`)),
    h('button', { type: 'button', class: 'button small', 'aria-label': `Save ${name}`, on: { click: () => void save(artifact) } }, icon('save'), h('span', null, 'Save')));
}

/** @param {Artifact} artifact */
async function save(artifact) {
  const address = await attempt(() => fetchAddress(artifact));
  if (!address) return;
  const link = document.createElement('a');
  link.href = address;
  link.download = artifact.name;
  link.click();
}
