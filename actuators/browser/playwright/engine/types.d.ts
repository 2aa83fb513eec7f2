/** The types of what the engine's modules give each other, and of what it asks elements for. */

/** What Python gives the scripts (`scripts.py`). */
declare const SETTINGS: Readonly<Record<'settling_ms' | 'following_ms', number> & Record<
  'aim_event' | 'press_event' | 'stop_event' | 'open_event' | 'begin_event' | 'kin_event' | 'ask_event' | 'pending_event' | 'ask_drawn_event' |
  'ask_presses_event' | 'ask_keys_event' | 'ask_left_event' | 'tell_drawn_event' | 'receipt_mark' | 'fault_mark' | 'entry_mark' | 'area_mark' |
  'question_mark' | 'channel', string>>;
declare const WORDS: Readonly<{
  colour_families: Record<string, string[]>;
  icon_noise: string[];
  icon_words: string[];
  role_words: Record<string, string[]>;
  lone_words: string[];
  control_likes: Record<string, { names: string[]; icons: string[] }>;
}>;
/** The chunks of the engine as text, in the shell. */
declare const CHUNKS: Record<string, string>;

/** Where a search begins: a document, a shadow root or an element. Which of them it is, only its members tell. */
type Root = any;

/** Answers one kind of selector part: with elements of the page, or a loose one that holds an answer. */
type Finder = (root: any, query: any) => Element[];
/** Answers a question about an element, with something that can be written as JSON. */
type Probe = (element: any, options: any) => unknown;
type Query = { op: string; [name: string]: any };
type Relation = 'above' | 'below' | 'left of' | 'right of' | 'near';
type Edge = 'top' | 'bottom' | 'left' | 'right';
type Point = number[];
type Colour = number[];

type Region = { name: string; roles: string[]; form?: Form };
type Placement = { relation: Relation; name: string; form?: Form };
/** A selector as data: what to find, and all that stands behind it. */
type Form = {
  query: Query;
  regions: Region[];
  texts?: string[];
  exceptions: string[];
  placements: Placement[];
  ranking?: { order: string; label: string };
  unlike?: Look[];
  likes?: string[];
  spot?: { row: number; column: number } | null;
  nth?: number;
  quantity: 'one' | 'all' | number;
};
/** The parts of a plain selector, as Python has them (`PlainSelector`). */
type PlainRegion = { name: string; word: string; selector?: Plain | null };
type Plain = {
  kind: string;
  word: string;
  name: string;
  regions: PlainRegion[];
  texts: string[];
  placements: { relation: Relation; name: string; selector?: Plain | null }[];
  nth: number | null;
};
/** A visual description. */
type Look = Record<'kind' | 'colour' | 'shade' | 'size' | 'extreme' | 'style' | 'character', string> & Record<'sides' | 'width_px' | 'height_px', number>;
/** What a thing looks like: the words for its kind, its sides, its only character. */
type Kinds = { kinds: string[]; sides: number; character?: string };
/** What was written about the things that might be icons. */
type Marks = { marked: Element[] } & Record<'said' | 'called', (element: Element) => string[]> & Record<'saidWords' | 'calledWords', (element: Element) => Set<string>>;

/**
 * What only some kinds of elements have. The engine asks any element for it, since what an element is, is what it has: on the others it
 * is nothing.
 */
interface Element extends Partial<Record<
  'innerText' | 'offsetParent' | 'offsetWidth' | 'offsetHeight' | 'labels' | 'form' | 'options' | 'selectedOptions' | 'files' | 'cells' | 'rows' | 'contentDocument' |
  'style' | 'title' | 'hidden' | 'lang' | 'tabIndex' | 'focus' | 'value' | 'type' | 'checked' | 'indeterminate' | 'disabled' | 'multiple' |
  'readOnly' | 'placeholder' | 'autocomplete' | 'maxLength' | 'validationMessage' | 'selectionStart' | 'selectionEnd' | 'setSelectionRange' |
  'select' | 'alt' | 'src' | 'currentSrc' | 'data' | 'href' | 'rel' | 'name' | 'size' | 'scope' | 'caption' | 'colSpan' | 'rowSpan' | 'open' |
  'position' | 'points' | 'getScreenCTM' | 'getTotalLength' | 'getPointAtLength' | 'elements' | 'host' | 'assignedElements' | 'assignedNodes', any>> {
  readonly isContentEditable?: boolean;
  readonly ownerSVGElement?: SVGSVGElement | null;
  readonly control?: HTMLElement | null;
}
interface Node { getRootNode(options?: GetRootNodeOptions): any; cloneNode(subtree?: boolean): any; readonly data?: any }
interface Window { readonly navigation?: any }
interface AnimationEffect { readonly target?: Element | null }
interface Event { readonly detail?: any; readonly screenX?: any }
declare const navigation: any;
declare const scheduler: { postTask(task: () => void): Promise<void> };

/** Whether something that can be ticked is. */
type Tick = { role: string; checked: boolean; mixed: boolean; itself: boolean; by_label: boolean; pressed: boolean };
