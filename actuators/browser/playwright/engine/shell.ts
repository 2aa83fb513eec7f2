/**
 * What Playwright evaluates in every document, in every world in which it asks anything.
 *
 * It holds the engine as text: where nothing is asked of the engine, nothing of it is read. It is built when the first question comes,
 * and again at the next one if that failed. Playwright keeps an engine that could not be made for as long as the document lives; so making
 * it must not fail, whatever the document lacks at that moment.
 */

/** What was thrown, with a mark and its place in the engine, which `find_fault` reads from Playwright's error. */
function mark(error: any) {
  const [, script, line, column] = /surehand-(\w+)\.js:(\d+):(\d+)/.exec(String(error && error.stack)) || [];
  const fault = { message: String((error && error.message) || error).slice(0, LONGEST), script: script || '',
    line: Number(line) || 0, column: Number(column) || 0, url: location.href.slice(0, LONGEST) };
  return new Error(SETTINGS.fault_mark + encodeURIComponent(JSON.stringify(fault)));
}

const LONGEST = 300;

/* eslint no-eval: ["error", { "allowIndirect": true }] -- what is kept as text is ours, and runs in a world that no page reaches */
const evaluate = eval; // called so, it runs in the global scope
const made: Record<string, any> = {};
const LACKING = 'lacking ';

function chunk(name: string) {
  if (!made[name] && !CHUNKS[name]) throw new Error(LACKING + name);
  return (made[name] ||= evaluate(CHUNKS[name])(SETTINGS, chunk));
}

function core() {
  if (!made.core) chunk('core').provideChunks(chunk);
  return made.core;
}

export const engine = {
  queryAll(root: any, body: string) {
    try {
      return core().ask(root, JSON.parse(decodeURIComponent(body)));
    } catch (error) {
      throw mark(error);
    }
  },
  /** Carries out an order of the direct way; says which chunk it `lacks`, where that was not sent yet. */
  async serve(order: any) {
    try {
      return await core().serve(order);
    } catch (error: any) {
      const text = String(error && error.message);
      return text.startsWith(LACKING) ? { lacks: text.slice(LACKING.length) } : { fault: mark(error).message };
    }
  },
  provide(chunks: Record<string, string>) { Object.assign(CHUNKS, chunks); },
};
