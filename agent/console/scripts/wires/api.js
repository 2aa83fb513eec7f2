/** The service over HTTP. What lets in goes in headers and a cookie, and nowhere else. */

import { showAccess } from './token.js';
import { readEvents } from './event_stream.js';

/** @typedef {import('./types').ErrorTold} ErrorTold */

const ROOT = new URL('..', new URL('.', location.href)).pathname;

/** A refusal or fault that the service told, or that it can't be reached. */
export class ApiError extends Error {
  /**
   * @param {number} status Of HTTP; 0 where nobody answered.
   * @param {ErrorTold} told What it said.
   */
  constructor(status, told) {
    super(told.message);
    this.status = status;
    this.told = told;
  }
}

/**
 * Ask the service.
 * @param {string} path Below the root, such as `v1/runs`.
 * @param {{method?: string, body?: unknown, signal?: AbortSignal, headers?: Record<string, string>, keepalive?: boolean}} [how]
 * @returns {Promise<Response>}
 */
export async function ask(path, how = {}) {
  const headers = {
    ...showAccess(),
    'X-Surehand-Door': 'console',
    ...(how.body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...how.headers,
  };
  const answer = await reach(ROOT + path, { ...how, headers, body: how.body === undefined ? null : JSON.stringify(how.body) });
  if (!answer.ok) throw new ApiError(answer.status, await readError(answer));
  return answer;
}

/**
 * @param {string} path
 * @returns {Promise<any>} The answer as data.
 */
export async function read(path) {
  return (await ask(path)).json();
}

/**
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>} The answer as data; null where there is none.
 */
export async function send(path, body = {}) {
  const answer = await ask(path, { method: 'POST', body });
  const text = await answer.text();
  return text ? JSON.parse(text) : null;
}

/**
 * @param {string} path
 * @returns {Promise<void>}
 */
export async function remove(path) {
  await ask(path, { method: 'DELETE' });
}

/**
 * Follow a stream of events until it ends or is given up; a stream that breaks is taken up behind its last event.
 * @param {string} path
 * @param {(data: any, id: string) => void} tell Told each event.
 * @param {AbortSignal} signal Gives it up.
 */
export async function follow(path, tell, signal) {
  let last = '';
  for (let tries = 0; tries < 6 && !signal.aborted; tries += 1) {
    try {
      const headers = { Accept: 'text/event-stream', ...(last ? { 'Last-Event-ID': last } : {}) };
      const answer = await ask(path, { signal, headers });
      if (!answer.body) return;
      for await (const event of readEvents(answer.body)) {
        last = event.id || last;
        tries = 0;
        if (event.data) tell(JSON.parse(event.data), event.id);
      }
      return;
    } catch (error) {
      if (signal.aborted || (error instanceof ApiError && error.status)) throw error;
      await new Promise((done) => setTimeout(done, 250 * 2 ** tries));
    }
  }
}

/**
 * @param {string} address
 * @param {RequestInit} how
 * @returns {Promise<Response>}
 */
async function reach(address, how) {
  try {
    return await fetch(address, { ...how, cache: 'no-store', credentials: 'same-origin', redirect: 'error' });
  } catch (error) {
    if (how.signal?.aborted) throw error;
    throw new ApiError(0, {
      code: 'unreachable',
      message: 'The service does not answer.',
      hint: 'Start it again with “surehand serve”. This page tries again by itself.',
    });
  }
}

/**
 * @param {Response} answer
 * @returns {Promise<ErrorTold>}
 */
async function readError(answer) {
  const nothing = { code: `http_${answer.status}`, message: `The service answered ${answer.status}.` };
  try {
    return (await answer.json()).error ?? nothing;
  } catch {
    return nothing;
  }
}
