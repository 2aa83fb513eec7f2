/** What a page still wants pressed for what was entered on it to count. */
import { findAll } from '../names/tree.ts';
import { nameOf } from '../names/naming.ts';
import { disabledBecause, isVisible } from '../names/sight.ts';
import { fold } from '../names/texts.ts';

// What looks for something or leads on is no such thing: it is pressed where one wants that.
const SENDS = /^(submit|send|save|apply|confirm|absenden|senden|speichern|anwenden|best\u00e4tigen)(?![\p{L}\p{N}])/iu;
const BUTTONS = 'button, input[type=submit], input[type=button], [role=button]';

/** The name of the one button that sends what was entered; empty where there is none, or several, so that it isn't clear which is meant. */
export function readUnsent(root: Element) {
  const sending = findAll(root, BUTTONS).map((each) => ({ each, name: fold(nameOf(each)) }))
    .filter(({ each, name }) => SENDS.test(name) && isVisible(each) && !disabledBecause(each));
  return { button: sending.length === 1 ? sending[0].name : '' };
}
