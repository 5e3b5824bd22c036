// SPDX-License-Identifier: MIT
import { expect, test } from 'vitest';
import { EventParser, readEvents, type StreamEvent } from './stream.ts';

const TEXT =
  '\uFEFF: ping\r\n\r\nid: e-1\nevent: state\ndata: {"a":1}\n\n' +
  'event: presence\rdata: x\rdata:y\r\rdata\n\nid: e-2\n\nretry: 5\nevent: state\ndata:  z\r\n\r\n';

const EVENTS: StreamEvent[] = [
  { type: 'state', data: '{"a":1}', id: 'e-1' },
  { type: 'presence', data: 'x\ny', id: 'e-1' },
  { type: 'message', data: '', id: 'e-1' },
  { type: 'state', data: ' z', id: 'e-2' },
];

test('reads the same events wherever the text is cut', () => {
  for (let cut = 0; cut <= TEXT.length; cut++) {
    const parser = new EventParser();
    const events = [...parser.push(TEXT.slice(0, cut)), ...parser.push(TEXT.slice(cut))];
    expect(events, `cut at ${cut}`).toEqual(EVENTS);
  }
  const parser = new EventParser();
  expect([...TEXT].flatMap((character) => parser.push(character))).toEqual(EVENTS);
});

test('an event without its empty line is not told', () => {
  expect(new EventParser().push('event: state\ndata: 1\n')).toEqual([]);
});

test('an endless line or event is given up', () => {
  const line = new EventParser();
  expect(() => {
    for (;;) line.push('x'.repeat(1000));
  }).toThrow('too long');
  const event = new EventParser();
  expect(() => {
    for (;;) event.push(`data: ${'x'.repeat(1000)}\n`);
  }).toThrow('too long');
});

test('readEvents joins characters cut between chunks, and frees the stream when left early', async () => {
  const bytes = new TextEncoder().encode('data: 王\n\ndata: 2\n\n');
  let cancelled = false;
  let chunks = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(bytes.slice(chunks, ++chunks)),
    cancel: () => {
      cancelled = true;
    },
  });
  let alive = 0;
  for await (const event of readEvents(body, () => alive++)) {
    expect(event.data).toBe('王');
    break;
  }
  expect(alive).toBeGreaterThanOrEqual(11);
  expect(cancelled).toBe(true);
});
