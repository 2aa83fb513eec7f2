/**
 * What people call things: runs by what was asked for, sessions by their names, and long words by both their ends, since what tells one
 * address or file from another stands last. Ids that were made up are never names. Pure.
 */

/** @typedef {import('../wires/types').RunRecord} RunRecord */

const LONGEST_WORD = 44;
/** Of letters and digits that nobody chose: hexadecimal, a UUID, a ULID, behind the word that says who made it. */
const MADE_UP = /^(?:([a-z][a-z-]*)-|[a-z]?)(?:(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9A-HJKMNP-TV-Z]{26})$/;

/**
 * @param {string} text
 * @param {number} most Letters.
 * @returns {string} Not longer than that: its beginning and its end.
 */
function cutMiddle(text, most) {
  const letters = [...text];
  if (letters.length <= most) return text;
  const end = Math.floor((most - 1) * 0.55);
  return join(letters.slice(0, most - 1 - end).join(''), letters.slice(-end).join(''));
}

/**
 * @param {string} start
 * @param {string} end
 */
function join(start, end) {
  return `${start.replace(/[^\p{L}\p{N}]+$/u, '')}…${end}`;
}

/**
 * @param {string} word
 * @param {number} most
 * @returns {string} Of an address or path its last part whole, if there is room beside some of its beginning.
 */
function cutWord(word, most) {
  const last = /^\S+(\/[^/]+\/?)$/u.exec(word)?.[1] ?? '';
  if ([...word].length <= most || !last || last.length > most - 5) return cutMiddle(word, most);
  return join(word.slice(0, most - 1 - last.length), last);
}

/**
 * @param {string} text
 * @param {number} most Letters in all.
 * @param {number} [word] Letters of a word.
 * @returns {string} In a line, without what begins every address alike, and with both ends of what is long.
 */
export function shorten(text, most, word = Math.min(LONGEST_WORD, most)) {
  const plain = text.trim().replace(/\s+/g, ' ').replace(/\bhttps?:\/\/(?:www\.)?/g, '');
  const told = plain.replace(/\S+/g, (each) => cutWord(each, word));
  return [...told].length > most ? cutMiddle(plain, most) : told;
}

/**
 * @param {string} address Of a page.
 * @param {number} most Letters.
 * @returns {string} Its host, always whole since it says whose page it is, and both ends of the rest.
 */
export function tellAddress(address, most) {
  const [, host = '', rest = ''] = /^(?:https?:\/\/)?([^/?#]*)(.*)$/s.exec(address) ?? [];
  return host + cutWord(rest, Math.max(12, most - host.length));
}

/**
 * @param {RunRecord} run
 * @returns {string} What was asked for, whole.
 */
export function tellRequest(run) {
  const asked = run.request ?? {};
  const flow = asked['flow'];
  const text = asked['utterance'] ?? asked['text'];
  if (text) return String(text);
  if (flow) return flow === 'flow' ? 'A flow' : `Flow “${flow}”`;
  const goals = Array.isArray(asked['goals']) ? asked['goals'] : [];
  if (!goals.length) return run.reply || 'A run';
  const others = goals.length - 1;
  return others ? `${tellGoal(goals[0])}, and ${others} more` : tellGoal(goals[0]);
}

/**
 * @param {Record<string, any>} goal As a list of verbs with params, or as a flow writes it.
 * @returns {string} Such as `Navigate example.com`.
 */
function tellGoal(goal) {
  const [name = '', params] = goal['domain'] ? [`${goal['domain']}.${goal['verb']}`, goal['params']] : Object.entries(goal)[0] ?? [];
  const what = typeof params === 'string' ? params : Object.values(params ?? {}).find((each) => typeof each === 'string') ?? '';
  const told = `${name.replace(/^.*\./, '').replaceAll('_', ' ')} ${what.replace(/^workspace:\//, '')}`.trim();
  return told.charAt(0).toUpperCase() + told.slice(1);
}

/** @type {Record<string, string>} */
const DOORS = {
  cli: 'command line', client: 'Python', http: 'HTTP', chat: 'chat', console: 'console', mcp: 'MCP', completions: 'chat completions', voice: 'voice',
  'home-assistant': 'Home Assistant',
};

/**
 * @param {string} door
 * @returns {string}
 */
export function tellDoor(door) {
  return DOORS[door] ?? door;
}

/**
 * @param {string} session
 * @returns {boolean} Whether somebody chose its name.
 */
export function isNamed(session) {
  return Boolean(session) && !MADE_UP.test(session);
}

/**
 * @param {string} session
 * @param {RunRecord[]} runs The latest first.
 * @returns {string} Its name; where nobody chose one, who made it and what was asked for in it last.
 */
export function callSession(session, runs) {
  if (isNamed(session)) return session;
  const run = runs.find((each) => each.session === session);
  const door = run?.door ?? MADE_UP.exec(session)?.[1] ?? '';
  return [tellDoor(door), run && tellRequest(run)].filter(Boolean).join(': ') || 'A session without a name';
}
