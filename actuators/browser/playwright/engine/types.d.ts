/** The types of what the engine's modules give each other, and of what it asks elements for. */

/** What Python gives the scripts (`scripts.py`). */
declare const SETTINGS: Readonly<{
  aim_event: string;
  press_event: string;
  stop_event: string;
  open_event: string;
  begin_event: string;
  ask_event: string;
  pending_event: string;
  ask_drawn_event: string;
  ask_presses_event: string;
  ask_keys_event: string;
  ask_left_event: string;
  tell_drawn_event: string;
  receipt_mark: string;
  fault_mark: string;
  entry_mark: string;
  area_mark: string;
  question_mark: string;
  settling_ms: number;
  following_ms: number;
}>;
declare const WORDS: Readonly<{
  colour_families: Record<string, string[]>;
  icon_noise: string[];
  icon_words: string[];
  role_words: Record<string, string[]>;
  lone_words: string[];
  control_likes: Record<string, { names: string[]; icons: string[] }>;
}>;
/** The chunks of the engine as text, in the shell. */
declare const CHUNKS: Readonly<Record<string, string>>;

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
type Look = {
  kind: string;
  colour: string;
  shade: string;
  size: string;
  extreme: string;
  style: string;
  sides: number;
  character: string;
  width_px: number;
  height_px: number;
};
/** What a thing looks like: the words for its kind, its sides, its only character. */
type Kinds = { kinds: string[]; sides: number; character?: string };
/** What was written about the things that might be icons. */
type Marks = {
  marked: Element[];
  said: (element: Element) => string[];
  called: (element: Element) => string[];
  saidWords: (element: Element) => Set<string>;
  calledWords: (element: Element) => Set<string>;
};

/**
 * What only some kinds of elements have. The engine asks any element for it, since what an element is, is what it has: on the others it
 * is nothing.
 */
interface Element {
  readonly innerText?: any;
  readonly isContentEditable?: boolean;
  readonly offsetWidth?: any;
  readonly offsetHeight?: any;
  readonly ownerSVGElement?: SVGSVGElement | null;
  readonly labels?: any;
  readonly control?: HTMLElement | null;
  readonly form?: any;
  readonly options?: any;
  readonly selectedOptions?: any;
  readonly files?: any;
  readonly cells?: any;
  readonly rows?: any;
  readonly contentDocument?: any;
  readonly style?: any;
  title?: any;
  hidden?: any;
  lang?: any;
  tabIndex?: any;
  focus?: any;
  value?: any;
  type?: any;
  checked?: any;
  indeterminate?: any;
  disabled?: any;
  multiple?: any;
  readOnly?: any;
  placeholder?: any;
  autocomplete?: any;
  maxLength?: any;
  validationMessage?: any;
  selectionStart?: any;
  selectionEnd?: any;
  setSelectionRange?: any;
  select?: any;
  alt?: any;
  src?: any;
  currentSrc?: any;
  data?: any;
  href?: any;
  rel?: any;
  name?: any;
  size?: any;
  scope?: any;
  caption?: any;
  colSpan?: any;
  rowSpan?: any;
  open?: any;
  position?: any;
  points?: any;
  getScreenCTM?: any;
  getTotalLength?: any;
  getPointAtLength?: any;
  elements?: any;
}
interface Node {
  getRootNode(options?: GetRootNodeOptions): any;
  cloneNode(subtree?: boolean): any;
}
interface Window {
  readonly navigation?: any;
}
interface Node {
  readonly data?: any;
}
interface Element {
  readonly host?: any;
  assignedElements?: any;
  assignedNodes?: any;
}
interface AnimationEffect {
  readonly target?: Element | null;
}
interface Event {
  readonly detail?: any;
  readonly screenX?: any;
}
declare const navigation: any;

/** Whether something that can be ticked is. */
type Tick = { role: string; checked: boolean; mixed: boolean; itself: boolean; by_label: boolean; pressed: boolean };
