// SPDX-License-Identifier: MIT
/*
 * Reads a text/event-stream as the HTML standard describes it, but from a fetch: `EventSource`
 * cannot send the seat's key in a header.
 */
export interface StreamEvent {
  readonly type: string;
  readonly data: string;
  /* The last id seen so far, this event's own included. */
  readonly id: string | null;
}

/* A snapshot is a few kilobytes; a line or event beyond this is not ours. */
const MOST_CHARACTERS = 256 * 1024;

export class EventParser {
  #rest = '';
  #afterReturn = false;
  #started = false;
  #type = '';
  #data: string[] = [];
  #size = 0;
  #id: string | null = null;

  /* The events that `text` completes. Chunks may be cut anywhere, between CR and LF too. */
  push(text: string): StreamEvent[] {
    if (!this.#started && text !== '') {
      this.#started = true;
      if (text.startsWith('\uFEFF')) text = text.slice(1);
    }
    if (this.#afterReturn && text.startsWith('\n')) text = text.slice(1);
    if (text === '') return [];
    this.#afterReturn = text.endsWith('\r');

    const lines = (this.#rest + text).split(/\r\n|\r|\n/);
    this.#rest = lines.pop() ?? '';
    this.#bound(this.#rest.length);
    const events: StreamEvent[] = [];
    for (const line of lines) {
      if (line === '') this.#dispatch(events);
      else this.#field(line);
    }
    return events;
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') this.#type = value;
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    else if (name === 'data') {
      this.#data.push(value);
      this.#size += value.length;
      this.#bound(this.#size);
    }
  }

  #dispatch(events: StreamEvent[]): void {
    if (this.#data.length > 0) {
      const type = this.#type === '' ? 'message' : this.#type;
      events.push({ type, data: this.#data.join('\n'), id: this.#id });
    }
    this.#type = '';
    this.#data = [];
    this.#size = 0;
  }

  #bound(length: number): void {
    if (length > MOST_CHARACTERS) throw new Error('an event of the stream is too long');
  }
}

/*
 * The events of `body` until it ends. `alive` is called for every chunk, comments included, so that
 * the caller can tell a quiet stream from a dead one.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  alive: () => void,
): AsyncGenerator<StreamEvent> {
  const parser = new EventParser();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      alive();
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    /* Also when the caller stops early: an open stream holds one of the browser's connections. */
    reader.cancel().catch(() => undefined);
  }
}
