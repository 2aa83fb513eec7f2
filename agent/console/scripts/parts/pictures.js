/** Pictures and files that a run made. They are fetched with the token, so an address in `src` would not do. */

import { h } from '../dom/elements.js';
import { ask } from '../wires/api.js';
import { attempt } from '../app.js';
import { tellSize } from '../runs/words.js';
import { icon } from './icons.js';

/** @typedef {import('../wires/types').Artifact} Artifact */

const MOST = 80;
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

/**
 * @param {Artifact} artifact
 * @param {string} words
 */
export function picture(artifact, words) {
  return h('button', {
    key: artifact.artifact_id, type: 'button', class: 'picture', 'aria-label': `${words}: show it large`,
    on: { click: () => void openLarge(artifact, words) },
  },
    h('img', { alt: '', loading: 'lazy', mount: (/** @type {HTMLImageElement} */ image) => void loadInto(image, artifact) }),
    h('span', { class: 'picture-words' }, words));
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
 * @param {Artifact} artifact
 * @param {string} words
 */
async function openLarge(artifact, words) {
  const address = await attempt(() => fetchAddress(artifact));
  if (!address) return;
  const dialog = document.createElement('dialog');
  dialog.className = 'large';
  dialog.ariaLabel = words;
  const image = document.createElement('img');
  image.src = address;
  image.alt = words;
  const close = document.createElement('button');
  close.className = 'button';
  close.textContent = 'Close';
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  dialog.append(image, close);
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * @param {Artifact} artifact
 */
export function fileRow(artifact) {
  return h('li', { key: artifact.artifact_id, class: 'file-row' }, icon('file'),
    h('span', { class: 'file-name' }, artifact.name),
    h('span', { class: 'file-about' }, `${tellSize(artifact.size)} · ${artifact.media_type}`),
    h('button', { type: 'button', class: 'button small', 'aria-label': `Save ${artifact.name}`, on: { click: () => void save(artifact) } }, icon('save'), h('span', null, 'Save')));
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
