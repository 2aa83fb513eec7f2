/** Pictures of a step, large: side by side, or one above the other with a line to move. */

/** @typedef {{title: string, pictures: HTMLImageElement[]}} Shown */

const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById('compare'));
const glass = /** @type {HTMLElement | null} */ (dialog?.querySelector('[data-glass]') ?? null);
const about = dialog?.querySelector('[data-about]');
const slider = /** @type {HTMLElement | null} */ (dialog?.querySelector('[data-slider]') ?? null);
const range = slider?.querySelector('input') ?? null;
const modes = /** @type {HTMLButtonElement[]} */ ([...(dialog?.querySelectorAll('[data-mode]') ?? [])]);

/** @type {Shown[]} */
const shown = [...document.querySelectorAll('[data-step]')].flatMap((step) => {
  const pictures = /** @type {HTMLImageElement[]} */ ([...step.querySelectorAll('.picture img')]);
  const number = step.querySelector('.step-number')?.textContent?.trim() ?? '';
  const title = step.querySelector('.step-title')?.textContent?.trim() ?? '';
  return pictures.length ? [{ title: `${number} ${title}`.trim(), pictures }] : [];
});

let place = 0;
let mode = 'side';

/**
 * @param {string} name
 * @param {string} [className]
 * @returns {HTMLElement}
 */
function make(name, className = '') {
  const element = document.createElement(name);
  element.className = className;
  return element;
}

/**
 * @param {HTMLImageElement} picture
 * @param {string} [className]
 */
function copy(picture, className = '') {
  const image = /** @type {HTMLImageElement} */ (make('img', className));
  image.src = picture.src;
  image.alt = picture.alt;
  return image;
}

/** @param {HTMLImageElement} picture */
function nameOf(picture) {
  return picture.closest('figure')?.querySelector('figcaption')?.textContent ?? '';
}

/** @param {Shown} step */
function drawSide(step) {
  return step.pictures.map((picture) => {
    const figure = make('figure');
    const caption = make('figcaption');
    caption.textContent = nameOf(picture);
    figure.append(caption, copy(picture));
    return figure;
  });
}

/** @param {HTMLImageElement[]} pictures */
function drawPile([before, after]) {
  const pile = make('div', 'pile');
  if (before && after) pile.append(copy(after), copy(before, 'upper'), make('span', 'pile-line'));
  return [pile];
}

/** Draw what is chosen. */
function draw() {
  const step = shown[place];
  const title = document.getElementById('compare-title');
  if (!step || !glass || !title) return;
  const isPile = mode === 'slider' && step.pictures.length > 1;
  title.textContent = step.title;
  if (about) about.textContent = `${place + 1} of ${shown.length}`;
  glass.classList.toggle('sliding', isPile);
  glass.replaceChildren(...(isPile ? drawPile(step.pictures) : drawSide(step)));
  if (slider) slider.hidden = !isPile;
  for (const each of modes) {
    each.setAttribute('aria-pressed', String((each.dataset['mode'] === 'slider') === isPile));
    each.disabled = step.pictures.length < 2;
  }
  for (const each of dialog?.querySelectorAll('[data-move]') ?? []) {
    if (each instanceof HTMLButtonElement) each.disabled = !shown[place + Number(each.dataset['move'])];
  }
  cut();
}

/** Move the line. */
function cut() {
  const pile = /** @type {HTMLElement | null} */ (glass?.querySelector('.pile') ?? null);
  if (pile && range) pile.style.setProperty('--cut', `${range.value}%`);
}

/** @param {number} by */
function move(by) {
  if (!shown[place + by]) return;
  place += by;
  draw();
}

shown.forEach((step, index) => {
  for (const picture of step.pictures) {
    const button = /** @type {HTMLButtonElement} */ (make('button', 'enlarge'));
    button.type = 'button';
    button.setAttribute('aria-label', `Enlarge. ${picture.alt}`);
    picture.before(button);
    button.append(picture);
    button.addEventListener('click', () => {
      place = index;
      draw();
      dialog?.showModal();
    });
  }
});
dialog?.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const button = target?.closest('button');
  if (button?.dataset['mode']) {
    mode = button.dataset['mode'];
    draw();
  } else if (button?.dataset['move']) move(Number(button.dataset['move']));
  else if (target === dialog || button?.hasAttribute('data-close')) dialog.close();
});
dialog?.addEventListener('keydown', (event) => {
  if (event.target === range || !['ArrowLeft', 'ArrowRight'].includes(event.key)) return;
  move(event.key === 'ArrowLeft' ? -1 : 1);
});
range?.addEventListener('input', cut);

export {};
