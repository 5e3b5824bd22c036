// SPDX-License-Identifier: MIT
/* The pages and their files, as a browser fetches them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PAGE, SCRIPT, Server } from './harness.mjs';
import { PAGES } from './table.mjs';

const server = new Server();
before(() => server.start());
after(() => server.remove());

const fetchText = async (path, options) => {
  const response = await fetch(new URL(path, server.url), options);
  return { response, text: await response.text() };
};

test('the home page and each rubrique are the page', async () => {
  for (const path of ['/', ...Object.values(PAGES), '/rubriques/jeux-mini-shogi?x=1']) {
    const { response, text } = await fetchText(path);
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal(text, PAGE);
  }
});

test('the files of the page are served as they are', async () => {
  const { response, text } = await fetchText('/assets/page-1234.js');
  assert.equal(response.status, 200);
  assert.equal(text, SCRIPT);
});

test('an unchanged page is not sent again', async () => {
  const etag = (await fetchText('/')).response.headers.get('etag');
  assert.match(etag, /^"[0-9a-f]+"$/);
  for (const known of [etag, `W/${etag}`, `"x", W/${etag} , "y"`]) {
    const again = await fetchText('/', { headers: { 'If-None-Match': known } });
    assert.equal(again.response.status, 304, known);
    assert.equal(again.text, '');
  }
  for (const other of ['"x"', etag.slice(1, -1), etag.slice(0, -1), `${etag.slice(0, -2)}"`, '']) {
    const again = await fetchText('/', { headers: { 'If-None-Match': other } });
    assert.equal(again.response.status, 200, other);
  }
});

test('pages are read only', async () => {
  for (const path of ['/', '/rubriques/jeux-mini-shogi', '/assets/page-1234.js']) {
    const { response } = await fetchText(path, { method: 'POST', body: 'x' });
    assert.equal(response.status, 405);
    assert.equal(response.headers.get('allow'), 'GET, HEAD, OPTIONS');
  }
  const { response, text } = await fetchText('/', { method: 'HEAD' });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-length'), String(PAGE.length));
  assert.equal(text, '');
});

test('a folder without a page is refused at the start', async () => {
  const broken = new Server(['--web', '/proc/self/nothing']);
  await assert.rejects(broken.start(), /the page cannot be read/);
  await broken.remove().catch(() => {});
});
