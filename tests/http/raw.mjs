// SPDX-License-Identifier: MIT
/* Bytes on a socket, for what no client of HTTP would send. */
import { once } from 'node:events';
import net from 'node:net';

const CLOSE_MS = 10_000;

/* A connected socket; it fails after `ms` without a byte either way. */
export async function connectRaw(server, ms = CLOSE_MS) {
  const { port } = new URL(server.url);
  const socket = net.connect(Number(port), '127.0.0.1');
  socket.setNoDelay();
  socket.setTimeout(ms, () => socket.destroy(new Error('the server keeps the connection')));
  await once(socket, 'connect');
  return socket;
}

/*
 * Sends bytes as they are, at once or in pieces of so many, and returns all that comes back until
 * the server closes, or until it is `enough`. A connection that it resets while something is still
 * being sent is closed too.
 */
export async function sendRaw(server, bytes, { piece = Infinity, enough = () => false } = {}) {
  const socket = await connectRaw(server);
  const whole = Buffer.from(bytes);
  let answer = '';
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text;
    if (enough(answer)) socket.destroy();
  });
  let trouble = null;
  socket.on('error', (error) => (trouble = error));
  const closed = new Promise((resolve) => socket.on('close', resolve));
  for (let at = 0; at < whole.length && socket.writable; at += piece) {
    socket.write(whole.subarray(at, at + piece));
    if (piece < whole.length) await new Promise(setImmediate);
  }
  await closed;
  if (trouble !== null && !['ECONNRESET', 'EPIPE'].includes(trouble.code)) throw trouble;
  return answer;
}

export const statuses = (answers) =>
  [...answers.matchAll(/HTTP\/1\.1 (\d+) /g)].map((match) => Number(match[1]));

/* The fields of the first answer, their names in small letters. */
export function headersOf(answer) {
  const [head] = answer.split('\r\n\r\n');
  const fields = head.split('\r\n').slice(1);
  return Object.fromEntries(
    fields.map((field) => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
    }),
  );
}
