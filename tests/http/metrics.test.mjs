// SPDX-License-Identifier: MIT
/* What the server counts: in the form that is promised, what really happened, and about nobody. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { test } from 'node:test';
import { NO_LIMITS, Server, sleep } from './harness.mjs';
import { sendRaw } from './raw.mjs';
import { drop, freshId, GAME, PAWN, PAWN_REPLY, resign, ROOMS, Table } from './table.mjs';

const TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const OFF = [...NO_LIMITS, '--metrics', '127.0.0.1:0'];

async function withServer(options, body) {
  const server = new Server(options);
  await server.start();
  try {
    await body(server);
  } finally {
    await server.remove();
  }
}

/* The second line of output. */
async function addressOf(server) {
  await server.untilSaid('metrics on ');
  return /^metrics on (http:\/\/\S+)$/m.exec(server.output)[1];
}

async function scrapeText(server) {
  const answer = await fetch(`${await addressOf(server)}/metrics`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), TYPE);
  return answer.text();
}

/* `a="b",c="d"` as an object: names in small letters, nothing to escape in any value. */
function readLabels(text) {
  const labels = {};
  for (const part of text === '' ? [] : text.split(',')) {
    const match = /^([a-z]+)="([ -!#-[\]-~]*)"$/.exec(part);
    assert.ok(match !== null, text);
    assert.ok(!(match[1] in labels), text);
    labels[match[1]] = match[2];
  }
  return labels;
}

/* Which names the samples of a family may have. */
const suffixes = { counter: [''], gauge: [''], histogram: ['_bucket', '_sum', '_count'] };

/*
 * The text form 0.0.4, read strictly: each family once and together, HELP and TYPE before its samples,
 * no sample twice, nothing else. Returns a function that gives a value by its name and labels.
 */
function parse(text) {
  assert.ok(text.endsWith('\n'));
  const families = new Map();
  const values = new Map();
  let family = null;
  let helped = null;
  for (const line of text.slice(0, -1).split('\n')) {
    const help = /^# HELP ([a-z_]+) ([A-Z][^\\]*\.)$/.exec(line);
    const type = /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/.exec(line);
    const sample = /^([a-z_]+)(?:\{([^{}]+)\})? (\d+(?:\.\d+)?)$/.exec(line);
    if (help !== null) {
      helped = help[1];
    } else if (type !== null) {
      assert.equal(type[1], helped, line);
      assert.ok(!families.has(type[1]), line);
      family = { name: type[1], type: type[2] };
      families.set(type[1], family);
      assert.equal(family.name.endsWith('_total'), family.type === 'counter', line);
    } else {
      assert.ok(sample !== null, `a line that is none: ${line}`);
      assert.ok(
        suffixes[family.type].some((suffix) => sample[1] === family.name + suffix),
        line,
      );
      const labels = readLabels(sample[2] ?? '');
      const key = `${sample[1]} ${JSON.stringify(labels, Object.keys(labels).sort())}`;
      assert.ok(!values.has(key), line);
      values.set(key, Number(sample[3]));
    }
  }
  const value = (name, labels = {}) =>
    values.get(`${name} ${JSON.stringify(labels, Object.keys(labels).sort())}`);
  for (const { name, type } of families.values()) {
    if (type === 'histogram') checkHistogram(name, values, value);
  }
  return { value, values };
}

function checkHistogram(name, values, value) {
  const buckets = [...values]
    .filter(([key]) => key.startsWith(`${name}_bucket `))
    .map(([key, count]) => [
      Number(/"le":"([^"]+)"/.exec(key)[1].replace('+Inf', 'Infinity')),
      count,
    ]);
  for (let i = 1; i < buckets.length; i++) {
    assert.ok(buckets[i][0] > buckets[i - 1][0], name);
    assert.ok(buckets[i][1] >= buckets[i - 1][1], name);
  }
  assert.equal(buckets.at(-1)[0], Infinity);
  assert.equal(buckets.at(-1)[1], value(`${name}_count`));
}

const scrape = async (server) => parse(await scrapeText(server));

test('what happens is counted, each once, and nobody is named', () =>
  withServer(OFF, async (server) => {
    const none = await scrape(server);
    assert.ok(none.values.size > 60);
    for (const [key, value] of none.values) {
      if (!/^(process|komadai_build)/.test(key)) assert.equal(value, 0, key);
    }

    const begun = Date.now() / 1000;
    const waiting = await Table.create(server);
    const playing = await Table.createJoined(server);
    const over = await Table.createJoined(server);
    const left = await Table.createJoined(server);
    const streams = [await playing.listen('host'), await playing.listen('guest')];
    for (const stream of streams) await stream.next();
    await playing.playAll([{ action: PAWN }, { action: PAWN_REPLY }]);
    await over.play(resign);
    for (const [seat, rev] of [
      ['host', 2],
      ['guest', 3],
    ]) {
      assert.equal((await left.send(seat, { rev, op: 'leave' })).status, 200);
    }
    await playing.act('host', 'ask', { what: 'undo' });
    await playing.act('host', 'withdraw');
    const again = { rev: 6, id: freshId(), op: 'play', action: drop('P', 12) };
    assert.equal((await playing.send('host', again)).status, 422);
    assert.equal((await server.get(playing.path)).status, 401);
    assert.equal((await server.get('/api/nothing')).status, 404);
    const page = await server.get('/');
    const known = { headers: { 'If-None-Match': page.headers.etag } };
    assert.equal((await server.request('GET', '/', known)).status, 304);
    assert.match(await sendRaw(server, 'nonsense\r\n\r\n'), /^HTTP\/1\.1 400 /);

    const text = await scrapeText(server);
    const { value } = parse(text);
    const requests = (route, status) => value('komadai_http_requests_total', { route, status });
    const refused = (error, reason = '') => value('komadai_refusals_total', { error, reason });
    const commands = (op) => value('komadai_commands_total', { op });
    const rooms = (phase) => value('komadai_rooms', { phase });
    assert.equal(requests('rooms', '2xx'), 4);
    assert.equal(requests('join', '2xx'), 3);
    assert.equal(requests('events', '2xx'), 2);
    assert.deepEqual([requests('page', '2xx'), requests('page', '3xx')], [1, 1]);
    assert.deepEqual([requests('room', '4xx'), refused('no-key')], [1, 1]);
    assert.deepEqual(
      [requests('nothing', '4xx'), refused('not-found'), refused('malformed')],
      [2, 1, 1],
    );
    assert.equal(refused('illegal', 'drop-not-in-hand'), 1);
    assert.deepEqual(['play', 'ask', 'withdraw', 'answer'].map(commands), [3, 1, 1, 0]);
    assert.deepEqual(['waiting', 'playing', 'over', 'damaged'].map(rooms), [1, 1, 1, 0]);
    assert.equal(rooms('closed'), 1);
    assert.equal(commands('leave'), 2);
    assert.equal(value('komadai_streams'), 2);
    assert.ok(value('komadai_connections') >= 3);
    /* Created, joined, played, left: each is an event on disk. */
    assert.equal(value('komadai_events_written_total'), 4 + 3 + 3 + 2 + 2);
    assert.equal(value('komadai_store_transaction_events_sum'), 14);
    assert.ok(value('komadai_store_transaction_seconds_sum') > 0);
    assert.ok(value('komadai_store_transaction_seconds_sum') < Date.now() / 1000 - begun);
    assert.equal(value('komadai_store_errors_total'), 0);
    assert.ok(Math.abs(value('process_start_time_seconds') - begun) < 30);
    assert.ok(value('process_resident_memory_bytes') > 2 ** 20);
    const { version } = (await server.get('/health')).body;
    assert.equal(value('komadai_build_info', { version }), 1);

    for (const table of [waiting, playing, over, left]) {
      for (const secret of [table.room, table.invite, ...Object.values(table.keys), '127.0.0.1'])
        assert.ok(!text.includes(secret), text);
    }
    for (const stream of streams) stream.close();
    for (const limit = Date.now() + 5000; Date.now() < limit; await sleep(20)) {
      if ((await scrape(server)).value('komadai_streams') === 0) return;
    }
    assert.fail('streams that ended are still counted');
  }));

test('trouble with the disk and limits are counted', () =>
  withServer(['--metrics', '127.0.0.1:0', '--rooms-per-minute', '5'], async (server) => {
    const make = () => server.post(ROOMS, { game: GAME, settings: {} });
    server.limitFiles(0);
    assert.equal((await make()).status, 503);
    server.limitFiles(null);
    for (let i = 0; i < 14; i++) await make();
    const { value } = await scrape(server);
    assert.equal(value('komadai_store_errors_total'), 1);
    const refused = { error: 'unavailable', reason: 'store-write' };
    assert.equal(value('komadai_refusals_total', refused), 1);
    assert.equal(value('komadai_limited_total', { kind: 'rooms' }), 5);
    assert.equal(value('komadai_refusals_total', { error: 'too-many', reason: 'rooms' }), 5);
    assert.equal(value('komadai_limited_total', { kind: 'requests' }), 0);
    assert.equal(value('komadai_rooms', { phase: 'waiting' }), 9);
  }));

test('counters never go back while games are played', () =>
  withServer(OFF, async (server) => {
    const table = await Table.createJoined(server);
    let going = true;
    const play = (async () => {
      for (let i = 0; going; i++) {
        const [op, members] = i % 2 ? ['withdraw', {}] : ['ask', { what: 'new-game' }];
        await table.act('host', op, members);
      }
    })();
    let before = null;
    for (let i = 0; i < 60; i++) {
      const all = await Promise.all([scrape(server), scrape(server)]);
      for (const { values } of all) {
        for (const [key, value] of values) {
          const counts = /_(total|bucket|sum|count) /.test(key);
          if (counts && before !== null) assert.ok(value >= (before.get(key) ?? 0), key);
        }
      }
      before = all[0].values;
    }
    going = false;
    await play;
    assert.ok(before.get('komadai_commands_total {"op":"ask"}') > 0);
  }));

test('they are at their own address only, and nothing else is there', () =>
  withServer(OFF, async (server) => {
    const answer = await server.get('/metrics');
    assert.equal(answer.status, 404);
    assert.ok(!answer.text.includes('komadai_'));
    const address = await addressOf(server);
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/health'],
      ['GET', '/metrics/'],
      ['POST', '/metrics'],
      ['POST', ROOMS],
    ]) {
      assert.equal((await fetch(address + path, { method })).status, 404, `${method} ${path}`);
    }
    const head = await fetch(`${address}/metrics`, { method: 'HEAD' });
    assert.equal(head.status, 200);
  }));

test('without the option there are none', () =>
  withServer([], async (server) => {
    await server.get('/health');
    assert.ok(!server.output.includes('metrics on'));
  }));

test('where their address is taken the server does not start', async () => {
  const other = net.createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const server = new Server(['--metrics', `127.0.0.1:${other.address().port}`]);
  try {
    await assert.rejects(server.start(), /ended with 1: .*event=start_refused .*metrics/s);
  } finally {
    other.close();
    await server.stop();
  }
});
