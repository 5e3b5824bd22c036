// SPDX-License-Identifier: MIT
/*
 * Requests that two servers in a row may read in two ways, so that a second request hides in the
 * first. Each probe is followed by a request that would make a room. It is answered once, with a
 * refusal; the connection is closed; and no room is made.
 *
 * 400 is the answer to all that is malformed or doubtful, also where RFC 9112 would let a server
 * guess. Another status stands where the request is well-formed and something else is the matter:
 * 413 for a length that is a number but too large, 501 for a method and 505 for a version that this
 * server has not (RFC 9110, 15.5.14, 15.6.2, 15.6.6).
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from './harness.mjs';
import { headersOf, sendRaw, statuses } from './raw.mjs';
import { GAME, ROOMS } from './table.mjs';

const server = new Server();
before(() => server.start());
after(() => server.remove());

const room = JSON.stringify({ game: GAME, settings: {} });
const post = (...fields) => [`POST ${ROOMS} HTTP/1.1`, 'Host: x', ...fields, '', ''].join('\r\n');
const get = (...fields) => ['GET /health HTTP/1.1', 'Host: x', ...fields, '', ''].join('\r\n');
const hidden = `${post(`Content-Length: ${room.length}`)}${room}`;

const hex = hidden.length.toString(16);
const chunk = `${hex}\r\n${hidden}\r\n0\r\n\r\n`;
const lastChunk = '0\r\n\r\n';
const chunked = 'Transfer-Encoding: chunked';

/* The length of the body, said in more ways than one or in none that is a number. */
const lengths = {
  'two lengths that differ': post('Content-Length: 0', `Content-Length: ${hidden.length}`),
  'two lengths that agree': post('Content-Length: 0', 'Content-Length: 0'),
  'two lengths, one in small letters': post('Content-Length: 0', 'content-length: 5'),
  'two lengths in a list that agree': post('Content-Length: 0, 0'),
  'two lengths in a list that differ': post(`Content-Length: 0, ${hidden.length}`),
  'a length and a comma': post('Content-Length: 0,'),
  'a length with a plus': post('Content-Length: +0'),
  'a length below zero': post('Content-Length: -1'),
  'a length of minus zero': post('Content-Length: -0'),
  'a hexadecimal length': post('Content-Length: 0x0'),
  'a length with a fraction': post('Content-Length: 0.0'),
  'a length with an exponent': post('Content-Length: 0e1'),
  'a length in two words': post('Content-Length: 0 0'),
  'a length in quotation marks': post('Content-Length: "0"'),
  'a length with a parameter': post('Content-Length: 0;x'),
  'a length with a letter': post('Content-Length: 0a'),
  'a length in wide digits': post('Content-Length: \uff10'),
  'an empty length': post('Content-Length:'),
  'a length of blanks': post('Content-Length: \t '),
  'a length behind a vertical tab': post('Content-Length: \x0b0'),
  'a length before a NUL': post('Content-Length: 0\0'),
  'a length on a folded line': post('Content-Length:\r\n 0'),
  'a blank before the colon of a length': post('Content-Length : 0'),
  'two lengths of a GET': get('Content-Length: 0', 'Content-Length: 5'),
};

/* Well-formed lengths of which an overflow would make a small number. */
const largeLengths = {
  'a length of 2^32': post('Content-Length: 4294967296'),
  'a length of 2^64': post('Content-Length: 18446744073709551616'),
  'a length of a hundred digits': post(`Content-Length: ${'9'.repeat(100)}`),
};

/* This server reads no chunks: whatever says Transfer-Encoding is refused, before its body. */
const encodings = {
  'a chunked body': post(chunked) + chunk,
  'a length, then chunks (CL.TE)': post(`Content-Length: ${lastChunk.length}`, chunked) + lastChunk,
  'chunks, then a length (TE.CL)': post(chunked, `Content-Length: ${hex.length + 2}`) + chunk,
  'chunks that say so twice (TE.TE)': post(chunked, 'Transfer-Encoding: identity') + chunk,
  'chunks, then something unknown': post('Transfer-Encoding: chunked, x') + chunk,
  'something unknown, then chunks': post('Transfer-Encoding: x, chunked') + chunk,
  'compressed chunks': post('Transfer-Encoding: gzip, chunked') + chunk,
  'the encoding of no encoding': post('Transfer-Encoding: identity') + lastChunk,
  'an encoding with a letter before it': post('Transfer-Encoding: xchunked') + chunk,
  'an encoding with a comma behind it': post('Transfer-Encoding: chunked,') + chunk,
  'an encoding with a parameter': post('Transfer-Encoding: chunked;q=1') + chunk,
  'an encoding in quotation marks': post('Transfer-Encoding: "chunked"') + chunk,
  'an encoding in capitals': post('TRANSFER-ENCODING: CHUNKED') + chunk,
  'an encoding behind a tab': post('Transfer-Encoding:\tchunked') + chunk,
  'an encoding behind a vertical tab': post('Transfer-Encoding: \x0bchunked') + chunk,
  'an encoding before a NUL': post('Transfer-Encoding: chunked\0') + chunk,
  'an encoding before a bare CR': post('Transfer-Encoding: chunked\r') + chunk,
  'an empty encoding': post('Transfer-Encoding:') + lastChunk,
  'an encoding on a folded line': post('Transfer-Encoding:\r\n chunked') + chunk,
  'an encoding on an indented line': post('X: x', ' Transfer-Encoding: chunked') + chunk,
  'an encoding behind a bare LF': post('X: x\nTransfer-Encoding: chunked') + chunk,
  'an encoding behind a bare CR': post('X: x\rTransfer-Encoding: chunked') + chunk,
  'a blank before the colon of an encoding': post('Transfer-Encoding : chunked') + chunk,
  'a tab before the colon of an encoding': post('Transfer-Encoding\t: chunked') + chunk,
  'a line end before the colon of an encoding': post('Transfer-Encoding', ': chunked') + chunk,
  'a NUL in the name of an encoding': post('Transfer\0-Encoding: chunked') + chunk,
  'chunks of HTTP/1.0': post(chunked).replace('1.1', '1.0') + chunk,
  'chunks of a GET': get(chunked) + chunk,
  'a chunk with an extension': post(chunked) + `0;x=y\r\n\r\n`,
  'a chunk with an extension that ends in a bare LF': post(chunked) + `0;x\n\r\n`,
  'a chunk whose size is over 64 bits': post(chunked) + `1${'0'.repeat(16)}\r\n\r\n${lastChunk}`,
  'a chunk whose size is signed': post(chunked) + `-1\r\n\r\n${lastChunk}`,
  'a chunk whose size is 0x': post(chunked) + `0x0\r\n\r\n`,
  'a chunk that ends in a bare LF': post(chunked) + '0\n\n',
  'trailers that say a length': post(chunked) + `0\r\nContent-Length: ${hidden.length}\r\n\r\n`,
};

const lines = {
  'a request line that ends in a bare LF': get().replace('\r\n', '\n'),
  'a request line that ends in a bare CR': get().replace('\r\n', '\r'),
  'a request line that ends in CR CR LF': get().replace('\r\n', '\r\r\n'),
  'lines that all end in a bare LF': get().replaceAll('\r\n', '\n'),
  'a field that ends in a bare LF': get().replace('x\r\n', 'x\n'),
  'a bare LF for the empty line': get().replace('\r\n\r\n', '\r\n\n'),
  'a bare CR for the empty line': get().replace('\r\n\r\n', '\r\n\rX'),
  'an empty line before it': `\r\n${get()}`,
  'a field on two lines': get('X: a', ' b'),
  'a field on two lines, with a tab': get('X: a', '\tb'),
  'an indented first field': get().replace('Host', ' Host'),
  'a field without a colon': get('X'),
  'a field without a name': get(': x'),
  'a blank in a name': get('X y: z'),
  'a blank before a colon': get('X : y'),
  'a letter above ASCII in a name': get('\u00e9: x'),
  'a NUL in a name': get('X\0: y'),
  'a NUL in a value': get('X: \0y'),
  'a NUL in the target': get().replace('/health', '/health\0'),
};

const requestLines = {
  'tabs for blanks': get().replace(/ /g, '\t'),
  'two blanks behind the method': get().replace('GET ', 'GET  '),
  'two blanks before the version': get().replace(' HTTP', '  HTTP'),
  'a blank at the end': get().replace('1.1', '1.1 '),
  'a blank at the beginning': ` ${get()}`,
  'a blank in the target': get().replace('/health', '/health /x'),
  'a vertical tab behind the method': get().replace(' ', '\x0b'),
  'no version, as HTTP/0.9': 'GET /health\r\n',
  'no version, and fields': 'GET /health\r\nHost: x\r\n\r\n',
  'the version in small letters': get().replace('HTTP', 'http'),
  'a version of three digits': get().replace('1.1', '1.10'),
  'a version with a zero before it': get().replace('1.1', '01.1'),
  'a version of one digit': get().replace('1.1', '1'),
  'a version with a comma': get().replace('1.1', '1,1'),
  'a blank in the version': get().replace('HTTP/', 'HTTP/ '),
  'no method': get().replace('GET ', ''),
  'a quotation mark in the method': get().replace('GET', '"GET"'),
  /* RFC 9112, 3.2.2 would have it served; it names a host twice, and only proxies need it. */
  'an absolute target with another host': get().replace('/health', 'http://y/health'),
  'an absolute target with the same host': get().replace('/health', 'http://x/health'),
  'an authority for a target': get().replace('/health', 'x:80'),
  'an asterisk for a target': get().replace('/health', '*'),
  'a target without a slash': get().replace('/health', 'health'),
  'a fragment in the target': get().replace('/health', '/health#x'),
  'a letter above ASCII in the target': get().replace('/health', '/h\u00e9alth'),
};

const methods = {
  'a method in small letters': get().replace('GET', 'get'),
  'a method with a letter more': get().replace('GET', 'GETS'),
  CONNECT: 'CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n',
  'the line that proxies put before a connection': 'PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n',
  'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
};

const versions = {
  'HTTP/1.2': get().replace('1.1', '1.2'),
  'HTTP/2.0': get().replace('1.1', '2.0'),
  'HTTP/0.9, said so': get().replace('1.1', '0.9'),
};

/* Fields that decide who is spoken to, and who speaks. */
const fields = {
  'no Host': get().replace('Host: x\r\n', ''),
  'no Host in HTTP/1.0': get().replace('Host: x\r\n', '').replace('1.1', '1.0'),
  'two Hosts that differ': get('Host: y'),
  'two Hosts that agree': get('host: x'),
  'an empty Host': get().replace('Host: x', 'Host:'),
  'a list of Hosts': get().replace('Host: x', 'Host: x, y'),
  'a Host on a folded line': get().replace('Host: x', 'Host:\r\n x'),
  'a blank before the colon of Host': get().replace('Host:', 'Host :'),
  'a Host with a user': get().replace('Host: x', 'Host: y@x'),
  'a Host with a path': get().replace('Host: x', 'Host: x/y'),
  'a Host with a port of letters': get().replace('Host: x', 'Host: x:http'),
  'two keys': get('Authorization: Bearer a', 'Authorization: Bearer b'),
  'two Origins': get('Origin: http://x', 'Origin: http://y'),
  'two expectations': get('Expect: 100-continue', 'Expect: 100-continue'),
  'an expectation that is unknown': get('Expect: 100-continue, x'),
};

const otherProtocols = {
  'the hello of TLS': Buffer.from('160301020001000001fc0303', 'hex').toString('latin1'),
};

const errors = { 400: 'malformed', 413: 'body-too-large', 501: 'method', 505: 'version' };

const countRooms = async () => (await server.get('/health')).body.rooms;

async function assertRefusedAndClosed(status, probe) {
  const rooms = await countRooms();
  for (const [first, options] of [
    ['', {}],
    ['', { piece: 7 }],
    [get(), {}],
  ]) {
    const answer = await sendRaw(server, first + probe + hidden, options);
    const refusal = answer.slice(answer.lastIndexOf('HTTP/1.1 '));
    assert.deepEqual(statuses(answer), first === '' ? [status] : [200, status], answer);
    assert.equal(headersOf(refusal).connection, 'close');
    assert.equal(JSON.parse(refusal.split('\r\n\r\n')[1]).error, errors[status]);
  }
  assert.equal(await countRooms(), rooms);
}

for (const [status, probes] of [
  [400, lengths],
  [413, largeLengths],
  [400, encodings],
  [400, lines],
  [400, requestLines],
  [501, methods],
  [505, versions],
  [400, fields],
  [400, otherProtocols],
]) {
  for (const [name, probe] of Object.entries(probes)) {
    test(`${status}: ${name}`, () => assertRefusedAndClosed(status, probe));
  }
}

/* Well-formed requests with a second one in their body: it is read as a body, and as nothing else. */
const body = `Content-Length: ${hidden.length}`;
const whole = {
  'the body of a GET': [200, get(body)],
  'the body of a HEAD': [200, get(body).replace('GET', 'HEAD')],
  'the body of OPTIONS': [204, get(body).replace('GET', 'OPTIONS')],
  'the body of a refused POST': [404, post(body).replace(ROOMS, '/api/v1/nothing')],
  'the body of a POST with another method': [405, post(body).replace(ROOMS, '/health')],
  'a length with zeros before it': [200, get(body.replace(': ', ': 000'))],
  'a length that Connection names': [200, get(body, 'Connection: Content-Length')],
  'a length of another name beside it': [
    200,
    get(body, 'Content_Length: 0', 'X-Content-Length: 0'),
  ],
  'an encoding of another name': [200, get(body, 'Transfer_Encoding: chunked', 'TE: chunked')],
  'an upgrade to HTTP/2': [200, get(body, 'Connection: Upgrade', 'Upgrade: h2c')],
  'a method of another name': [200, get(body, 'X-HTTP-Method-Override: POST')],
  'a target of another name': [200, get(body, `X-Original-URL: ${ROOMS}`)],
};

for (const [name, [status, request]] of Object.entries(whole)) {
  test(`read as a body: ${name}`, async () => {
    const rooms = await countRooms();
    const answer = await sendRaw(server, request + hidden + get('Connection: close'));
    assert.deepEqual(statuses(answer), [status, 200], answer);
    assert.equal(await countRooms(), rooms);
  });
}

/* So the probes can fail: behind a request that is whole, the same bytes make a room. */
test('a request without a length has no body, and what follows it is the next', async () => {
  const rooms = await countRooms();
  const answer = await sendRaw(server, get() + hidden + get('Connection: close'));
  assert.deepEqual(statuses(answer), [200, 201, 200]);
  assert.equal(await countRooms(), rooms + 1);
});
