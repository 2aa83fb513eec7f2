/** Server-sent events from a body that is fetched, since `EventSource` can't send a header. */

/** @typedef {{event: string, data: string, id: string}} Message */

/**
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<Message>}
 */
export async function* readEvents(body) {
  const reader = body.pipeThrough(/** @type {any} */ (new TextDecoderStream())).getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield readBlock(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * @param {string} block The lines of one event.
 * @returns {Message}
 */
export function readBlock(block) {
  const message = { event: 'message', data: '', id: '' };
  const data = [];
  for (const line of block.split(/\r?\n/)) {
    const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === 'data') data.push(value);
    else if (name === 'event' || name === 'id') message[name] = value ?? '';
  }
  message.data = data.join('\n');
  return message;
}
