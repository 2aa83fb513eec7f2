/** The platform's answers, which come later: by a promise, an event or a call. What answers an act is the act's, and what answers something older is not. */
import { apply, listen, replace } from './originals.ts';
import { begin, counts, countRequest, end, excludeEvent, hears, isOurs, noteFailure, own, prototypeOf, settle, whenFirst } from './tracking.ts';
import { addressOf, awaitRequest, endRequest } from './waiting.ts';

const Answer = Promise, { then } = Answer.prototype;
const awaitAnswer = (owner: any, name: string, kind: string, isAwaited: (args: any[]) => boolean = () => true) => replace(owner, name, (original, self, args) => {
  const answer = apply(original, self, args);
  if (!(answer instanceof Answer)) return answer;
  const item = isOurs() && isAwaited(args) ? begin(kind) : null;
  const request = name === 'fetch' ? awaitRequest(args[0]) : null;
  const come = (isFailed: boolean, address: any, status: number) => {
    if (request) endRequest(request);
    if (request && isFailed) noteFailure(item, address, status);
    settle(item);
  };
  // The page gets what comes behind ours, so that a failure that it doesn't handle is still reported as such.
  return apply(then, answer, [(value: any) => { come(value?.status >= 400, value?.url, value?.status); return value; },
    (error: any) => { come(error instanceof TypeError, addressOf(args[0]), 0); throw error; }]); // others are of who gave it up
});
// What outlives the page is not meant to change it.
const outlives = ([request, options]: any) => Boolean((options && options.keepalive) || (request && request.keepalive));
awaitAnswer(window, 'fetch', 'request', (args: any) => { const isAwaited = !outlives(args); if (isAwaited) countRequest(); return isAwaited; });
// Whatever else of the platform answers later: by a promise …
const awaitAll = (owner: any, kind: string) => {
  for (const name of owner ? Object.getOwnPropertyNames(owner) : []) {
    const told = Object.getOwnPropertyDescriptor(owner, name) as any;
    if (name !== 'constructor' && typeof told.value === 'function' && told.configurable) awaitAnswer(owner, name, kind);
  }
};
// … or by an event …
const awaitEvents = (owner: any, name: string, kind: string, types: string[], isAwaited: (source: any) => boolean = () => true) => replace(owner, name, (original, self, args) => {
  const told = apply(original, self, args), source = told || self;
  const item = isOurs() && isAwaited(source) ? begin(kind) : null;
  // Before the page's own listeners, which are mostly added behind this.
  const come = () => { if (counts(item)) own(); else excludeEvent(); end(item); };
  for (const type of types) apply(listen, source, [type, come, { once: true }]);
  return told;
});
// … or by calling what it was given.
const awaitCall = (owner: any, name: string, kind: string) => replace(owner, name, (original, self, args) => {
  const item = isOurs() ? begin(kind) : null;
  return apply(original, self, args.map((each) => (typeof each === 'function' ? function (this: any, ...given: any[]) { settle(item); return apply(each, this, given); } : each)));
});
const asked: WeakMap<any, any> = new WeakMap();
replace(XMLHttpRequest.prototype, 'open', (original, self, args) => {
  const sent: any = { address: args[1], item: null };
  asked.set(self, sent);
  apply(listen, self, ['readystatechange', () => {
    if (self.readyState !== 4) return;
    if (self.status >= 400) noteFailure(sent.item, sent.address, self.status);
    if (counts(sent.item)) own(); else excludeEvent();
  }]);
  apply(listen, self, ['error', () => noteFailure(sent.item, sent.address, 0)]);
  return apply(original, self, args);
});
replace(XMLHttpRequest.prototype, 'send', (original, self, args) => {
  const sent = asked.get(self) || {}, item = isOurs() ? begin('request') : null;
  sent.item = item;
  if (item) countRequest();
  const request = awaitRequest(sent.address);
  // Where its end is told, it may have been sent again.
  apply(listen, self, ['loadend', () => { if (self.readyState === 4 || asked.get(self) === sent) { endRequest(request); end(item); } }]);
  return apply(original, self, args);
});

const DATABASE = [['database', 'IDBFactory', 'open deleteDatabase', 'success error'], ['database', 'IDBDatabase', 'transaction', 'complete abort error'],
  ['database', 'IDBObjectStore', 'add clear count delete get getAll getAllKeys getKey openCursor openKeyCursor put', 'success error'],
  ['database', 'IDBIndex', 'count get getAll getAllKeys getKey openCursor openKeyCursor', 'success error']];
const prepareEvents = (rows: string[][]) => {
  for (const [kind, name, ways, types] of rows) for (const way of ways.split(' ')) awaitEvents(prototypeOf(name), way, kind, types.split(' '));
};

// What is seldom used is replaced where the page first asks for it …
const ASKED = [['cipher', 'Crypto', 'subtle', 'SubtleCrypto'], ['lock', 'Navigator', 'locks', 'LockManager'], ['clipboard', 'Navigator', 'clipboard', 'Clipboard'],
  ['storage', 'Navigator', 'storage', 'StorageManager FileSystemFileHandle FileSystemDirectoryHandle FileSystemWritableFileStream'],
  ['permission', 'Navigator', 'permissions', 'Permissions'], ['device', 'Navigator', 'mediaDevices', 'MediaDevices'], ['sign-in', 'Navigator', 'credentials', 'CredentialsContainer'],
  ['browser', 'Navigator', 'serviceWorker', 'ServiceWorkerContainer ServiceWorkerRegistration'], ['browser', 'Navigator', 'userAgentData', 'NavigatorUAData'],
  ['font', 'Document', 'fonts', 'FontFaceSet'], ['cache', '', 'caches', 'CacheStorage Cache'], ['cookies', '', 'cookieStore', 'CookieStore'], ['task', '', 'scheduler', 'Scheduler'],
  ['database', '', 'indexedDB', '']];
for (const [kind, owner, name, names] of ASKED) {
  const place = owner ? prototypeOf(owner) : window, plain = place && Object.getOwnPropertyDescriptor(place, name) as any;
  if (!plain || !plain.get || !plain.configurable) continue;
  let isReady = false;
  const prepare = () => { if (names) for (const each of names.split(' ')) awaitAll(prototypeOf(each), kind); else prepareEvents(DATABASE); };
  Object.defineProperty(place, name, { ...plain, get: new Proxy(plain.get, { apply(get, self, args) {
    if (!isReady) prepare();
    isReady = true;
    return apply(get, self, args);
  } }) });
}
// … or where something is done for the first time.
const ANSWERS = { request: 'Response', stream: 'ReadableStream ReadableStreamDefaultReader ReadableStreamBYOBReader WritableStream WritableStreamDefaultWriter', font: 'FontFace',
  file: 'Blob', picture: 'OffscreenCanvas' };
const SOME_ANSWERS = [['picture', 'HTMLImageElement', 'decode'], ['style sheet', 'CSSStyleSheet', 'replace'], ['browser', 'Navigator', 'getBattery share requestMIDIAccess setAppBadge']];
const FILES = [['file', 'FileReader', 'readAsText readAsArrayBuffer readAsDataURL readAsBinaryString', 'loadend']];
const ENDS = [['sound', 'AudioBufferSourceNode', 'start', 'ended'], ['sound', 'AudioScheduledSourceNode', 'stop', 'ended'], ['animation', 'SVGAnimationElement', 'beginElement', 'endEvent']];
const CALLS = [['picture', 'HTMLCanvasElement', 'toBlob'], ['place', 'Geolocation', 'getCurrentPosition'], ['text', 'DataTransferItem', 'getAsString'],
  ['video', 'HTMLVideoElement', 'requestVideoFrameCallback'], ['file', 'FileSystemFileEntry', 'file'], ['file', 'FileSystemDirectoryReader', 'readEntries']];
whenFirst(() => {
  for (const [kind, names] of Object.entries(ANSWERS)) for (const name of names.split(' ')) awaitAll(prototypeOf(name), kind);
  awaitAll(window.WebAssembly, 'code');
  awaitAnswer((window as any).Notification, 'requestPermission', 'permission');
  awaitAnswer(window, 'createImageBitmap', 'picture');
  awaitAnswer(Object.getPrototypeOf((new ReadableStream() as any).values()), 'next', 'stream');
  for (const [kind, name, ways] of SOME_ANSWERS) for (const way of ways.split(' ')) awaitAnswer(prototypeOf(name), way, kind);
  for (const owner of [Element.prototype, window]) {
    for (const name of ['scroll', 'scrollBy', 'scrollIntoView', 'scrollTo']) awaitAnswer(owner, name, 'scrolling', () => hears(window, 'scrollend'));
  }
  prepareEvents(FILES);
  for (const [kind, name, way, type] of ENDS) awaitEvents(prototypeOf(name), way, kind, [type], (source) => hears(source, type, 'end'));
  for (const [kind, name, way] of CALLS) awaitCall(prototypeOf(name), way, kind);
});
